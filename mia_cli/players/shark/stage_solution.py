"""The solved game as the shark needs it: what each end of a stage is worth, and the safe play.

``lives`` are those of living seats in playing order from the seat that rolls; ``place`` counts from
that seat. Arrays over claims and rolls are indexed by position - 1, over standings by position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from mia_cli.players.shark.model import Solved
from mia_cli.theory.dominance import Dominated
from mia_cli.theory.rule_arrays import LEGAL, SUPPORTS, Floats, Lives
from mia_cli.theory.solution import Solution

_KEPT = 256
_TOGETHER = 128
"""Vectors of lives that are worked out at once: many cost little more than one."""


@dataclass(frozen=True, slots=True)
class StageSolution:
    """One vector of lives.

    ``held``, ``caught``, ``accepted`` [21 claims, places]: values after a claim that was
    challenged and holds, was challenged and does not, was accepted. ``values`` [21 standings,
    places] before the roll. ``solved``: the equilibrium. ``rolls`` [21 standings, 21 rolls]:
    value for the roller when the next seat answers as solved. ``dominated``: what the shark never
    does, however it takes the others to play on.
    """

    held: Floats
    caught: Floats
    accepted: Floats
    values: Floats
    solved: Solved
    rolls: Floats
    dominated: Dominated


class StageSolutions:
    """By lives, each worked out once and some hundreds kept."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._known: dict[Lives, StageSolution] = {}

    def __call__(self, lives: Lives) -> StageSolution:
        """Raises BadRuleSet("not_solved") beyond the solved tables."""
        if lives not in self._known:
            self._solution.state(lives)
            seats, most = len(lives), self._solution.max_lives
            if most**seats <= _TOGETHER:
                self.prepare(product(range(1, most + 1), repeat=seats))
            else:
                self.prepare(lives[seat:] + lives[:seat] for seat in range(seats))
        return self._known[lives]

    def near(self, lives: Lives) -> Lives:
        """The same lives where they are solved, else near ones: the same seats in front."""
        most = self._solution.max_lives
        return tuple(min(left, most) for left in lives[: self._solution.max_players])

    def prepare(self, vectors: Iterable[Lives]) -> None:
        """Work out what will be asked for. Raises BadRuleSet("not_solved") beyond the tables."""
        wanted = tuple(dict.fromkeys(vectors))
        new = tuple(lives for lives in wanted if lives not in self._known)
        if len(self._known) + len(new) > _KEPT:
            self._known.clear()
            new = wanted
        for seats in sorted({len(lives) for lives in new}):
            self._find(tuple(lives for lives in new if len(lives) == seats))

    def _find(self, vectors: Sequence[Lives]) -> None:
        solution, seats = self._solution, len(vectors[0])
        states = np.array([solution.state(lives) for lives in vectors])
        ahead = solution.ahead(states)
        _, claims, challenges = solution.many_tables(vectors)
        dominated = Dominated.of(ahead)
        for at, lives in enumerate(vectors):
            held, caught, accepted = (
                end[:, :seats, at] for end in (ahead.held, ahead.caught, ahead.accepted)
            )
            values, solved = (
                solution.table[:, :seats, states[at]],
                Solved(claims[at], challenges[at]),
            )
            rolls = _rolls(held[:, 0], caught[:, 0], accepted[:, 0], solved)
            self._known[lives] = StageSolution(
                held, caught, accepted, values, solved, rolls, dominated.at(at)
            )


def _rolls(held: Floats, caught: Floats, accepted: Floats, solved: Solved) -> Floats:
    accept = (1.0 - solved.challenges) * accepted
    true, false = (solved.challenges * end + accept for end in (held, caught))
    worth = np.where(SUPPORTS, true[:, None, :], false[:, None, :])
    return np.asarray(np.where(LEGAL[:, None, :], worth, -np.inf).max(axis=2))
