"""Who sits where, as text: names, hearts, and the lives that stand in every prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import Line, comma, joined, line, styled, tied
from mia_cli.text.language.plain import printable

if TYPE_CHECKING:
    from mia_cli.records.record import MatchRecord

HEART, LOST_HEART = "♥", "♡"
_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class SeatNames:
    """Names and kinds of all seats, seat 1 first; ``person`` is the reader's seat or None.

    ``lives``: what every seat starts with.
    """

    names: tuple[str, ...]
    players: tuple[str, ...]
    person: int | None
    lives: int

    @classmethod
    def of(cls, record: MatchRecord) -> SeatNames:
        """Who sits at the table of a record, for its person's eyes."""
        return cls(
            names=tuple(seat.name for seat in record.seats),
            players=tuple(seat.player for seat in record.seats),
            person=record.human,
            lives=record.ruleset.lives,
        )

    def name(self, seat: int) -> Line:
        """The name inside a sentence."""
        return styled(printable(self.names[seat - 1]), "seat")

    def is_you(self, seat: int) -> bool:
        """True when the sentence has to say "you"."""
        return seat == self.person

    def hearts(self, left: int) -> Line:
        """Lives that are left of what there was; prompts tell the number as well."""
        return styled(HEART * left + LOST_HEART * (self.lives - left), "lives")


def lives_text(lives: int) -> str:
    """A number of lives in words."""
    return ngettext("{lives} life", "{lives} lives", lives).format(lives=lives)


def seat_lines(seating: SeatNames, lives: Sequence[int]) -> list[Line]:
    """Number, name, level and hearts of all seats, three to a line, so that six fit a screen."""
    entries = [tied(_entry(seating, seat, left)) for seat, left in enumerate(lives, start=1)]
    starts = range(0, len(entries), _IN_A_ROW)
    return [joined(entries[first : first + _IN_A_ROW], "   ") for first in starts]


def _entry(seating: SeatNames, seat: int, left: int) -> Line:
    name: Line
    if seating.is_you(seat):
        name = styled(your_name(seating.names[seat - 1]), "you")
    else:
        level = styled(f"({printable(seating.players[seat - 1])})", "quiet")
        name = line("{name} {level}", name=seating.name(seat), level=level)
    state = seating.hearts(left) if left else styled(_("out"), "quiet")
    return line("{seat} {name} {state}", seat=seat, name=name, state=state)


DEFAULT_NAME = "You"
"""The person's name in records when none was given."""


def your_name(name: str) -> str:
    """The person by name, in a table or a list."""
    return _("You") if name == DEFAULT_NAME else _("{name} (you)").format(name=printable(name))


def lives_line(seating: SeatNames, lives: Sequence[int]) -> Line:
    """Lives of the seats still in the match, by number: "you 3, Ada 2"."""
    entries: list[Line] = []
    for seat, left in enumerate(lives, start=1):
        if left:
            you = seating.is_you(seat)
            name = styled(_("you"), "you") if you else seating.name(seat)
            entries.append(tied(line("{name} {left}", name=name, left=left)))
    return joined(entries, comma())
