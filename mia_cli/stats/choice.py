"""Which matches count, and what they are grouped by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mia_cli.records.head import HUMAN
from mia_cli.records.many.columns import Batch
from mia_cli.records.many.turn_rows import TurnForm
from mia_cli.rules.errors import CannotRead
from mia_cli.rules.ruleset import RuleSet

By = Literal["ruleset", "cpu", "month"]
BYS: tuple[By, ...] = ("ruleset", "cpu", "month")
_DAYS = re.compile(r"([0-9]{1,5})d", re.ASCII)
_FORMS = ("%Y-%m-%d", "%Y-%m", "%Y", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")
_STEPS = {"%Y-%m-%d": timedelta(days=1), "%Y-%m-%dT%H:%M": timedelta(minutes=1)}


@dataclass(frozen=True, slots=True)
class Choice:
    """Matches from ``since`` to before ``until`` (seconds since 1970, UTC) with these rules,
    against this level, without help; None or False: all. ``by`` groups them. ``latest``: how many
    of the latest finished matches with a person are kept whole, beside what is counted. ``turns``:
    the form in which rows of all turns are written as well."""

    since: int | None = None
    until: int | None = None
    rules: RuleSet | None = None
    cpu: str | None = None
    without_aids: bool = False
    by: By | None = None
    latest: int = 0
    turns: TurnForm | None = None

    def chosen(self, batch: Batch) -> Batch:
        """The matches of a batch that count."""
        return batch.chosen(self.mask(batch))

    def mask(self, batch: Batch) -> NDArray[np.bool_]:
        """[matches] which of a batch count."""
        heads = batch.heads
        mask = np.ones(len(heads), dtype=bool)
        if self.since is not None:
            mask &= heads["created"] >= self.since
        if self.until is not None:
            mask &= heads["created"] < self.until
        if self.rules is not None:
            mask &= heads["lives"] == self.rules.lives
            mask &= heads["penalty"] == self.rules.penalty_21
        if self.without_aids:
            mask &= heads["help_used"] == 0
        if self.cpu is not None:
            mask &= _with_level(batch, self.cpu)
        return mask

    def groups(self, batch: Batch) -> Iterator[tuple[str, Batch]]:
        """Key and matches of every group; by ``cpu`` a match counts for each of its levels.

        Keys: ``3/1`` (lives, what 21 costs), a level, ``2026-11``.
        """
        heads = batch.heads
        if self.by == "ruleset":
            pairs = heads["lives"].astype(np.int64) * 10 + heads["penalty"]
            for pair in np.unique(pairs).tolist():
                yield f"{pair // 10}/{pair % 10}", batch.chosen(pairs == pair)
        elif self.by == "month":
            months = heads["created"].astype("datetime64[s]").astype("datetime64[M]")
            for month in np.unique(months):
                yield str(month), batch.chosen(months == month)
        elif self.by == "cpu":
            for level in sorted({player for _, player in batch.players if player != HUMAN}):
                some = batch.chosen(_with_level(batch, level))
                if len(some.heads):
                    yield level, some


def _with_level(batch: Batch, level: str) -> NDArray[Any]:
    wanted = np.array([player == level for _, player in batch.players] + [False])
    found: NDArray[Any] = wanted[batch.heads["players"]].any(axis=1)
    return found


def read_day(text: str, place: str, now: datetime, *, last: bool) -> int:
    """A moment as seconds since 1970: ``2026-11-30``, ``2026-11``, ``2026``, ``30d`` (days ago),
    or ``2026-11-30T12:00``, all UTC.

    ``last``: the end of that day, month, year or minute. Raises CannotRead("bad_day").
    """
    plain = text.strip()
    days = _DAYS.fullmatch(plain)
    try:
        if days:
            return int((now - timedelta(days=int(days[1]))).timestamp())
        for form in _FORMS:
            found = _parsed(plain, form)
            if found is not None:
                return int((_end(found, form) if last else found).timestamp())
    except (OverflowError, ValueError):
        pass
    raise CannotRead("bad_day", value=text, place=place)


def _parsed(text: str, form: str) -> datetime | None:
    # strptime takes 2026-1-2; written out again it would differ.
    try:
        found = datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        return None
    return found if found.strftime(form).zfill(len(text)) == text else None


def _end(start: datetime, form: str) -> datetime:
    if form == "%Y":
        return start.replace(year=start.year + 1)
    if form == "%Y-%m":
        return (start + timedelta(days=31)).replace(day=1)
    return start + _STEPS.get(form, timedelta(seconds=1))
