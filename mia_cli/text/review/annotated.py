"""A match as a good player would annotate it: how it went, where it turned, what cost most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mia_cli.records.record import FIRST, MatchRecord
from mia_cli.review.decisions import Decision, Move, Review, SeatReview
from mia_cli.rules.match import observation
from mia_cli.text.advice import careless_line, comment_lines, is_careless, second_line
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import Line, joined, line, styled, tied
from mia_cli.text.language.numbers import percent
from mia_cli.text.matches import with_kind
from mia_cli.text.play.narrate import indented
from mia_cli.text.play.seats import SeatNames, lives_line
from mia_cli.text.play.story import event_text

CURVE, PLAIN_CURVE = "▁▂▃▄▅▆▇█", "0123456789"
"""Signs of a chance to win, from none to certain."""
SIGNS = ((0.05, "??"), (0.02, "?"), (0.005, "?!"))
"""Chance to win given away from which a decision has the sign."""
TURNED = 0.1
"""A move of the chance to win that is a turning point."""
_TURNS = 3
_EVEN_LUCK = 0.02


def sign(lost: float) -> str:
    """The sign of a decision; none for a good one."""
    return next((found for least, found in SIGNS if lost >= least), "")


def sign_style(lost: float) -> str:
    """How its line is styled; the sign says the same."""
    return {"??": "bad", "?": "bad", "?!": "claim"}.get(sign(lost), "quiet")


def points(difference: float) -> str:
    """A difference of chances in percentage points, with its sign; nothing is "0.0"."""
    text = percent(abs(difference)).removesuffix("%").rstrip()
    if not any(digit in text for digit in "123456789"):
        return text
    return f"+{text}" if difference > 0 else f"-{text}"


def course_lines(review: Review, curve: str) -> Iterator[Line | str]:
    """How a seat's match went: its chance round by round, luck in words, turning points."""
    player, seating = review.players[0], SeatNames.of(review.record)
    own = seating.is_you(player.seat)
    title = (
        _("Your chance to win, round by round")
        if own
        else _("The chance to win of {name}, round by round").format(
            name=seating.names[player.seat - 1]
        )
    )
    yield styled(title, "strong")
    rounds = [
        tied(line("{round} {curve}", round=round_, curve=_curve(moves, curve)))
        for round_, moves in groupby(player.moves, key=lambda move: move.round)
    ]
    ends = percent(player.start, 0), percent(player.end, 0)
    yield indented(
        line("{first}  {rounds}  {last}", first=ends[0], rounds=joined(rounds, "  "), last=ends[1])
    )
    yield indented(_luck(player))
    for move in sorted(_turning_points(player), key=lambda move: move.event):
        yield indented(
            line(
                _("Turning point, round {number}: {what} ({before} to {after})."),
                number=move.round,
                what=event_text(review.record.events, move.event - FIRST, seating),
                before=percent(move.before, 0),
                after=percent(move.after, 0),
            )
        )


def _curve(moves: Iterator[Move], signs: str) -> str:
    return "".join(signs[min(int(move.after * len(signs)), len(signs) - 1)] for move in moves)


def _turning_points(player: SeatReview) -> list[Move]:
    moved = [move for move in player.moves if abs(move.after - move.before) >= TURNED]
    return sorted(moved, key=lambda move: -abs(move.after - move.before))[:_TURNS]


def _luck(player: SeatReview) -> Line:
    parts = player.shown_parts()
    luck = parts["own_rolls"] + parts["other_rolls"] + parts["hidden_dice"]
    if abs(luck) < _EVEN_LUCK:
        text = _(
            "The dice evened out: {luck} points. Given away: {lost}; gained from others: {others}."
        )
    elif luck > 0.0:
        text = _("Lucky: {luck} points. Given away: {lost}; gained from others: {others}.")
    else:
        text = _("Unlucky: {luck} points. Given away: {lost}; gained from others: {others}.")
    lost = points(player.shown_lost).removeprefix("+")
    return line(text, luck=points(luck), lost=lost, others=points(parts["others"]))


def worst(review: Review, most: int) -> list[Decision]:
    """The decisions of the person, or of all in a log, that gave away most, most first."""
    seats = review.players[:1] if review.record.human else review.players
    found = [one for seat in seats for one in seat.decisions if sign(one.lost)]
    return sorted(found, key=lambda one: (-one.lost, one.event))[:most]


def annotation(record: MatchRecord, decision: Decision, known: str) -> Iterator[Line]:
    """A decision with its sign, what it gave away, why, and what the level would have let pass."""
    seating, match = SeatNames.of(record), decision.match
    what = event_text(record.events, decision.event - FIRST, seating)
    head = line(
        _("{sign} Round {number} ({lives}): {known}; {what}."),
        sign=sign(decision.lost),
        number=match.round,
        lives=lives_line(seating, match.lives),
        known=known,
        what=what,
    )
    yield tuple((text, style or sign_style(decision.lost)) for text, style in head)
    advice = decision.advice
    for told in comment_lines(advice, observation(match, decision.seat, ()), decision.action):
        yield indented(indented(told))
    if is_careless(advice):
        yield indented(indented(careless_line(advice)))
    if advice.second is not None:
        yield indented(
            indented(second_line(advice, advice.second, seating.name(advice.second.seat)))
        )


def others_lines(review: Review) -> Iterator[str]:
    """What the other seats gave away, by level."""
    for player in review.players[1:]:
        seat = review.record.seats[player.seat - 1]
        made = [decision for decision in player.decisions if not decision.is_forced]
        text = ngettext(
            "{name}: {lost} points in {count} decision.",
            "{name}: {lost} points in {count} decisions.",
            len(made),
        )
        lost = points(player.shown_lost).removeprefix("+")
        yield text.format(name=with_kind(seat.name, seat.player), lost=lost, count=len(made))
