"""Where a player loses to its best response: by claim, what its habits in one round cost it.

The round is one at the lives of a match's start, led by each seat equally often. In each
situation the best response is set against what the best play would do there, weighed by how
often the best play comes to it; these differences add up to what the best response wins more
than the best play does in that round (the performance difference of two policies: Kakade and
Langford, "Approximately optimal approximate reinforcement learning", 2002, lemma 6.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mia_cli.rules.rolls import CLAIMS, Claim
from mia_cli.theory.best_response import (
    BestValues,
    best_response_values,
    better_answers,
    by_roll,
)
from mia_cli.theory.rule_arrays import CHANCES, CLAIM_COUNT, FORCED, Bools, Floats, Ints
from mia_cli.theory.solution import Solution
from mia_cli.theory.strategies import Masses, Strategy, tabulate

WeakHabit = Literal["honest", "bluffs", "accepts", "challenges"]
_LEAST = 1e-9
"""Chance to win that is no more than rounding."""


@dataclass(frozen=True, slots=True)
class WeakPoint:
    """What a player does too often, in the first claims of rounds or in later ones.

    ``claims``: where, the most costly first. ``share``: of ``honest`` and ``bluffs``, how many of
    these claims are bluffs; of ``accepts`` and ``challenges``, how many it challenges. ``cost``:
    chance to win the match that its best response gains by it, for each round.
    """

    habit: WeakHabit
    first: bool
    claims: tuple[Claim, ...]
    share: float
    cost: float


def weak_points(
    player: Strategy, solution: Solution, players: int, lives: int, penalty_21: int
) -> list[WeakPoint]:
    """The weak points of ``player``, the most costly first; none that costs nothing.

    ``player`` holds all seats but that of its best response. Raises BadRuleSet.
    """
    start = (lives,) * players
    usual = solution.tables(start)
    found: list[_Noted] = []

    def responder(own_first: Ints) -> BestValues:
        if own_first.shape[1] != players:
            return BestValues()
        states = np.flatnonzero((own_first == lives).all(axis=1))
        if not len(states):
            return BestValues()
        found.append(_Noted(int(states[0]), *usual))
        return found[-1]

    best_response_values([None, *[player] * (players - 1)], start, penalty_21, responder)
    (noted,) = found
    return _summed(noted, tabulate([player], start)[0](start), players)


class _Noted(BestValues):
    """Takes the best decisions, and notes them and what they gain over the best play at a state.

    ``claims`` [21 standings, 21 rolls, 21 claims], ``answers`` [21 standings, 21 claims]: the best
    play. ``best`` and ``claim_gain`` [21 standings, 21 rolls]; ``challenge`` and ``answer_gain``
    [21 standings, 21 claims].
    """

    def __init__(self, state: int, claims: Floats, answers: Floats) -> None:
        self._state, self.claims, self.answers = state, claims, answers
        shape = (CLAIM_COUNT, CLAIM_COUNT)
        self.best, self.challenge = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        self.claim_gain, self.answer_gain = np.zeros(shape), np.zeros(shape)

    def claim(self, standing: int, held: Floats, caught: Floats) -> Floats:
        """The best claim for each roll."""
        worth = by_roll(standing, held, caught)[..., self._state]
        self.best[standing] = standing + worth.argmax(axis=1)
        usual = (self.claims[standing, :, standing:] * worth).sum(axis=1)
        self.claim_gain[standing] = worth.max(axis=1) - usual
        return super().claim(standing, held, caught)

    def answer(self, standing: int, challenged: Floats, passed: Floats) -> Floats:
        """The better answer to each claim."""
        on, off = challenged[:, self._state], passed[:, self._state]
        better, chance = better_answers(standing, on, off), self.answers[standing, standing:]
        self.challenge[standing, standing:] = better
        self.answer_gain[standing, standing:] = np.where(better, on, off) - (
            chance * on + (1.0 - chance) * off
        )
        return super().answer(standing, challenged, passed)


def _summed(noted: _Noted, masses: Masses, players: int) -> list[WeakPoint]:
    true, false, challenges = masses
    made = true + false
    reached = _reached(noted, made, challenges, players)
    before, own = reached[-1][:, None], reached[0][:, None]
    heard, costs = before * made, before * noted.answer_gain
    said, gains = np.zeros_like(made), np.zeros_like(made)
    at = np.arange(CLAIM_COUNT)[:, None], noted.best
    np.add.at(said, at, own * CHANCES * (noted.claim_gain > _LEAST))
    np.add.at(gains, at, own * CHANCES * noted.claim_gain)
    seldom = challenges < noted.answers
    found = []
    for first in (True, False):
        rows = (
            np.arange(CLAIM_COUNT)[:, None] == 0 if first else np.arange(CLAIM_COUNT)[:, None] > 0
        )
        kinds: tuple[tuple[WeakHabit, Floats, Floats, Floats, Bools], ...] = (
            ("honest", heard, before * false, costs, ~noted.challenge),
            ("bluffs", heard, before * false, costs, noted.challenge),
            ("accepts", said, said * challenges, gains, seldom & ~FORCED),
            ("challenges", said, said * challenges, gains, ~seldom & ~FORCED),
        )
        for habit, times, counted, cost, where in kinds:
            here = rows & where & (cost > _LEAST)
            by_claim = np.where(here, cost, 0.0).sum(axis=0)
            if by_claim.sum() > _LEAST:
                order = np.argsort(-by_claim, kind="stable")
                claims = tuple(CLAIMS[claim] for claim in order if by_claim[claim] > _LEAST)
                share = float(counted[here].sum() / times[here].sum())
                found.append(WeakPoint(habit, first, claims, share, float(by_claim.sum())))
    return sorted(found, key=lambda one: -one.cost)


def _reached(noted: _Noted, made: Floats, challenges: Floats, players: int) -> Floats:
    """[places from the best response's, 21 standings] how often a seat rolls over a claim."""
    reached = np.zeros((players, CLAIM_COUNT + 1))
    reached[:, 0] = 1.0 / players
    own = np.einsum("r,src->sc", CHANCES, noted.claims)
    for standing in range(CLAIM_COUNT):
        for place in range(players):
            claims = own if place == 0 else made
            doubts = noted.answers if place == players - 1 else challenges
            passed = claims[standing] * (1.0 - doubts[standing])
            reached[(place + 1) % players, 1:] += reached[place, standing] * passed
    return reached[:, :CLAIM_COUNT]
