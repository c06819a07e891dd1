"""The quick reader of records against the strict one and against a walk over the events."""

import json
from random import Random

import numpy as np
import pytest

from mia_cli.files.strict_json import decode_json
from mia_cli.records.many.match_summary import read_summary
from mia_cli.records.many.turns import ACCEPTED, CHALLENGED, PENDING, SHIFTS
from mia_cli.records.record import encode_record, from_json, to_json
from mia_cli.records.replay import replay, require_known_dice
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    LivesLost,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.match import next_living
from tests.played_matches import played, simulated, some

SPELLINGS = {
    "file": encode_record,
    "log": lambda record: json.dumps(to_json(record), separators=(",", ":")).encode(),
    "spaced": lambda record: json.dumps(to_json(record)).encode(),
    "indented": lambda record: json.dumps(to_json(record), indent=2).encode(),
    "sorted": lambda record: json.dumps(to_json(record), sort_keys=True).encode(),
}
WIDTHS = {"seat": 3, "other": 3, "roll": 5, "claim": 5, "above": 5, "answer": 2, "lost": 2}


def walked(record):
    """The turns, event by event, as dicts; of what the file of the record tells."""
    turns, lives, above = [], (), 0
    shown = to_json(record)["events"][1:]
    for event, said in zip(record.events, shown, strict=True):
        match event:
            case RoundStarted():
                lives, above = event.lives, 0
            case Rolled(seat=seat):
                roll = event.roll.position if "roll" in said else 0
                other = next_living(lives, seat)
                turns.append({"seat": seat, "other": other, "roll": roll, "above": above})
                turns[-1] |= {"claim": 0, "answer": PENDING, "lost": 0}
            case Claimed():
                turns[-1]["claim"] = event.claim.position
            case Accepted():
                turns[-1]["answer"], above = ACCEPTED, turns[-1]["claim"]
            case Challenged():
                turns[-1]["answer"] = CHALLENGED
            case Revealed():
                turns[-1]["roll"] = event.roll.position
            case LivesLost():
                turns[-1]["lost"] = event.lost
    return turns


def unpacked(turn):
    return {name: turn >> SHIFTS[name] & (1 << width) - 1 for name, width in WIDTHS.items()}


def lengths(record):
    """The same match left after every action."""
    number = int(record.id[2:])
    for actions in range(1, 40):
        yield played(number, seats=len(record.seats), rules=record.ruleset, actions=actions)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_gives_the_turns_of_the_events(spelling):
    for record in (*some(), *lengths(some()[3]), *lengths(some()[5]), simulated(3, seats=6)):
        course = read_summary(SPELLINGS[spelling](record))
        assert list(map(unpacked, np.frombuffer(course.turns, dtype="<u4").tolist())) == walked(
            record
        )
        assert course.winner == (record.winner or 0)
        assert course.leader == record.events[0].leader
        assert course.players == tuple((seat.name, seat.player) for seat in record.seats)
        assert course.person == (record.human or 0)
        assert (course.id, course.rules) == (record.id, record.ruleset)


def strict(data):
    """Whether the strict reader, the rules and the seed take these bytes."""
    try:
        record = from_json(decode_json(data))
        require_known_dice(record)
        replay(record)
    except BadRecord:
        return False
    return True


def altered(document, random):
    """The document with one value somewhere changed, or a field or an event gone or twice."""
    copy = json.loads(json.dumps(document))
    events = copy["events"]
    place = random.choice((copy, *[random.choice(events) for _ in range(6)]))
    key = random.choice(list(place))
    kind = random.randrange(6)
    if kind == 0:
        del place[key]
    elif kind == 1:
        place["more"] = 1
    elif kind == 2:
        at = random.randrange(len(events))
        events[at:at] = [events[random.randrange(len(events))]]
    elif kind == 3:
        del events[random.randrange(len(events))]
    elif isinstance(place[key], int):
        place[key] = random.choice((0, 1, 2, 3, 4, -1, 7, True, 2.0, "1", None))
    else:
        place[key] = random.choice(("21", "31", "66", "x", "", None, 3, [], [3, 3, 2], {}))
    return copy


@pytest.mark.parametrize("spelling", ["log", "file"])
def test_the_quick_reader_refuses_what_the_strict_one_refuses(spelling):
    random = Random(5)
    refused = 0
    for record in some(24):
        document = to_json(record)
        for _ in range(40):
            changed = altered(document, random)
            separators = (",", ":") if spelling == "log" else None
            data = json.dumps(changed, separators=separators).encode()
            try:
                read_summary(data)
                taken = True
            except BadRecord:
                taken = False
            assert taken == strict(data), data
            refused += not taken
    assert refused > 400


@pytest.mark.parametrize(
    ("key", "other"), [(b'"seed":', b'"seeds":'), (b'"winner":', b'"Winner":')]
)
def test_the_end_of_a_match_has_its_own_fields(key, other):
    for spelling in ("log", "file"):
        before, name, after = SPELLINGS[spelling](some()[1]).rpartition(b'"match_over"')
        with pytest.raises(BadRecord):
            read_summary(before + name + after.replace(key, other, 1))
        spelt = after.replace(b'"seed":', b'"seed": ').replace(b"}", b".0}", 1)
        with pytest.raises(BadRecord):
            read_summary(before + name + spelt)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_key_twice_is_refused_wherever_it_stands(spelling):
    data = SPELLINGS[spelling](some()[1])
    for key in (b'"seed":', b'"status":', b'"lives":', b'"seat":', b'"roll":', b'"winner":'):
        at = -1
        while (at := data.find(key, at + 1)) >= 0:
            twice = data[:at] + key + b' "x", ' + data[at:]
            with pytest.raises(BadRecord) as refused:
                read_summary(twice)
            assert refused.value.code == "duplicate_key"


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"schema":"mia.match/1"}', b"[" * 100_000, b'"x"'],
)
def test_what_is_no_record_is_refused(data):
    with pytest.raises(BadRecord):
        read_summary(data)


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ("mia.match/999", "newer_schema"),
        ("1", "unknown_schema"),
        ("mia.tutorial/1", "unknown_schema"),
    ],
)
def test_other_schemas_are_named(schema, code):
    document = {**to_json(some()[1]), "schema": schema}
    with pytest.raises(BadRecord) as error:
        read_summary(json.dumps(document).encode())
    assert error.value.code == code
