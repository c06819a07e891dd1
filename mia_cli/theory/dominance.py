"""Actions that nothing can make right: another one is as good in every case, and better in one.

A claim is *dominated* when another legal claim is worth at least as much to the roller whatever the
next seat answers, and more in one case; an answer, when the other one is, whatever the hidden roll
is. What follows is worth what the solution says. The next seat may answer each claim in its own
way. So one claim dominates another exactly when its worst outcome is at least the other's best,
and one of the two claims has more than one outcome; and if any claim does, the *safest* does: of
the claims with the best worst outcome the one with the best best outcome. A claim of 21 has one
outcome, the others two; a challenge of 31 has one, of the others two.

Arrays over standing claims, rolls and claims are [21], further axes behind them are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.theory.rule_arrays import (
    BLUFF,
    FORCED,
    STANDINGS,
    SUPPORTS,
    Bools,
    Floats,
    Ints,
    Lives,
)
from mia_cli.theory.solution import Solution
from mia_cli.theory.states import ANSWERING, ROLLER

ROUNDING = 1e-12
"""Solved values that differ by less are equal."""


@dataclass(frozen=True, slots=True)
class Dominated:
    """Dominated actions of some vectors of lives.

    ``claims`` [standing, roll, claim, lives]; ``safest`` [standing, roll, lives]: row of the
    safest claim; ``challenges`` and ``accepts`` [claim, lives], whatever claim stood before. A
    claim that is not legal, and the one answer to 21, are not dominated.
    """

    claims: Bools
    safest: Ints
    challenges: Bools
    accepts: Bools


def dominated(solution: Solution, lives: Sequence[Lives]) -> Dominated:
    """The dominated actions at these lives, each in playing order from the seat that rolls.

    Raises BadRuleSet("not_solved").
    """
    ahead = solution.ahead(np.array([solution.state(one) for one in lives]))
    ends = ahead.held, ahead.caught, ahead.accepted
    claims, safest = dominated_claims(*(end[:, ROLLER] for end in ends))
    return Dominated(claims, safest, *dominated_answers(*(end[:, ANSWERING] for end in ends)))


def dominated_claims(held: Floats, caught: Floats, accepted: Floats) -> tuple[Bools, Ints]:
    """``Dominated.claims`` and ``safest`` from what each claim [21, ...] is worth to the roller:
    challenged and true, challenged and false, accepted.
    """
    more = (slice(None),) * 2 + (None,) * (held.ndim - 1)
    doubted = np.where(SUPPORTS[more], held, caught)
    passed = np.where(FORCED.reshape(-1, *(1,) * (held.ndim - 1)), doubted, accepted)
    worst, best = np.minimum(doubted, passed), np.maximum(doubted, passed)
    found = np.zeros((len(STANDINGS), *worst.shape), dtype=bool)
    safest = np.zeros(found.shape[:2] + found.shape[3:], dtype=np.intp)
    for standing in range(len(STANDINGS)):
        low, high = worst[:, standing:], best[:, standing:]
        ground = low.max(axis=1, keepdims=True)
        hopes = np.where(low >= ground - ROUNDING, high, -np.inf)
        hope = hopes.max(axis=1, keepdims=True)
        # Of equally safe claims the highest: it is the roll, where that may be claimed.
        equal = (hopes >= hope - ROUNDING)[:, ::-1]
        safest[standing] = len(FORCED) - 1 - equal.argmax(axis=1)
        found[standing, :, standing:] = (high <= ground + ROUNDING) & (low < hope - ROUNDING)
    return found, safest


def dominated_answers(held: Floats, caught: Floats, accepted: Floats) -> tuple[Bools, Bools]:
    """``Dominated.challenges`` and ``accepts`` from what a challenge of a claim [21, ...] that
    holds, of one that does not, and accepting it are worth to the seat that answers.
    """
    shape = (-1, *(1,) * (held.ndim - 1))
    can_fail, free = BLUFF.any(axis=0).reshape(shape), ~FORCED.reshape(shape)
    worst = np.where(can_fail, np.minimum(held, caught), held)
    best = np.where(can_fail, np.maximum(held, caught), held)
    challenges = free & (best <= accepted + ROUNDING) & (worst < accepted - ROUNDING)
    accepts = free & (worst >= accepted - ROUNDING) & (best > accepted + ROUNDING)
    return challenges, accepts
