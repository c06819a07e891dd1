"""The CPU players of a table, by the names of their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mia_cli.cli.bots import NO_BOTS, Bots
from mia_cli.cli.solving import solution_for
from mia_cli.engine.player import Player
from mia_cli.players import registry
from mia_cli.players.names import EXPERT, FIXED, SHARK, is_bot
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet

PLAYABLE = (*FIXED, SHARK)
"""The levels of this version."""


def opponents(
    levels: Sequence[str], rules: RuleSet, seats: int, bots: Bots = NO_BOTS
) -> list[Player]:
    """A player for each level at a table with ``seats``; experts and sharks share one solution,
    and the sharks one object.

    Every bot is a program of its own, started. Raises BadRuleSet("not_playable") for a level this
    version does not have, BadRuleSet("bot_undefined") for a bot without a command, before
    anything is solved or started; BotFault for a program that does not start.
    """
    for level in levels:
        if is_bot(level):
            bots.require(level)
        elif level not in PLAYABLE:
            raise BadRuleSet("not_playable", value=level, allowed=PLAYABLE)
    solved = _solved(levels, rules, seats)

    def player(level: str) -> Player:
        if is_bot(level):
            return bots.started(level)
        return solved[level] if level in solved else registry.make(level, rules)

    return [player(level) for level in levels]


def _solved(levels: Sequence[str], rules: RuleSet, seats: int) -> Mapping[str, Player]:
    """The players among ``levels`` that need the solution."""
    players: dict[str, Player] = {}
    if EXPERT in levels or SHARK in levels:
        solution = solution_for(seats, rules.lives, rules.penalty_21)
        if EXPERT in levels:
            from mia_cli.players.expert import Expert

            players[EXPERT] = Expert(solution)
        if SHARK in levels:
            from mia_cli.players.shark import make_shark

            players[SHARK] = make_shark(rules, seats, solution)
    return players
