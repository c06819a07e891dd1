"""What a finished match comes to: bluffs and challenges of every seat, and where it turned."""

from __future__ import annotations

from dataclasses import dataclass

from mia_cli.records.record import MatchRecord
from mia_cli.rules.events import Accepted, Challenged, Claimed, Revealed, Rolled, RoundStarted
from mia_cli.rules.rolls import Roll

QUICK = frozenset(
    [(seats, lives) for seats in (2, 3, 4) for lives in (2, 3, 5)]
    + [(seats, lives) for seats in (5, 6) for lives in (2, 3)]
)
"""Seats and lives of the tables whose solution is quick everywhere. The list is fixed: what the
end of a match tells must not depend on how fast the machine is."""


@dataclass
class SeatStory:
    """Claims of a seat; a bluff is a claim above the roll, passed where it was accepted."""

    claims: int = 0
    bluffs: int = 0
    bluffs_passed: int = 0
    bluffs_caught: int = 0
    challenges: int = 0
    challenges_right: int = 0


def is_quick(record: MatchRecord) -> bool:
    """True when the table of the match is on the list."""
    return (len(record.seats), record.ruleset.lives) in QUICK


def rounds_of(record: MatchRecord) -> int:
    """How many rounds were played."""
    return sum(isinstance(event, RoundStarted) for event in record.events)


def seat_stories(record: MatchRecord) -> tuple[SeatStory, ...]:
    """What each seat did, seat 1 first, in a match whose dice are all known."""
    stories = tuple(SeatStory() for _seat in record.seats)
    roll: Roll | None = None
    claimer, bluffs = stories[0], False
    for event in record.events:
        match event:
            case Rolled():
                roll = event.roll
            case Claimed():
                claimer = stories[event.seat - 1]
                bluffs = roll is not None and event.claim.exceeds(roll)
                claimer.claims += 1
                claimer.bluffs += bluffs
            case Accepted():
                claimer.bluffs_passed += bluffs
            case Challenged():
                stories[event.seat - 1].challenges += 1
                stories[event.seat - 1].challenges_right += bluffs
            case Revealed():
                claimer.bluffs_caught += not event.holds
            case _:
                pass
    return stories
