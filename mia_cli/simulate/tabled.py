"""The players of a run by name: which are tables of probabilities, which learn, and what is solved.

Tables can be played in lockstep or exactly; the others play through the engine.
"""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.players import levels
from mia_cli.players.names import EXPERT, FIXED, SHARK
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory.cache import cache_folder
from mia_cli.theory.induction import OnProgress
from mia_cli.theory.solution import Solution
from mia_cli.theory.solver import solve
from mia_cli.theory.strategies import Strategy

LEVELS = FIXED
"""Names of the players that are tables."""
SOLVED = (EXPERT, SHARK)
"""Levels that need the solution of their table."""


def are_tables(players: Sequence[str]) -> bool:
    """True when the kernel and exact evaluation can play them all."""
    return all(name in LEVELS for name in players)


def learn(players: Sequence[str]) -> bool:
    """True when one of them learns from match to match."""
    return SHARK in players


def tables(
    players: Sequence[str], rules: RuleSet, progress: OnProgress | None = None
) -> tuple[Strategy, ...] | None:
    """The players as tables, one object for each name; None when one of them is no table.

    Solves the game for ``expert``: once per process and table; ``progress`` hears of it.
    """
    if not are_tables(players):
        return None
    return tuple(table(name, len(players), rules, progress) for name in players)


def table(name: str, seats: int, rules: RuleSet, progress: OnProgress | None = None) -> Strategy:
    """The player of LEVELS with this name."""
    if name == EXPERT:
        return solution(seats, rules, progress)
    return levels.policy(name, rules)


_SOLUTIONS: dict[tuple[int, RuleSet], Solution] = {}


def solution(seats: int, rules: RuleSet, progress: OnProgress | None = None) -> Solution:
    """The solution of a table, worked out once in a process."""
    if (seats, rules) not in _SOLUTIONS:
        _SOLUTIONS[seats, rules] = solve(
            seats, rules.lives, rules.penalty_21, cache_dir=cache_folder(), progress=progress
        )
    return _SOLUTIONS[seats, rules]


def prepare(players: Sequence[str], rules: RuleSet, progress: OnProgress | None = None) -> None:
    """Solve what the players need, so that processes that are forked from here have it."""
    if any(name in SOLVED for name in players):
        solution(len(players), rules, progress)
