"""Rows of turns against a walk over the events, as the file of a record tells them."""

import csv
import io
import json
from dataclasses import replace

import pytest

from mia_cli.records.head import Seat
from mia_cli.records.many.columns import Collector
from mia_cli.records.many.match_summary import read_summaries
from mia_cli.records.many.turn_rows import COLUMNS, as_dict, form_of, head_of, turn_rows, written
from mia_cli.records.record import encode_record, to_json
from mia_cli.rules.rolls import parse_claim, parse_roll
from tests.played_matches import played, some

NAMES = [name for name, _ in COLUMNS]


def rows_of(records):
    collector = Collector()
    for course in read_summaries([encode_record(record) for record in records]):
        collector.add(course)
    return list(turn_rows(collector.batch(), [record.id for record in records]))


def told(record):
    """The turns of a record's file, event by event."""
    document = to_json(record)
    players = {seat["seat"]: seat["player"] for seat in document["seats"]}
    turns, round_, lives, above = [], 0, [], None
    for event in document["events"]:
        last = turns[-1] if turns else None
        match event["event"]:
            case "round_started":
                round_, lives, above = event["round"], event["lives"], None
            case "rolled":
                turns.append(dict.fromkeys(NAMES))
                turns[-1] |= {"match": record.id, "round": round_, "seat": event["seat"]}
                turns[-1] |= {"player": players[event["seat"]], "lives": lives, "above": above}
                turns[-1]["roll"] = event.get("roll")
            case "claimed":
                last["claim"] = event["claim"]
            case "accepted":
                last |= {"answered_by": event["seat"], "answer": "accept"}
                above = last["claim"]
            case "challenged":
                last |= {"answered_by": event["seat"], "answer": "challenge"}
            case "revealed":
                last |= {"roll": event["roll"], "holds": event["holds"]}
    turns = [turn for turn in turns if turn["claim"]]
    for turn in turns:
        same = [one for one in turns if one["round"] == turn["round"]]
        turn["turn"] = 1 + next(at for at, one in enumerate(same) if one is turn)
        if turn["roll"]:
            holds = parse_roll(turn["roll"]).supports(parse_claim(turn["claim"]))
            turn["bluff"] = not holds
    return turns


def test_rows_are_what_the_files_of_records_tell():
    records = some()
    found = [as_dict(row) for row in rows_of(records)]
    assert found == [turn for record in records for turn in told(record)]
    assert all(list(row) == NAMES for row in found)
    assert {row["holds"] for row in found if row["answer"] == "accept"} == {None}
    assert {row["bluff"] for row in found} == {True, False, None}


def test_an_unfinished_match_tells_no_roll_that_is_hidden():
    record = played(3, actions=14)
    rows = [as_dict(row) for row in rows_of([record])]
    hidden = [row for row in rows if row["player"] != "human" and row["answer"] != "challenge"]
    own = [row for row in rows if row["player"] == "human"]
    assert hidden and {(row["roll"], row["bluff"]) for row in hidden} == {(None, None)}
    assert own and all(row["roll"] for row in own)


def test_a_claim_that_nobody_answered_yet_is_a_turn_and_a_roll_alone_is_none():
    whole = rows_of([played(3)])
    before = len(rows_of([played(3, actions=1)]))
    claimed = rows_of([played(3, actions=2)])
    assert before == 0
    assert [row.done.answer for row in claimed] == [None]
    assert claimed[0].done.claim == whole[0].done.claim


def test_csv_and_json_lines_say_the_same():
    rows = rows_of(some())
    in_json = [json.loads(line) for line in written(rows, "jsonl").splitlines()]
    assert in_json == [as_dict(row) for row in rows]
    text = (head_of("csv") + written(rows, "csv")).decode()
    assert text.splitlines()[0] == (
        "match,round,turn,seat,player,lives,above,roll,claim,bluff,answered_by,answer,holds"
    )
    read = list(csv.DictReader(io.StringIO(text)))
    assert [{name: spelt(value) for name, value in row.items()} for row in in_json] == read
    assert head_of("jsonl") == b""


def spelt(value):
    """A value of JSON as CSV has it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return " ".join(map(str, value))
    return str(value)


def test_names_from_outside_cannot_break_a_row_or_steer_a_terminal():
    record = played(1, seats=2, human=False)
    odd = [Seat(1, "a", 'bot:x,"y'), Seat(2, "b", "bot:\x1b[2Jz\n")]
    rows = rows_of([replace(record, seats=tuple(odd))])
    text = written(rows, "csv").decode()
    assert "\x1b" not in text and text.count("\n") == len(rows)
    players = {line[4] for line in csv.reader(io.StringIO(text))}
    assert players == {'bot:x,"y', "bot:\\x1b[2Jz\\n"}
    assert {json.loads(line)["player"] for line in written(rows, "jsonl").splitlines()} == {
        seat.player for seat in odd
    }


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *((name, "csv") for name in ("t.csv", "t", "-", "t.csv.gz", "t.json", "jsonl")),
        *((name, "jsonl") for name in ("t.jsonl", "t.ndjson", "T.JSONL", "a/t.ndjson.gz")),
    ],
)
def test_the_name_tells_the_form(name, form):
    assert form_of(name) == form
