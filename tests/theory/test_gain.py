"""The proof: no seat gains by playing differently, anywhere; and the proof can fail."""

from dataclasses import replace

import numpy as np
import pytest

from mia_cli.theory import Solution, gains, max_gain, solve


@pytest.mark.parametrize("penalty", [1, 2])
def test_nobody_gains_up_to_four_seats(penalty):
    solution = solve(4, 5, penalty)
    gained = gains(solution)
    assert gained.shape == solution.table.shape
    assert gained.max() <= 1e-12
    # A best response is never worse than what it responds for.
    assert gained.min() >= -1e-12


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [1, 2])
def test_nobody_gains_at_any_table(penalty):
    solution = solve(6, 5, penalty)
    assert len(solution.states) == 1 + 25 + 125 + 625 + 3125 + 15625
    assert np.abs(solution.table.sum(axis=1) - 1).max() < 1e-13
    assert max_gain(solution) <= 1e-12


class Spoilt(Solution):
    """A solution with one thing played differently, everywhere."""

    def __init__(self, solution, spoil):
        super().__init__(solution.states, solution.table, solution.penalty_21)
        self.spoil = spoil

    def plays(self, some):
        return [self.spoil(play) for play in super().plays(some)]


def trusts_more(play):
    return replace(play, challenge=np.where(play.challenge < 1, play.challenge * 0.99, 1.0))


def doubts_more(play):
    return replace(
        play, challenge=np.where(play.challenge > 0, 1 - (1 - play.challenge) * 0.9, 0.0)
    )


def bluffs_less(play):
    fewer = play.bluffing.copy()
    fewer[0] *= 0.5
    return replace(play, bluffing=fewer)


def claims_mia(play):
    target = np.zeros_like(play.target)
    target[-1] = 1.0
    return replace(play, target=target)


@pytest.mark.parametrize("spoil", [trusts_more, doubts_more, bluffs_less, claims_mia])
@pytest.mark.parametrize("players", [2, 3])
def test_a_spoilt_solution_is_found_out(players, spoil):
    solution = solve(players, 2, 2)
    assert max_gain(solution) < 1e-12
    assert max_gain(Spoilt(solution, spoil)) > 1e-4


def test_progress_counts_every_state():
    told = []
    gains(solve(2, 3, 1), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (9, 9)
