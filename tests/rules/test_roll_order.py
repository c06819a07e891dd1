"""Order and odds of the 21 rolls against the list in the rules."""

from itertools import product

import pytest

from mia_cli.rules.rolls import (
    CLAIMS,
    MIA,
    NAMES,
    OUTCOMES,
    ROLLS,
    claim_at,
    claims_above,
    roll_at,
    roll_of_dice,
    ways_at_least,
    ways_to_beat,
)
from tests.rules_oracle import ORDER, WAYS, holds, name_of_dice, rank

ALL_DICE = list(product(range(1, 7), repeat=2))


def test_the_order_is_the_one_of_the_rules():
    assert list(NAMES) == ORDER
    assert [roll.name for roll in ROLLS] == ORDER
    assert [claim.name for claim in CLAIMS] == ORDER
    assert [roll.position for roll in ROLLS] == list(range(1, 22))
    assert [claim.position for claim in CLAIMS] == list(range(1, 22))
    assert (ORDER[0], ORDER[-1], MIA) == ("31", "21", "21")


def test_all_pairs_of_roll_and_claim():
    for roll, claim in product(ROLLS, CLAIMS):
        assert roll.supports(claim) is holds(roll.name, claim.name), (roll, claim)
        assert claim.exceeds(roll) is (rank(claim.name) > rank(roll.name)), (roll, claim)
        assert claim.understates(roll) is (rank(claim.name) < rank(roll.name)), (roll, claim)


def test_an_understatement_is_no_bluff_and_the_exact_truth_is_neither():
    kinds = {"bluff": 0, "exact": 0, "understatement": 0}
    for roll, claim in product(ROLLS, CLAIMS):
        exact = roll.name == claim.name
        assert [claim.exceeds(roll), claim.understates(roll), exact].count(True) == 1
        assert claim.exceeds(roll) is not roll.supports(claim)
        kinds["bluff"] += claim.exceeds(roll)
        kinds["exact"] += exact
        kinds["understatement"] += claim.understates(roll)
    assert kinds == {"bluff": 210, "exact": 21, "understatement": 210}


def test_all_pairs_of_claim_and_standing_claim():
    for claim, standing in product(CLAIMS, CLAIMS):
        assert claim.beats(standing) is (rank(claim.name) > rank(standing.name)), (claim, standing)
    assert all(claim.beats(None) for claim in CLAIMS)


@pytest.mark.parametrize("standing", [None, *CLAIMS])
def test_claims_above_are_the_rest_of_the_order(standing):
    rest = ORDER if standing is None else ORDER[rank(standing.name) + 1 :]
    assert [claim.name for claim in claims_above(standing)] == rest


def test_only_21_must_be_challenged():
    assert [claim.name for claim in CLAIMS if claim.must_be_challenged] == ["21"]


def test_every_fall_of_two_dice_has_its_roll_whatever_the_order():
    for first, second in ALL_DICE:
        roll = roll_of_dice(first, second)
        assert roll.name == name_of_dice(first, second)
        assert roll_of_dice(second, first) is roll


def test_ways_are_those_of_the_rules_and_of_36_enumerated_outcomes():
    fallen = [roll_of_dice(*dice).name for dice in ALL_DICE]
    for roll in ROLLS:
        assert roll.ways == WAYS[roll.name] == fallen.count(roll.name), roll
    assert sum(roll.ways for roll in ROLLS) == len(ALL_DICE) == OUTCOMES == 36


@pytest.mark.parametrize("claim", CLAIMS)
def test_chances_to_support_and_to_beat_a_claim_by_enumeration(claim):
    fallen = [rank(name_of_dice(*dice)) for dice in ALL_DICE]
    assert ways_at_least(claim) == sum(place >= rank(claim.name) for place in fallen)
    assert ways_to_beat(claim) == sum(place > rank(claim.name) for place in fallen)


def test_chances_at_the_ends_of_the_order():
    assert ways_to_beat(None) == ways_at_least(claim_at(1)) == 36
    assert ways_at_least(claim_at(21)) == 2
    assert ways_to_beat(claim_at(21)) == 0


@pytest.mark.parametrize("position", [-21, -1, 0, 22, 1000])
def test_positions_outside_the_order_are_refused(position):
    with pytest.raises(IndexError):
        roll_at(position)
    with pytest.raises(IndexError):
        claim_at(position)


def test_positions_inside_give_the_shared_values():
    assert [roll_at(position) for position in range(1, 22)] == list(ROLLS)
    assert [claim_at(position) for position in range(1, 22)] == list(CLAIMS)


def test_rolls_and_claims_have_no_order_of_their_own():
    """A rank that passes for a number is how a wrong comparison slips in."""
    with pytest.raises(TypeError):
        sorted(ROLLS)
    with pytest.raises(TypeError):
        sorted(CLAIMS)
    assert ROLLS[0] != CLAIMS[0]
