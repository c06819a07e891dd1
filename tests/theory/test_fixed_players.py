"""Exact results of fixed players: known figures, every course of a match, and sampling."""

from itertools import pairwise

import numpy as np
import pytest

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.policy import PolicyPlayer
from mia_cli.engine.seed import Stream
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.events import Challenged, Claimed, MatchOver, Revealed, Rolled, RoundStarted
from mia_cli.rules.match import Match, start
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import evaluate, solve
from tests.theory.courses import expectations
from tests.theory.habits import Moody, T, Tablewise, U, erratic

COUNTS = ("claims", "bluffs", "bluffs_caught", "challenges", "challenges_won")


@pytest.mark.parametrize(
    ("penalty", "t_leads", "u_leads"),
    [(1, 0.955226533, 0.925047706), (2, 0.952233204, 0.924995800)],
)
def test_published_figures_at_two_seats(penalty, t_leads, u_leads):
    result = evaluate([T, U], 3, penalty)
    assert result.wins[:, 0] == pytest.approx([t_leads, u_leads], abs=1e-9)
    assert result.wins.sum(axis=1) == pytest.approx([1, 1], abs=1e-12)


def test_published_figures_of_equals_and_at_three_seats():
    assert evaluate([T, T], 3, 1).wins[0, 0] == pytest.approx(0.580664261, abs=1e-9)
    three = evaluate([T, T, U], 3, 1).wins[0]
    assert three == pytest.approx([0.721264, 0.245765, 0.032971], abs=1e-6)


def test_a_table_turned_by_one_seat():
    players = [erratic(1), erratic(2), erratic(3)]
    here = evaluate(players, (2, 1, 3), 2)
    turned = evaluate([players[2], *players[:2]], (3, 2, 1), 2)
    for name in ("wins", *COUNTS):
        moved = np.roll(getattr(here, name), (1, 1), axis=(0, 1))
        assert getattr(turned, name) == pytest.approx(moved, abs=1e-12)
    assert turned.rounds == pytest.approx(np.roll(here.rounds, 1), abs=1e-12)


def test_a_seat_that_is_out_changes_nothing():
    players = [erratic(4), erratic(5)]
    two = evaluate(players, (2, 3), 2)
    three = evaluate([players[0], T, players[1]], (2, 0, 3), 2)
    seats = np.ix_([0, 2], [0, 2])
    assert three.wins[seats] == pytest.approx(two.wins, abs=1e-14)
    assert three.bluffs_caught[seats] == pytest.approx(two.bluffs_caught, abs=1e-14)
    assert three.wins[0, 1] == three.claims[0, 1] == 0


@pytest.mark.parametrize(("lives", "penalty"), [((1, 1, 1), 1), ((2, 1), 2), ((1, 2), 1)])
def test_every_course_of_a_match(lives, penalty):
    """Against a walk over all positions of the rules themselves."""
    players, known = [erratic(seed) for seed in range(len(lives))], {}
    result = evaluate(players, lives, penalty)
    for leader in range(len(lives)):
        match = Match(RuleSet(2, penalty), lives, 1, leader + 1)
        walked = expectations(match, players, known)
        assert flat(result, leader) == pytest.approx(list(walked), abs=1e-12)


def flat(result, leader):
    """Everything an evaluation says of one leader, in a row."""
    counts = [value for name in COUNTS for value in getattr(result, name)[leader]]
    return [*result.wins[leader], result.rounds[leader], *counts]


def test_tables_that_depend_on_the_lives():
    """At one life each the tables are fixed ones; at more lives they are others."""
    one, other = erratic(6), erratic(7)
    here = evaluate([Moody(one, other), T], (1, 1), 1)
    # (1, 1) weighs 1 + 7, an even number; (2, 1) and (1, 2), 9 and 15, are odd.
    assert flat(here, 0) == flat(evaluate([one, T], (1, 1), 1), 0)
    mixed = evaluate([Moody(one, other), T], (2, 1), 1)
    known = {}
    for leader in (1, 2):
        match = Match(RuleSet(2, 1), (1, 1), 1, leader)
        expectations(match, [one, T], known)
    for leader in (1, 2):
        match = Match(RuleSet(2, 1), (2, 1), 1, leader)
        walked = expectations(match, [other, T], known)
        assert flat(mixed, leader - 1) == pytest.approx(list(walked), abs=1e-12)


def test_sampled_through_the_engine():
    """Every figure within 4.5 standard errors of 800 matches, three kinds of player at once."""
    rules = RuleSet(2, 2)
    solution = solve(3, 2, 2)
    exact = evaluate([solution, T, U], 2, 2)
    players = [Tablewise(solution), PolicyPlayer(T), PolicyPlayer(U)]
    samples = np.array([sample(rules, players, seed) for seed in range(800)])
    expected = np.concatenate(
        [exact.wins[1], [exact.rounds[1]], *(getattr(exact, name)[1] for name in COUNTS)]
    )
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    assert (np.abs(samples.mean(axis=0) - expected) < 4.5 * error).all()
    assert (error < 0.15).all()


def sample(rules, players, seed):
    """Wins, rounds and COUNTS of one match that seat 2 leads."""
    match, events = start(rules, 3, 2)
    table = Table(match, events)
    for _ in run(table, players, SeededDice(seed), lambda seat: Stream(seed, f"seat {seat}")):
        pass
    wins, rounds, counts = np.zeros(3), 0, np.zeros((5, 3))
    for last, event in pairwise((None, *table.events)):
        match event:
            case MatchOver(seat):
                wins[seat - 1] = 1
            case RoundStarted():
                rounds += 1
            case Claimed(seat, claim):
                assert isinstance(last, Rolled)
                counts[0, seat - 1] += 1
                counts[1, seat - 1] += claim.exceeds(last.roll)
            case Revealed(seat, _, _, holds):
                assert isinstance(last, Challenged)
                counts[2, seat - 1] += not holds
                counts[3, last.seat - 1] += 1
                counts[4, last.seat - 1] += not holds
    return np.concatenate([wins, [rounds], counts.ravel()])


@pytest.mark.parametrize("players", [[T], [T] * 7])
def test_wrong_number_of_players(players):
    with pytest.raises(BadRuleSet):
        evaluate(players, 3, 1)


@pytest.mark.parametrize("lives", [6, 0, (3,), (3, 3, 3), (0, 2), (2, -1)])
def test_wrong_lives(lives):
    with pytest.raises(BadRuleSet) as caught:
        evaluate([T, U], lives, 1)
    assert caught.value.code == "bad_lives"


def test_wrong_penalty():
    with pytest.raises(BadRuleSet):
        evaluate([T, U], 3, 3)
