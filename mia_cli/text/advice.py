"""Hints and the tutor's comments as sentences.

With two seats the solution cannot be beaten; with more it is one equilibrium, and the sentences
say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mia_cli.rules.match import Action, MakeClaim, Observation
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import FIGURES, Line, joined, line, styled
from mia_cli.text.language.numbers import percent
from mia_cli.text.play.prompts import action_word

if TYPE_CHECKING:
    from mia_cli.theory.advice import Advice

_LISTED = 3
"""Claims that a hint compares."""


def hint_lines(advice: Advice, seen: Observation) -> list[Line]:
    """What the solution says at this decision."""
    lines = _answer_lines(advice) if seen.decision == "answer" else _claim_lines(advice)
    return [*lines, _caution(seen)]


def tutor_lines(advice: Advice, seen: Observation, action: Action) -> list[Line]:
    """Why the tutor would rather see another action, and how to keep it or change it."""
    chosen = next(option for option in advice.options if option.action == action)
    best = max(advice.options, key=lambda option: option.win)
    comment = line(
        _("Tutor: {chosen} wins {share}, {best} wins {better}: that gives away {cost} points."),
        chosen=_name(chosen.action),
        share=percent(chosen.win),
        best=_name(best.action),
        better=percent(best.win),
        cost=percent(best.win - chosen.win).removesuffix("%").rstrip(),
    )
    keep = line(_("Type it again to keep it, or something else."))
    return [comment, *(_reason(advice) if seen.decision == "answer" else ()), _caution(seen), keep]


def _reason(advice: Advice) -> list[Line]:
    if advice.holds is None:
        return []
    holds = percent(advice.holds)
    if advice.expected:
        return [line(_("The claim holds in {share} against the solved roller."), share=holds)]
    return [
        line(
            _("The solved roller never claims this; a careless one has it in about {share}."),
            share=holds,
        )
    ]


def _answer_lines(advice: Advice) -> list[Line]:
    wins = [
        line(_("{action} wins {share}"), action=_name(option.action), share=percent(option.win))
        for option in advice.options
    ]
    return [
        *_reason(advice),
        line(_("{wins}. {mix}"), wins=joined(wins, FIGURES), mix=_mix(advice)),
    ]


def _claim_lines(advice: Advice) -> list[Line]:
    best = sorted(advice.options, key=lambda option: option.win, reverse=True)[:_LISTED]
    listed = [
        line(_("{action} wins {share}"), action=_name(option.action), share=percent(option.win))
        for option in best
    ]
    return [
        line(_("Best claims: {listed}."), listed=joined(listed, FIGURES)),
        _mix(advice),
    ]


def _mix(advice: Advice) -> Line:
    """The recommended mix: what is played how often."""
    played = mix([(option.action, option.probability) for option in advice.options])
    return line(_("Recommended: {mix}."), mix=played)


def mix(options: Sequence[tuple[Action, float]]) -> Line:
    """Actions with how often they are played, the most frequent first, rare ones left out."""
    played = sorted(options, key=lambda option: option[1], reverse=True)
    parts = [_part(action, share) for action, share in played if share >= _RARE]
    return joined(parts, FIGURES)


_RARE = 0.005
_ALWAYS = 1.0 - _RARE


def _part(action: Action, share: float) -> Line:
    if share > _ALWAYS:
        return line(_("{action}, always"), action=_name(action))
    return line("{action} {share}", action=_name(action), share=percent(share, 0))


def _name(action: Action) -> Line:
    if isinstance(action, MakeClaim):
        return styled(action.claim.name, "claim")
    return styled(action_word(action), "strong")


def _caution(seen: Observation) -> Line:
    living = sum(left > 0 for left in seen.lives)
    if living == 2:
        text = _("Chances to win the match, if both play the solution from here on.")
    else:
        text = _("Chances to win in equilibrium; other players can change this.")
    return styled(text, "quiet")
