"""Where a player loses: costs add up, what was planted is named, nothing is for the best play."""

import pytest

from mia_cli.engine.policy import build
from mia_cli.players.registry import strategy
from mia_cli.rules.rolls import claims_above, ways_at_least
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import ceiling, evaluate, solve
from mia_cli.theory.respond import best_response
from mia_cli.theory.weak_points import weak_points

SOLVED = {(seats, penalty): solve(seats, 3, penalty) for seats in (2, 3) for penalty in (1, 2)}


class BestButForTheFirstRound:
    """Plays the solution at the lives of the start, and the best response later."""

    def __init__(self, solution, response, start):
        self._solution, self._response, self._start = solution, response, start

    def tables(self, lives):
        player = self._solution if lives == self._start else self._response
        return player.tables(lives)


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_costs_add_up_to_what_the_best_response_wins_more_in_the_round(level, penalty):
    solution = SOLVED[2, penalty]
    player = strategy(level, RuleSet(3, penalty), 2, lambda *_table: solution)
    response = best_response(player, 2, 3, penalty)
    other = BestButForTheFirstRound(solution, response, (3, 3))
    mixed = evaluate([other, player], 3, penalty).wins[:, 0].mean()
    costs = [point.cost for point in weak_points(player, solution, 2, 3, penalty)]
    more = ceiling(player, 2, 3, penalty).value - float(mixed)
    assert sum(costs) == pytest.approx(more, abs=1e-8)
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("penalty", [1, 2])
def test_the_best_play_has_no_weak_point(seats, penalty):
    solution = SOLVED[seats, penalty]
    assert weak_points(solution, solution, seats, 3, penalty) == []


def lowest_or_true(above, roll):
    legal = claims_above(above)
    true = [claim for claim in legal if roll.supports(claim)]
    return true[-1] if true else legal[0]


@pytest.mark.parametrize(("chance", "habit"), [(0.0, "accepts"), (1.0, "challenges")])
def test_a_habit_of_answers_is_named_with_its_share(chance, habit):
    planted = build(claims=lowest_or_true, challenges=lambda above, claim: chance)
    answers = [
        point
        for point in weak_points(planted, SOLVED[2, 1], 2, 3, 1)
        if point.habit in {"accepts", "challenges"}
    ]
    assert answers
    assert all(point.habit == habit and point.share == chance for point in answers)


def test_a_habit_of_claims_is_named_with_its_share():
    """Whoever always says 66 bluffs 34 times of 36 with it."""
    planted = build(
        claims=lambda above, roll: claims_above(above)[-2:][0],
        challenges=lambda above, claim: 1.0 - ways_at_least(claim) / 36,
    )
    first, *_ = weak_points(planted, SOLVED[2, 1], 2, 3, 1)
    assert (first.habit, first.first, first.claims[0].name) == ("bluffs", True, "66")
    assert first.share == pytest.approx(33 / 36)
