"""The players that are tables of probabilities, and so can be played in lockstep or exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mia_cli.players import levels
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory.cache import cache_folder
from mia_cli.theory.players import Player
from mia_cli.theory.solution import Solution
from mia_cli.theory.solver import solve

EXPERT = "expert"
"""The level that plays the equilibrium."""
LEVELS = (*levels.HABITS, EXPERT)
"""Names of the players that are tables."""
Progress = Callable[[int, int], None]


def tables(
    players: Sequence[str], rules: RuleSet, progress: Progress | None = None
) -> tuple[Player, ...] | None:
    """The players as tables, one object for each name; None when one of them is no table.

    Solves the game for ``expert``: once per process and table; ``progress`` hears of it.
    """
    if any(name not in LEVELS for name in players):
        return None
    return tuple(_table(name, len(players), rules, progress) for name in players)


def _table(name: str, seats: int, rules: RuleSet, progress: Progress | None) -> Player:
    if name == EXPERT:
        return _solution(seats, rules, progress)
    return levels.policy(name, rules)


_SOLUTIONS: dict[tuple[int, RuleSet], Solution] = {}


def _solution(seats: int, rules: RuleSet, progress: Progress | None) -> Solution:
    if (seats, rules) not in _SOLUTIONS:
        _SOLUTIONS[seats, rules] = solve(
            seats, rules.lives, rules.penalty_21, cache_dir=cache_folder(), progress=progress
        )
    return _SOLUTIONS[seats, rules]
