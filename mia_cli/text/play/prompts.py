"""The prompts of a match, and the answers to help, odds, score and to lines that do not count."""

from __future__ import annotations

from collections.abc import Iterable

from mia_cli.rules.match import Observation
from mia_cli.rules.rolls import OUTCOMES, Claim, claims_above, ways_at_least, ways_to_beat
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import FIGURES, Line, comma, line, space
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.plain import printable
from mia_cli.text.language.words import Word, shown
from mia_cli.text.play.narrate import claim_text, roll_text
from mia_cli.text.play.seats import SeatNames, lives_line, seat_lines


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


def help_lines(seen: Observation) -> list[str]:
    """What can be typed now, in a match that is saved."""
    others = map(shown, _OTHERS)
    return [*decision_help(seen), other_words(others), _("Leaving saves the match.")]


def decision_help(seen: Observation) -> list[str]:
    """What can be typed as a decision."""
    if _is_left_with_21(seen):
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


def _is_left_with_21(seen: Observation) -> bool:
    """True where there is nothing to choose: 21 is to be answered, or nothing else to be said."""
    if seen.decision == "answer":
        return seen.claim is not None and seen.claim.must_be_challenged
    return len(claims_above(seen.above)) == 1


_OTHERS: tuple[Word, ...] = ("help", "rank", "odds", "hint", "score", "history", "quit")


def other_words(others: Iterable[str]) -> str:
    """The words that are no answers."""
    return _("Also: {words}.").format(words=comma().join(others))


def odds_lines(seen: Observation) -> list[Line]:
    """Plain arithmetic about the dice; nothing about what the other seat may be thinking."""
    if seen.decision == "answer":
        assert seen.claim is not None
        return _odds_of_answer(seen.claim)
    assert seen.roll is not None
    lines = [line(_("You hold {roll}."), roll=roll_text(seen.roll))]
    legal = claims_above(seen.above)
    # Not commas: in many languages the figures have them inside. A claim stays with its figure.
    listed = FIGURES.join(
        f"{claim.name}\u00a0{percent(ways_at_least(claim) / OUTCOMES)}" for claim in legal
    )
    lines.append(line(_("A fresh roll supports: {listed}."), listed=listed))
    return lines


def _odds_of_answer(claim: Claim) -> list[Line]:
    at_least, beats = ways_at_least(claim), ways_to_beat(claim)
    return [
        line(
            _("A fresh roll supports {claim} in {ways} of 36 throws ({share})."),
            claim=claim_text(claim),
            ways=at_least,
            share=percent(at_least / OUTCOMES),
        ),
        line(
            _("Your own roll would beat {claim} in {ways} of 36 ({share})."),
            claim=claim_text(claim),
            ways=beats,
            share=percent(beats / OUTCOMES),
        ),
    ]


def score_lines(seen: Observation, seating: SeatNames) -> list[Line]:
    """The round and everybody's lives."""
    return [
        line(_("Round {number}."), number=seen.round),
        *seat_lines(seating, seen.lives),
    ]


def answer_first(seen: Observation) -> str:
    """A word that was understood but does not belong to this prompt."""
    if _is_left_with_21(seen):
        return nothing_typed(seen)
    if seen.decision == "answer":
        return _("First answer the claim: accept (a) or challenge (c).")
    return _("Now claim: type a roll such as 64, true or not.")


def not_understood(text: str, seen: Observation) -> str:
    """A line that means nothing here."""
    quoted = printable(text[:40])
    if _is_left_with_21(seen):
        refused = _("“{text}” is no answer here.").format(text=quoted)
        return space().join((refused, nothing_typed(seen)))
    if seen.decision == "answer":
        template = _("“{text}” is not an answer: type accept (a), challenge (c) or help.")
    else:
        template = _("“{text}” is not a claim: type a roll such as 64 or mia, or help.")
    return template.format(text=quoted)


def nothing_typed(seen: Observation) -> str:
    """Only Enter."""
    if seen.decision == "answer":
        if _is_left_with_21(seen):
            return _("A claim of 21 must be challenged: type challenge (c).")
        return _("Type accept (a), challenge (c) or help.")
    if _is_left_with_21(seen):
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
