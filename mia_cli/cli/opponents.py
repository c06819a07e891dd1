"""The CPU players of a table, by the names of their levels."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.cli.solving import solution_for
from mia_cli.engine.player import Player
from mia_cli.players import registry
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet

EXPERT = "expert"
PLAYABLE = (*registry.PLAYABLE, EXPERT)
"""The levels of this version."""


def opponents(levels: Sequence[str], rules: RuleSet, seats: int) -> list[Player]:
    """A player for each level at a table with ``seats``; the experts share one solution.

    Raises BadRuleSet("not_playable") for a level this version does not have, before anything is
    solved.
    """
    for level in levels:
        if level not in PLAYABLE:
            raise BadRuleSet("not_playable", value=level, allowed=PLAYABLE)
    expert = _expert(rules, seats) if EXPERT in levels else None
    return [
        expert if level == EXPERT and expert else registry.make(level, rules) for level in levels
    ]


def _expert(rules: RuleSet, seats: int) -> Player:
    from mia_cli.theory.expert import Expert

    return Expert(solution_for(seats, rules.lives, rules.penalty_21))
