"""What is sampled agrees with what theory computes, within 4 standard errors."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from mia_cli.players.names import FIXED
from mia_cli.players.registry import strategies
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.exact import exact
from mia_cli.simulate.lockstep.kernel import KernelGame, open_kernel
from mia_cli.simulate.seating import seatings
from mia_cli.simulate.setup import Setup
from mia_cli.theory import evaluate
from tests.simulate.plain_players import careless, honest

PAIRS = list(combinations_with_replacement(FIXED, 2))
COUNTS = ("claims", "bluffs", "bluffs_caught", "challenges", "challenges_won")


def check(players, rules, matches, kind="rotate"):
    setup = Setup(rules, players, seed=3, seating=kind)
    game = KernelGame(rules, strategies(players, rules), setup.seatings, setup.seed)
    found = open_kernel(game).play(0, matches)
    wanted = exact(setup)
    played, won = found.by_distance(setup.seatings)
    # Matches of different seatings are alike only in part, which makes the real error smaller.
    seen, chance = played > 0, wanted.win_by_distance
    error = 4 * np.sqrt(chance[seen] * (1 - chance[seen]) / played[seen])
    assert (np.abs(won[seen] / played[seen] - chance[seen]) <= error).all()
    assert np.isnan(chance[~seen]).all() and seen.any(axis=1).all()
    for name in COUNTS:
        mean, expected = getattr(found, name)() / matches, getattr(wanted, name)
        # A player makes at most a few claims more or less than it is expected to: the standard
        # deviation of these counts is below their mean plus one.
        assert (np.abs(mean - expected) <= 4 * (expected + 1) / np.sqrt(matches)).all(), name
    assert abs(found.rounds / matches - wanted.rounds) < 4 * rules.lives / np.sqrt(matches)


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize("players", PAIRS, ids="-".join)
def test_every_pairing_of_two(players, penalty):
    check(players, RuleSet(3, penalty), 60_000)


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (("easy", "expert"), RuleSet(5, 2)),
        (("hard", "normal"), RuleSet(2, 1)),
        (("easy", "hard", "expert"), RuleSet(2, 2)),
        (("normal", "easy", "normal"), RuleSet(5, 1)),
        (("easy", "normal", "hard", "expert"), RuleSet(2, 1)),
        (("easy", "easy", "hard", "normal", "hard"), RuleSet(2, 2)),
    ],
)
def test_other_strategies(players, rules):
    check(players, rules, 60_000)


def test_fixed_seats():
    check(("hard", "easy", "normal"), RuleSet(3, 1), 60_000, kind="fixed")


@pytest.mark.parametrize(("penalty", "leads", "follows"), [(1, 0.955226533, 0.925047706)])
def test_figures_worked_out_elsewhere(penalty, leads, follows):
    """An honest player against a careless one, from recursions written apart from this package."""
    players = (honest(), careless())
    game = KernelGame(RuleSet(3, penalty), players, seatings(2, "rotate"), 5)
    tally = open_kernel(game).play(0, 400_000)
    played, won = tally.by_distance(seatings(2, "rotate"))
    error = 4 * np.sqrt(leads * (1 - leads) / 200_000)
    assert abs(won[0, 0] / played[0, 0] - leads) < error
    assert abs(won[0, 1] / played[0, 1] - follows) < 4 * np.sqrt(0.07 / 200_000)
    wins = evaluate(players, 3, penalty).wins
    assert abs(wins[0, 0] - leads) < 1e-8 and abs(wins[1, 0] - follows) < 1e-8
