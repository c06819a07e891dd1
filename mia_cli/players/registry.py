"""Which players there are, by the names used on the command line and in records."""

from __future__ import annotations

from mia_cli.engine.player import Player
from mia_cli.players import levels
from mia_cli.players.policy import PolicyPlayer
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet

PLAYABLE = tuple(levels.HABITS)
"""Levels that can be made here, from the rules alone."""
EXPERT = "expert"
"""The level that plays the equilibrium."""
SHARK = "shark"
"""The level that learns."""
FIXED = (*PLAYABLE, EXPERT)
"""Levels that play by the same tables whatever happened before."""


def make(name: str, rules: RuleSet) -> Player:
    """The player with this name under these rules. Raises BadRuleSet("not_playable")."""
    if name not in levels.HABITS:
        raise BadRuleSet("not_playable", value=name, allowed=PLAYABLE)
    return PolicyPlayer(levels.policy(name, rules))
