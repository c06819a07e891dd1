"""Where the kernel's slots find whose turn it is, with which tables, and what follows.

A *node* says where a match stands. With few situations it is a situation in one seating; otherwise
it is a situation, and the seating of a slot is kept apart: six seats with five lives have 233,250
situations and 720 seatings. Nodes from ``over`` on are matches that have ended.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep.alias_tables import Numbers
from mia_cli.simulate.lockstep.player_tables import PlayerTables
from mia_cli.simulate.lockstep.situations import EVENTS, situation_count, situations
from mia_cli.simulate.seating import Seating
from mia_cli.theory.strategies import Strategy

MOST_NODES = 1 << 12
"""Situations times seatings up to which each pair is a node."""


def are_apart(rules: RuleSet, players: int, seatings: int, most_nodes: int = MOST_NODES) -> bool:
    """True where there are too many situations and seatings for each pair to be a node."""
    return situation_count(players, rules) * seatings > most_nodes


class Nodes:
    """Look-up tables for the players of a run.

    ``follow[node * 8 + event]``: the next node. ``starts[seating]``: the node where a match starts.
    ``over + w`` is a match won: ``w`` is ``seating * P + place`` or, with seatings ``apart``,
    ``place``. ``pair`` is ``roller * P + answering`` of players and ``rolls`` and ``answers`` are
    keys of ``tables``, all by node; with seatings ``apart``, ``pair`` is by seating and pair of
    places, ``rolls`` and ``answers`` are by pair of players, and where tables depend on lives, the
    situation has to be added.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[Strategy],
        seatings: Sequence[Seating],
        most_nodes: int = MOST_NODES,
    ) -> None:
        self.players, self.seatings = len(players), len(seatings)
        self.situations = situations(self.players, rules)
        self.count = self.situations.over
        self.tables = PlayerTables(players, self.count, self.situations.lives_in_order)
        self.apart = are_apart(rules, self.players, self.seatings, most_nodes)
        self.over = self.count if self.apart else self.count * self.seatings
        self._by_place = np.array([seating.by_place for seating in seatings])
        self.pair_of_places = self.situations.roller * self.players + self.situations.answering
        self.pair = self._pairs()
        self.follow = self.situations.follow if self.apart else self._follow_by_seating()
        step = 0 if self.apart else self.count
        self.starts: Numbers = self.situations.start + step * np.arange(self.seatings)
        pair = np.arange(self.players**2) if self.apart else self.pair
        self.rolls = self.tables.first[pair // self.players]
        self.answers = self.tables.first[pair % self.players]
        if self.tables.by_lives and not self.apart:
            situation = np.arange(self.over) % self.count
            self.rolls += situation
            self.answers += situation

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
