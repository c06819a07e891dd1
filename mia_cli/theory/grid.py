"""Every vector of lives that can follow from a start, for a table where each seat is somebody.

Seats are indices from 0 at the table (not in playing order), seats that are out included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import SEATS, require_seats
from mia_cli.theory.rule_arrays import FORCED, MAX_LIVES, Ints, Lives, leaders, lives_after, losses


def starting_lives(seats: int, lives: int | Sequence[int]) -> Lives:
    """Lives by seat at the start: one number for all, or one for each (0: the seat is out).

    Raises BadRuleSet("bad_lives").
    """
    require_seats(seats)
    start = (lives,) * seats if isinstance(lives, int) else tuple(lives)
    good = all(type(left) is int and 0 <= left <= MAX_LIVES for left in start)
    if not good or len(start) != seats or sum(left > 0 for left in start) < 2:
        allowed = tuple(range(1, MAX_LIVES + 1))
        raise BadRuleSet("bad_lives", value=start, seats=SEATS, lives=allowed)
    return start


class Grid:
    """The states and what a lost round leads to. The start is the last state.

    ``lives[state, seat]``; ``living[state]``: seats with lives, as bits. A round is lost over a
    claim of kind 1 when that is 21, which may cost more lives, otherwise of kind 0.
    """

    def __init__(self, start: Lives, penalty_21: int) -> None:
        self.seats = len(start)
        shape = tuple(left + 1 for left in start)
        self.lives: Ints = np.indices(shape).reshape(self.seats, -1).T
        self.living: Ints = (self.lives > 0) @ (1 << np.arange(self.seats))
        loss = losses(penalty_21)
        amounts = (int(loss[~FORCED].max()), int(loss[FORCED].max()))
        self._next = np.empty((len(self.lives), self.seats, 2), dtype=np.intp)
        self._leader = np.empty_like(self._next)
        for loser, kind in product(range(self.seats), range(2)):
            after = self.lives.copy()
            after[:, loser] = lives_after()[after[:, loser], amounts[kind]]
            state = np.ravel_multi_index(tuple(after.T), shape)
            self._next[:, loser, kind] = state
            self._leader[:, loser, kind] = leaders(self.seats)[self.living[state], loser]

    def follow(self, states: Ints, loser: int, kind: int) -> tuple[Ints, Ints]:
        """The states after ``loser`` lost a round, and who leads then."""
        return self._next[states, loser, kind], self._leader[states, loser, kind]

    def groups(self) -> Iterator[tuple[tuple[int, ...], Ints]]:
        """Living seats with the states that share them; fewer lives in total come first."""
        total = self.lives.sum(axis=1)
        for lives in range(2, int(total[-1]) + 1):
            same = np.flatnonzero(total == lives)
            for living in np.unique(self.living[same]):
                found = tuple(seat for seat in range(self.seats) if living >> seat & 1)
                if len(found) > 1:
                    yield found, same[self.living[same] == living]
