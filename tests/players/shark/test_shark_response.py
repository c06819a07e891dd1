"""The shark's walk through a round is that of ``theory.best_response``, to the last digit."""

from functools import cache

import numpy as np
import pytest

from mia_cli.players.shark.response import ExpectedTables, respond
from mia_cli.players.shark.stage_solution import StageSolutions
from mia_cli.theory import solve
from mia_cli.theory.best_response import better_answers, by_roll, walk_round
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import CHANCES, FORCED, LEGAL


class Noting:
    """A ``Responder`` that notes each decision, and what it gains over the solution's."""

    def __init__(self, rolling, answering):
        self.rolling, self.answering = rolling, answering
        self.claims, self.answers = {}, {}

    def claim(self, standing, held, caught):
        worth = by_roll(standing, held, caught)
        out = self.rolling.dominated.claims[standing, :, standing:]
        best = np.where(out, -np.inf, worth).argmax(axis=1)
        most = worth[np.arange(21), best]
        solved = (self.rolling.solved.claims[standing, :, standing:] * worth).sum(axis=1)
        self.claims[standing] = best + standing, most - solved
        return most @ CHANCES

    def answer(self, standing, challenged, passed):
        out, solved = self.answering.dominated, self.answering.solved.challenges
        challenges = better_answers(standing, challenged, passed)
        challenges = (challenges | out.accepts[standing:]) & ~out.challenges[standing:]
        gain = (challenges - solved[standing, standing:]) * (challenged - passed)
        self.answers[standing] = challenges, gain.sum()
        return np.where(challenges, challenged, passed).sum()


def walked(solutions, habits):
    """What ``walk_round`` shows to one who notes."""
    seats = len(solutions)
    tables = [(habit.true, habit.false, habit.challenges) for habit in habits]
    tables = [tables[0], *tables, tables[0]]
    play = [(*tables[place][:2], tables[place + 1][2]) for place in range(seats)]
    lost = [solution.caught[:, -place % seats] for place, solution in enumerate(solutions)]
    noting = Noting(solutions[0], solutions[-1])
    walk_round(play, lost, np.zeros((22, seats)), noting)
    return noting


@cache
def solved(seats):
    return StageSolutions(solve(seats, 3, 2))


def habits(random):
    """Any habits."""
    claims = random.dirichlet(np.full(21, 0.3), (21, 21)) * LEGAL[:, None]
    claims /= claims.sum(axis=2, keepdims=True)
    challenges = np.where(FORCED, 1.0, LEGAL * random.random((21, 21)))
    return ExpectedTables(*claim_masses(claims), challenges)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_plan_is_the_best_response_of_theory(seats):
    random = np.random.default_rng(seats)
    for _ in range(6):
        lives = tuple(random.integers(1, 4, seats).tolist())
        solutions = [solved(seats)(lives[at:] + lives[:at]) for at in range(seats)]
        others = [habits(random) for _ in range(seats - 1)]
        noted, plan = walked(solutions, others), respond(solutions, others)
        for standing in range(21):
            alone = respond(solutions, others, range(standing, standing + 1))
            for at, found in ((standing, plan), (0, alone)):
                claims, claim_gain = noted.claims[standing]
                challenges, answer_gain = noted.answers[standing]
                assert np.array_equal(found.claims[at], claims)
                assert np.array_equal(found.claim_gain[at], claim_gain)
                assert np.array_equal(found.challenges[at, standing:], challenges)
                assert not found.challenges[at, :standing].any()
                assert found.answer_gain[at] == answer_gain
