"""Replay: every true record is accepted, every altered one is not."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli.engine.driver import SeededDice, Table, next_action
from mia_cli.engine.seed import Stream, fingerprint, roll_number
from mia_cli.records.head import Seat
from mia_cli.records.record import from_json, to_json
from mia_cli.records.replay import replay
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import Accepted, LivesLost, MatchOver
from mia_cli.rules.match import Accept, Challenge, MakeClaim, Throw, start
from mia_cli.rules.rolls import ROLLS, claims_above, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from tests.records.record_samples import ENDED, caught, history, record_of
from tests.records.record_strategies import histories
from tests.rules_oracle import ORDER, rank

SHORT = history(seats=2, lives=2, choices=3)
LONG = history(seed=11, seats=4, lives=3, penalty=2, leader=3, human=2, choices=5)


def checked(document):
    """What a reader of a file does."""
    return replay(from_json(document))


@settings(max_examples=40)
@given(histories())
def test_every_true_record_is_accepted(records):
    for record in records.some():
        found = replay(from_json(to_json(record)))
        assert found.dice_checked
        assert tuple(found.table.events) == record.events
        assert found.table.match.winner == record.winner


class Chooser:
    """A player that decides by its number alone, so that a resumed match can be compared."""

    def claim(self, seen, uniform):
        legal = claims_above(seen.above)
        return legal[int(uniform * min(len(legal), 5))]

    def answer(self, seen, uniform):
        must = seen.claim.must_be_challenged
        return Challenge() if must or uniform < 0.4 else Accept()


@pytest.mark.parametrize("seats", [2, 6])
def test_a_match_resumed_after_any_action_goes_on_as_it_would_have(seats):
    seed, players = 5, [Chooser()] * seats

    def play_on(table):
        streams = [Stream(seed, f"seat {seat}") for seat in range(1, seats + 1)]
        while table.match.phase != "over":
            table.step(next_action(table, players, SeededDice(seed), streams))
        return tuple(table.events)

    first = history(seed=seed, seats=seats)[0]
    whole = play_on(replay(first).table)
    assert isinstance(whole[-1], MatchOver)
    table, resumed = replay(first).table, 0
    while table.match.phase != "over":
        record = replace(first, events=tuple(table.events))
        assert play_on(replay(from_json(to_json(record))).table) == whole
        streams = [Stream(seed, f"seat {seat}") for seat in range(1, seats + 1)]
        table.step(next_action(table, players, SeededDice(seed), streams))
        resumed += 1
    assert resumed > 10


def alternatives(event, key):
    """Other values of the same type, most of them possible in some match."""
    value = event[key]
    if key in ("roll", "claim"):
        return [name for name in ORDER if name != value]
    if key == "holds":
        return [not value]
    if key == "lives":
        bumped = [[*value[:at], n, *value[at + 1 :]] for at in range(len(value)) for n in range(6)]
        return [lives for lives in [*bumped, value[::-1], value[:-1]] if lives != value]
    if key == "seed":
        kind, seed = type(value), int(value)  # large seeds are text
        others = [kind(seed + 1), kind(-seed), str(seed + 1)]
        return [other for other in others if other != value]
    return [number for number in range(8) if number != value]


def first_misfit(events, number, key, value):
    """The first event that no longer fits when one value of a finished match is changed.

    None when the result is a possible match too. What follows from the rules or the dice is wrong
    where it stands. A player's choice is wrong there only if it was not allowed; otherwise what
    follows from it is.
    """
    if (number, key) == (2, "leader"):
        leaves_table = not 1 <= value <= len(events[1]["lives"])
        return number if leaves_table else number + 1
    if key != "claim" or events[number - 1]["event"] != "claimed":
        return number
    before, answer = events[number - 3], events[number]
    if before["event"] == "accepted" and rank(value) <= rank(events[number - 4]["claim"]):
        return number
    if answer["event"] == "challenged":
        return number + 2  # the reveal repeats the claim
    if value == "21":
        return number + 1
    is_beaten = rank(value) < rank(events[number + 2]["claim"])
    return None if is_beaten else number + 3


def rejected(document, latest):
    """The error, which names an event not later than ``latest``."""
    error = caught(lambda: checked(document))
    assert isinstance(error, BadRecord), error
    assert 1 <= error.fields["event"] <= latest, error
    return error


def altered(document, number, key, value):
    events = list(document["events"])
    events[number - 1] = {**events[number - 1], key: value}
    return {**document, "events": events}


def check_alteration(document, number, key, value):
    changed = altered(document, number, key, value)
    misfit = first_misfit(document["events"], number, key, value)
    if misfit is None:
        checked(changed)
        return
    error = rejected(changed, misfit)
    # A value that no match has is refused before the rules are asked.
    assert error.fields["event"] == misfit or error.code.startswith("event_")


def test_every_single_change_of_a_short_match_is_found():
    document = to_json(SHORT[-1])
    checked(document)
    changes = 0
    for number, event in enumerate(document["events"][1:], start=2):
        for key in event:
            if key != "event":
                for value in alternatives(event, key):
                    check_alteration(document, number, key, value)
                    changes += 1
    assert changes > 400


@settings(max_examples=400)
@given(records=histories(), data=st.data())
def test_any_single_change_of_any_match_is_found(records, data):
    document = to_json(records[-1])
    number = data.draw(st.integers(2, len(document["events"])))
    event = document["events"][number - 1]
    key = data.draw(st.sampled_from([key for key in event if key != "event"]))
    value = data.draw(st.sampled_from(alternatives(event, key)))
    check_alteration(document, number, key, value)


@pytest.mark.parametrize("record", [SHORT[-1], LONG[-1]], ids=["short", "long"])
def test_dropped_doubled_swapped_and_cut_events_are_found(record):
    document = to_json(record)
    events = document["events"]
    for at in range(1, len(events)):
        rejected({**document, "events": [*events[:at], *events[at + 1 :]]}, at + 1)
        rejected({**document, "events": [*events[: at + 1], *events[at:]]}, at + 2)
        if at > 1:
            rejected({**document, "events": events[:at]}, at + 1)
    for at in range(1, len(events) - 1):
        swapped = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
        rejected({**document, "events": swapped}, at + 1)
    error = caught(lambda: checked({**document, "events": events[:1]}))
    assert error.code == "no_events"


def test_every_kind_of_event_put_anywhere_is_found():
    document = to_json(SHORT[-1])
    events = document["events"]
    kinds = {event["event"]: event for event in events}
    for at in range(1, len(events) + 1):
        for name, event in kinds.items():
            # A choice can be one the seat might have made; the true one is then too many.
            latest = at + 2 if name in ("claimed", "accepted", "challenged") else at + 1
            if at == len(events) or event != events[at]:
                rejected({**document, "events": [*events[:at], event, *events[at:]]}, latest)


HEAD_CHANGES = [
    ("id", "20261130-0332-zzzzzz"),
    ("status", "unfinished"),
    ("ended", None),
    ("ruleset", {"lives": 3, "penalty_21": 1}),
    ("ruleset", {"lives": 2, "penalty_21": 2}),
    ("seed", 8),
    ("seed", "7" * 40),
    ("seed_fingerprint", fingerprint(8)),
    ("winner", None),
    ("winner", 1),
    ("winner", 2),
]


@pytest.mark.parametrize(("key", "value"), HEAD_CHANGES)
def test_every_single_change_of_the_head_is_found(key, value):
    document = to_json(SHORT[-1])
    if document[key] == value:
        checked(document)
    else:
        assert isinstance(caught(lambda: checked({**document, key: value})), BadRecord)


def test_head_and_first_event_changed_together_are_found():
    record = SHORT[-1]
    ada = Seat(3, "Cy", "easy")
    for changes, latest in [
        ({"ruleset": RuleSet(3, 1)}, 2),
        ({"seats": (*record.seats, ada)}, 2),
        ({"seed": 8, "seed_fingerprint": fingerprint(8)}, 5),
        ({"seed": 8}, 1),
        ({"seed_fingerprint": fingerprint(8)}, 1),
        ({"winner": 3 - record.winner}, len(record.events) + 1),
        ({"status": "unfinished", "winner": None, "ended": None}, len(record.events) + 1),
    ]:
        rejected(to_json(replace(record, **changes)), latest)


def test_the_penalty_for_21_is_part_of_the_match():
    matches = (history(seats=2, penalty=2, choices=n)[-1] for n in range(200))
    record, at = next(
        (record, at)
        for record in matches
        for at, event in enumerate(record.events)
        if isinstance(event, LivesLost) and event.lost == 2
    )
    error = rejected(to_json(replace(record, ruleset=RuleSet(2, 1))), at + 2)
    assert error.fields["event"] == at + 2


def test_expected_and_found_are_told():
    record = SHORT[-1]
    document = to_json(record)
    number = next(n for n, e in enumerate(document["events"], 1) if e["event"] == "rolled")
    true = document["events"][number - 1]
    other = next(roll.name for roll in ROLLS if roll.name != true["roll"])
    error = rejected(altered(document, number, "roll", other), number)
    assert error.code == "does_not_fit"
    assert error.fields["expected"] == (true,)
    assert error.fields["found"] == {**true, "roll": other}

    claimed = document["events"][number]
    error = rejected({**document, "events": [*document["events"][:number], true]}, number + 1)
    assert error.fields["expected"] == (
        {"event": "claimed", "seat": claimed["seat"], "claim": list(ORDER)},
    )
    assert error.fields["found"] == true

    error = rejected({**document, "events": document["events"][: number + 1]}, number + 2)
    other = 3 - claimed["seat"]
    assert error.fields["expected"] == (
        {"event": "accepted", "seat": other},
        {"event": "challenged", "seat": other},
    )
    assert error.fields["found"] is None


def test_nothing_fits_after_the_end():
    document = to_json(SHORT[-1])
    error = rejected(
        {**document, "events": [*document["events"], document["events"][1]]},
        len(document["events"]) + 1,
    )
    assert error.fields["expected"] == ()


def test_errors_are_made_of_json_values():
    document = to_json(LONG[-1])
    for at in range(2, len(document["events"])):
        events = [*document["events"][:at], *document["events"][at + 1 :]]
        error = caught(lambda events=events: checked({**document, "events": events}))
        json.dumps(error.fields)


@settings(max_examples=40)
@given(records=histories(), data=st.data())
def test_no_error_about_an_unfinished_match_tells_a_hidden_roll(records, data):
    record = data.draw(st.sampled_from(records[:-1]))
    document = to_json(record)
    events = list(document["events"])
    at = data.draw(st.integers(1, len(events) - 1))
    change = data.draw(st.sampled_from(["drop", "double", "challenge", "claim", "roll"]))
    challenged = {"event": "challenged", "seat": data.draw(st.integers(1, 6))}
    events[at : at + 1] = {
        "drop": [],
        "double": [events[at]] * 2,
        "challenge": [challenged],
        "claim": [{"event": "claimed", "seat": 1, "claim": "31"}],
        "roll": [{"event": "rolled", "seat": 1}],
    }[change]
    try:
        checked({**document, "events": events})
    except BadRecord as error:
        told = json.dumps(error.fields.get("expected", ()))
        for event in json.loads(told):
            if "roll" in event:
                assert event["seat"] == record.human
            assert "holds" not in event or event["seat"] == record.human


def test_an_altered_status_does_not_let_one_look_ahead():
    record = next(r for r in LONG if isinstance(r.events[-1], Accepted))
    finished = replace(record, status="finished", ended=ENDED, winner=1)
    error = caught(lambda: replay(finished))
    assert error.fields["expected"][0]["event"] == "rolled"
    assert "roll" not in error.fields["expected"][0]


def test_dice_of_another_scheme_are_taken_as_said():
    record = SHORT[-1]
    table = Table(*start(record.ruleset, len(record.seats), 1))
    while table.match.phase != "over":  # everybody claims 21 over dice of our own
        choices = {"roll": Throw(parse_roll("66")), "claim": MakeClaim(parse_claim("21"))}
        table.step(choices.get(table.match.phase, Challenge()))
    foreign = record_of(table.events, record.seed, record.ruleset)
    assert roll_number(record.seed, 0).name != "66"
    assert rejected(to_json(foreign), 3).fields["event"] == 3
    found = checked(to_json(replace(foreign, dice="other-dice/2")))
    assert not found.dice_checked
    assert found.table.match.winner == foreign.winner
    # The rules are checked all the same.
    rejected(altered(to_json(replace(foreign, dice="other-dice/2")), 4, "claim", "65"), 6)
