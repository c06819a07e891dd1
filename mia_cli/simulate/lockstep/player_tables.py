"""Where the tables of players start in the pool, by player and lives: keys to two arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mia_cli.simulate.lockstep.alias_tables import Numbers, Pool
from mia_cli.theory.rule_arrays import Lives
from mia_cli.theory.strategies import Strategy

MISSING = -1
"""Stands for a table that has not been built yet."""


class PlayerTables:
    """The tables of ``players``, in the order in which they are named; equal objects share theirs.

    ``row[key]`` and ``answer[key]`` are where a table starts in the pool, or MISSING. The key is
    ``first[player]`` where no table depends on lives; otherwise (``by_lives``) plus a number below
    ``count`` for the lives, which ``lives_of`` tells.
    """

    def __init__(
        self, players: Sequence[Strategy], count: int, lives_of: Callable[[int], Lives]
    ) -> None:
        distinct = list({id(player): player for player in players}.values())
        number = [[other is player for other in distinct].index(True) for player in players]
        self.pool = Pool(distinct)
        self.by_lives = any(map(self.pool.changes_with_lives, range(len(distinct))))
        self._count = count if self.by_lives else 1
        self._lives_of = lives_of
        self.first: Numbers = np.array(number) * self._count
        self.row: Numbers = np.empty(len(distinct) * self._count, dtype=np.int64)
        self.answer: Numbers = np.empty_like(self.row)
        self.forget()

    def forget(self) -> None:
        """Drop all tables, but for those that do not depend on lives."""
        self.pool.clear()
        for table in range(len(self.pool.players)):
            keys = slice(table * self._count, (table + 1) * self._count)
            self.row[keys] = self.answer[keys] = MISSING
            if not self.pool.changes_with_lives(table):
                self._put(keys, table, ())

    def build(self, wanted: Numbers) -> None:
        """Build the tables with these keys, where they are missing."""
        missing = set(wanted[self.row[wanted] == MISSING].tolist())
        for table in range(len(self.pool.players)):
            keys = sorted(key for key in missing if key // self._count == table)
            lives = {key: self._lives_of(key % self._count) for key in keys}
            self.pool.prepare(table, list(dict.fromkeys(lives.values())))
            for key, one in lives.items():
                self._put(key, table, one)

    def _put(self, keys: int | slice, table: int, lives: Lives) -> None:
        place = self.pool.place(table, lives)
        self.row[keys], self.answer[keys] = place.row, place.answer
