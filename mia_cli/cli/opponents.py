"""The CPU players of a table, by the names of their levels."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.cli.bots import NO_BOTS, Bots
from mia_cli.cli.solving import solution_for
from mia_cli.engine.player import Player
from mia_cli.players import registry
from mia_cli.players.bot_command import is_bot
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet

EXPERT = "expert"
PLAYABLE = (*registry.PLAYABLE, EXPERT)
"""The levels of this version."""


def opponents(
    levels: Sequence[str], rules: RuleSet, seats: int, bots: Bots = NO_BOTS
) -> list[Player]:
    """A player for each level at a table with ``seats``; the experts share one solution.

    Every bot is a program of its own, started. Raises BadRuleSet("not_playable") for a level this
    version does not have, BadRuleSet("bot_undefined") for a bot without a command, before
    anything is solved or started; BotFault for a program that does not start.
    """
    for level in levels:
        if is_bot(level):
            bots.require(level)
        elif level not in PLAYABLE:
            raise BadRuleSet("not_playable", value=level, allowed=PLAYABLE)
    expert = _expert(rules, seats) if EXPERT in levels else None

    def player(level: str) -> Player:
        if is_bot(level):
            return bots.started(level)
        return expert if level == EXPERT and expert else registry.make(level, rules)

    return [player(level) for level in levels]


def _expert(rules: RuleSet, seats: int) -> Player:
    from mia_cli.theory.expert import Expert

    return Expert(solution_for(seats, rules.lives, rules.penalty_21))
