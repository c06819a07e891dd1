"""Two ways of saying where a match of the compiled kernel stands, as the arrays of ``kernel.c``.

``Together``: of few situations and seatings each pair is a node, as in the NumPy kernel.
``LivesApart``: otherwise a node is who lives and who rolls, some hundreds, and a match keeps its
lives in one word, by place, and its seating: tables of all situations would not fit into a cache.

Either has ``tables``; ``arrays``, by their names in ``kernel.c``; ``over``, the first node of a
match that is won; and ``full_lives``, the word of a match that starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mia_cli.simulate.lockstep.kernel import KernelGame
from mia_cli.simulate.lockstep.nodes import Nodes
from mia_cli.simulate.lockstep.player_tables import PlayerTables
from mia_cli.simulate.lockstep.situations import (
    EVENTS,
    ROLLER_LOSES,
    next_living_places,
)
from mia_cli.simulate.seating import Seating
from mia_cli.theory.rule_arrays import MAX_LIVES, Lives, leaders, lives_after

PLACES = 8
"""Room for places in an index."""
LIVES_BITS = MAX_LIVES.bit_length()
"""Of each place, in a word with the lives of all."""
MOST_SHORT = np.iinfo(np.uint16).max
ANSWERING, ROLLING = range(2)
AMOUNTS = 4
"""Room for amounts of lives in an index."""
Shorts = NDArray[np.uint16]

_NODE = np.dtype(
    [
        *((name, np.uint32) for name in ("rolls", "answers", "pair")),
        ("places", np.uint8, 2),
        ("unused", np.uint16),
    ]
)
_PLACE = np.dtype([("player", np.uint32), ("first", np.uint32)])


class Together:
    """Every situation in every seating is a node, with all that follows from it."""

    full_lives = 0

    def __init__(self, game: KernelGame) -> None:
        nodes = Nodes(game.rules, game.players, game.seatings, most_nodes=MOST_SHORT)
        self.tables, self.over = nodes.tables, nodes.over
        assert nodes.follow.max() <= MOST_SHORT
        acting = np.zeros(nodes.over, dtype=_NODE)
        acting["rolls"], acting["answers"], acting["pair"] = nodes.rolls, nodes.answers, nodes.pair
        self.arrays: dict[str, NDArray[Any]] = {
            "nodes": acting,
            "follow": nodes.follow.astype(np.uint16),
            "starts": nodes.starts.astype(np.uint16),
        }


class LivesApart:
    """``living * 8 + roller`` is a node: the set of places with lives, and the place that rolls."""

    def __init__(self, game: KernelGame) -> None:
        self._places = places = len(game.players)
        everyone = (1 << places) - 1
        self.tables = PlayerTables(game.players, 1 << LIVES_BITS * places, self._lives_in_order)
        self.over = (everyone + 1) * PLACES
        self.full_lives = sum(game.rules.lives << LIVES_BITS * place for place in range(places))
        acting, follow, follow_out = self._nodes()
        loses = np.full(EVENTS, ANSWERING, dtype=np.uint8)
        loses[list(ROLLER_LOSES)] = ROLLING
        self.arrays: dict[str, NDArray[Any]] = {
            "nodes": acting,
            "follow": follow,
            "follow_out": follow_out,
            "starts": np.full(len(game.seatings), everyone * PLACES, dtype=np.uint16),
            "loses": loses,
            "lives_after": _lives_after(),
            "places": self._seated(game.seatings),
        }

    def _lives_in_order(self, word: int) -> Lives:
        """The lives in a word that begins with the place that rolls."""
        shifts = (LIVES_BITS * distance for distance in range(self._places))
        return tuple(left for left in (word >> at & (1 << LIVES_BITS) - 1 for at in shifts) if left)

    def _nodes(self) -> tuple[NDArray[Any], Shorts, Shorts]:
        """Who acts at a node; what follows it, by event; and where the loser is out by that."""
        places = np.arange(self._places)
        living, roller = np.nonzero(np.arange(1 << self._places)[:, None] >> places & 1)
        several = living & living - 1 != 0
        living, roller = living[several], roller[several]
        at, answering = living * PLACES + roller, next_living_places(self._places)[living, roller]
        acting = np.zeros(self.over, dtype=_NODE)
        acting["places"][at, ROLLING], acting["places"][at, ANSWERING] = roller, answering
        follow = np.zeros((2, self.over, EVENTS), dtype=np.uint16)
        for event, out in product(range(EVENTS), range(2)):
            loser = roller if event in ROLLER_LOSES else answering
            left = living & ~(out << loser)
            # Who accepts has lost nothing, and rolls next, as one who loses and lives leads next.
            leader = leaders(self._places)[left, loser]
            is_won = left & left - 1 == 0
            follow[out, at, event] = np.where(is_won, self.over + leader, left * PLACES + leader)
        return acting, follow[0], follow[1]

    def _seated(self, seatings: Sequence[Seating]) -> NDArray[Any]:
        """[seating, place] who sits there."""
        found = np.zeros((len(seatings), PLACES), dtype=_PLACE)
        by_place = np.array([seating.by_place for seating in seatings])
        found["player"][:, : self._places] = by_place
        found["first"][:, : self._places] = self.tables.first[by_place]
        return found


def _lives_after() -> NDArray[np.uint8]:
    """[lives * 4 + amount] lives left."""
    known = lives_after()
    found = np.zeros((1 << LIVES_BITS, AMOUNTS), dtype=np.uint8)
    found[: known.shape[0], : known.shape[1]] = known
    return found
