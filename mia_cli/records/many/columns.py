"""Many matches side by side: one row of a table each, and all their turns in one array."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mia_cli.records.many.match_summary import MatchSummary
from mia_cli.rules.ruleset import SEATS

PlayerKey = tuple[str, str]
"""Name and player: ("Ada", "hard")."""
_SEATS = max(SEATS)
HEAD = np.dtype(
    [
        ("created", "<i8"),
        *((name, "u1") for name in ("lives", "penalty", "seats", "person")),
        *((name, "u1") for name in ("leader", "winner", "help_used", "spare")),
        ("players", "<i4", (_SEATS,)),
        ("turns", "<i4"),
    ]
)
"""A match: the fields of ``MatchSummary``; players as numbers of a list, ``turns`` their number."""
_PACKED = struct.Struct(f"<q8B{_SEATS + 1}i")


@dataclass(frozen=True, slots=True)
class Batch:
    """``heads[match]`` of type HEAD, ``turns`` of all matches in order, players by number."""

    heads: NDArray[Any]
    turns: NDArray[np.uint32]
    players: Sequence[PlayerKey]

    def chosen(self, mask: NDArray[np.bool_]) -> Batch:
        """Only the matches of a mask."""
        if mask.all():
            return self
        kept = np.repeat(mask, self.heads["turns"])
        return Batch(self.heads[mask], self.turns[kept], self.players)

    def reordered(self, order: NDArray[np.intp]) -> Batch:
        """These matches by number, in this order."""
        heads = self.heads[order]
        sizes = heads["turns"].astype(np.int64)
        first = self.heads["turns"].astype(np.int64).cumsum()[order] - sizes
        begin = sizes.cumsum() - sizes
        which = np.arange(int(sizes.sum())) + np.repeat(first - begin, sizes)
        return Batch(heads, self.turns[which], self.players)

    def slices(self, size: int) -> Iterator[Batch]:
        """The batch in parts of at most ``size`` matches."""
        ends = self.heads["turns"].cumsum()
        for first in range(0, len(self.heads), size):
            heads = self.heads[first : first + size]
            begin = int(ends[first - 1]) if first else 0
            yield Batch(heads, self.turns[begin : int(ends[first + len(heads) - 1])], self.players)


@dataclass
class PlayerNumbers:
    """Players by number, in the order in which they were met."""

    known: dict[PlayerKey, int] = field(default_factory=dict)

    def number(self, player: PlayerKey) -> int:
        """The number of a player, a new one if need be."""
        return self.known.setdefault(player, len(self.known))

    def listed(self) -> list[PlayerKey]:
        """All players by number."""
        return list(self.known)


def pack(summary: MatchSummary, players: Sequence[int]) -> bytes:
    """A row of HEAD."""
    assert _PACKED.size == HEAD.itemsize
    padded = (*players, *(-1,) * (_SEATS - len(players)))
    return _PACKED.pack(
        summary.created,
        summary.rules.lives,
        summary.rules.penalty_21,
        len(summary.players),
        summary.person,
        summary.leader,
        summary.winner,
        summary.help_used,
        0,
        *padded,
        len(summary.turns) // 4,
    )


class Collector:
    """Puts summaries together as a batch."""

    def __init__(self) -> None:
        self._players = PlayerNumbers()
        self._heads: list[bytes] = []
        self._turns: list[bytes] = []

    def __len__(self) -> int:
        return len(self._heads)

    def add(self, summary: MatchSummary) -> None:
        """One more match."""
        self._heads.append(pack(summary, [self._players.number(who) for who in summary.players]))
        self._turns.append(summary.turns)

    def batch(self) -> Batch:
        """Everything so far."""
        return batch_of(b"".join(self._heads), b"".join(self._turns), self._players.listed())


def batch_of(heads: bytes, turns: bytes, players: Sequence[PlayerKey]) -> Batch:
    """A batch from rows and turns as bytes."""
    return Batch(np.frombuffer(heads, dtype=HEAD), np.frombuffer(turns, dtype="<u4"), players)
