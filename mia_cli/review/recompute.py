"""Decisions of levels that are tables, made again from the seed of a match."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.engine.driver import DECISIONS, SeededDice, Table, next_action
from mia_cli.engine.player import Player
from mia_cli.engine.seed import Stream
from mia_cli.players import registry
from mia_cli.players.levels import SolutionSource
from mia_cli.players.names import FIXED, TABLES_FIELD, needs_solution, other_tables
from mia_cli.records.codec import encode
from mia_cli.records.record import DICE, FINISHED, FIRST, MatchRecord
from mia_cli.records.replay import CHANGED_FIELD, action_of
from mia_cli.review.story import is_quick
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import Event, Rolled, RoundStarted
from mia_cli.rules.match import Throw, start


def recomputed_seats(record: MatchRecord, solved: SolutionSource) -> tuple[int, ...]:
    """The seats whose decisions are those of their level, its tables and the seed.

    Only of finished matches with dice of ``mia-dice/1``, of levels that play by tables which are
    still those of the record, and where no long solving is needed. The record fits the rules.
    Raises BadRecord("other_decision") (event, expected, found) as ``records.replay`` does.
    """
    if record.dice != DICE or record.status != FINISHED:
        return ()
    seats = tuple(seat.seat for seat in record.seats if _is_known(record, seat.player))
    if not seats:
        return ()
    made = registry.make_all(
        [record.seats[seat - 1].player for seat in seats],
        record.ruleset,
        len(record.seats),
        solved=solved,
    )
    _compare(record, dict(zip(seats, made, strict=True)))
    return seats


def require_same_events(record: MatchRecord, events: Sequence[Event]) -> None:
    """Raise BadRecord("other_decision") at the first event that is another one."""
    for at, event in enumerate(record.events):
        if at >= len(events) or events[at] != event:
            due = events[at] if at < len(events) else None
            raise _other(at, due, event)


def _is_known(record: MatchRecord, player: str) -> bool:
    found, changed = record.extra.get(TABLES_FIELD), record.extra.get(CHANGED_FIELD)
    if player not in FIXED or not isinstance(found, dict):
        return False
    if isinstance(changed, list) and player in changed:
        return False
    if needs_solution([player], len(record.seats)) and not is_quick(record):
        return False
    return not other_tables(found, [player])


def _compare(record: MatchRecord, players: dict[int, Player]) -> None:
    first = record.events[0]
    assert isinstance(first, RoundStarted), "the record fits the rules"
    table = Table(*start(record.ruleset, len(record.seats), first.leader))
    dice = SeededDice(record.seed)
    streams = [Stream(record.seed, f"seat {seat.seat}") for seat in record.seats]
    by_seat = [players.get(seat.seat) for seat in record.seats]
    while table.match.phase != "over":
        at = len(table.events)
        event, seat = record.events[at], table.match.to_act
        if isinstance(event, Rolled):
            table.step(Throw(dice(table.rolls)))
            continue
        action = action_of(event, None)
        assert action is not None and isinstance(event, DECISIONS), "the record fits the rules"
        if seat is not None and by_seat[seat - 1] is not None:
            due = next_action(table, by_seat, dice, streams)  # type: ignore[arg-type]
            if due != action:
                again = Table(table.match, ())
                raise _other(at, again.step(due)[0], event)
        table.step(action)


def _other(at: int, due: Event | None, event: Event) -> BadRecord:
    expected = () if due is None else (encode(due),)
    return BadRecord("other_decision", event=at + FIRST, expected=expected, found=encode(event))
