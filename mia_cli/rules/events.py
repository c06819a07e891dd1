"""What happens in a match, as values.

The list of events of a match, with its rule set, seats and seed, *is* the record of the match.
Seats count from 1. ``lives`` lists the lives of all seats, seat 1 first.
"""

from __future__ import annotations

from dataclasses import dataclass

from mia_cli.rules.rolls import Claim, Roll


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins; its leader rolls and may claim anything."""

    round: int
    leader: int
    lives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """A seat rolled in private. ``roll`` is None for a reader who may not know it."""

    seat: int
    roll: Roll | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat said what it has, truthfully or not."""

    seat: int
    claim: Claim


@dataclass(frozen=True, slots=True)
class Accepted:
    """A seat accepted the claim before it and takes the dice."""

    seat: int


@dataclass(frozen=True, slots=True)
class Challenged:
    """A seat challenged the claim before it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """The latest roll is shown. ``seat`` is the seat that claimed."""

    seat: int
    roll: Roll
    claim: Claim
    holds: bool


@dataclass(frozen=True, slots=True)
class LivesLost:
    """A seat lost ``lost`` lives (never below zero); ``lives`` are all seats' lives after it."""

    seat: int
    lost: int
    lives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Out:
    """A seat has no lives left."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """One seat has lives left: it has won."""

    winner: int


Event = (
    RoundStarted | Rolled | Claimed | Accepted | Challenged | Revealed | LivesLost | Out | MatchOver
)


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as a seat may know it (None: as the public may).

    Only a seat's own rolls are left in; a roll becomes public through Revealed alone.
    """
    if isinstance(event, Rolled) and event.seat != seat:
        return Rolled(event.seat, None)
    return event
