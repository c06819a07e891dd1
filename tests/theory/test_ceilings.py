"""Ceilings: the best response to fixed players, against the rules and against the solution."""

import pytest

from mia_cli.players import levels
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.match import Match
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import best_response_values, ceiling, evaluate, solve
from tests.theory.courses import best_chance
from tests.theory.habits import Moody, T, U, erratic


@pytest.mark.parametrize(("lives", "penalty"), [((1, 1, 1), 1), ((2, 1), 2)])
def test_best_response_by_walking(lives, penalty):
    """Against a walk over the information sets of the rules themselves."""
    others, known = [None, *(erratic(seed) for seed in range(20, 19 + len(lives)))], {}
    found = best_response_values(others, lives, penalty)
    for leader in range(len(lives)):
        match = Match(RuleSet(2, penalty), lives, 1, leader + 1)
        assert found[leader] == pytest.approx(best_chance(match, others, known), abs=1e-12)


def test_no_player_wins_more_than_the_ceiling():
    for opponent in (T, U, levels.policy("hard", RuleSet()), Moody(T, U)):
        best = ceiling(opponent)
        for other in (T, U, erratic(1), levels.policy("normal", RuleSet()), solve(2, 3, 1)):
            wins = evaluate([other, opponent], 3, 1).wins[:, 0]
            assert (wins <= [chance + 1e-12 for chance in best.by_leader]).all()


def test_mean_and_exploitability():
    low, high = ceiling(T), ceiling(U)
    assert low.value == pytest.approx(sum(low.by_leader) / 2, abs=1e-15)
    assert 0.5 < low.value < high.value < 1
    assert low.exploitability == pytest.approx(low.value - 0.5, abs=1e-15)


@pytest.mark.parametrize(("players", "lives", "penalty"), [(2, 3, 1), (2, 5, 2), (3, 2, 2)])
def test_ceiling_of_the_solution_is_its_value(players, lives, penalty):
    """By a walk that knows no states by playing order."""
    solution = solve(players, lives, penalty)
    best = ceiling(solution, players, lives, penalty)
    values = solution.values((lives,) * players)
    turned = [values[-leader] for leader in range(players)]
    assert best.by_leader == pytest.approx(turned, abs=1e-12)
    assert best.value == pytest.approx(1 / players, abs=1e-12)


@pytest.mark.parametrize("wrong", [{"players": 7}, {"lives": 6}, {"penalty_21": 0}])
def test_ceiling_of_an_impossible_table(wrong):
    with pytest.raises(BadRuleSet):
        ceiling(T, **wrong)
