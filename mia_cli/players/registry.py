"""Which players there are, by the names used on the command line and in records."""

from __future__ import annotations

from mia_cli.engine.player import Player
from mia_cli.engine.policy import PolicyPlayer
from mia_cli.players import levels
from mia_cli.players.habits import HABITS
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet

PLAYABLE = tuple(HABITS)
"""Levels that can be made here, from the rules alone."""


def make(name: str, rules: RuleSet) -> Player:
    """The player with this name under these rules. Raises BadRuleSet("not_playable")."""
    if name not in HABITS:
        raise BadRuleSet("not_playable", value=name, allowed=PLAYABLE)
    return PolicyPlayer(levels.policy(name, rules))
