"""What wins most against the known habits of one seat, beside what the best play is.

The habits count for the decision at hand alone: what follows is worth what the solution says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mia_cli.engine.policy import Policy, position
from mia_cli.rules.match import Accept, Action, Challenge, MakeClaim
from mia_cli.rules.rolls import Claim
from mia_cli.theory.advice import Advice
from mia_cli.theory.reasons import EVEN
from mia_cli.theory.rule_arrays import CHANCES, SUPPORTS

NEAR = 0.005
"""Chance to win below which a difference is not worth another opinion."""
Wins = Mapping[Action, tuple[float, float]]
"""Chance to win by option, and the habit that it rests on: how often that claim is challenged, or
how often such a claim holds."""


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """Of a decision against ``seat``, which plays the level ``level``."""

    seat: int
    level: str
    wins: Wins

    @property
    def best(self) -> Action:
        """What wins most against these habits."""
        return max(self.wins, key=lambda action: self.wins[action][0])

    def differs(self, advice: Advice) -> bool:
        """True where nothing that the best play advises comes near ``best``."""
        advised = (option for option in advice.options if advice.best - option.win < EVEN)
        return min(self.gain(option.action) for option in advised) >= NEAR

    def gain(self, action: Action) -> float:
        """Chance to win that ``best`` has over ``action``."""
        return self.wins[self.best][0] - self.wins[action][0]


def against(advice: Advice, policy: Policy, above: Claim | None, claim: Claim | None) -> Wins:
    """The options of ``advice`` against a seat that plays ``policy``.

    At an answer to ``claim`` that seat has claimed, otherwise it answers. Empty for a claim that
    it never makes.
    """
    return (
        _claims(advice, policy, above) if claim is None else _answers(advice, policy, above, claim)
    )


def _claims(advice: Advice, policy: Policy, above: Claim | None) -> Wins:
    found: dict[Action, tuple[float, float]] = {}
    for option in advice.options:
        assert isinstance(option.action, MakeClaim)
        chance = policy.challenge_probability(above, option.action.claim)
        win = chance * option.if_challenged + (1.0 - chance) * option.if_accepted
        found[option.action] = (win, chance)
    return found


def _answers(advice: Advice, policy: Policy, above: Claim | None, claim: Claim) -> Wins:
    assert advice.if_true is not None and advice.if_false is not None
    column = claim.position - 1
    masses = np.array(policy.claims[position(above)])[:, column] * CHANCES
    total = float(masses.sum())
    if not total:
        return {}
    holds = float(masses[SUPPORTS[:, column]].sum()) / total
    shown = holds * advice.if_true + (1.0 - holds) * advice.if_false
    accepted = {option.action: option.win for option in advice.options}
    wins: Wins = {Accept(): (accepted.get(Accept(), 0.0), holds), Challenge(): (shown, holds)}
    return {action: wins[action] for action in accepted}
