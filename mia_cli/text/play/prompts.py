"""The prompts of a match, and what is said of lines that do not count."""

from __future__ import annotations

from mia_cli.rules.match import Observation
from mia_cli.rules.rolls import claims_above
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import Line, line, space
from mia_cli.text.language.nearest import did_you_mean
from mia_cli.text.language.plain import printable
from mia_cli.text.language.words import nearest
from mia_cli.text.play.narrate import claim_text
from mia_cli.text.play.seats import SeatNames, lives_line


def prompt(seen: Observation, seating: SeatNames) -> Line:
    """The question to the person, with what must be beaten; the lives of all stand in the first
    question of a turn."""
    lives = lives_line(seating, seen.lives)
    if seen.decision == "claim":
        return _claim_prompt(seen, lives)
    assert seen.claim is not None
    name, claim = seating.name(seen.roller), claim_text(seen.claim)
    if seen.claim.must_be_challenged:
        text = _("{name} claims {claim} ({lives}). It must be challenged. Challenge? ")
    else:
        text = _("{name} claims {claim} ({lives}). Accept or challenge? ")
    return line(text, name=name, claim=claim, lives=lives)


def _claim_prompt(seen: Observation, lives: Line) -> Line:
    if seen.above is None:
        return line(_("Claim anything ({lives}): "), lives=lives)
    above = claim_text(seen.above)
    higher = claims_above(seen.above)
    if len(higher) == 1:
        text = _("Only {claim} is higher than {above}. Claim: ")
        return line(text, claim=claim_text(higher[0]), above=above)
    return line(_("Claim higher than {above}: "), above=above)


def is_left_with_21(seen: Observation) -> bool:
    """True where there is nothing to choose: 21 is to be answered, or nothing else to be said."""
    if seen.decision == "answer":
        return seen.claim is not None and seen.claim.must_be_challenged
    return len(claims_above(seen.above)) == 1


def answer_first(seen: Observation) -> str:
    """A word that was understood but does not belong to this prompt."""
    if is_left_with_21(seen):
        return nothing_typed(seen)
    if seen.decision == "answer":
        return _("First answer the claim: accept (a) or challenge (c).")
    return _("Now claim: type a roll such as 64, true or not.")


def not_understood(text: str, seen: Observation) -> str:
    """A line that means nothing here."""
    quoted = printable(text[:40])
    refused = _("“{text}” is no answer here.").format(text=quoted)
    meant = nearest(text, ("accept", "challenge") if seen.decision == "claim" else ())
    if meant is not None:
        return space().join((refused, did_you_mean(meant)))
    if is_left_with_21(seen):
        return space().join((refused, nothing_typed(seen)))
    if seen.decision == "answer":
        template = _("“{text}” is not an answer: type accept (a), challenge (c) or help.")
    else:
        template = _("“{text}” is not a claim: type a roll such as 64 or mia, or help.")
    return template.format(text=quoted)


def nothing_typed(seen: Observation) -> str:
    """Only Enter."""
    if seen.decision == "answer":
        if is_left_with_21(seen):
            return _("A claim of 21 must be challenged: type challenge (c).")
        return _("Type accept (a), challenge (c) or help.")
    if is_left_with_21(seen):
        return _("Only 21 is left to claim: type 21 or mia.")
    return _("Type a claim such as 64, or help.")


def skipped(problem: str) -> str:
    """Said on stderr of a damaged file on the way to a match."""
    return _("Skipped: {problem}").format(problem=problem)


def taken_elsewhere(problem: str) -> str:
    """Said once, on stderr, when another program plays on with the same match."""
    return _("{problem} The match goes on here, and is no longer saved.").format(problem=problem)


def saving_failed(problem: str) -> str:
    """Said once, on stderr, when saving stops to work in the middle of a match."""
    return _("Saving failed: {problem} The match goes on; each action is tried again.").format(
        problem=problem
    )
