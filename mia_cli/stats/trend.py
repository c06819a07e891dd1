"""How results went over time: parts of equal size, and the latest matches against those before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import sqrt

import numpy as np

from mia_cli.files.documents import Document
from mia_cli.records.many.turns import Counts
from mia_cli.theory.intervals import Z95, wilson

PARTS = 12
"""Parts of equal size at most."""
LEAST = 5
"""Matches of a part at least."""
_STATES = 4
_UNFINISHED, _WON = 0, 1


def over_time(results: Sequence[Counts]) -> list[Document]:
    """Matches, wins, their share and its interval of 95 % in parts that differ by a match at most,
    the oldest first, each from the day ``since`` to ``until``; none for too few matches.

    ``results``: see ``totals.Totals``; unfinished matches are passed over.
    """
    ordered = _finished(results)
    number = min(PARTS, len(ordered) // LEAST)
    if number < 2:
        return []
    return [
        {"since": _day(part[0]), "until": _day(part[-1]), **_share(part)}
        for part in np.array_split(ordered, number)
    ]


def trend(results: Sequence[Counts]) -> Document | None:
    """The latest matches and those before, and the ``change``: ``better`` or ``worse`` where the
    shares differ by more than luck explains in 95 of 100 cases, else ``not_told``; None for too few
    matches.

    The latest are the last quarter, and at least LEAST.
    """
    ordered = _finished(results)
    last = max(LEAST, len(ordered) // 4)
    if len(ordered) < 2 * last:
        return None
    now, before = _share(ordered[-last:]), _share(ordered[:-last])
    return {"last": now, "before": before, "change": _change(now, before)}


def _change(now: Document, before: Document) -> str:
    """Two shares compared with the variance of both together."""
    sizes = now["matches"], before["matches"]
    together = (now["wins"] + before["wins"]) / sum(sizes)
    error = sqrt(together * (1.0 - together) * sum(1.0 / size for size in sizes))
    distance = now["win_rate"] - before["win_rate"]
    if abs(distance) <= Z95 * error:
        return "not_told"
    return "better" if distance > 0.0 else "worse"


def _finished(results: Sequence[Counts]) -> Counts:
    ordered = np.sort(np.concatenate(results), kind="stable") if results else np.zeros(0, int)
    finished: Counts = ordered[ordered % _STATES != _UNFINISHED]
    return finished


def _share(part: Counts) -> Document:
    matches, wins = len(part), int((part % _STATES == _WON).sum())
    rate = wins / matches
    return {
        "matches": matches,
        "wins": wins,
        "win_rate": rate,
        "ci95": list(wilson(rate, matches)),
    }


def _day(result: int) -> str:
    return datetime.fromtimestamp(int(result) // _STATES, UTC).strftime("%Y-%m-%d")
