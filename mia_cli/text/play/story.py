"""The story of a finished match: what one did, where it turned, what the others did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mia_cli.review.story import SeatStory
from mia_cli.rules.events import Accepted, Challenged, Claimed, Event, Rolled
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import Line, joined, line, plain, space
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.plain import display_width
from mia_cli.text.play.narrate import claim_text, roll_text
from mia_cli.text.play.opening import command
from mia_cli.text.play.seats import SeatNames

if TYPE_CHECKING:
    from mia_cli.rules.rolls import Claim

_WIDEST = 79
"""Columns of a row, on a screen that is wide enough."""
_SHOWN = 0.0005
"""Chance to win that is as much as a tenth of a point, when it is rounded."""
WORTH_SAYING = 2
"""Matches won or lost in a row from which it is said."""


def filled_rows(sentences: Iterable[Line], columns: int) -> Iterator[Line]:
    """Sentences on one row as long as they fit, in languages with longer ones on more."""
    widest = min(_WIDEST, columns)
    row: Line = ()
    for sentence in sentences:
        longer = joined((row, sentence), space()) if row else sentence
        if row and display_width(plain(longer)) > widest:
            yield row
            longer = sentence
        row = longer
    if row:
        yield row


def own_lines(rounds: int, own: SeatStory) -> tuple[Line, Line]:
    """How long it took, and how the person's bluffs and challenges fared."""
    played = ngettext("{rounds} round played.", "{rounds} rounds played.", rounds)
    fared = line(
        _(
            "Your bluffs: {passed} passed, {caught} caught. "
            "Challenges: {right} right, {wrong} wrong."
        ),
        passed=own.bluffs_passed,
        caught=own.bluffs_caught,
        right=own.challenges_right,
        wrong=own.challenges - own.challenges_right,
    )
    return line(played, rounds=rounds), fared


def turning_line(number: int, what: Line, before: float, after: float) -> Line:
    """The event that moved the person's chance most, in its round, with both figures."""
    return line(
        _("Turning point, round {number}: {what}. Chance to win: from {before} to {after}."),
        number=number,
        what=what,
        before=percent(before, 0),
        after=percent(after, 0),
    )


def event_text(events: Sequence[Event], at: int, seating: SeatNames) -> Line:
    """What happened in the event ``at``, as a part of a sentence."""
    event = events[at]
    assert isinstance(event, (Rolled, Claimed, Accepted, Challenged))
    own, name = seating.is_you(event.seat), seating.name(event.seat)
    if isinstance(event, Rolled):
        assert event.roll is not None, "the match is over: every roll is known"
        text = _("you roll {roll}") if own else _("{name} rolls {roll}")
        return line(text, name=name, roll=roll_text(event.roll))
    if isinstance(event, Claimed):
        text = _("you claim {claim}") if own else _("{name} claims {claim}")
        return line(text, name=name, claim=claim_text(event.claim))
    if isinstance(event, Accepted):
        text = _("you accept {claim}") if own else _("{name} accepts {claim}")
    else:
        text = _("you challenge {claim}") if own else _("{name} challenges {claim}")
    return line(text, name=name, claim=claim_text(_claim_before(events, at)))


def _claim_before(events: Sequence[Event], at: int) -> Claim:
    return next(event.claim for event in reversed(events[:at]) if isinstance(event, Claimed))


def given_away_line(lost: float | None) -> Line:
    """What the person gave away in all; None where only the review tells."""
    review = command("mia review")
    if lost is None:
        return line(_("Where it turned, and what you gave away: {command}"), command=review)
    if lost < _SHOWN:
        return line(_("Your decisions gave away nothing of it, see {command}"), command=review)
    return line(
        _("Your decisions gave away {points} points of it in all, see {command}"),
        points=percent(lost).removesuffix("%").rstrip(),
        command=review,
    )


def practice_line(match_id: str) -> Line:
    """How to practise on what was given away."""
    again = command("mia practice --from", match_id)
    return line(_("To do better at what cost most: {command}"), command=again)


def opponent_line(name: Line, story: SeatStory) -> Line:
    """How often another seat bluffed, and was caught."""
    if not story.claims:
        return line(_("{name} made no claim."), name=name)
    if not story.bluffs:
        text = ngettext(
            "{name} never bluffed in {claims} claim.",
            "{name} never bluffed in {claims} claims.",
            story.claims,
        )
        return line(text, name=name, claims=story.claims)
    text = ngettext(
        "{name} bluffed in {bluffs} of {claims} claims, {caught} was caught.",
        "{name} bluffed in {bluffs} of {claims} claims, {caught} were caught.",
        story.bluffs_caught,
    )
    return line(
        text,
        name=name,
        bluffs=story.bluffs,
        claims=story.claims,
        caught=story.bluffs_caught,
    )


def score_line(matches: int, wins: int, streak: int) -> Line:
    """The running score against these levels; a streak where it is one."""
    told = line(
        _("Against these levels you have won {wins} of {matches}."), wins=wins, matches=matches
    )
    if abs(streak) < WORTH_SAYING:
        return told
    text = _("{count} wins in a row.") if streak > 0 else _("{count} defeats in a row.")
    return joined((told, line(text, count=abs(streak))), space())
