"""Advice as JSON, alike in ``mia solve --at``, ``hint`` and the tutor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mia_cli.rules.match import Accept, Action, MakeClaim

if TYPE_CHECKING:
    from mia_cli.players.shark import Intent
    from mia_cli.theory.advice import Advice


def advice_json(advice: Advice, decision: str) -> dict[str, object]:
    """The decision, its options, and at an answer the chance that the claim holds."""
    options = [
        {
            "action": action_name(option.action),
            "probability": option.probability,
            "win_probability": option.win,
        }
        for option in advice.options
    ]
    holds = {} if advice.holds is None else {"holds": advice.holds, "expected": advice.expected}
    return {"decision": decision, "options": options, **holds}


def intent_json(intent: Intent) -> dict[str, object]:
    """What a shark would do, and whether it leaves the solution for it."""
    options = [
        {"action": action_name(action), "probability": probability}
        for action, probability in intent.options
    ]
    return {"leaves_solution": intent.leaves, "options": options}


def action_name(action: Action) -> str:
    """``accept``, ``challenge``, or the name of a claim."""
    if isinstance(action, MakeClaim):
        return action.claim.name
    return "accept" if isinstance(action, Accept) else "challenge"
