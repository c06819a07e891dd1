"""The best response of one seat within a round, against expected tables of the others.

Beyond the round everybody is taken to play the solution; against habits known exactly, at two seats
and 3 lives, that loses less than 0.001 against the best response over the whole match. Within
the round, standing claims only rise, so one pass from 66 down finds what every situation is worth,
and from these the best claim for every roll and the better answer to every claim. Dominated actions
are left out: they can be best only against a belief about the rest of the round, and look like a
mistake.

This is ``theory.best_response.walk_round`` for one vector of lives, to the last digit, as a test
says: with so little to work out it is the calls that take time. So whatever does not depend on what
comes later in the round is worked out first for all standing claims, seats that only watch go
together, and the walk ends at the lowest standing claim that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.players.shark.stage_solution import StageSolution
from mia_cli.theory.rule_arrays import (
    CHANCES,
    CLAIM_COUNT,
    FORCED,
    STANDINGS,
    SUPPORTS,
    Bools,
    Floats,
    Ints,
)

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

    For the standing claims that it was asked for: ``claims`` [standings, 21 rolls]: row of the
    best claim; ``claim_gain`` likewise. ``challenges`` [standings, 21 claims]: 1 to challenge, 0 to
    accept; ``answer_gain`` [standings], before the claim is known.
    """

    claims: Ints
    claim_gain: Floats
    challenges: Floats
    answer_gain: Floats


ALL_STANDINGS = range(len(STANDINGS))


def respond(
    solutions: Sequence[StageSolution],
    habits: Sequence[ExpectedTables],
    standings: range = ALL_STANDINGS,
) -> Plan:
    """A plan for a seat, for some standing claims. ``solutions``: the lives as seen from each
    living seat in playing order, from this one; ``habits``: what the others do, from the next.
    """
    walk = _Walk(solutions, habits)
    walk.down_to(standings[0] + 1)
    square = (len(standings), CLAIM_COUNT)
    plan = Plan(
        claims=np.zeros(square, dtype=np.intp),
        claim_gain=np.zeros(square),
        challenges=np.zeros(square),
        answer_gain=np.zeros(len(standings)),
    )
    for at, standing in enumerate(standings):
        plan.claims[at], plan.claim_gain[at] = walk.claims(standing)
        plan.challenges[at, standing:], plan.answer_gain[at] = walk.answers(standing)
    return plan


class _Walk:
    """What a round is worth to the seat at place 0, from the highest standing claim down.

    ``_value`` [places, 22 standings]: while the seat at a place rolls. Other arrays are
    [21 standings, 21 claims]; what they add up to for a claim is in ``theory.best_response``.
    """

    def __init__(
        self, solutions: Sequence[StageSolution], habits: Sequence[ExpectedTables]
    ) -> None:
        self._rolling, self._answering = solutions[0], solutions[-1]
        seats = len(solutions)
        self._value = np.zeros((seats, CLAIM_COUNT + 1))
        # [places, 1, 21 claims] values of the round that follows when that seat loses this one.
        ends = [solution.caught[:, -place % seats] for place, solution in enumerate(solutions)]
        lost = np.stack(ends)[:, None]
        true, false, challenges = (
            np.stack([getattr(habit, name) for habit in habits])
            for name in ("true", "false", "challenges")
        )
        accepts, said = 1.0 - challenges, true + false
        # The claims of others at places 1.., if challenged; what the next seat lets pass.
        challenged = true * np.roll(lost, -1, axis=0)[1:] + false * lost[1:]
        self._watched = challenges[1:] * challenged[:-1], accepts[1:] * said[:-1]
        # Own claims that hold, and that do not, so far as they are challenged.
        self._own = challenges[0] * lost[[1, 0]], accepts[0]
        out = self._answering.dominated
        bound = np.where(FORCED | out.accepts, np.inf, challenged[-1])
        self._heard = np.where(out.challenges, -np.inf, bound), challenged[-1], said[-1]

    def down_to(self, lowest: int) -> None:
        """Find the values from the highest standing claim down to this one."""
        value, out = self._value, self._rolling.dominated.claims
        (watched, passed), (bound, challenged, said) = self._watched, self._heard
        total, highest = np.add.reduce, np.maximum.reduce
        for standing in range(CLAIM_COUNT - 1, lowest - 1, -1):
            higher = value[:, standing + 1 :]
            accepted = said[standing, standing:] * higher[0]
            doubts = bound[standing, standing:] > accepted
            worth = np.where(doubts, challenged[standing, standing:], accepted)
            value[-1, standing] = total(worth)
            best = np.where(out[standing, :, standing:], -np.inf, self._worth(standing))
            value[0, standing] = highest(best, axis=1) @ CHANCES
            if len(value) > 2:
                later = passed[:, standing, standing:] * higher[2:]
                value[1:-1, standing] = total(watched[:, standing, standing:] + later, axis=1)

    def claims(self, standing: int) -> tuple[Ints, Floats]:
        """[21 rolls] row of the best claim, and what it gains over the solution's."""
        worth = self._worth(standing)
        out = self._rolling.dominated.claims[standing, :, standing:]
        best = np.where(out, -np.inf, worth).argmax(axis=1)
        solved = (self._rolling.solved.claims[standing, :, standing:] * worth).sum(axis=1)
        return best + standing, worth[_ROLLS, best] - solved

    def answers(self, standing: int) -> tuple[Bools, Floats]:
        """[legal claims] where to challenge; what that gains over the solution."""
        bound, challenged, said = (part[standing, standing:] for part in self._heard)
        passed = said * self._value[0, standing + 1 :]
        challenges = bound > passed
        solved = self._answering.solved.challenges[standing, standing:]
        return challenges, ((challenges - solved) * (challenged - passed)).sum()

    def _worth(self, standing: int) -> Floats:
        """[21 rolls, legal claims] values of own claims."""
        challenged, accepts = self._own
        passed = accepts[standing, standing:] * self._value[1, standing + 1 :]
        held, caught = challenged[:, standing, standing:] + passed
        return np.asarray(np.where(SUPPORTS[:, standing:], held, caught))
