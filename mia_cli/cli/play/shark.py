"""The shark in ``mia play``: what it remembers of the person, and what it noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mia_cli.engine.driver import Table
from mia_cli.engine.player import Player
from mia_cli.players.names import SHARK
from mia_cli.records.record import MatchRecord
from mia_cli.records.store import MatchStore
from mia_cli.rules.events import seen_by

if TYPE_CHECKING:
    from mia_cli.players.shark import Notice, Shark
    from mia_cli.records.memory import Remembered

FIELD = "memory"
"""Field of a record: the ids of the matches that a shark at the table remembers, oldest first.

With them a match that is resumed goes on as it would have, whatever was played or imported
meanwhile. There is no field where no shark sits or the memory is off.
"""


@dataclass(frozen=True, slots=True)
class Noticed:
    """What the shark at ``seat`` noticed of the person, the most telling first.

    The figures count this match and ``earlier`` ones.
    """

    seat: int
    person: int
    earlier: int
    notices: tuple[Notice, ...]


def recall(store: MatchStore | None) -> tuple[Remembered, ...]:
    """The person's latest finished matches, as many as a shark can use."""
    from mia_cli.players.shark.player import REMEMBERED
    from mia_cli.records.memory import latest

    return () if store is None else latest(store, REMEMBERED)


def recall_again(store: MatchStore, record: MatchRecord) -> tuple[Remembered, ...] | None:
    """What was remembered when this match began, as far as it is still there; None: memory off."""
    from mia_cli.players.shark.player import REMEMBERED
    from mia_cli.records.memory import named

    ids = record.extra.get(FIELD)
    if not isinstance(ids, list):
        return None
    return named(store, [item for item in ids if isinstance(item, str)][-REMEMBERED:])


def is_at(record: MatchRecord) -> bool:
    """True when a shark sits at this table."""
    return any(seat.player == SHARK for seat in record.seats)


def begin_sharks(
    players: Sequence[Player], record: MatchRecord, table: Table, memory: Sequence[Remembered]
) -> None:
    """Teach the sharks what they remember, and what happened so far; no decision waits for it."""
    shark = _shark(players, record)
    if shark is None or record.human is None:
        return
    for match in memory:
        shark.learn(match.events, {match.person: record.human})
    lives = table.match.lives
    for seat in record.seats:
        if seat.player == SHARK and lives[seat.seat - 1]:
            history = tuple(seen_by(event, seat.seat) for event in table.events)
            shark.beliefs(seat.seat, history).tables(lives, seat.seat)


def noticed(players: Sequence[Player], record: MatchRecord) -> Noticed | None:
    """What the first shark at the table noticed of the person; they all see the same of it."""
    shark, person = _shark(players, record), record.human
    if shark is None or person is None:
        return None
    seat = next(seat.seat for seat in record.seats if seat.player == SHARK)
    history = tuple(seen_by(event, seat) for event in record.events)
    return Noticed(seat, person, len(shark.memory), shark.noticed(seat, person, history))


def _shark(players: Sequence[Player], record: MatchRecord) -> Shark | None:
    """The one that sits at every shark's seat."""
    for seat, player in zip(record.seats, players, strict=True):
        if seat.player == SHARK:
            from mia_cli.players.shark import Shark

            assert isinstance(player, Shark)
            return player
    return None
