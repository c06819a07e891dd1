"""Turns the events of matches into stages: one claim and its answer, with what was shown."""

from __future__ import annotations

from dataclasses import dataclass

from mia_cli.rules.events import Accepted, Claimed, Event, Revealed, Rolled, RoundStarted
from mia_cli.rules.match import next_living


@dataclass(frozen=True, slots=True)
class PublicStage:
    """A finished stage. ``lives`` by seat; ``standing`` a position, 0 for none; ``claim`` a row.

    ``shown``: row of the roll if the claim was challenged. ``own``: row of the roll where the
    reader may know it before that.
    """

    lives: tuple[int, ...]
    roller: int
    answering: int
    standing: int
    claim: int
    shown: int | None
    own: int | None


class Reader:
    """Reads the events of matches, one match after the other, as ``seat`` may know them.

    Rolls of other seats are not looked at, also where the events hold them; with ``seat`` None
    no roll is that was not shown.
    """

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._lives: tuple[int, ...] = ()
        self._standing = 0
        self._own: int | None = None
        self._said = (0, 0)

    def copy(self) -> Reader:
        """A reader that goes on from here."""
        other = Reader(self._seat)
        other._lives, other._standing = self._lives, self._standing
        other._own, other._said = self._own, self._said
        return other

    def hear(self, event: Event) -> PublicStage | None:
        """Take in the next event; the stage that it ends, if it ends one."""
        match event:
            case RoundStarted(lives=lives):
                self._lives, self._standing = lives, 0
            case Rolled(seat=seat, roll=roll):
                self._own = roll.position - 1 if roll and seat == self._seat else None
            case Claimed(seat=seat, claim=claim):
                self._said = (seat, claim.position)
            case Accepted():
                stage = self._stage(None)
                self._standing = self._said[1]
                return stage
            case Revealed(roll=roll):
                return self._stage(roll.position - 1)
            case _:
                pass
        return None

    def _stage(self, shown: int | None) -> PublicStage:
        roller, claim = self._said
        answering = next_living(self._lives, roller)
        return PublicStage(
            self._lives, roller, answering, self._standing, claim - 1, shown, self._own
        )
