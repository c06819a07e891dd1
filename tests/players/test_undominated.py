"""No level takes a dominated action, in any situation: all of two seats, some of three to six."""

from functools import cache, partial
from itertools import product
from random import Random

import numpy as np
import pytest

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.policy import PolicyPlayer
from mia_cli.engine.seed import Stream
from mia_cli.players import registry
from mia_cli.players.names import FIXED
from mia_cli.players.shark.player import Shark
from mia_cli.players.shark.risk import RiskLimits
from mia_cli.rules.match import start
from mia_cli.rules.ruleset import PENALTIES, RuleSet
from mia_cli.theory.dominance import dominated
from mia_cli.theory.rule_arrays import LEGAL
from mia_cli.theory.solver import known_solution
from tests.theory.habits import T, U, erratic

SOME = 60
MOST = {2: 5, 3: 5, 4: 5, 5: 3, 6: 2}
"""Lives up to which a number of seats is tried."""


@cache
def situations(seats: int) -> tuple[tuple[int, ...], ...]:
    """Lives in playing order: all, or some that are drawn."""
    every = list(product(range(1, MOST[seats] + 1), repeat=seats))
    return tuple(every if seats == 2 else Random(seats).sample(every, min(SOME, len(every))))


def claims_taken(claims, found) -> int:
    """How many dominated claims have a chance in a table at some lives."""
    return int(((claims > 0.0) & found.claims).sum())


def answers_taken(challenges, found) -> int:
    """How many dominated answers have one."""
    challenged = LEGAL & (challenges > 0.0) & found.challenges
    accepted = LEGAL & (challenges < 1.0) & found.accepts
    return int((challenged | accepted).sum())


@pytest.mark.parametrize("level", FIXED)
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("seats", MOST)
def test_no_fixed_level_takes_one(level: str, penalty: int, seats: int) -> None:
    solution = known_solution(seats, MOST[seats], penalty)
    rules = RuleSet(penalty_21=penalty)
    player = registry.strategy(level, rules, max(seats, 3), lambda *_: solution)
    found = dominated(solution, situations(seats))
    which, claims, challenges = player.many_tables(situations(seats))
    for number, kind in enumerate(which):
        assert claims_taken(claims[kind], found.at(number)) == 0
        assert answers_taken(challenges[kind], found.at(number)) == 0


@pytest.mark.parametrize("level", FIXED[:-1])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_with_two_seats_the_same_tables_serve_all_lives(level: str, penalty: int) -> None:
    solution, rules = known_solution(3, 5, penalty), RuleSet(penalty_21=penalty)
    alone = registry.strategy(level, rules, 2)
    many = registry.strategy(level, rules, 3, lambda *_: solution)
    for lives in situations(2):
        claims, challenges = many.tables(lives)
        assert np.array_equal(claims, alone.claims)
        assert np.array_equal(challenges, alone.challenges)


def stream(seed: int, seat: int) -> Stream:
    return Stream(seed, str(seat))


def taught(solution, rules: RuleSet, seats: int, others, matches: int) -> Shark:
    """A shark that played some matches against such players.

    It never heeds its risk, so that it leaves the solution wherever a habit tempts it.
    """
    shark = Shark(solution, limits=RiskLimits(bound=False))
    players = [shark, *[PolicyPlayer(others)] * (seats - 1)]
    for seed in range(matches):
        table = Table(*start(rules, seats, 1 + seed % seats))
        for _ in run(table, players, SeededDice(seed), partial(stream, seed)):
            pass
        shark.end_match(table.events)
    return shark


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("seats", MOST)
def test_no_shark_takes_one_whatever_it_believes(seats: int, penalty: int) -> None:
    lives = MOST[seats]
    solution, rules = known_solution(seats, lives, penalty), RuleSet(min(lives, 3), penalty)
    left = 0
    for others in (T, U, erratic(1), erratic(2))[: 4 if seats == 2 else 2]:
        beliefs = taught(solution, rules, seats, others, 12 if seats == 2 else 3).beliefs(1)
        for tried in situations(seats)[: None if seats == 2 else 12]:
            rolling, answering = beliefs.tables(tried, 1), beliefs.tables(tried, seats)
            found = dominated(solution, [tried, (*tried[-1:], *tried[:-1])])
            assert claims_taken(rolling.claims, found.at(0)) == 0
            assert answers_taken(answering.challenges, found.at(1)) == 0
            left += int(rolling.free.sum() + answering.free.sum())
    assert left > 100
