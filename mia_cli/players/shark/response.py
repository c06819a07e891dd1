"""The best response of one seat within a round, against expected tables of the others.

Beyond the round everybody is taken to play the solution; against habits known exactly, at two seats
and 3 lives, that loses less than 0.001 against the best response over the whole match. Within
the round, standing claims only rise, so one pass from 66 down to none finds the best claim for
every roll and the better answer to every claim. Dominated actions are left out: they can be best
only against a belief about the rest of the round, and look like a mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.players.shark.stage_solution import StageSolution
from mia_cli.theory.best_response import better_answers, by_roll, walk_round
from mia_cli.theory.rule_arrays import CHANCES, CLAIM_COUNT, Floats, Ints

_ROLLS = np.arange(CLAIM_COUNT)


@dataclass(frozen=True, slots=True)
class ExpectedTables:
    """Expected tables of a seat, each [21 standings, 21 claims].

    Chances to make a claim that holds, to make one that does not, and to challenge it.
    """

    true: Floats
    false: Floats
    challenges: Floats


@dataclass(frozen=True, slots=True)
class Plan:
    """A best response, and what it is expected to gain over the solution's play in that stage.

    ``claims`` [21 standings, 21 rolls]: row of the best claim; ``claim_gain`` likewise.
    ``challenges`` [21 standings, 21 claims]: 1 to challenge, 0 to accept; ``answer_gain``
    [21 standings], before the claim is known. ``value`` [22 standings, seats]: chance to win while
    a seat rolls.
    """

    claims: Ints
    claim_gain: Floats
    challenges: Floats
    answer_gain: Floats
    value: Floats


def respond(solutions: Sequence[StageSolution], habits: Sequence[ExpectedTables]) -> Plan:
    """A plan for a seat. ``solutions``: the lives as seen from each living seat in playing order,
    from this one; ``habits``: what the others do, from the next.
    """
    seats = len(solutions)
    square = (CLAIM_COUNT, CLAIM_COUNT)
    plan = Plan(
        claims=np.zeros(square, dtype=np.intp),
        claim_gain=np.zeros(square),
        challenges=np.zeros(square),
        answer_gain=np.zeros(CLAIM_COUNT),
        value=np.zeros((CLAIM_COUNT + 1, seats)),
    )
    # Each seat claims as it does, and the next one answers; what this seat does is not read.
    others = [(habit.true, habit.false, habit.challenges) for habit in habits]
    others = [others[0], *others, others[0]]
    play = [(*others[place][:2], others[place + 1][2]) for place in range(seats)]
    lost = [solution.caught[:, -place % seats] for place, solution in enumerate(solutions)]
    planner = _Planner(plan, solutions[0], solutions[-1])
    walk_round(play, lost, plan.value, planner)
    return plan


class _Planner:
    """A ``Responder`` that notes its decisions, and what they gain over the solution's."""

    def __init__(self, plan: Plan, rolling: StageSolution, answering: StageSolution) -> None:
        self._plan, self._rolling, self._answering = plan, rolling, answering

    def claim(self, standing: int, held: Floats, caught: Floats) -> Floats:
        """The best claim for each roll."""
        worth = by_roll(standing, held, caught)
        out = self._rolling.dominated.claims[standing, :, standing:]
        best = np.where(out, -np.inf, worth).argmax(axis=1)
        most = worth[_ROLLS, best]
        solved = (self._rolling.solved.claims[standing, :, standing:] * worth).sum(axis=1)
        self._plan.claims[standing] = best + standing
        self._plan.claim_gain[standing] = most - solved
        return np.asarray(most @ CHANCES)

    def answer(self, standing: int, challenged: Floats, passed: Floats) -> Floats:
        """The better answer to each claim."""
        out, solved = self._answering.dominated, self._answering.solved.challenges
        challenges = better_answers(standing, challenged, passed)
        challenges = (challenges | out.accepts[standing:]) & ~out.challenges[standing:]
        gain = (challenges - solved[standing, standing:]) * (challenged - passed)
        self._plan.challenges[standing, standing:] = challenges
        self._plan.answer_gain[standing] = gain.sum()
        return np.asarray(np.where(challenges, challenged, passed).sum())
