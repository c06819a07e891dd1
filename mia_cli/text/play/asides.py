"""The answers to help, odds, rank and score at a decision of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mia_cli.rules.match import Observation
from mia_cli.rules.rolls import (
    MIA,
    OUTCOMES,
    ROLLS,
    Claim,
    Roll,
    claims_above,
    ways_at_least,
    ways_to_beat,
)
from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import FIGURES, Line, line
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.plain import display_width, padded
from mia_cli.text.language.words import Word, shown
from mia_cli.text.play.narrate import claim_text, roll_text
from mia_cli.text.play.prompts import is_left_with_21, nothing_typed
from mia_cli.text.play.seats import SeatNames, seat_lines

MEANINGS: Mapping[Word, str] = {
    "rules": N_("the rules, in short"),
    "rank": N_("rolls, low to high"),
    "odds": N_("chances of the dice"),
    "hint": N_("the best play"),
    "score": N_("everybody’s lives"),
    "history": N_("the match so far"),
    "quit": N_("leave, and save"),
}
"""What each word does, in a few: they have to fit 40 columns beside it."""
_LISTED = 6
_IN_A_ROW = 7


def help_lines(seen: Observation) -> list[str]:
    """What can be typed now, in a match that is saved."""
    words = [(shown(word), translate(meaning)) for word, meaning in MEANINGS.items()]
    return [*decision_help(seen), *word_lines(words)]


def decision_help(seen: Observation) -> list[str]:
    """What can be typed as a decision."""
    if is_left_with_21(seen):
        return [nothing_typed(seen)]
    if seen.decision == "answer":
        return [
            _("{accept} (a): believe the claim, roll, and claim higher.").format(
                accept=shown("accept")
            ),
            _(
                "{challenge} (c): doubt it. The latest roll is shown; whoever is wrong loses."
            ).format(challenge=shown("challenge")),
        ]
    return [_("Type a claim, true or not, such as 64, 6-4 or mia. It must beat the last claim.")]


def word_lines(words: Sequence[tuple[str, str]]) -> list[str]:
    """The words that are no answers, one below the other, with what they do."""
    width = max(display_width(word) for word, _meaning in words)
    return [_("Also:"), *(f"  {padded(word, width)}  {meaning}" for word, meaning in words)]


def score_lines(seen: Observation, seating: SeatNames) -> list[Line]:
    """The round and everybody's lives."""
    return [
        line(_("Round {number}."), number=seen.round),
        *seat_lines(seating, seen.lives),
    ]


def odds_lines(seen: Observation) -> list[Line]:
    """Plain arithmetic about the dice for the decision at hand; nothing about what the other seat
    may be thinking."""
    if seen.decision == "answer":
        assert seen.claim is not None
        return _odds_of_answer(seen.claim)
    assert seen.roll is not None
    return _odds_of_claim(seen.roll, claims_above(seen.above))


def _odds_of_answer(claim: Claim) -> list[Line]:
    at_least, beats = ways_at_least(claim), ways_to_beat(claim)
    supports = line(
        _("A fresh roll supports {claim} in {ways} of 36 ({share})."),
        claim=claim_text(claim),
        ways=at_least,
        share=percent(at_least / OUTCOMES),
    )
    if claim.must_be_challenged:
        return [supports]
    return [
        supports,
        line(
            _(
                "Accept, and your roll beats {claim} in {ways} of 36 ({share}); "
                "otherwise you bluff."
            ),
            claim=claim_text(claim),
            ways=beats,
            share=percent(beats / OUTCOMES),
        ),
    ]


def _odds_of_claim(roll: Roll, legal: Sequence[Claim]) -> list[Line]:
    true = [claim for claim in legal if not claim.exceeds(roll)]
    if true:
        text = _("Your {roll} supports every claim up to {claim}; what is higher is a bluff.")
        told = line(text, roll=roll_text(roll), claim=claim_text(true[-1]))
    else:
        text = _("Your {roll} supports no claim that you may make: each is a bluff.")
        told = line(text, roll=roll_text(roll))
    first = max(0, len(true) - 2)
    # Not commas: in many languages the figures have them inside. A claim stays with its figure.
    listed = FIGURES.join(
        f"{claim.name}\u00a0{percent(ways_at_least(claim) / OUTCOMES)}"
        for claim in legal[first : first + _LISTED]
    )
    return [told, line(_("A fresh roll supports: {listed}."), listed=listed)]


def order_lines(seen: Observation | None = None) -> list[Line]:
    """All rolls from low to high, with the standing claim and the own roll of a decision marked."""
    on_table = None if seen is None else seen.claim or seen.above
    own = None if seen is None else seen.roll
    ordinary = [roll for roll in ROLLS if roll.ways > 1 and roll.name != MIA]
    rows = [ordinary[at : at + _IN_A_ROW] for at in range(0, len(ordinary), _IN_A_ROW)]
    doubles = _row([roll for roll in ROLLS if roll.ways == 1], on_table, own)
    mia = _row([roll for roll in ROLLS if roll.name == MIA], on_table, own)
    return [
        _legend(on_table, own),
        *(_row(row, on_table, own) for row in rows),
        line(_("{doubles} (doubles)"), doubles=doubles),
        line(_("{mia} (Mia)"), mia=mia),
    ]


def _row(rolls: Sequence[Roll], on_table: Claim | None, own: Roll | None) -> Line:
    """Rolls in cells of one width, those that count marked by signs before and after them."""
    spans: list[tuple[str, str]] = [(" ", "")]
    for roll in rolls:
        claimed = on_table is not None and on_table.position == roll.position
        before = "[" if claimed else "<" if roll == own else " "
        after = ">" if roll == own else "]" if claimed else " "
        style = "strong" if roll == own else "claim" if claimed else ""
        spans.append((f"{before}{roll.name}{after}", style))
    *others, (last, style) = spans
    return (*others, (last.rstrip(), style))


def _legend(on_table: Claim | None, own: Roll | None) -> Line:
    # Translators: these four should fit 40 columns, with two signs in place of each field.
    if on_table is not None and own is not None:
        text = _("Low to high: [{claim}] to beat, <{roll}> yours.")
    elif on_table is not None:
        text = _("Low to high: [{claim}] claimed.")
    elif own is not None:
        text = _("Low to high: <{roll}> yours.")
    else:
        text = _("Low to high:")
    return line(
        text,
        claim="" if on_table is None else claim_text(on_table),
        roll="" if own is None else roll_text(own),
    )
