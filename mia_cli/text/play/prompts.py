"""Sentences around a match: the head, the prompts, the answers to help, odds, score and the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mia_cli.rules.match import Action, Challenge, Observation
from mia_cli.rules.rolls import OUTCOMES, Claim, claims_above, ways_at_least, ways_to_beat
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import FIGURES, Line, comma, line, space, styled
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.plain import printable
from mia_cli.text.language.words import Word, shown
from mia_cli.text.play.narrate import claim_text, roll_text
from mia_cli.text.play.seats import SeatNames, lives_line, seat_line

_FINGERPRINT_SHOWN = 16
_LONGEST_ECHO = 200


def head(
    rules: RuleSet, preset: str | None, seed: int | None, fingerprint: str, seating: SeatNames
) -> list[Line]:
    """The lines before the first roll: rules, seed (None: not told yet), fingerprint, seats."""
    lives = ngettext("{lives} life", "{lives} lives", rules.lives).format(lives=rules.lives)
    cost = _("21 costs {penalty}").format(penalty=rules.penalty_21)
    if preset is None:
        settings = _("Mia: {lives}, {cost}.").format(lives=lives, cost=cost)
    else:
        settings = _("Mia, preset {preset}: {lives}, {cost}.").format(
            preset=printable(preset), lives=lives, cost=cost
        )
    entries = seat_line(seating, (rules.lives,) * len(seating.names))
    return [
        styled(settings, ""),
        styled(seed_line(seed, fingerprint), "quiet"),
        *_in_rows(entries),
    ]


def _in_rows(entries: Sequence[Line]) -> list[Line]:
    """Seats three to a row, so that six still fit a narrow terminal."""
    rows: list[Line] = []
    for first in range(0, len(entries), 3):
        spans: list[tuple[str, str]] = []
        for entry in entries[first : first + 3]:
            spans.extend((("   ", ""), *entry) if spans else entry)
        rows.append(tuple(spans))
    return rows


def seed_line(seed: int | None, fingerprint: str) -> str:
    """The seed, once it may be known, and the start of its fingerprint in groups of four."""
    shown_part = fingerprint[:_FINGERPRINT_SHOWN]
    groups = " ".join(shown_part[at : at + 4] for at in range(0, len(shown_part), 4))
    if seed is None:
        return _("Seed told at the end, fingerprint {groups}.").format(groups=groups)
    return _("Seed {seed}, fingerprint {groups}.").format(seed=seed, groups=groups)


def prompt(seen: Observation, seating: SeatNames) -> Line:
    """The question to the person, with the lives of all and what must be beaten."""
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
        text = _("Only {claim} is higher than {above} ({lives}). Claim: ")
        return line(text, claim=claim_text(higher[0]), above=above, lives=lives)
    return line(_("Claim higher than {above} ({lives}): "), above=above, lives=lives)


def help_lines(decision: str) -> list[str]:
    """What can be typed now, in a match that is saved."""
    others = map(shown, _OTHERS)
    return [*decision_help(decision), other_words(others), _("Leaving saves the match.")]


def decision_help(decision: str) -> list[str]:
    """What can be typed as a decision."""
    if decision == "answer":
        return [
            _("{accept} (a): believe the claim, roll, and claim higher.").format(
                accept=shown("accept")
            ),
            _(
                "{challenge} (c): doubt it. The latest roll is shown; whoever is wrong loses."
            ).format(challenge=shown("challenge")),
        ]
    return [_("Type a claim, true or not, such as 64, 6-4 or mia. It must beat the last claim.")]


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
        *_in_rows(seat_line(seating, seen.lives)),
    ]


def answer_first(decision: str) -> str:
    """A word that was understood but does not belong to this prompt."""
    if decision == "answer":
        return _("First answer the claim: accept (a) or challenge (c).")
    return _("Now claim: type a roll such as 64, true or not.")


def not_understood(text: str, decision: str) -> str:
    """A line that means nothing here."""
    quoted = printable(text[:40])
    if decision == "answer":
        template = _("“{text}” is not an answer: type accept (a), challenge (c) or help.")
    else:
        template = _("“{text}” is not a claim: type a roll such as 64 or mia, or help.")
    return template.format(text=quoted)


def nothing_typed(decision: str) -> str:
    """Only Enter."""
    if decision == "answer":
        return _("Type accept (a), challenge (c) or help.")
    return _("Type a claim such as 64, or help.")


def closing(match_id: str, seed: int, fingerprint: str, rounds: int, saved: bool) -> list[str]:
    """The summary of a finished match."""
    played = ngettext("{rounds} round played.", "{rounds} rounds played.", rounds)
    lines = [space().join((played.format(rounds=rounds), seed_line(seed, fingerprint)))]
    if saved:
        lines.append(_("Match {id} is saved.").format(id=match_id))
    return lines


def left(match_id: str, saved: bool) -> str:
    """The line after leaving a match before its end."""
    if saved:
        return _("Match {id} is saved. Go on with: mia play --resume {id}").format(id=match_id)
    return _("Match {id} could not be saved and is lost.").format(id=match_id)


def resumed(match_id: str) -> Line:
    """The line before a resumed match is told again."""
    return styled(_("Match {id}, resumed.").format(id=match_id), "strong")


def cannot_save(problem: str) -> str:
    """Said before the first roll, on stderr, when no record can be kept."""
    return _("This match cannot be saved: {problem}").format(problem=problem)


def skipped(problem: str) -> str:
    """Said on stderr of a damaged file on the way to a match."""
    return _("Skipped: {problem}").format(problem=problem)


def saving_failed(problem: str) -> str:
    """Said once, on stderr, when saving stops to work in the middle of a match."""
    return _("Saving failed: {problem} The match goes on; each action is tried again.").format(
        problem=problem
    )


def typed(text: str) -> str:
    """Piped input as it appears in the transcript."""
    return printable(text[:_LONGEST_ECHO])


def action_word(action: Action) -> str:
    """Accept or challenge inside a sentence."""
    return _("challenge") if isinstance(action, Challenge) else _("accept")
