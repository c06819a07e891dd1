"""Players as theory sees them: tables of probabilities, for all lives alike or by the lives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Protocol, runtime_checkable

import numpy as np

from mia_cli.engine.policy import Policy
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import Floats, Ints, Lives
from mia_cli.theory.solution import Solution

Masses = tuple[Floats, Floats, Floats]
"""Chances of claims that hold, of claims that do not, and of challenges."""


class Tabled(Protocol):
    """A player whose decisions are tables of the lives on the table; ``Solution`` is one."""

    def tables(self, lives: Lives) -> tuple[Floats, Floats]:
        """Claims [21 standings, 21 rolls, 21 claims] and challenges [21 standings, 21 claims].

        ``lives`` are those of the living seats in playing order from the seat that rolls. The
        claims are the player's when it is that seat, the challenges when it is the one after it.
        """
        ...


@runtime_checkable
class ManyTabled(Tabled, Protocol):
    """A player that gives the tables of many lives faster together."""

    def many_tables(self, lives: Sequence[Lives]) -> tuple[Ints, Floats, Floats]:
        """``tables`` [kinds, ...], and [lives] which of these kinds each of the lives has."""
        ...


Strategy = Policy | Tabled
TOGETHER = 128
"""Lives whose tables are made in one go: 10 MB."""


class TablesByLives:
    """What a player does by lives, each worked out once."""

    def __init__(self, player: Strategy, seats: int, most_lives: int) -> None:
        self.constant = isinstance(player, Policy)
        self._player = player
        self._known: dict[Lives, Masses] = {}
        if isinstance(player, Solution):
            self._known = player.masses(seats, most_lives)
        elif isinstance(player, ManyTabled):
            self._known = _many_masses(player, seats, most_lives)

    def __call__(self, lives: Lives) -> Masses:
        """Each [21 standings, 21 claims]; ``lives`` of living seats from the one that rolls."""
        key = () if self.constant else lives
        if key not in self._known:
            if isinstance(self._player, Policy):
                claims = np.array(self._player.claims)
                challenges = np.array(self._player.challenges)
            else:
                claims, challenges = self._player.tables(lives)
            self._known[key] = (*claim_masses(claims), challenges)
        return self._known[key]


def _many_masses(player: ManyTabled, seats: int, most_lives: int) -> dict[Lives, Masses]:
    each = range(1, most_lives + 1)
    every = [lives for living in range(2, seats + 1) for lives in product(each, repeat=living)]
    found: dict[Lives, Masses] = {}
    for first in range(0, len(every), TOGETHER):
        some = every[first : first + TOGETHER]
        which, claims, challenges = player.many_tables(some)
        kinds = list(zip(*claim_masses(claims), challenges, strict=True))
        found |= {lives: kinds[kind] for lives, kind in zip(some, which.tolist(), strict=True)}
    return found


def tabulate(players: Sequence[Strategy], start: Lives) -> list[TablesByLives]:
    """Tables by seat for a match with these lives at the start; one player in two seats shares."""
    shared = {
        id(player): TablesByLives(player, sum(left > 0 for left in start), max(start))
        for player in {id(player): player for player in players}.values()
    }
    return [shared[id(player)] for player in players]
