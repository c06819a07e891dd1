"""What a player that learns may know of earlier matches: the latest, and their public part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from mia_cli.records.record import FINISHED, MatchRecord, read_record
from mia_cli.records.replay import replay
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import Event, seen_by

_LOOKED_AT = 5
"""Files that are read for each match that is wanted: unfinished and damaged ones are among them."""
_AS_SAID = "as said"
"""Dice of a record whose rolls are not compared with its seed."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A finished match with a person in the seat ``person``; no roll that was never shown."""

    id: str
    person: int
    events: tuple[Event, ...]


def latest(store: MatchStore, most: int) -> tuple[Remembered, ...]:
    """The latest matches that a person finished, at most ``most``, oldest first.

    Whoever sat there, by whatever name: one data folder is one person, as in the statistics.
    Matches that cannot be read or do not keep to the rules are left out, and where the folder
    cannot be read there are none: what is remembered never stops a match.
    """
    found = map(_remembered, store.newest(most=most * _LOOKED_AT))
    try:
        newest_first = list(islice(filter(None, found), most))
    except MiaError:
        return ()
    return tuple(reversed(newest_first))


def named(store: MatchStore, ids: Iterable[str]) -> tuple[Remembered, ...]:
    """The matches with these ids, in this order, as far as they are there."""
    return tuple(filter(None, (_read(store, match_id) for match_id in ids)))


def _read(store: MatchStore, match_id: str) -> Remembered | None:
    try:
        return _remembered(read_record(store.path_of(match_id)))
    except MiaError:
        return None


def _remembered(record: MatchRecord) -> Remembered | None:
    if record.status != FINISHED or record.human is None:
        return None
    try:
        # Rolls that were never shown are not looked at, also not whether the seed gives them.
        replay(replace(record, dice=_AS_SAID))
    except MiaError:
        return None
    return Remembered(
        record.id, record.human, tuple(seen_by(event, None) for event in record.events)
    )
