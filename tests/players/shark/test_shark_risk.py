"""The bound on risk: what the credit counts is never more than what was won, and never runs out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli.players.shark.player import Shark
from mia_cli.players.shark.risk import RiskLimits
from mia_cli.players.shark.stage_solution import StageSolutions
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.theory import best_response_values, evaluate, solve
from mia_cli.theory.rule_arrays import CHANCES, SUPPORTS
from tests.players.shark.holdouts import Exploiter, holdouts, tables_of
from tests.players.shark.sessions import Frozen, Session, adversary, fixed
from tests.theory.habits import T, U, erratic

SOLUTION = solve(2, 3, 1)
SOLUTIONS = StageSolutions(SOLUTION)
PLAYERS = list(holdouts().values())


def taught(player, seed, matches, limits=None):
    """A session of some matches against a player."""
    session = Session(SOLUTION, seed, Shark(SOLUTION, limits=limits))
    for _ in range(matches):
        session.play(fixed(player))
    return session


def stage(beliefs, roller, roll, claim, challenged):
    """The credit gained in a stage that begins now."""
    after = beliefs.copy()
    before = after.credit.left
    told = ROLLS[roll] if roller == 1 else None
    after.hear([Rolled(roller, told), Claimed(roller, CLAIMS[claim])])
    if challenged:
        holds = bool(SUPPORTS[roll, claim])
        after.hear([Challenged(3 - roller), Revealed(roller, ROLLS[roll], CLAIMS[claim], holds)])
    else:
        after.hear([Accepted(3 - roller)])
    return after.credit.left - before


@pytest.mark.parametrize("credit", [0.02, 0.15, 9.0])
@pytest.mark.parametrize("roller", [1, 2])
@pytest.mark.parametrize("above", [None, 6])
def test_expected_credit_is_at_most_the_expected_gain(credit, roller, above):
    """Over every roll, claim and answer, against opponents of all kinds, free or not."""
    lives = (2, 3)
    beliefs = (
        taught(holdouts()["coin"], 5, 8, RiskLimits(most=99.0, least=0.0)).shark.beliefs(1).copy()
    )
    beliefs.credit.left = credit
    opening = [RoundStarted(1, roller, lives)]
    if above is not None:
        opening = [RoundStarted(1, 3 - roller, lives), Rolled(3 - roller, None)]
        opening += [Claimed(3 - roller, CLAIMS[above - 1]), Accepted(roller)]
    ready = beliefs.copy()
    ready.hear(opening)
    tables = ready.tables(lives, roller)
    standing = above or 0
    solution = SOLUTIONS(lives if roller == 1 else lives[::-1])
    place = 0 if roller == 1 else 1
    gained = np.array(
        [
            [
                [
                    stage(ready, roller, roll, claim, challenged)
                    for challenged in ((True,) if claim == 20 else (False, True))
                ]
                if claim >= standing
                else [0.0]
                for claim in range(21)
            ]
            for roll in range(21)
        ],
        dtype=object,
    )
    for other in (T, U, erratic(1), erratic(2), SOLUTION, Exploiter(T, SOLUTION)):
        claims, challenges = tables_of(other, lives if roller == 1 else lives[::-1])
        claims = tables.claims if roller == 1 else claims
        challenges = challenges if roller == 1 else tables.challenges
        credit_change = value_change = 0.0
        for roll in range(21):
            for claim in range(standing, 21):
                chance = CHANCES[roll] * claims[standing, roll, claim]
                probability = 1.0 if claim == 20 else challenges[standing, claim]
                end = solution.held if SUPPORTS[roll, claim] else solution.caught
                change = gained[roll, claim]
                value = (
                    probability * end[claim, place]
                    + (1 - probability) * solution.accepted[claim, place]
                )
                credit_change += chance * (probability * change[-1] + (1 - probability) * change[0])
                value_change += chance * (value - solution.values[standing, place])
        assert credit_change <= value_change + 1e-12
        if tables.free[standing]:
            assert credit_change == pytest.approx(value_change, abs=1e-12)
        else:
            assert credit_change >= -1e-12
    assert credit == 0.15 or tables.free[standing] == (credit > 1.0)


@settings(max_examples=25)
@given(st.integers(0, 2**16))
def test_credit_never_runs_out(seed):
    player = PLAYERS[seed % len(PLAYERS)]
    session = Session(SOLUTION, seed)
    session.play(fixed(player))
    session.play(adversary(SOLUTIONS))
    assert min(session.credits) >= 0.0
    assert max(session.credits) <= RiskLimits().most


def test_without_credit_it_plays_the_solution():
    session = taught(T, 1, 12)
    beliefs = session.shark.beliefs(1).copy()
    assert beliefs.tables((3, 3), 1).free.any()
    beliefs.credit.left = 0.0
    for roller in (1, 2):
        tables, solved = beliefs.tables((3, 3), roller), SOLUTIONS((3, 3)).solved
        assert not tables.free.any()
        assert np.array_equal(tables.claims, solved.claims)
        assert np.array_equal(tables.challenges, solved.challenges)


def test_who_knows_its_tables_cannot_take_more_than_the_start():
    """Expected results without luck; the bound itself is 1 match a session."""
    knows = adversary(SOLUTIONS)
    taken = []
    for seed in range(3):
        session = Session(SOLUTION, seed)
        for _ in range(20):
            session.play(knows)
        taken.append(sum(session.gains))
    assert np.mean(taken) > -1.15
    assert np.mean(taken) < -0.3, "an adversary that wins nothing tests nothing"


def test_against_the_expert_little_is_lost():
    session = Session(SOLUTION, 4)
    worth = []
    for match in range(12):
        if match % 4 == 0:
            worth.append(session.worth(SOLUTION))
        session.play(fixed(SOLUTION))
    assert 0.48 < np.mean(worth) <= 0.5 + 1e-12


@pytest.mark.parametrize("name", ["coin", "bluffs 21", "humble", "hard, anything"])
def test_a_habit_is_found_and_punished(name):
    """More than half of what a best response wins above 1/2, after twenty matches."""
    player = holdouts()[name]
    best = best_response_values([None, player], 3, 1).mean()
    session = taught(player, 2, 20)
    assert session.worth(player) - 0.5 > 0.5 * (best - 0.5)
    solved = evaluate([SOLUTION, player], 3, 1).wins[:, 0].mean()
    assert session.worth(player) > solved + 0.05


def test_a_plan_for_known_habits_is_a_best_response():
    """Within the round only, which loses next to nothing."""
    for player in (T, U, erratic(3)):
        best = best_response_values([None, player], 3, 1).mean()
        found = evaluate([Exploiter(player, SOLUTION), player], 3, 1).wins[:, 0].mean()
        assert best - 0.002 < found <= best + 1e-12


def test_frozen_tables_are_worth_what_they_win():
    """The exact figures of these tests against a best response that does not know the shark."""
    session = taught(T, 3, 5)
    frozen = Frozen(session.shark)
    assert evaluate([frozen, T], 3, 1).wins[:, 0].mean() == pytest.approx(session.worth(T))
    assert 1 - best_response_values([frozen, None], 3, 1).mean() <= session.worth(T)
