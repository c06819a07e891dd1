"""What a seat may know: everything public, its own rolls, and nothing else."""

from dataclasses import fields
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli.rules.errors import NotAllowed
from mia_cli.rules.events import Revealed, Rolled, seen_by
from mia_cli.rules.match import Observation, observation
from mia_cli.rules.ruleset import RuleSet
from tests.random_play import RANDOMS, decisions, disguised, play

SEATS = st.integers(2, 6)


@settings(max_examples=40)
@given(RANDOMS, SEATS)
def test_no_other_hidden_roll_changes_what_a_seat_sees(random, seats):
    for match, history in decisions(random, seats):
        seat = match.to_act
        seen = observation(match, seat, history)
        other_match, other_history = disguised(match, history, random)
        other = observation(other_match, seat, other_history)
        assert other == seen and repr(other) == repr(seen)


@given(RANDOMS, SEATS)
def test_the_history_holds_the_seats_own_rolls_and_no_others(random, seats):
    for match, history in decisions(random, seats):
        seen = observation(match, match.to_act, history)
        assert len(seen.history) == len(history)
        for known, event in zip(seen.history, history, strict=True):
            if isinstance(event, Rolled):
                own = event.seat == seen.seat
                assert known == Rolled(event.seat, event.roll if own else None)
            else:
                assert known is event


def test_the_public_sees_only_revealed_rolls():
    history = [e for _, events in play(RuleSet(), 4, 1, Random(3), 0.8) for e in events]
    public = [seen_by(event, None) for event in history]
    assert {event.roll for event in public if isinstance(event, Rolled)} == {None}
    shown = [event for event in public if isinstance(event, Revealed)]
    assert shown == [event for event in history if isinstance(event, Revealed)]
    # Only the latest roll of a round is ever shown.
    assert sum(isinstance(event, Rolled) for event in public) > len(shown) > 0


@given(RANDOMS, SEATS)
def test_what_is_seen_is_the_position(random, seats):
    kinds = set()
    for match, history in decisions(random, seats):
        seen = observation(match, match.to_act, history)
        kinds.add(seen.decision)
        assert seen.decision == match.phase and seen.seat == match.to_act
        assert seen.roll is (match.roll if seen.decision == "claim" else None)
        for name in ("rules", "lives", "round", "roller", "above", "claim"):
            assert getattr(seen, name) == getattr(match, name)
    assert kinds == {"claim", "answer"}


def test_an_observation_has_no_field_for_anything_else():
    """A new field must be shown here to be no leak."""
    assert [field.name for field in fields(Observation)] == [
        *("seat", "rules", "lives", "round", "decision", "roller", "above", "roll", "claim"),
        "history",
    ]


def test_only_the_seat_that_decides_may_look():
    for match, events in play(RuleSet(), 3, 2, Random(5), 0.5):
        for seat in range(-1, 6):
            if seat == match.to_act:
                assert observation(match, seat, events).seat == seat
            else:
                with pytest.raises(NotAllowed) as caught:
                    observation(match, seat, events)
                assert caught.value.code == "not_now"
