"""Events as JSON: the names of the contract, both ways, and nothing else accepted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.engine.seed import fingerprint
from mia_cli.records.codec import (
    EVENTS,
    decode,
    decode_match_started,
    encode,
    encode_with,
    match_over,
    match_started,
)
from mia_cli.records.head import Head, Seat
from mia_cli.records.shapes import seed_from_json, seed_to_json
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    LivesLost,
    MatchOver,
    Out,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.rolls import CLAIMS, NAMES, ROLLS, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from tests.records.record_samples import ID, caught, history
from tests.records.record_strategies import seeds

SEATS = st.integers(1, 6)
ROLL = st.sampled_from(ROLLS)
CLAIM = st.sampled_from(CLAIMS)
LIVES = st.lists(st.integers(0, 5), min_size=2, max_size=6).map(tuple)

# As the command-line contract spells them.
EXAMPLES = [
    (
        RoundStarted(2, 3, (3, 0, 1)),
        {"event": "round_started", "round": 2, "leader": 3, "lives": [3, 0, 1]},
    ),
    (Rolled(2, parse_roll("55")), {"event": "rolled", "seat": 2, "roll": "55"}),
    (Rolled(2, None), {"event": "rolled", "seat": 2}),
    (Claimed(1, parse_claim("21")), {"event": "claimed", "seat": 1, "claim": "21"}),
    (Accepted(6), {"event": "accepted", "seat": 6}),
    (Challenged(1), {"event": "challenged", "seat": 1}),
    (
        Revealed(2, parse_roll("43"), parse_claim("65"), False),
        {"event": "revealed", "seat": 2, "roll": "43", "claim": "65", "holds": False},
    ),
    (
        LivesLost(1, 2, (0, 3)),
        {"event": "lives_lost", "seat": 1, "lost": 2, "lives": [0, 3]},
    ),
    (Out(1), {"event": "out", "seat": 1}),
]
OVER = {"event": "match_over", "winner": 2, "seed": 7}
HEAD = Head(ID, RuleSet(3, 2), (Seat(1, "You", "human"), Seat(2, "Ada", "bot:x")), fingerprint(7))
STARTED = {
    "event": "match_started",
    "match": ID,
    "ruleset": {"lives": 3, "penalty_21": 2},
    "seats": [
        {"seat": 1, "name": "You", "player": "human"},
        {"seat": 2, "name": "Ada", "player": "bot:x"},
    ],
    "seed_fingerprint": "b4465cdc744990b1c7ba18d8132f57c57e286e193c667553bae947f7b0c8ba3f",
}
WRONG = [None, True, False, 0, -1, 7, 1.0, "1", "", "x", [], {}, [1], [True, 3], [3, 6], [3] * 7]


@pytest.mark.parametrize(("event", "expected"), EXAMPLES)
def test_events_are_spelt_as_in_the_contract(event, expected):
    assert encode(event) == expected
    assert list(encode(event)) == list(expected)  # the order too: people read it
    assert encode_with(event, 7) == expected
    assert decode(expected, 2) == event


def test_the_first_and_the_last_event_carry_what_only_the_match_knows():
    assert match_started(HEAD) == STARTED
    assert list(match_started(HEAD)) == list(STARTED)
    assert decode_match_started(STARTED) == HEAD
    assert match_over(MatchOver(2), 7) == encode_with(MatchOver(2), 7) == OVER
    assert decode(OVER, 9, seed=7) == decode(OVER, 9) == MatchOver(2)
    assert caught(lambda: decode(OVER, 9, seed=8)).fields == {"event": 9}


def test_every_kind_of_event_has_an_example():
    spelt = [expected["event"] for _, expected in EXAMPLES]
    assert {*spelt, "match_started", "match_over"} == set(EVENTS)


def test_a_record_can_stand_for_its_head():
    record = history()[0]
    assert match_started(record)["match"] == record.id


any_event = st.one_of(
    st.builds(RoundStarted, st.integers(1, 40), SEATS, LIVES),
    st.builds(Rolled, SEATS, st.one_of(st.none(), ROLL)),
    st.builds(Claimed, SEATS, CLAIM),
    st.builds(Accepted, SEATS),
    st.builds(Challenged, SEATS),
    st.builds(Revealed, SEATS, ROLL, CLAIM, st.booleans()),
    st.builds(LivesLost, SEATS, st.integers(1, 2), LIVES),
    st.builds(Out, SEATS),
    st.builds(MatchOver, SEATS),
)


@given(event=any_event, seed=seeds)
def test_events_survive_json(event, seed):
    there = json.dumps(encode_with(event, seed))
    assert decode(json.loads(there), 5, seed) == event


@given(seeds)
def test_seeds_are_exact_for_every_reader(seed):
    kept = seed_to_json(seed)
    assert seed_from_json(kept) == seed_from_json(json.loads(json.dumps(kept))) == seed
    if isinstance(kept, int):
        assert int(float(kept)) == seed  # what jq and JavaScript make of it
    else:
        assert kept == str(seed)
    assert seed_from_json(seed) == seed_from_json(str(seed)) == seed


@pytest.mark.parametrize(
    "value", ["", "x", "+7", "007", " 7", "7 ", "-0", "1e3", "7.0", 7.0, True, None, [7], "٧",
              10**100, -(10**100), str(10**100)]
)  # fmt: skip
def test_what_is_no_seed(value):
    with pytest.raises(ValueError):
        seed_from_json(value)


def _fields(value):
    return [key for key in value if key != "event"]


ALL = [*(expected for _, expected in EXAMPLES), OVER]


@pytest.mark.parametrize("value", ALL, ids=lambda value: value["event"])
def test_a_missing_or_additional_field_is_named(value):
    for key in _fields(value):
        if value["event"] == "rolled" and key == "roll":
            continue
        error = caught(lambda key=key: decode({k: v for k, v in value.items() if k != key}, 4))
        assert (error.code, error.fields) == ("event_missing_field", {"event": 4, "field": key})
    error = caught(lambda: decode({**value, "colour": 1}, 4))
    assert isinstance(error, BadRecord)
    assert (error.code, error.fields["event"]) == ("event_unknown_field", 4)
    assert error.fields["field"] == "colour"
    assert set(_fields(value)) <= set(error.fields["allowed"])


@pytest.mark.parametrize("value", ALL, ids=lambda value: value["event"])
def test_a_wrong_value_is_named_with_what_is_allowed(value):
    for key in _fields(value):
        refused = 0
        for wrong in WRONG:
            try:
                # Types are compared too: 1 == True == 1.0 must not pass for one another.
                event = decode({**value, key: wrong}, 4)
            except BadRecord as error:
                assert error.code == "event_bad_value"
                assert (error.fields["event"], error.fields["field"]) == (4, key)
                assert error.fields["allowed"]
                refused += 1
            else:
                assert repr(encode_with(event, 7).get(key)) == repr(wrong) or key == "seed"
        assert refused >= len(WRONG) - 4


def test_what_is_allowed_for_a_roll_are_the_names():
    for wrong in ("12", "6-4", "mia", " 55", "５５", 55):
        error = caught(lambda wrong=wrong: decode({"event": "rolled", "seat": 1, "roll": wrong}, 2))
        assert error.fields["allowed"] == NAMES


@pytest.mark.parametrize("name", ["", "Rolled", "match_started", "prompt", "rolled "])
def test_an_unknown_event_is_refused_with_the_known_ones(name):
    error = caught(lambda: decode({"event": name, "seat": 1}, 3))
    assert (error.code, error.fields["event"], error.fields["value"]) == ("unknown_event", 3, name)
    assert "rolled" in error.fields["allowed"]


@pytest.mark.parametrize("value", [None, 1, "rolled", [], [["event", "out"]]])
def test_an_event_is_an_object(value):
    for read in (decode, decode_match_started):
        error = caught(lambda read=read: read(value, 1))
        assert (error.code, error.fields["event"]) == ("event_not_an_object", 1)


@pytest.mark.parametrize("name", [None, 1, ["rolled"], {"event": "rolled"}])
def test_the_name_of_an_event_is_text(name):
    assert caught(lambda: decode({"event": name}, 1)).code == "unknown_event"
    assert caught(lambda: decode({}, 1)).code == "event_missing_field"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"match": "../../x"}, "match"),
        ({"ruleset": {"lives": 4, "penalty_21": 1}}, "ruleset.lives"),
        ({"ruleset": {"lives": True, "penalty_21": 1}}, "ruleset.lives"),
        ({"ruleset": {"lives": 3, "penalty_21": 1.0}}, "ruleset.penalty_21"),
        ({"ruleset": {"lives": 3}}, "ruleset.penalty_21"),
        ({"ruleset": []}, "ruleset"),
        ({"seats": {}}, "seats"),
        ({"seats": STARTED["seats"][:1]}, "seats"),
        ({"seats": STARTED["seats"] * 4}, "seats"),
        ({"seats": STARTED["seats"][::-1]}, "seats[1].seat"),
        ({"seats": [STARTED["seats"][0], 2]}, "seats[2]"),
        ({"seats": [STARTED["seats"][0], {"seat": 2, "name": "", "player": "x"}]}, "seats[2].name"),
        (
            {"seats": [STARTED["seats"][0], {"seat": 2, "name": "\ud800", "player": "x"}]},
            "seats[2].name",
        ),
        (
            {"seats": [STARTED["seats"][0], {"seat": 2, "name": "x", "player": "bot:"}]},
            "seats[2].player",
        ),
        ({"seed_fingerprint": "b446"}, "seed_fingerprint"),
        ({"seed_fingerprint": None}, "seed_fingerprint"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_bad_head_names_its_field(change, field):
    error = caught(lambda: decode_match_started({**STARTED, **change}))
    assert (error.fields["event"], error.fields["field"]) == (1, field)
