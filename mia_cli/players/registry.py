"""Makes players from their names: the one place where any player of a table is made.

A player has two forms: tables of probabilities, which theory evaluates and the simulator draws
from in lockstep (``strategy``, for levels that are tables); and something that decides (``make``).
Instead of a name, either form may be given, and gives the other where it can.
The solution that some of them need is asked of ``solved`` and only then; programs are started by
``start_bot``. Loads no solver before one is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from mia_cli.engine.player import Player
from mia_cli.engine.policy import Policy, PolicyPlayer
from mia_cli.players import levels
from mia_cli.players.habits import HABITS
from mia_cli.players.levels import LevelPlayer, LevelPolicies, SolutionSource
from mia_cli.players.names import EXPERT, FIXED, LEVELS, SHARK, is_bot, needs_solution
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.ruleset import SEATS, RuleSet

if TYPE_CHECKING:
    from mia_cli.players.shark import Shark
    from mia_cli.theory.solution import Solution
    from mia_cli.theory.strategies import Strategy, Tabled

PlayerLike: TypeAlias = "str | Strategy | Player"
"""A name; tables of probabilities; or an object that decides."""
Given: TypeAlias = Mapping[str, PlayerLike]
"""Players that were given, by the names that stand for them."""
NONE_GIVEN: Given = {}
StartBot = Callable[[str], Player]
"""Gives the player ``bot:NAME``, its program running."""


def solution(seats: int, lives: int, penalty_21: int) -> Solution:
    """A SolutionSource that says nothing while it solves. Raises BadRuleSet."""
    from mia_cli.theory.solver import known_solution

    return known_solution(seats, lives, penalty_21)


def policies(name: str, rules: RuleSet, solved: SolutionSource = solution) -> LevelPolicies | None:
    """The tables of a level of habits by lives, for any table; None for any other player."""
    return LevelPolicies(name, rules, solved) if name in HABITS else None


def has_tables(player: PlayerLike) -> bool:
    """Whether ``strategy`` can tell the tables of a player."""
    if isinstance(player, str):
        return player in FIXED
    return isinstance(player, Policy) or hasattr(player, "tables")


def all_have_tables(names: Sequence[str], given: Given = NONE_GIVEN) -> bool:
    """Whether the kernel and exact evaluation can play them all."""
    return all(has_tables(given.get(name, name)) for name in names)


def strategy(
    player: PlayerLike, rules: RuleSet, seats: int, solved: SolutionSource = solution
) -> Strategy:
    """The tables of a player at a table with ``seats``. Raises NotAllowed("not_exact").

    The same name gives the same object.
    """
    if not has_tables(player):
        raise NotAllowed("not_exact", value=_named(player), allowed=FIXED)
    if not isinstance(player, str):
        return cast("Strategy", player)
    if not needs_solution([player], seats):
        return levels.policy(player, rules)
    found = solved(seats, rules.lives, rules.penalty_21)
    return found if player == EXPERT else levels.strategy(player, rules, found)


def strategies(
    names: Sequence[str], rules: RuleSet, given: Given = NONE_GIVEN
) -> tuple[Strategy, ...]:
    """The tables of everybody at a table. Raises NotAllowed("not_exact") for the first without."""
    return tuple(strategy(given.get(name, name), rules, len(names)) for name in names)


def make(
    player: PlayerLike,
    rules: RuleSet,
    seats: int = SEATS[0],
    *,
    solved: SolutionSource = solution,
    start_bot: StartBot | None = None,
) -> Player:
    """The player with this name for a table with ``seats`` (levels of habits play at any).

    Raises BadRuleSet("not_playable") for a name that is no level of this version, for a bot where
    none can be started, and for an object that cannot play; what ``start_bot`` raises.
    """
    require_player(player, start_bot)
    if not isinstance(player, str):
        return _made(player)
    if start_bot is not None and is_bot(player):
        return start_bot(player)
    if player == SHARK:
        return shark(rules, seats, solved)
    if player == EXPERT:
        from mia_cli.players.expert import Expert

        return Expert(solved(seats, rules.lives, rules.penalty_21))
    return LevelPlayer(LevelPolicies(player, rules, solved))


def _made(player: Strategy | Player) -> Player:
    if isinstance(player, Policy):
        return PolicyPlayer(player)
    if _decides(player):
        return cast("Player", player)
    from mia_cli.players.tabled_player import TabledPlayer

    return TabledPlayer(cast("Tabled", player))


def _decides(player: object) -> bool:
    return callable(getattr(player, "claim", None)) and callable(getattr(player, "answer", None))


def _named(player: object) -> str:
    return player if isinstance(player, str) else type(player).__name__


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
        require_player(name, start_bot)

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
    if needs_solution(names, len(names)):
        solved(len(names), rules.lives, rules.penalty_21)


def require_player(player: PlayerLike, start_bot: StartBot | None = None) -> None:
    """Raise BadRuleSet("not_playable") for what ``make`` cannot make a player of."""
    if not isinstance(player, str):
        sound = has_tables(player) or _decides(player)
    else:
        sound = player in LEVELS or (start_bot is not None and is_bot(player))
    if not sound:
        raise BadRuleSet("not_playable", value=_named(player), allowed=LEVELS)
