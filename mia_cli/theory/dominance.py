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
from dataclasses import dataclass, fields

import numpy as np

from mia_cli.engine.policy import Policy
from mia_cli.theory.rule_arrays import (
    BLUFF,
    FORCED,
    LEGAL,
    STANDINGS,
    SUPPORTS,
    Bools,
    Floats,
    Ints,
    Lives,
)
from mia_cli.theory.solution import Solution
from mia_cli.theory.states import ANSWERING, ROLLER, Ahead

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

    @classmethod
    def of(cls, ahead: Ahead) -> Dominated:
        """From all that the stages of some vectors of lives lead to."""
        ends = ahead.held, ahead.caught, ahead.accepted
        claims, safest = dominated_claims(*(end[:, ROLLER] for end in ends))
        return cls(claims, safest, *dominated_answers(*(end[:, ANSWERING] for end in ends)))

    def at(self, lives: int) -> Dominated:
        """One of the vectors of lives."""
        return Dominated(*(getattr(self, field.name)[..., lives] for field in fields(self)))


def dominated(solution: Solution, lives: Sequence[Lives]) -> Dominated:
    """The dominated actions at these lives, each in playing order from the seat that rolls.

    Raises BadRuleSet("not_solved").
    """
    return Dominated.of(solution.ahead(np.array([solution.state(one) for one in lives])))


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


class Undominated:
    """A player by tables that takes no dominated action, at any lives.

    What it would do of them it does otherwise: it makes the safest claim, or the other answer.
    """

    def __init__(self, policy: Policy, solution: Solution) -> None:
        self._claims, self._challenges = np.array(policy.claims), np.array(policy.challenges)
        self._challenged = np.any(LEGAL & (self._challenges > 0.0), axis=0)[:, None]
        self._accepted = np.any(LEGAL & (self._challenges < 1.0), axis=0)[:, None]
        self._solution = solution

    def tables(self, lives: Lives) -> tuple[Floats, Floats]:
        """See ``strategies.Tabled``. Raises BadRuleSet("not_solved")."""
        _, claims, challenges = self.many_tables([lives])
        return claims[0], challenges[0]

    def many_tables(self, lives: Sequence[Lives]) -> tuple[Ints, Floats, Floats]:
        """See ``strategies.ManyTabled``. Raises BadRuleSet("not_solved")."""
        found = dominated(self._solution, lives)
        out = found.claims & (self._claims > 0.0)[..., None]
        instead = np.where(out.any(axis=2), found.safest, -1)
        accept = found.challenges & self._challenged
        challenge = found.accepts & self._accepted
        first, which = _alike(out, instead, accept, challenge)
        claims = np.where(np.moveaxis(out[..., first], -1, 0), 0.0, self._claims)
        moved = (self._claims - claims).sum(axis=-1)
        at = np.nonzero(moved)
        claims[(*at, np.moveaxis(instead[..., first], -1, 0)[at])] += moved[at]
        challenges = np.where(accept.T[first, None], 0.0, self._challenges)
        challenges = np.where(LEGAL & challenge.T[first, None], 1.0, challenges)
        return which, claims, challenges


def _alike(out: Bools, instead: Ints, accept: Bools, challenge: Bools) -> tuple[list[int], Ints]:
    """One place in the last axis, lives, for each kind of what is to be done otherwise, and [lives]
    which of the kinds each has."""
    lives = out.shape[-1]
    bits = [np.packbits(part.reshape(-1, lives), axis=0) for part in (out, accept, challenge)]
    marks = np.concatenate([*bits, instead.reshape(-1, lives).astype(np.uint8)]).T.tobytes()
    size = len(marks) // lives
    keys = [marks[at : at + size] for at in range(0, len(marks), size)]
    first = {key: at for at, key in reversed(list(enumerate(keys)))}
    kinds = {key: kind for kind, key in enumerate(first)}
    return list(first.values()), np.array([kinds[key] for key in keys])
