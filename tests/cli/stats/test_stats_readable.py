"""``mia stats --readable``: what it prints where, what it refuses, and what it must not know."""

import json
import struct
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from mia_cli.records.many import processes
from mia_cli.records.many.turns import CHALLENGED, SHIFTS, WIDTHS
from mia_cli.records.record import to_json
from mia_cli.rules.rolls import ROLLS
from mia_cli.rules.ruleset import RuleSet
from tests.cli.in_process import full
from tests.played_matches import played, simulated, write


def scrambled(summary):
    """Other rolls wherever they were not shown."""
    random = Random(summary.id)
    first, width = SHIFTS["roll"], WIDTHS["roll"]
    codes = [
        code
        if code >> SHIFTS["answer"] & 3 == CHALLENGED
        else code & ~((1 << width) - 1 << first) | random.choice(ROLLS).position << first
        for code in summary.codes()
    ]
    return replace(summary, turns=struct.pack(f"<{len(codes)}I", *codes))


@cache
def records(count=45):
    rules = RuleSet(2)
    return tuple(played(n, seats=2, rules=rules, levels=("easy", "hard")) for n in range(count))


@pytest.fixture
def folder(isolated):
    write(isolated / "data" / "matches", records())
    return isolated / "data" / "matches"


def document(*args):
    ended = full("stats", "--readable", "--json", *args)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_rolls_never_shown_change_no_byte(folder, monkeypatch):
    before = document()
    read = processes.read_summaries
    monkeypatch.setattr(processes, "read_summaries", lambda data: list(map(scrambled, read(data))))
    write(folder, records())  # files written anew are read anew
    after = document()
    assert after["claims"] != before["claims"]  # the rest of the statistics does read them
    assert json.dumps(after["readable"]) == json.dumps(before["readable"])
    assert before["readable"]["win_chance"] is not None


def test_the_object(folder):
    found = document()["readable"]
    assert found.keys() == {
        *("matches", "finished", "least", "claims", "shown", "answers", "table", "win_chance"),
        *("ci95", "verdict", "habits", "parts", "change"),
    }
    assert (found["matches"], found["finished"]) == (45, 45)
    assert 0 < found["shown"] < found["claims"]
    assert found["table"] == {"players": 2, "lives": 2, "penalty_21": 1}
    low, high = found["ci95"]
    assert 0.4 < low < found["win_chance"] < high <= 1.0
    later = document("--since", "2026-06")
    assert later["readable"]["matches"] == later["matches"] < 45
    assert "readable" not in json.loads(full("stats", "--json").out)


def test_a_log_gives_what_the_folder_gives(folder, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(to_json(record)) + "\n" for record in reversed(records())))
    one, other = document(str(log))["readable"], document()["readable"]
    for part in (one, other):
        part["win_chance"] = round(part["win_chance"], 9)
    assert one["win_chance"] == other["win_chance"]


def test_in_words(folder, tmp_path):
    plain = full("stats").out
    assert "How readable you are for others: mia stats --readable" in plain
    assert full("stats", "--readable", "--html", str(tmp_path / "page.html")).code == 0
    ended = full("stats", "--readable")
    assert ended.code == 0 and "for others:" not in ended.out
    text = ended.out[ended.out.index("\nHow readable you are\n") :]
    assert "An opponent who learned from your last 45 matches would win" in text
    assert "two seats with 2 lives each, where 21 costs 1" in text
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<h2>How readable you are</h2>" in page and "45 matches would win" in page
    ended = full("stats", "--readable", "--format", "csv")
    head, first, *rest = (line.split(",") for line in ended.out.splitlines())
    assert head[-3:] == ["readable", "readable_low", "readable_high"]
    assert float(first[-2]) < float(first[-1]) and all(row[-3:] == [""] * 3 for row in rest)
    assert len({len(row) for row in (head, first, *rest)}) == 1


def test_too_few_in_words(isolated):
    write(isolated / "data" / "matches", records()[:4])
    assert (
        "Not enough matches yet: 4 finished ones of at least 20." in full("stats", "--readable").out
    )
    assert "--readable" not in full("stats").out
    ended = full("stats", "--readable", "--since", "2030")
    assert (ended.code, ended.err) == (0, "")


def test_what_is_refused(folder, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(to_json(simulated(n))) + "\n" for n in range(3)))
    for args in ((str(log),), ("--by", "month"), ("--export", "-")):
        ended = full("stats", "--readable", *args)
        assert (ended.code, ended.out) == (2, ""), args
        assert len(ended.err.splitlines()) == 1 and "--readable" in ended.err
