"""What decides a decision, as a code with figures: the sentence is made in ``mia_cli.text``.

A reason is read off the chances to win of the options, so that it is true wherever it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mia_cli.rules.match import Action, MakeClaim
from mia_cli.rules.rolls import Claim, Roll

if TYPE_CHECKING:
    from mia_cli.theory.advice import Option

EVEN = 0.0005
"""Chances to win that differ by less look alike in per cent with one digit: no difference."""

Code = Literal[
    "must_challenge",
    "challenge_even_if_true",
    "accept_even_if_false",
    "even_answers",
    "surely_true",
    "probably_true",
    "too_often_false",
    "true_enough",
    "only_21_true",
    "only_21_false",
    "all_challenged",
    "caught_once",
    "nothing_at_stake",
    "true_claim",
    "true_claim_believed",
    "true_for_cover",
    "bluff_beats_truth",
    "bluff_believed",
    "must_bluff",
    "false_21",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """``claim``: the claim it is about. ``share`` and ``need`` by code:

    - an answer: how often the claim holds, and how often it must hold for accepting to be as good
      (``(F - A) / (F - T)`` with A, T and F the chances to win after accepting, and after a
      challenge of a claim that holds or does not);
    - a claim: how often it is challenged.
    """

    code: Code
    claim: Claim
    share: float = 0.0
    need: float = 0.0


def answer_reason(
    claim: Claim, holds: float, accepted: float, if_true: float, if_false: float
) -> Reason:
    """Why to accept or to challenge ``claim``, which holds with chance ``holds``."""
    if claim.must_be_challenged:
        return Reason("must_challenge", claim, holds)
    gain = holds * if_true + (1.0 - holds) * if_false - accepted
    need = 0.0
    code: Code
    if not if_true < accepted - EVEN < accepted + EVEN < if_false:
        code = _whatever_it_is(accepted, if_true, if_false)
    else:
        need = (if_false - accepted) / (if_false - if_true)
        if abs(gain) < EVEN:
            code = "even_answers"
        elif gain < 0.0:
            code = "surely_true" if holds > 1.0 - EVEN else "true_enough"
        else:
            code = "probably_true" if holds >= 0.5 else "too_often_false"
    return Reason(code, claim, holds, need)


def _whatever_it_is(accepted: float, if_true: float, if_false: float) -> Code:
    """Where what the claim is worth decides nothing."""
    if min(if_true, if_false) < accepted - EVEN:
        return "accept_even_if_false"
    return "challenge_even_if_true" if max(if_true, if_false) >= accepted + EVEN else "even_answers"


def claim_reason(options: Sequence[Option], roll: Roll) -> Reason:
    """Why the claim that the solution makes most often is right with this roll."""
    most = max(options, key=lambda option: option.probability)
    claim = _claim(most)
    holds = roll.supports(claim)
    if len(options) == 1:
        return Reason("only_21_true" if holds else "only_21_false", claim, most.challenged)
    true = [option for option in options if roll.supports(_claim(option))]
    wins = [option.win for option in options]
    if max(wins) - min(wins) < EVEN:
        doomed = not true and all(option.challenged > 1.0 - EVEN for option in options)
        return Reason("all_challenged" if doomed else "nothing_at_stake", claim, most.challenged)
    if not true:
        doubted = all(option.challenged > 1.0 - EVEN for option in options)
        return Reason("caught_once" if doubted else "must_bluff", claim, most.challenged)
    if not holds:
        code: Code = "bluff_believed" if most.challenged < EVEN else "bluff_beats_truth"
        return Reason(code, claim, most.challenged)
    bluffs = [option.win for option in options if not roll.supports(_claim(option))]
    if bluffs and max(bluffs) > most.win - EVEN:
        return Reason("true_for_cover", claim, most.challenged)
    believed = most.challenged < EVEN
    return Reason("true_claim_believed" if believed else "true_claim", claim, most.challenged)


def objection(advised: Reason, action: Action, roll: Roll | None) -> Reason:
    """Why not ``action``: what is wrong with it, or else why the advised action is right."""
    if isinstance(action, MakeClaim) and roll is not None and advised.code != "only_21_false":
        claim = action.claim
        if claim.must_be_challenged and not roll.supports(claim):
            return Reason("false_21", claim, 1.0)
    return advised


def _claim(option: Option) -> Claim:
    assert isinstance(option.action, MakeClaim)
    return option.action.claim
