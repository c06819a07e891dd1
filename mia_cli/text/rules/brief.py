"""The rules at a prompt: what decides at this moment, and how to read all of them."""

from __future__ import annotations

from collections.abc import Iterable

from mia_cli.rules.match import Observation
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.wrap import wrapped
from mia_cli.text.rules.sections import prices

WIDEST = 79
"""Columns of a row, as everywhere between prompts."""

ANSWER = (
    N_(
        "You answer before any new roll. Accept, and you roll both dice anew and must claim "
        "higher than {claim}; you can no longer challenge it then."
    ),
    N_(
        "Challenge, and only the latest roll is shown: {claim} or higher, and you lose {one}; "
        "lower, and the seat that claimed does."
    ),
)
ANSWER_MIA = (
    N_(
        "{claim} cannot be accepted, because nothing is higher. Challenge it, and only the "
        "latest roll is shown: if it is {claim}, you lose {price}; if not, the seat that claimed "
        "does."
    ),
)
CLAIM_FIRST = (N_("A new round: claim any roll, true or not. Nobody else sees your dice."),)
CLAIM_ABOVE = (
    N_(
        "Claim higher than {above}, true or not: you can no longer challenge it, and you cannot "
        "repeat it or pass it on. Nobody else sees your dice."
    ),
)
AFTER_CLAIM = (
    N_(
        "The next seat accepts and must claim higher, or challenges, and your roll is shown: if "
        "it ranks at least as high as your claim, the challenger loses {one}, otherwise you do. "
        "Over a claim of {mia} it is {price}."
    ),
)
IN_SHORT = (
    N_(
        "The seat that rolls is the only one to see the dice. It claims a roll, true or not, "
        "higher than the claim before."
    ),
    N_(
        "The next seat accepts, rolls and claims higher, or challenges, and the roll is shown: "
        "if it ranks at least as high as the claim, the challenger loses {one}, otherwise the "
        "seat that claimed does. Over a claim of {mia} it is {price}. The last seat with lives "
        "wins."
    ),
)


def at_decision(seen: Observation, command: str) -> list[str]:
    """What decides at this decision; ``command`` shows the whole page."""
    told = _templates(seen)
    names = {
        "claim": seen.claim.name if seen.claim else "",
        "above": seen.above.name if seen.above else "",
    }
    return [*_filled(told, seen.rules, names), all_of_them(command)]


def without_match(rules: RuleSet, command: str) -> list[str]:
    """The rules in a few sentences, where no match is played."""
    return [*_filled(IN_SHORT, rules, {}), all_of_them(command)]


def all_of_them(command: str) -> str:
    """Where the whole page is."""
    return _("All the rules: {command}").format(command=command)


def in_rows(paragraphs: Iterable[str], columns: int) -> list[str]:
    """The same in rows for a screen of ``columns``."""
    width = min(columns, WIDEST)
    return [row for text in paragraphs for row in wrapped("", text, width)]


def _templates(seen: Observation) -> tuple[str, ...]:
    if seen.decision == "claim":
        return (*(CLAIM_FIRST if seen.above is None else CLAIM_ABOVE), *AFTER_CLAIM)
    assert seen.claim is not None
    return ANSWER_MIA if seen.claim.must_be_challenged else ANSWER


def _filled(told: Iterable[str], rules: RuleSet, names: dict[str, str]) -> list[str]:
    return [translate(text).format_map({**prices(rules), **names}) for text in told]
