"""The arrays of theory say what the rules say: every entry, every state, every loss."""

import numpy as np
import pytest

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.match import lose, loss, next_leader, winner
from mia_cli.rules.rolls import CLAIMS, ROLLS, ways_at_least, ways_to_beat
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import rule_arrays
from mia_cli.theory.grid import Grid
from mia_cli.theory.states import Ahead, States


def test_rolls_and_claims():
    assert sum(rule_arrays.CHANCES) == pytest.approx(1, abs=1e-15)
    at_least = rule_arrays.CHANCES @ rule_arrays.SUPPORTS
    assert at_least == pytest.approx([ways_at_least(claim) / 36 for claim in CLAIMS], abs=1e-15)
    assert (rule_arrays.SUPPORTS != rule_arrays.BLUFF).all()
    for standing, legal in zip(rule_arrays.STANDINGS, rule_arrays.LEGAL, strict=True):
        assert (rule_arrays.SUPPORTS & legal).any(axis=1) @ rule_arrays.CHANCES == pytest.approx(
            ways_to_beat(standing) / 36, abs=1e-15
        )
    assert [bool(forced) for forced in rule_arrays.FORCED] == [c.must_be_challenged for c in CLAIMS]


def test_legal_claims_are_those_from_the_standing_one_up():
    # Everything in theory that cuts arrays at the standing claim counts on this.
    for standing in range(len(rule_arrays.STANDINGS)):
        assert list(np.flatnonzero(rule_arrays.LEGAL[standing])) == list(range(standing, 21))
    assert list(np.flatnonzero(rule_arrays.FORCED)) == [20]
    assert len(ROLLS) == len(CLAIMS) == 21


@pytest.mark.parametrize("penalty", [1, 2])
def test_what_a_lost_round_leads_to(penalty):
    states = States(4, 5)
    numbers = np.arange(1, len(states))
    marked = np.arange(4 * len(states), dtype=float).reshape(4, len(states))
    marked[-1] = 0.0  # where seats without lives are looked up
    full = states.living == 4
    marked[-1, full] = -np.flatnonzero(full)
    values = np.broadcast_to(marked, (21, *marked.shape))
    ahead = Ahead(values, states, numbers, penalty)
    ahead.reach(7)
    rules = RuleSet(penalty_21=penalty)
    for column, state in enumerate(numbers):
        lives = states.vectors[state]
        for loser, ends in ((2, ahead.held), (1, ahead.caught)):
            for claim in (CLAIMS[0], CLAIMS[19], CLAIMS[20]):
                after = lose(lives, loser, loss(rules, claim))
                leader = next_leader(after, loser)
                expected = seen_from(states, marked, after, leader)
                assert list(ends[claim.position - 1, : len(lives), column]) == expected
        expected = seen_from(states, marked, lives, 2)
        assert list(ahead.accepted[6, : len(lives), column]) == expected


def seen_from(states, marked, lives, leader):
    """What the marks say of each seat when ``leader`` rolls next."""
    order = [(leader - 1 + step) % len(lives) for step in range(len(lives))]
    living = [seat for seat in order if lives[seat]]
    vector = (1,) if winner(lives) else tuple(lives[seat] for seat in living)
    state = states.number(vector)
    return [marked[living.index(s), state] if lives[s] else 0.0 for s in range(len(lives))]


@pytest.mark.parametrize("penalty", [1, 2])
def test_grid_of_a_table(penalty):
    grid = Grid((3, 2, 2), penalty)
    rules = RuleSet(penalty_21=penalty)
    numbers = {tuple(map(int, lives)): state for state, lives in enumerate(grid.lives)}
    assert grid.lives[-1].tolist() == [3, 2, 2]
    met = 0
    for living, states in grid.groups():
        for state in states:
            lives = tuple(map(int, grid.lives[state]))
            assert living == tuple(seat for seat in range(3) if lives[seat])
            for loser in living:
                for kind, claim in enumerate((CLAIMS[19], CLAIMS[20])):
                    after = lose(lives, loser + 1, loss(rules, claim))
                    follow, leader = grid.follow(np.array([state]), loser, kind)
                    assert follow[0] == numbers[after]
                    assert leader[0] + 1 == next_leader(after, loser + 1)
            met += 1
    assert met == 4 * 3 * 3 - 1 - 3 - 2 - 2  # all but nobody and one seat alone


@pytest.mark.parametrize(
    "lives",
    [(), (3,), (0, 3), (3, 0), (3, 0, 0), (6, 1), (-1, 2), (3, 3.0), (True, 2), (1,) * 7, ("3", 1)],
)
def test_impossible_lives(lives):
    with pytest.raises(BadRuleSet) as caught:
        rule_arrays.require_lives(lives)
    assert caught.value.code == "bad_lives"
    assert caught.value.fields["value"] == lives


def test_possible_lives():
    assert rule_arrays.require_lives([3, 0, np.int64(5)]) == (3, 0, 5)


@pytest.mark.parametrize("standing", [-1, 21, 22, 1.0, True, None])
def test_impossible_standing_claims(standing):
    with pytest.raises(BadRuleSet) as caught:
        rule_arrays.require_standing(standing)
    assert caught.value.code == "bad_standing"
