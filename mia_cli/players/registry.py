"""Makes players from their names: the one place where any player of a table is made.

A player has two forms: tables of probabilities, which theory evaluates and the simulator draws
from in lockstep (``strategy``, for levels that are tables); and something that decides (``make``).
The solution that some of them need is asked of ``solved`` and only then; programs are started by
``start_bot``. Loads no solver before one is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mia_cli.engine.player import Player
from mia_cli.engine.policy import Policy, PolicyPlayer
from mia_cli.players import levels
from mia_cli.players.habits import HABITS
from mia_cli.players.names import EXPERT, FIXED, LEVELS, SHARK, SOLVED, is_bot
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.ruleset import SEATS, RuleSet

if TYPE_CHECKING:
    from mia_cli.players.shark import Shark
    from mia_cli.theory.solution import Solution
    from mia_cli.theory.strategies import Strategy

SolutionSource = Callable[[int, int, int], "Solution"]
"""Gives the solution for seats, lives and the loss over a claim of 21; may take seconds once."""
StartBot = Callable[[str], Player]
"""Gives the player ``bot:NAME``, its program running."""


def solution(seats: int, lives: int, penalty_21: int) -> Solution:
    """A SolutionSource that says nothing while it solves. Raises BadRuleSet."""
    from mia_cli.theory.solver import known_solution

    return known_solution(seats, lives, penalty_21)


def policy(name: str, rules: RuleSet) -> Policy | None:
    """The tables of a level of habits; None for any other player."""
    return levels.policy(name, rules) if name in HABITS else None


def strategy(name: str, rules: RuleSet, seats: int, solved: SolutionSource = solution) -> Strategy:
    """The tables of a player at a table with ``seats``. Raises NotAllowed("not_exact").

    The same name gives the same object.
    """
    if name == EXPERT:
        return solved(seats, rules.lives, rules.penalty_21)
    found = policy(name, rules)
    if found is None:
        raise NotAllowed("not_exact", value=name, allowed=FIXED)
    return found


def strategies(names: Sequence[str], rules: RuleSet) -> tuple[Strategy, ...]:
    """The tables of everybody at a table. Raises NotAllowed("not_exact") for the first without."""
    return tuple(strategy(name, rules, len(names)) for name in names)


def make(
    name: str,
    rules: RuleSet,
    seats: int = SEATS[0],
    *,
    solved: SolutionSource = solution,
    start_bot: StartBot | None = None,
) -> Player:
    """The player with this name for a table with ``seats`` (levels of habits play at any).

    Raises BadRuleSet("not_playable") for a name that is no level of this version, and for a bot
    where none can be started; what ``start_bot`` raises.
    """
    _require(name, start_bot)
    if start_bot is not None and is_bot(name):
        return start_bot(name)
    if name == SHARK:
        return shark(rules, seats, solved)
    if name == EXPERT:
        from mia_cli.players.expert import Expert

        return Expert(solved(seats, rules.lives, rules.penalty_21))
    return PolicyPlayer(levels.policy(name, rules))


def make_all(
    names: Sequence[str],
    rules: RuleSet,
    seats: int,
    *,
    solved: SolutionSource = solution,
    start_bot: StartBot | None = None,
) -> list[Player]:
    """A player for each name: one object for all seats of a level, a program for each bot.

    Raises as ``make``; for a level that is not there before anything is solved or started.
    """
    for name in names:
        _require(name, start_bot)

    def made(name: str) -> Player:
        return make(name, rules, seats, solved=solved, start_bot=start_bot)

    shared = {name: made(name) for name in dict.fromkeys(names) if not is_bot(name)}
    return [shared[name] if name in shared else made(name) for name in names]


def shark(rules: RuleSet, seats: int, solved: SolutionSource = solution) -> Shark:
    """A shark without a memory for a table with ``seats``."""
    from mia_cli.players.shark import make_shark

    return make_shark(rules, seats, solved(seats, rules.lives, rules.penalty_21))


def prepare(names: Sequence[str], rules: RuleSet, solved: SolutionSource = solution) -> None:
    """Solve what the players of a table need, so that processes forked from here have it."""
    if any(name in SOLVED for name in names):
        solved(len(names), rules.lives, rules.penalty_21)


def _require(name: str, start_bot: StartBot | None) -> None:
    if name not in LEVELS and not (start_bot is not None and is_bot(name)):
        raise BadRuleSet("not_playable", value=name, allowed=LEVELS)
