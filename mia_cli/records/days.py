"""The match of the day: one seed and one table for everybody, from the date in UTC."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mia_cli.files.documents import Document
from mia_cli.records.record import FINISHED, MatchRecord
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import RoundStarted
from mia_cli.rules.ruleset import RuleSet

FIELD = "daily"
"""Field of a record that was played as the match of a day: the day, such as 2026-11-30."""
LEVELS = ("normal", "hard")
RULES = RuleSet()
"""The table: three seats, these levels, and the standard rules."""
SCHEMA = "mia.days/1"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def day_of(now: datetime) -> str:
    """The day in UTC, as it is named."""
    return now.astimezone(UTC).strftime("%Y-%m-%d")


def seed_of(day: str) -> int:
    """The seed of a day: its digits, 20261130 for 2026-11-30."""
    return int(day.replace("-", ""))


def day_named(record: MatchRecord) -> str | None:
    """The day whose match this is, or None. A field that is no day, or dice or a table that are
    not the day's, make none."""
    day = record.extra.get(FIELD)
    if not isinstance(day, str) or not _DAY.fullmatch(day) or record.seed != seed_of(day):
        return None
    levels = tuple(seat.player for seat in record.seats[1:])
    return day if levels == LEVELS and record.ruleset == RULES else None


@dataclass(frozen=True, slots=True)
class Day:
    """What counts for a day: its first finished try; ``tries`` are the finished ones."""

    day: str
    match: str
    won: bool
    rounds: int
    tries: int

    def as_json(self) -> Document:
        """One object of the list."""
        names = ("day", "match", "won", "rounds", "tries")
        return {name: getattr(self, name) for name in names}


def days(records: Iterable[MatchRecord]) -> list[Day]:
    """The days among these records, the latest first."""
    tries: dict[str, list[MatchRecord]] = {}
    for record in records:
        day = day_named(record)
        if day is not None and record.status == FINISHED:
            tries.setdefault(day, []).append(record)
    return [_day(day, tries[day]) for day in sorted(tries, reverse=True)]


def _day(day: str, tries: Sequence[MatchRecord]) -> Day:
    first = min(tries, key=lambda record: (record.ended or "", record.created, record.id))
    rounds = sum(isinstance(event, RoundStarted) for event in first.events)
    return Day(day, first.id, first.winner == first.human, rounds, len(tries))


def tries_of(store: MatchStore, day: str) -> list[MatchRecord]:
    """The matches of a day that were begun on it, as their ids tell; those that can be read."""
    found: list[MatchRecord] = []
    with contextlib.suppress(MiaError):
        for match_id in store.ids():
            if match_id.startswith(f"{seed_of(day)}-"):
                with contextlib.suppress(MiaError):
                    found.append(store.read(match_id))
    return [record for record in found if day_named(record) == day]


def finished_before(store: MatchStore, day: str, match_id: str | None = None) -> int:
    """How many other tries of a day are finished; the first one counts."""
    others = (record for record in tries_of(store, day) if record.id != match_id)
    return sum(record.status == FINISHED for record in others)
