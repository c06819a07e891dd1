"""Ratings are the most likely ones, and their errors are the spread of repeated estimates."""

import numpy as np
import pytest

from mia_cli.simulate.round_robin import MEAN, SCALE, rate


def beaten(ratings, matches):
    chance = 1 / (1 + 10 ** ((ratings[None, :] - ratings[:, None]) / 400))
    return matches * (chance - np.diag(np.diag(chance)))


def test_known_strengths_come_back():
    strengths = np.array([1400.0, 1480.0, 1520.0, 1600.0])
    assert rate(beaten(strengths, 1000.0), prior=0.0).rating == pytest.approx(strengths)


def test_two_players_follow_the_formula():
    found = rate(np.array([[0.0, 750.0], [250.0, 0.0]]), prior=0.0)
    assert found.rating[0] - found.rating[1] == pytest.approx(400 * np.log10(3))
    # Of the log of odds, 1 / (n p q); each player has half of the difference.
    assert found.error[0] == pytest.approx(SCALE * np.sqrt(1 / (1000 * 0.75 * 0.25)) / 2)


def test_a_player_that_never_wins_has_a_finite_rating():
    found = rate(np.array([[0.0, 100.0, 100.0], [0.0, 0.0, 50.0], [0.0, 50.0, 0.0]]))
    assert np.isfinite(found.rating).all() and np.isfinite(found.error).all()
    assert found.rating[0] > found.rating[1] == pytest.approx(found.rating[2])
    assert found.rating.mean() == pytest.approx(MEAN)


def test_errors_are_the_spread_of_estimates():
    random = np.random.default_rng(1)
    strengths = np.array([1400.0, 1500.0, 1600.0])
    chance = beaten(strengths, 1.0)
    estimates, errors = [], []
    for _ in range(400):
        upper = np.triu(random.binomial(300, chance), 1)
        wins = upper + np.tril(300 - upper.T, -1)
        found = rate(wins.astype(float))
        estimates.append(found.rating)
        errors.append(found.error)
    assert np.std(estimates, axis=0) == pytest.approx(np.mean(errors, axis=0), rel=0.15)
