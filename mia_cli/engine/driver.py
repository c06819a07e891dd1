"""Drives a match from one decision to the next and hands the events on as they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from mia_cli.engine.player import Player
from mia_cli.engine.seed import Stream, roll_number
from mia_cli.rules.events import Accepted, Challenged, Claimed, Event, Rolled, seen_by
from mia_cli.rules.match import Action, MakeClaim, Match, Throw, apply, observed
from mia_cli.rules.rolls import Roll

DECISIONS = (Claimed, Accepted, Challenged)
"""The events a player's decision causes, one each."""


class Dice(Protocol):
    """Where rolls come from; the only chance in a match."""

    def __call__(self, number: int) -> Roll:
        """The roll with this number, 0 for the first of the match."""
        ...


class SeededDice:
    """The documented dice of a seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, number: int) -> Roll:
        return roll_number(self._seed, number)

    def __repr__(self) -> str:
        return "SeededDice()"


class Table:
    """A match in progress: its position, its events so far, and how many rolls have fallen.

    ``rolls`` and ``decisions`` number the next draws of dice and players; they are counted from
    the events, so a match taken up in the middle goes on with the numbers that are due.
    ``step`` takes one action; nothing else changes a table.
    """

    def __init__(self, match: Match, events: Sequence[Event]) -> None:
        self.match = match
        self.events = list(events)
        self.rolls = sum(isinstance(event, Rolled) for event in self.events)
        self.decisions = sum(isinstance(event, DECISIONS) for event in self.events)
        self._seen: dict[int, list[Event]] = {}

    def step(self, action: Action) -> tuple[Event, ...]:
        """Apply one action and return its events. Raises NotAllowed and changes nothing then."""
        self.match, events = apply(self.match, action)
        self.events.extend(events)
        if isinstance(action, Throw):
            self.rolls += 1
        else:
            self.decisions += 1
        return events

    def seen(self, seat: int) -> tuple[Event, ...]:
        """The events so far as ``seat`` may know them; each is masked once."""
        known = self._seen.setdefault(seat, [])
        known += [seen_by(event, seat) for event in self.events[len(known) :]]
        return tuple(known)

    def __repr__(self) -> str:
        return f"Table({self.match!r})"


def run(
    table: Table,
    players: Sequence[Player],
    dice: Dice,
    stream_for: Callable[[int], Stream],
) -> Iterator[tuple[Event, ...]]:
    """Play ``table`` to the end, yielding the events of each action right after it.

    ``players[seat - 1]`` decides for a seat with numbers from ``stream_for(seat)``. Whatever a
    player raises passes through; the table then stands before that decision and can be run again.
    """
    streams = [stream_for(seat) for seat in range(1, table.match.seats + 1)]
    while table.match.phase != "over":
        yield table.step(next_action(table, players, dice, streams))


def next_action(
    table: Table, players: Sequence[Player], dice: Dice, streams: Sequence[Stream]
) -> Action:
    """The action that follows in this position: a throw of the dice or a player's decision."""
    seat = table.match.to_act
    if seat is None:
        return Throw(dice(table.rolls))
    seen = observed(table.match, seat, table.seen(seat))
    uniform = streams[seat - 1].uniform(table.decisions)
    player = players[seat - 1]
    if seen.decision == "claim":
        return MakeClaim(player.claim(seen, uniform))
    return player.answer(seen, uniform)
