"""Tells a match line by line, to one seat or to the public.

The narrator is given events as its reader may know them; it never holds a hidden roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    Event,
    LivesLost,
    MatchOver,
    Out,
    Revealed,
    Rolled,
    RoundStarted,
    seen_by,
)
from mia_cli.rules.rolls import Claim, Roll
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import Line, joined, line, space, styled
from mia_cli.text.play.seats import SeatNames


def claim_text(claim: Claim) -> Line:
    """A claim inside a sentence."""
    return styled(claim.name, "claim")


def roll_text(roll: Roll) -> Line:
    """A roll inside a sentence."""
    return styled(roll.name, "strong")


class Narrator:
    """Turns events into lines, joining what belongs together: "Bo accepts, rolls and claims 62".

    ``retold`` also tells what the person did; in the match itself the person has just typed it.
    ``all_dice`` shows what every seat rolled, of a match that is over.
    """

    def __init__(self, seating: SeatNames, *, retold: bool = False, all_dice: bool = False) -> None:
        self._seating = seating
        self._retold = retold
        self._all_dice = all_dice
        self._accepted: int | None = None
        self._rolled_last: Roll | None = None
        self._opening: Line | None = None

    def tell(self, events: Iterable[Event]) -> list[Line]:
        """The lines for the events of one action."""
        person = self._seating.person
        seen = [event if self._all_dice else seen_by(event, person) for event in events]
        lines: list[Line] = []
        result = [event for event in seen if isinstance(event, (Challenged, Revealed, LivesLost))]
        if result:
            lines.append(joined(self._result(result), space()))
        for event in seen:
            lines.extend(self._told(event))
        return lines

    def tell_all(self, events: Iterable[Event]) -> list[Line]:
        """The lines for a longer stretch of events, one action after the other."""
        lines: list[Line] = []
        action: list[Event] = []
        for event in events:
            # Everything between two decisions belongs to the challenge before it.
            if action and isinstance(event, (Rolled, Claimed, Accepted, Challenged)):
                lines.extend(self.tell(action))
                action = []
            action.append(event)
        return lines + self.tell(action)

    def _told(self, event: Event) -> list[Line]:
        lines: list[Line] = []
        match event:
            case RoundStarted():
                self._opening = self._round(event)
                # The person's own first roll joins the line; other rounds are told at once.
                if not self._seating.is_you(event.leader):
                    lines = self._take_opening()
            case Rolled():
                lines = self._rolled(event)
            case Claimed():
                lines = self._claimed(event)
            case Accepted():
                lines = self._accepts(event)
            case Out():
                lines = [self._out(event)]
            case MatchOver():
                lines = [(), self._over(event)]
            case _:
                pass
        return lines

    def _accepts(self, event: Accepted) -> list[Line]:
        self._accepted = event.seat
        if self._retold and self._seating.is_you(event.seat):
            return [indented(line(_("You accept.")))]
        return []

    def _take_opening(self) -> list[Line]:
        opening, self._opening = self._opening, None
        return [] if opening is None else [(), opening]

    def _round(self, event: RoundStarted) -> Line:
        if self._seating.is_you(event.leader):
            return line(_("Round {number}. You lead."), number=event.round)
        name = self._seating.name(event.leader)
        return line(_("Round {number}. {name} leads."), number=event.round, name=name)

    def _rolled(self, event: Rolled) -> list[Line]:
        if event.roll is None or not self._seating.is_you(event.seat):
            self._rolled_last = event.roll
            return self._take_opening()
        roll = line(_("You roll {roll}."), roll=roll_text(event.roll))
        opening = self._take_opening()
        self._accepted = None
        if opening:
            return [(), joined([opening[1], roll], space())]
        return [indented(roll)]

    def _claimed(self, event: Claimed) -> list[Line]:
        accepted, self._accepted = self._accepted, None
        if self._seating.is_you(event.seat):
            own = line(_("You claim {claim}."), claim=claim_text(event.claim))
            return [indented(own)] if self._retold else []
        name, claim = self._seating.name(event.seat), claim_text(event.claim)
        roll = None if self._rolled_last is None else roll_text(self._rolled_last)
        if accepted == event.seat and roll is None:
            text = _("{name} accepts, rolls and claims {claim}.")
        elif accepted == event.seat:
            text = _("{name} accepts, rolls {roll} and claims {claim}.")
        elif roll is None:
            text = _("{name} claims {claim}.")
        else:
            text = _("{name} rolls {roll} and claims {claim}.")
        return [indented(line(text, name=name, roll=roll, claim=claim))]

    def _result(self, events: Sequence[Event]) -> list[Line]:
        parts: list[Line] = []
        challenger: int | None = None
        for event in events:
            if isinstance(event, Challenged):
                challenger = event.seat
            elif isinstance(event, Revealed):
                parts.extend(self._revealed(event, challenger))
            elif isinstance(event, LivesLost):
                parts.append(self._lost(event))
        return [(("  ", ""), *parts[0]), *parts[1:]]

    def _revealed(self, event: Revealed, challenger: int | None) -> list[Line]:
        roll, claim = roll_text(event.roll), claim_text(event.claim)
        name = self._seating.name(event.seat)
        if challenger is None or self._seating.is_you(challenger):
            shown = line(_("{name} shows {roll}."), name=name, roll=roll)
        else:
            doubter = self._seating.name(challenger)
            if self._seating.is_you(event.seat):
                shown = line(_("{name} challenges: you had {roll}."), name=doubter, roll=roll)
            else:
                text = _("{name} challenges: {other} had {roll}.")
                shown = line(text, name=doubter, other=name, roll=roll)
        if event.holds:
            return [shown, line(_("The claim of {claim} holds."), claim=claim)]
        return [shown, line(_("The claim of {claim} fails."), claim=claim)]

    def _lost(self, event: LivesLost) -> Line:
        lost = event.lost
        if self._seating.is_you(event.seat):
            text = ngettext("You lose a life", "You lose {lost} lives", lost)
            loss = line(text, lost=lost)
        else:
            name = self._seating.name(event.seat)
            text = ngettext("{name} loses a life", "{name} loses {lost} lives", lost)
            loss = line(text, name=name, lost=lost)
        left = event.lives[event.seat - 1]
        if not left:
            return line(_("{loss}."), loss=loss)
        # Translators: who loses how much, and the lives that are left as hearts.
        return line(_("{loss}: {left}."), loss=loss, left=self._seating.hearts(left))

    def _out(self, event: Out) -> Line:
        if self._seating.is_you(event.seat):
            return indented(line(_("You are out of the match.")))
        return indented(line(_("{name} is out of the match."), name=self._seating.name(event.seat)))

    def _over(self, event: MatchOver) -> Line:
        if self._seating.is_you(event.winner):
            return styled(_("You win the match!"), "good")
        return line(_("{name} wins the match."), name=self._seating.name(event.winner))


def indented(text: Line) -> Line:
    """A line that belongs to the round above it."""
    return (("  ", ""), *text)
