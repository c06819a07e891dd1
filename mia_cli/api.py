"""The library: matches, simulations and the solved game for programs of one's own.

Arguments come in one order: players, rules, then the rest by name. A player is the name of a level
(``"hard"``), a ``policy``, what ``solve`` and ``respond`` give, or any object that decides as
``Player`` does. Where all players are tables of probabilities (every level but ``"shark"``,
policies, solutions, responses), ``simulate`` plays millions of matches in seconds and ``evaluate``
needs none; every other object is asked decision by decision, a thousand times slower.

Numbers by player are in the order of ``players``, averaged over seatings and who leads first.
Whatever cannot be raises a ``MiaError``, whose ``code`` and ``fields`` say what and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mia_cli.engine.player import Player
from mia_cli.engine.policy import ChallengeChance, ChooseClaim, Policy, build
from mia_cli.players import registry
from mia_cli.players.registry import Given, PlayerLike
from mia_cli.records.record import MatchRecord
from mia_cli.rules.errors import BadRuleSet, MiaError
from mia_cli.rules.events import Event
from mia_cli.rules.match import Accept, Challenge, Observation
from mia_cli.rules.rolls import Claim, Roll, claims_above
from mia_cli.rules.ruleset import RuleSet, require_seats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from mia_cli.players.tabled_player import TabledPlayer
    from mia_cli.simulate.exact import Expected
    from mia_cli.simulate.lockstep.alias_tables import Numbers
    from mia_cli.theory.ceilings import Ceiling
    from mia_cli.theory.rule_arrays import Floats
    from mia_cli.theory.solution import Solution

__all__ = [
    "Accept",
    "Challenge",
    "Claim",
    "MatchRecord",
    "MiaError",
    "Observation",
    "Player",
    "Roll",
    "Rules",
    "ceiling",
    "claims_above",
    "evaluate",
    "play",
    "policy",
    "read_records",
    "respond",
    "simulate",
    "solve",
    "turns",
]

Rules = RuleSet
_USUAL = Rules()
OnProblem = Callable[[MiaError], object]


def policy(
    *,
    claims: ChooseClaim | ArrayLike,
    challenges: ChallengeChance | ArrayLike,
) -> Policy:
    """A player that remembers nothing, by two functions or by two tables.

    ``claims(above, roll)`` gives the claim to make, as a ``Claim`` or its name; or weights, by
    claim or for all of ``claims_above(above)``, the lowest first. ``challenges(above, claim)``
    gives the chance to challenge a claim made over ``above``; 21 is challenged anyway. ``above``
    is None at the start of a round. Tables are arrays or lists as ``solve`` gives them, [21
    standings, 21 rolls, 21 claims] and [21 standings, 21 claims]. Raises BadRuleSet:
    ``bad_weights``, ``bad_chance``, ``bad_shape``; CannotRead for a name.

    >>> lowest = policy(claims=lambda above, roll: claims_above(above)[0],
    ...                 challenges=lambda above, claim: claim.position > 14)
    >>> evaluate([lowest, "expert"]).wins.round(4).tolist()
    [0.2384, 0.7616]
    """
    return build(claims, challenges)


def play(
    players: Sequence[PlayerLike],
    rules: Rules = _USUAL,
    *,
    seed: int | None = None,
    first: int | None = None,
) -> Iterator[Event]:
    """The events of one match, as they happen, every roll included.

    ``players`` by seat. ``seed`` gives the dice, the first leader and the players' draws, the same
    as in ``mia play``; None draws one. ``first``: the seat that leads first instead. Raises
    BadRuleSet; NotAllowed where a player does what the rules forbid.

    >>> events = list(play(["expert", "expert"], Rules(lives=2), seed=7))
    >>> events[0], events[-1]
    (RoundStarted(round=1, leader=2, lives=(2, 2)), MatchOver(winner=2))
    """
    from mia_cli.engine import seed as seeds
    from mia_cli.engine.driver import SeededDice, Table, run
    from mia_cli.rules.match import start

    names, given = _named(players)
    number = seeds.draw_seed() if seed is None else index(seed)
    leader = seeds.first_leader(number, len(names)) if first is None else first
    match, opening = start(rules, len(names), leader)
    made = {name: registry.make(given.get(name, name), rules, len(names)) for name in names}
    game = run(
        Table(match, opening),
        [made[name] for name in names],
        SeededDice(number),
        lambda seat: seeds.Stream(number, f"seat {seat}"),
    )
    return chain(opening, chain.from_iterable(game))


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of many matches, by player. ``interval`` [players, 2]: of 95 %, for ``win_rate``.

    ``kernel``: ``"c"`` or ``"numpy"``, which play tables of probabilities in lockstep; None: the
    engine played match by match, since not all were tables.
    """

    matches: int
    seed: int
    wins: Numbers
    win_rate: Floats
    interval: Floats
    kernel: str | None


def simulate(
    players: Sequence[PlayerLike],
    rules: Rules = _USUAL,
    *,
    matches: int | None = None,
    seed: int | None = None,
    jobs: int = 1,
) -> Simulated:
    """Play many matches and count, as ``mia simulate`` does: seats and the first lead rotate.

    The same ``seed`` gives the same result on any number of ``jobs`` (processes), as long as
    objects decide by what they see and the number they are given alone. ``matches``: 100,000
    between tables, else 1000. Raises BadRuleSet, WorkerDied, and whatever a player raises.

    >>> found = simulate(["expert"] * 3, matches=30_000, seed=7)
    >>> int(found.wins.sum()), found.win_rate.round(1).tolist(), found.interval.shape
    (30000, [0.3, 0.3, 0.3], (3, 2))
    """
    import numpy as np

    from mia_cli.simulate.conduct import conduct
    from mia_cli.simulate.margins import Margins
    from mia_cli.simulate.request import RunRequest

    names, given = _named(players)
    request = RunRequest(
        players=names,
        given=given,
        rules=rules,
        seed=None if seed is None else index(seed),
        matches=None if matches is None else _positive("matches", matches),
        jobs=_positive("jobs", jobs),
    )
    result = conduct(request).runs[0]
    if result.stopped:
        raise result.loss or KeyboardInterrupt
    setup, tally = result.state.setup, result.state.tally
    margins = Margins(tally, setup.seatings)
    of_players = [margins.of_player(player) for player in range(len(names))]
    wins = np.array([sum(margin.wins) for margin in of_players])
    return Simulated(
        matches=tally.matches,
        seed=setup.seed,
        wins=wins,
        win_rate=wins / tally.matches,
        interval=np.array([margin.interval for margin in of_players]),
        kernel=result.state.kernel,
    )


def evaluate(players: Sequence[PlayerLike], rules: Rules = _USUAL) -> Expected:
    """Exact results between tables of probabilities: chances to win in ``wins``, and more by match
    (see ``Expected``).

    Raises BadRuleSet; NotAllowed("not_exact") for a player that is no table.

    >>> evaluate(["expert"] * 4).wins.round(4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    from mia_cli.simulate.exact import exact
    from mia_cli.simulate.setup import Setup

    names, given = _named(players)
    return exact(Setup(rules, names, seed=0, given=given))


def ceiling(player: PlayerLike, rules: Rules = _USUAL, *, seats: int = 2) -> Ceiling:
    """The most that any opponent can win against a table of probabilities: ``value``, the mean over
    who leads first, and ``exploitability``, how far that is above an equal share.

    With more seats, ``player`` holds all the others. Raises as ``evaluate``.

    >>> round(ceiling("expert").value, 4), round(ceiling("expert").exploitability, 4)
    (0.5, 0.0)
    """
    from mia_cli.theory.ceilings import ceiling as most

    strategy = registry.strategy(_known(player), rules, seats)
    return most(strategy, seats, rules.lives, rules.penalty_21)


def respond(player: PlayerLike, rules: Rules = _USUAL, *, seats: int = 2) -> TabledPlayer:
    """The best response to a table of probabilities, as a player: it reaches its ``ceiling``.

    With more seats, ``player`` holds all the others. Raises as ``evaluate``.

    >>> best = evaluate([respond("easy"), "easy"])
    >>> bool(abs(best.wins[0] - ceiling("easy").value) < 1e-12)
    True
    """
    from mia_cli.players.tabled_player import TabledPlayer
    from mia_cli.theory.respond import best_response

    strategy = registry.strategy(_known(player), rules, seats)
    return TabledPlayer(best_response(strategy, seats, rules.lives, rules.penalty_21))


def solve(rules: Rules = _USUAL, *, seats: int = 2) -> Solution:
    """The solved game, for up to so many seats and lives: chances to win in ``values(lives)``,
    what to do in ``claim_probabilities`` and ``challenge_probabilities``, one stage as a Gambit
    game in ``to_efg``. As a player, it is the level ``"expert"``.

    ``lives`` run from the seat that rolls, in playing order. A large solution is kept in the user's
    cache folder. Raises BadRuleSet.

    >>> solve(Rules(lives=3)).values((3, 3)).round(4).tolist()
    [0.5591, 0.4409]
    """
    return registry.solution(require_seats(seats), rules.lives, rules.penalty_21)


def turns(
    source: str | Path | Iterable[MatchRecord] | None = None,
    *,
    on_problem: OnProblem | None = None,
) -> Iterator[dict[str, object]]:
    """Every turn as a row, a dict with the columns of ``mia stats --turns``, in order.

    ``source``: a file of records, a log of ``mia simulate``, a folder of records, or records; None:
    the user's own matches. A record that cannot be read is raised as what is wrong with it, or
    given to ``on_problem`` and passed over. Matches that a program lost by a fault are left out.

    >>> list(turns([]))
    []
    """
    from mia_cli.files.folders import cache_dir
    from mia_cli.records.many.turn_rows import as_dict
    from mia_cli.records.many.turn_source import turns_of_file, turns_of_folder, turns_of_records

    if source is None or isinstance(source, str | Path):
        place, is_folder = _place(source)
        found = turns_of_folder(place, cache_dir()) if is_folder else turns_of_file(place)
    else:
        found = turns_of_records(source)
    return map(as_dict, _sound(found, on_problem))


def read_records(
    path: str | Path | None = None, *, on_problem: OnProblem | None = None
) -> Iterator[MatchRecord]:
    """The records of a file, a log of ``mia simulate`` or a folder, ``on_problem`` as in ``turns``.

    None: the user's own matches, the oldest first. The rolls of an unfinished match that its file
    hides are worked out again.

    >>> sum(record.winner == record.human for record in read_records())
    0
    """
    from mia_cli.records.many.source import records_of
    from mia_cli.records.store import MatchStore

    place, is_folder = _place(path)
    found = MatchStore(place).records() if is_folder else records_of(place, str(place))
    return _sound(found, on_problem)


def _place(path: str | Path | None) -> tuple[Path, bool]:
    """Where records are, the user's own for None, and whether that is a folder of them."""
    from mia_cli.files.folders import matches_dir

    place = matches_dir() if path is None else Path(path)
    return place, path is None or place.is_dir()


def _sound(found: Iterable[Any], on_problem: OnProblem | None) -> Iterator[Any]:
    """What was found without what is wrong (see ``turns``)."""
    for item in found:
        error: MiaError | None = getattr(item, "error", None)
        if error is None:
            yield item
        elif error.code != "forfeited":
            if on_problem is None:
                raise error
            on_problem(error)


def _named(players: Sequence[PlayerLike]) -> tuple[tuple[str, ...], Given]:
    """A name for every player: its own, or one that stands for an object. Raises BadRuleSet."""
    names: list[str] = []
    given: dict[str, PlayerLike] = {}
    require_seats(len(players))
    for number, player in enumerate(map(_known, players), 1):
        if isinstance(player, str):
            names.append(player)
            continue
        same = (name for name, other in given.items() if other is player)
        names.append(next(same, f"player {number}"))
        given[names[-1]] = player
    return tuple(names), given


def _known(player: PlayerLike) -> PlayerLike:
    registry.require_player(player)
    return player


def _positive(key: str, value: int) -> int:
    if index(value) < 1:
        raise BadRuleSet("bad_rule", key=key, value=value, allowed="whole_number")
    return index(value)
