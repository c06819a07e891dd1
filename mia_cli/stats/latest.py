"""The latest finished matches with a person, whole, however many records are read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mia_cli.records.many.columns import HEAD, Batch

MOST = 400
"""Matches that tell how readable a person is, the latest; bounds the time it takes."""
LEAST = 20
"""Matches below which nothing is told."""
_NOTHING = Batch(np.zeros(0, dtype=HEAD), np.zeros(0, dtype=np.uint32), ())


@dataclass
class Latest:
    """At most ``most`` matches, oldest first; who played the other seats is not kept."""

    most: int = 0
    batch: Batch = _NOTHING

    def add(self, other: Latest) -> None:
        """Join, and keep the latest of both; of the same second, those that came last."""
        self.most = max(self.most, other.most)
        heads = np.concatenate((self.batch.heads, other.batch.heads))
        turns = np.concatenate((self.batch.turns, other.batch.turns))
        self.batch = _last(Batch(heads, turns, ()), self.most)


def latest_of(batch: Batch, most: int) -> Latest:
    """The latest ``most`` of a batch."""
    if not most:
        return Latest()
    heads = batch.heads
    some = batch.chosen((heads["person"] > 0) & (heads["winner"] > 0))
    return Latest(most, _last(Batch(some.heads, some.turns, ()), most))


def _last(batch: Batch, most: int) -> Batch:
    order = np.argsort(batch.heads["created"], kind="stable")
    return batch.reordered(order[-most:] if most else order[:0])
