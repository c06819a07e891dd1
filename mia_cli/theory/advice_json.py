"""Advice as JSON, alike in ``mia solve --at``, ``mia review``, ``hint`` and the tutor."""

from __future__ import annotations

from mia_cli.files.documents import Document
from mia_cli.rules.match import Accept, Action, MakeClaim
from mia_cli.theory.advice import Advice


def advice_json(advice: Advice, decision: str) -> Document:
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


def second_json(advice: Advice) -> Document:
    """The second opinion of a hint, null without one; ``habit`` as ``SecondOpinion`` has it."""
    second = advice.second
    if second is None:
        return {"against": None}
    options = [
        {"action": action_name(action), "win_probability": win, "habit": habit}
        for action, (win, habit) in second.wins.items()
    ]
    return {"against": {"seat": second.seat, "player": second.level, "options": options}}


def action_name(action: Action) -> str:
    """``accept``, ``challenge``, or the name of a claim."""
    if isinstance(action, MakeClaim):
        return action.claim.name
    return "accept" if isinstance(action, Accept) else "challenge"
