"""The kernel in C: lays out the tables that ``kernel.c`` plays from, and calls it.

The structures here are those of ``kernel.c``, field by field, and are explained there.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mia_cli.rules.rolls import OUTCOMES
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep import draws
from mia_cli.simulate.lockstep.alias_tables import Words
from mia_cli.simulate.lockstep.kernel import KernelGame, TracedTurns, played_by_seating
from mia_cli.simulate.lockstep.layouts import LivesApart, Together
from mia_cli.simulate.lockstep.library import COMPILED
from mia_cli.simulate.lockstep.nodes import MOST_NODES, are_apart
from mia_cli.simulate.lockstep.situations import (
    EVENTS,
    lives_lost,
    standing_after,
    turn_events,
)
from mia_cli.simulate.tally import Tally

WAITING = 1 << 12
"""Matches that may wait for tables."""
ROOM = 1 << 16
"""Turns that are traced in one call."""

_CONSEQUENCE = np.dtype([("standing", np.uint16), ("event", np.uint8), ("amount", np.uint8)])
_MATCH = np.dtype(
    [
        ("counter", np.uint64),
        *((name, np.uint32) for name in ("node", "standing", "lives", "seating")),
        ("wanted", np.uint32, 2),
    ]
)


class _Game(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("row", "answer", "rows", "columns", "answers")),
        *((name, ctypes.c_void_p) for name in ("consequences", "nodes", "follow", "follow_out")),
        *((name, ctypes.c_void_p) for name in ("starts", "loses", "lives_after", "places")),
        *((name, ctypes.c_uint64) for name in ("dice_key", "decision_key")),
        *((name, ctypes.c_uint32) for name in ("outcomes", "players", "seatings", "over")),
        *((name, ctypes.c_uint32) for name in ("full_lives", "apart", "by_lives", "unused")),
    )


class _Block(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_uint64) for name in ("next", "end")),
        *((name, ctypes.c_void_p) for name in ("wins", "events", "waiting")),
        *((name, ctypes.c_uint64) for name in ("waiting_count", "waiting_room")),
        *((name, ctypes.c_void_p) for name in ("turns", "ends")),
        *((name, ctypes.c_uint64) for name in ("turn_count", "turn_room", "end_count")),
    )


class CompiledKernel:
    """Plays matches of a game; see ``Kernel``.

    ``waiting``: how many matches may wait for tables; ``room``: turns that are traced in one call.
    """

    name = COMPILED

    def __init__(
        self,
        library: ctypes.CDLL,
        game: KernelGame,
        *,
        most_nodes: int = MOST_NODES,
        waiting: int = WAITING,
        room: int = ROOM,
    ) -> None:
        self._library, self._room = library, room
        self._players, self._seatings = len(game.players), len(game.seatings)
        apart = are_apart(game.rules, self._players, self._seatings, most_nodes)
        layout = (LivesApart if apart else Together)(game)
        self._tables = layout.tables
        self._waiting = np.zeros(waiting, dtype=_MATCH)
        self._arrays: dict[str, NDArray[Any]] = {
            **layout.arrays,
            "consequences": _consequences(game.rules),
            "row": self._tables.row,
            "answer": self._tables.answer,
        }
        self._game = _Game(
            dice_key=draws.key(game.seed, draws.DICE),
            decision_key=draws.key(game.seed, draws.DECISIONS),
            outcomes=OUTCOMES,
            players=self._players,
            seatings=self._seatings,
            over=layout.over,
            full_lives=layout.full_lives,
            apart=apart,
            by_lives=self._tables.by_lives,
        )

    def play(self, first: int, count: int) -> Tally:
        """Play the matches ``first`` ... ``first + count - 1`` of the run."""
        block, tally = self._begin(first, count)
        while not self._is_done(block):
            pass
        return tally

    def trace(self, first: int, count: int) -> tuple[Tally, TracedTurns]:
        """Play these matches, and keep every turn."""
        block, tally = self._begin(first, count)
        turns, ends = np.zeros(self._room, dtype=np.uint32), np.zeros(count, dtype=np.int64)
        block.turns, block.ends, block.turn_room = turns.ctypes.data, ends.ctypes.data, self._room
        parts: list[Words] = []
        total = known = 0
        done = False
        while not done:
            done = self._is_done(block)
            if not block.waiting_count:
                parts.append(turns[: block.turn_count].copy())
                ends[known : block.end_count] += total
                total, known = total + block.turn_count, block.end_count
                block.turn_count = 0
        return tally, TracedTurns(np.concatenate(parts), ends)

    def _begin(self, first: int, count: int) -> tuple[_Block, Tally]:
        """A block of which nothing is played, and the tally that its counts go to."""
        tally = Tally(
            played_by_seating(first, count, self._seatings),
            np.zeros((self._seatings, self._players), dtype=np.int64),
            np.zeros((self._players, self._players, EVENTS), dtype=np.int64),
        )
        block = _Block(next=first, end=first + count, waiting_room=len(self._waiting))
        block.wins, block.events = tally.wins.ctypes.data, tally.events.ctypes.data
        block.waiting = self._waiting.ctypes.data
        return block, tally

    def _is_done(self, block: _Block) -> bool:
        """Play on; True when the block is played. Otherwise what it waited for is there."""
        pool, game = self._tables.pool, self._game
        # The pool replaces its arrays when they grow.
        arrays = {**self._arrays, "rows": pool.meta, "columns": pool.columns}
        for name, array in {**arrays, "answers": pool.answers}.items():
            setattr(game, name, array.ctypes.data)
        self._library.mia_play(ctypes.byref(game), ctypes.byref(block))
        if not block.waiting_count:
            return bool(block.next == block.end)
        wanted = self._waiting["wanted"][: block.waiting_count].ravel()
        if pool.is_full:
            self._tables.forget()
        self._tables.build(wanted.astype(np.int64))
        return False


def _consequences(rules: RuleSet) -> NDArray[Any]:
    """[2 * code + challenged] what follows."""
    events = turn_events()
    found = np.zeros(len(events), dtype=_CONSEQUENCE)
    found["standing"] = standing_after() * OUTCOMES
    found["event"] = events
    found["amount"] = lives_lost(rules)[events]
    return found
