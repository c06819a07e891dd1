"""All vectors of lives up to a size, ordered so that a match only moves towards lower numbers.

State 0 stands for a match that is over. The others are the vectors of lives of living seats in
playing order from the seat that rolls, by total lives, so that states with equal totals (which
only lead to one another by an accepted claim) are next to each other.

Values are kept as ``[standing, place, state]``: ``place`` counts seats from the one that rolls.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from mia_cli.theory.rule_arrays import FORCED, Floats, Ints, Lives, leaders, lives_after, losses

ROLLER, ANSWERING = 0, 1
"""Places of the two seats that act in a stage."""


class States:
    """Every state with 2..max_players living seats and 1..max_lives lives each.

    ``lives[place, state]``, 0 beyond the living seats; ``living[state]``: how many there are.
    """

    def __init__(self, max_players: int, max_lives: int) -> None:
        self.max_players, self.max_lives = max_players, max_lives
        found = [
            vector
            for seats in range(2, max_players + 1)
            for vector in product(range(1, max_lives + 1), repeat=seats)
        ]
        found.sort(key=sum)
        self.vectors: list[Lives] = [(1,), *found]
        self._number = {vector: state for state, vector in enumerate(self.vectors)}
        self.lives: Ints = np.zeros((max_players, len(self.vectors)), dtype=np.intp)
        for state, vector in enumerate(self.vectors):
            self.lives[: len(vector), state] = vector
        self.living: Ints = (self.lives > 0).sum(axis=0)
        # Vectors are read as numbers to base max_lives + 1 to look states up in bulk.
        self._base = (max_lives + 1) ** np.arange(max_players)
        self._of_code = np.zeros((max_lives + 1) ** max_players, dtype=np.intp)
        self._of_code[self._base @ self.lives] = np.arange(len(self.vectors))

    def __len__(self) -> int:
        return len(self.vectors)

    def number(self, vector: Lives) -> int:
        """The state with these lives. Raises KeyError when it is not among these."""
        return self._number[vector]

    def batches(self) -> Iterator[Ints]:
        """States of equal total lives, fewest first."""
        total = self.lives.sum(axis=0)
        for lives in range(2, self.max_players * self.max_lives + 1):
            yield np.flatnonzero((total == lives) & (self.living > 1))

    def accepted(self, states: Ints) -> tuple[Ints, Ints]:
        """The states after an accepted claim, and [place, state] the new place of each seat."""
        first = np.ones(len(states), dtype=np.intp)
        return self._turned(self.lives[:, states], self.living[states], first)

    def lost(self, states: Ints, loser: int, amount: int) -> tuple[Ints, Ints]:
        """The states after the seat at place ``loser`` lost, and the new place of each seat.

        A seat without lives gets a place where every value is 0.
        """
        after = self.lives[:, states]
        after[loser] = lives_after()[after[loser], amount]
        leader = leaders(self.max_players)[
            (after > 0).T @ (1 << np.arange(self.max_players)), loser
        ]
        return self._turned(after, self.living[states], leader)

    def _turned(self, lives: Ints, seats: Ints, first: Ints) -> tuple[Ints, Ints]:
        """Look up lives by place when the seat at place ``first`` is next to roll.

        ``lives`` may hold a seat that has just lost its last life; ``seats`` counts it.
        """
        old = np.arange(len(lives))[:, None]
        turn = np.where(old < seats, (old - first) % seats, old)
        # Seats move up by one behind the seat that went out, if any.
        out = np.where((lives == 0) & (old < seats), turn, len(lives)).min(axis=0)
        place = turn - (turn > out)
        alive = lives > 0
        code = np.where(alive, lives * self._base[np.where(alive, place, 0)], 0).sum(axis=0)
        over = alive.sum(axis=0) == 1
        state = np.where(over, 0, self._of_code[code])
        return state, np.where(alive, place, len(lives) - 1)


class Ahead:
    """What the stages of some states lead to, by place: ``held``, ``caught``, ``accepted``.

    Each is [21 claims, place, state]: values when the claim is challenged and holds, challenged
    and does not, accepted. ``standing`` values must be known before ``reach`` is told of them.
    """

    def __init__(self, values: Floats, states: States, some: Ints, penalty_21: int) -> None:
        self._values = values
        self._turn = states.accepted(some)
        kinds = FORCED.astype(np.intp)
        loss = losses(penalty_21)
        amounts = (int(loss[~FORCED].max()), int(loss[FORCED].max()))
        self.held, self.caught = (
            np.stack([_gather(values[0], *states.lost(some, loser, amount)) for amount in amounts])[
                kinds
            ]
            for loser in (ANSWERING, ROLLER)
        )
        self.accepted = np.zeros(self.held.shape)

    def reach(self, standing: int) -> None:
        """Take in the values of the stages after the claim at this position was accepted."""
        self.accepted[standing - 1] = _gather(self._values[standing], *self._turn)


def _gather(values: Floats, state: Ints, place: Ints) -> Floats:
    found: Floats = values[place, state]
    return found
