"""Runs a record through the rules again: the same match, or the first event that does not fit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mia_cli.engine.driver import Dice, SeededDice, Table
from mia_cli.engine.seed import fingerprint
from mia_cli.records.codec import encode
from mia_cli.records.record import (
    DICE,
    FINISHED,
    FIRST,
    SIMULATED_DICE,
    UNFINISHED,
    MatchRecord,
    as_kept,
    hidden,
)
from mia_cli.rules.errors import BadRecord, NotAllowed
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    Event,
    MatchOver,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.match import (
    Accept,
    Action,
    Challenge,
    MakeClaim,
    Match,
    Throw,
    legal_actions,
    start,
)
from mia_cli.rules.rolls import Roll

CHANGED_FIELD = "levels_changed"
"""The field of records that names levels whose tables changed while the match was unfinished."""
Encoded = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Replay:
    """A record that fits the rules.

    ``table`` stands where the record ends and can be played on. ``dice_checked`` is False when
    nobody knew the dice of the record's scheme: its rolls are then taken as said.
    """

    table: Table
    dice_checked: bool


def replay(record: MatchRecord, other_dice: Dice | None = None) -> Replay:
    """Play a record again, checking rules, dice, and the seed against its fingerprint.

    ``other_dice``: those of a record in another scheme than ``mia-dice/1``.

    Raises BadRecord: ``fingerprint_differs`` or ``contradicts_events`` (event, field, expected,
    found), or ``does_not_fit`` (event, expected, found). ``event`` counts from 1 for
    ``match_started``. There, ``expected`` is a tuple of the encoded events that would have fitted,
    empty after the end of the match; where a claim was due, ``claim`` lists the legal ones.
    ``found`` is the encoded event, or None at the end of the record. No hidden roll of an
    unfinished match is among them.

    A match of a simulation that a program lost by a fault leaves the rules there, and its record
    says so in ``faults``: that is BadRecord ``forfeited`` (event) instead.

    What no rule can tell from the truth is not found: another legal claim that was accepted, an
    unfinished match cut after an action, and fields outside the match (times, names, preset).
    """
    _check_fingerprint(record)
    table = _started(record)
    dice = SeededDice(record.seed) if record.dice == DICE else other_dice
    try:
        while len(table.events) < len(record.events):
            _check_step(record, table, dice)
        _check_outcome(record, table, dice)
    except BadRecord as error:
        if error.code == "does_not_fit" and record.extra.get("faults"):
            raise BadRecord("forfeited", event=error.fields["event"]) from None
        raise
    return Replay(table, dice is not None)


def require_known_dice(record: MatchRecord) -> None:
    """Raise BadRecord("unknown_dice") (field, value, allowed) for dice that nobody could check.

    A person plays with dice that ``replay`` checks; those of a simulation can be recomputed from
    its run.
    """
    allowed = (DICE,) if record.human else (DICE, SIMULATED_DICE)
    if record.dice not in allowed:
        raise BadRecord("unknown_dice", field="dice", value=record.dice, allowed=allowed)


def _check_outcome(record: MatchRecord, table: Table, dice: Dice | None) -> None:
    is_over = table.match.phase == "over"
    if record.status == FINISHED and not is_over:
        raise _does_not_fit(record, len(table.events), _possible(record, table, dice))
    for key, value, expected in (
        ("status", record.status, FINISHED if is_over else UNFINISHED),
        ("winner", record.winner, table.match.winner),
    ):
        if value != expected:
            last = len(table.events) - 1 + FIRST
            raise BadRecord(
                "contradicts_events", event=last, field=key, expected=expected, found=value
            )


def _check_fingerprint(record: MatchRecord) -> None:
    expected = fingerprint(record.seed)
    if record.seed_fingerprint != expected:
        raise BadRecord(
            "fingerprint_differs",
            event=1,
            field="seed_fingerprint",
            expected=expected,
            found=record.seed_fingerprint,
        )


def _started(record: MatchRecord) -> Table:
    """The table at the first event. The first leader is the record's word: it may be chosen."""
    first, seats = record.events[0], len(record.seats)
    leaders: Iterable[int] = range(1, seats + 1)
    if isinstance(first, RoundStarted) and first.leader in leaders:
        leaders = (first.leader,)
    starts = [start(record.ruleset, seats, leader) for leader in leaders]
    possible = [events[0] for _, events in starts]
    if first not in possible:
        raise _does_not_fit(record, 0, map(encode, possible))
    match, events = starts[possible.index(first)]
    return Table(match, events)


def _check_step(record: MatchRecord, table: Table, dice: Dice | None) -> None:
    """Take the action the next event tells of, and compare all events that follow from it."""
    index = len(table.events)
    event = record.events[index]
    roll = None
    if isinstance(event, Rolled):
        roll = event.roll if dice is None else dice(table.rolls)
    action = action_of(event, roll)
    try:
        if action is None:
            raise NotAllowed("not_now")
        caused = table.step(action)
    except NotAllowed:
        raise _does_not_fit(record, index, _possible(record, table, dice)) from None
    for offset, due in enumerate(caused, start=index):
        if offset == len(record.events) or record.events[offset] != due:
            raise _does_not_fit(record, offset, (_shown(record, due),))


def action_of(event: Event, roll: Roll | None) -> Action | None:
    """The action that caused ``event``, its roll being this one; None for an event that only
    follows from another, and for a roll that is not known."""
    match event:
        case Rolled():
            return None if roll is None else Throw(roll)
        case Claimed(claim=claim):
            return MakeClaim(claim)
        case Accepted():
            return Accept()
        case Challenged():
            return Challenge()
        case _:
            return None


def _possible(record: MatchRecord, table: Table, dice: Dice | None) -> tuple[Encoded, ...]:
    """The events that could come next, encoded."""
    match = table.match
    if match.phase == "roll":
        due = None if dice is None else dice(table.rolls)
        return (_shown(record, Rolled(match.roller, due)),)
    actions = legal_actions(match)
    claims = [action.claim.name for action in actions if isinstance(action, MakeClaim)]
    if claims:
        return ({"event": "claimed", "seat": match.roller, "claim": claims},)
    return tuple(_answer(match, action) for action in actions)


def _answer(match: Match, action: Action) -> Encoded:
    seat = match.to_act
    assert seat is not None, "an answer is due from somebody"
    return encode(Accepted(seat) if isinstance(action, Accept) else Challenged(seat))


def _shown(record: MatchRecord, event: Event) -> Encoded:
    """The encoded event without what is hidden while the match goes on.

    That includes the roll of a reveal: an altered record could ask for one that never happened.
    """
    if _is_public(record):
        return encode(event)
    shown = encode(hidden(record.seats, event))
    if isinstance(event, Revealed) and event.seat != record.human:
        del shown["roll"], shown["holds"]
    return shown


def _is_public(record: MatchRecord) -> bool:
    # The status alone could have been altered to look ahead.
    return record.status == FINISHED and isinstance(record.events[-1], MatchOver)


def _does_not_fit(record: MatchRecord, index: int, expected: Iterable[Encoded]) -> BadRecord:
    found = record.events[index] if index < len(record.events) else None
    return BadRecord(
        "does_not_fit",
        event=index + FIRST,
        expected=tuple(expected),
        found=None if found is None else encode(as_kept(record, found)),
    )
