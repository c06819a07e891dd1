"""The one way to a solution: known in this process, from the cache of the user, or solved."""

from __future__ import annotations

from pathlib import Path

from mia_cli.files import folders
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet, require_seats
from mia_cli.theory import cache
from mia_cli.theory.gain import BestResponses, max_gain
from mia_cli.theory.induction import OnProgress, OnStage, solve_states
from mia_cli.theory.rule_arrays import MAX_LIVES, Floats
from mia_cli.theory.solution import Solution
from mia_cli.theory.states import States

_KNOWN: dict[tuple[int, int, int], Solution] = {}


def known_solution(
    max_players: int, max_lives: int, penalty_21: int, progress: OnProgress | None = None
) -> Solution:
    """``solve`` with the user's cache, once in a process; forked processes share what is known."""
    key = max_players, max_lives, penalty_21
    if key not in _KNOWN:
        _KNOWN[key] = solve(*key, cache_dir=folders.cache_dir(), progress=progress)
    return _KNOWN[key]


def proven_solution(
    max_players: int,
    max_lives: int,
    penalty_21: int,
    *,
    cache_dir: Path | None = None,
    progress: OnProgress | None = None,
) -> tuple[Solution, float]:
    """``solve``, and ``max_gain`` of what it gives, which is kept with it.

    What has to be solved is proved on the way: each stage is solved once.
    """
    states, values = _known(max_players, max_lives, penalty_21, cache_dir)
    gain = None
    if values is None:
        responses = BestResponses(states, penalty_21)
        values = _solved(states, penalty_21, cache_dir, progress, responses.watch)
        gain = float((responses.values - values).max())
    elif cache_dir is not None:
        gain = cache.load_gain(cache_dir, states, penalty_21, values)
        if gain is not None:
            return Solution(states, values, penalty_21), gain
    solution = Solution(states, values, penalty_21)
    if gain is None:
        gain = max_gain(solution, progress)
    if cache_dir is not None:
        cache.store_gain(cache_dir, states, penalty_21, values, gain)
    return solution, gain


def solve(
    max_players: int,
    max_lives: int,
    penalty_21: int,
    *,
    cache_dir: Path | None = None,
    progress: OnProgress | None = None,
) -> Solution:
    """An equilibrium of every table with 2 to ``max_players`` seats of 1 to ``max_lives`` lives.

    ``cache_dir`` is where the solution is kept between runs (``folders.cache_dir()``; None:
    nowhere). ``progress`` is told how many states are solved, of how many; not when the solution
    was in the cache. The figures of a state do not depend on the size of the table it was solved
    with, nor on the machine.

    Raises BadRuleSet: ``bad_rule`` with the key, the value and what is allowed.
    """
    states, values = _known(max_players, max_lives, penalty_21, cache_dir)
    if values is None:
        values = _solved(states, penalty_21, cache_dir, progress)
    return Solution(states, values, penalty_21)


def _known(
    max_players: int, max_lives: int, penalty_21: int, cache_dir: Path | None
) -> tuple[States, Floats | None]:
    """The states of a table, and their values where the folder keeps them."""
    require_seats(max_players)
    allowed = tuple(range(1, MAX_LIVES + 1))
    if type(max_lives) is not int or max_lives not in allowed:
        raise BadRuleSet("bad_rule", key="lives", value=max_lives, allowed=allowed)
    RuleSet(penalty_21=penalty_21)
    states = States(max_players, max_lives)
    values = None if cache_dir is None else cache.load(cache_dir, states, penalty_21)
    return states, values


def _solved(
    states: States,
    penalty_21: int,
    folder: Path | None,
    progress: OnProgress | None,
    watch: OnStage | None = None,
) -> Floats:
    values = solve_states(states, penalty_21, progress, watch)
    if folder is not None:
        cache.store(folder, states, penalty_21, values)
    return values
