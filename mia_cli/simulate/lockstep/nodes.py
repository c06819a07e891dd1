"""Where the kernel's slots find whose turn it is, with which tables, and what follows.

A *node* says where a match stands. With few situations it is a situation in one seating; otherwise
it is a situation, and the seating of a slot is kept apart: six seats with five lives have 233,250
situations and 720 seatings. Nodes from ``over`` on are matches that have ended.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep.alias_tables import Numbers, Pool
from mia_cli.simulate.lockstep.situations import EVENTS, situations
from mia_cli.simulate.seating import Seating
from mia_cli.theory.strategies import Strategy

MOST_NODES = 1 << 12
"""Situations times seatings up to which each pair is a node."""
MISSING = -1
"""Stands for a table that has not been built yet."""


class Nodes:
    """Look-up tables for the players of a run.

    ``follow[node * 8 + event]``: the next node. ``starts[seating]``: the node where a match starts.
    ``players_of`` says who rolls and who answers. ``over + w`` is a match won: ``w`` is
    ``seating * P + place`` or, with seatings ``apart``, ``place``.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[Strategy],
        seatings: Sequence[Seating],
        most_nodes: int = MOST_NODES,
    ) -> None:
        self.players, self.seatings = len(players), len(seatings)
        distinct = list({id(player): player for player in players}.values())
        self._table = np.array(
            [[other is player for other in distinct].index(True) for player in players]
        )
        self.pool = Pool(distinct)
        self.by_lives = any(map(self.pool.changes_with_lives, range(len(distinct))))
        self.situations = situations(self.players, rules)
        self.count = self.situations.over
        self.apart = self.count * self.seatings > most_nodes
        self.over = self.count if self.apart else self.count * self.seatings
        self._by_place = np.array([seating.by_place for seating in seatings])
        self.pair_of_places = self.situations.roller * self.players + self.situations.answering
        self.pair = self._pairs()
        self.follow = self.situations.follow if self.apart else self._follow_by_seating()
        step = 0 if self.apart else self.count
        self.starts: Numbers = self.situations.start + step * np.arange(self.seatings)
        self.forget()

    def _pairs(self) -> Numbers:
        """[seating, P * P] ``roller * P + answering`` of players, from that of places."""
        rolls = self._by_place[:, :, None] * self.players
        pairs: Numbers = (rolls + self._by_place[:, None, :]).reshape(self.seatings, -1)
        return pairs.ravel() if self.apart else pairs[:, self.pair_of_places].ravel()

    def _follow_by_seating(self) -> Numbers:
        after = self.situations.follow.reshape(-1, EVENTS)[: self.count]
        seating = np.arange(self.seatings)[:, None, None]
        ended = self.over + seating * self.players + after - self.count
        follow: Numbers = np.where(after < self.count, after + seating * self.count, ended)
        return follow.ravel()

    def forget(self) -> None:
        """Drop the tables of the pool and all that refers to them.

        ``row`` and ``answer`` are kept by pair of players where no table depends on lives and
        seatings are apart; else by node; else, for both, by table of the pool and situation.
        """
        self.pool.clear()
        if not self.by_lives:
            places = [self.pool.place(int(table), ()) for table in self._table]
            row = np.array([place.row for place in places])
            answer = np.array([place.answer for place in places])
            pair = np.arange(self.players**2) if self.apart else self.pair
            self.row = row[pair // self.players]
            self.answer = answer[pair % self.players]
            return
        shape = len(self.pool.players) * self.count
        self.row = np.full(shape, MISSING, dtype=np.int64)
        self.answer = np.full(shape, MISSING, dtype=np.int64)
        # Where the tables of the seat that rolls, and of the one that answers, are kept.
        pair = np.arange(self.players**2) if self.apart else self.pair
        offset = self._table * self.count
        self.roller_offset = offset[pair // self.players]
        self.answering_offset = offset[pair % self.players]
        if not self.apart:
            situation = np.arange(self.over) % self.count
            self.roller_offset += situation
            self.answering_offset += situation

    def build(self, wanted: Numbers) -> None:
        """Build tables that are missing: numbers of ``row`` and ``answer``."""
        numbers = np.unique(wanted)
        for table in np.unique(numbers // self.count).tolist():
            some = numbers[numbers // self.count == table]
            lives = [self.situations.lives_in_order(at) for at in (some % self.count).tolist()]
            if self.pool.changes_with_lives(table):
                self.pool.prepare(table, list(dict.fromkeys(lives)))
            places = [self.pool.place(table, one) for one in lives]
            self.row[some] = [place.row for place in places]
            self.answer[some] = [place.answer for place in places]
