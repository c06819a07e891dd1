"""Games between random players, and whether the two kernels play them alike."""

import ctypes

import numpy as np
import pytest

from mia_cli.engine.policy import Policy
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet
from mia_cli.simulate.lockstep import library
from mia_cli.simulate.lockstep.compiled_kernel import CompiledKernel
from mia_cli.simulate.lockstep.kernel import KernelGame
from mia_cli.simulate.lockstep.numpy_kernel import NumpyKernel
from mia_cli.simulate.seating import KINDS, seatings
from mia_cli.theory.rule_arrays import CLAIM_COUNT, FORCED, LEGAL, STANDINGS


def compiled_library() -> ctypes.CDLL:
    """The compiled kernel; without it, the test is skipped."""
    found = library.load()
    if found is None:
        pytest.skip("no compiled kernel: python .ci/build_kernel.py")
    return found


def random_tables(rng):
    """Claims and challenges of a player: some claims never made, some answers never in doubt."""
    shape = (len(STANDINGS), CLAIM_COUNT, CLAIM_COUNT)
    weights = rng.random(shape) * (rng.random(shape) < rng.choice([0.1, 0.5, 1.0]))
    weights *= LEGAL[:, None, :]
    weights[..., -1] += weights.sum(axis=-1) == 0.0
    challenges = np.clip(rng.normal(0.5, 0.7, shape[:2]), 0.0, 1.0) * LEGAL
    challenges[:, FORCED] = 1.0
    return weights / weights.sum(axis=-1, keepdims=True), challenges


def random_policy(rng):
    claims, challenges = (found.tolist() for found in random_tables(rng))
    rows = tuple(tuple(tuple(row) for row in standing) for standing in claims)
    return Policy(rows, tuple(tuple(row) for row in challenges))


class RandomByLives:
    """Random players that take turns with the lives."""

    def __init__(self, rng):
        self._tables = [random_tables(rng) for _ in range(5)]

    def tables(self, lives):
        return self._tables[hash(lives) % len(self._tables)]


def random_game(number, by_lives, most=30):
    """A game that follows from ``number``; ``by_lives``: some players change with the lives.

    ``most``: lives that all seats have together.
    """
    rng = np.random.default_rng(number)
    sizes = [(seats, lives) for seats in SEATS for lives in LIVES if seats * lives <= most]
    seats, lives = sizes[rng.integers(len(sizes))]
    rules = RuleSet(lives, int(rng.choice(PENALTIES)))
    players = [random_policy(rng) for _ in range(rng.integers(1, seats + 1))]
    if by_lives:
        players[0] = RandomByLives(rng)
    named = [players[0], *(players[at] for at in rng.integers(len(players), size=seats - 1))]
    kind = KINDS[rng.integers(len(KINDS))]
    return KernelGame(rules, named, seatings(seats, kind), seed=int(rng.integers(1 << 40)))


def check_equal(compiled, game, first, count, **options):
    """Both kernels give the same tally and the same turns. Options of CompiledKernel."""
    kernel, reference = CompiledKernel(compiled, game, **options), NumpyKernel(game)
    wanted, turns = reference.trace(first, count)
    played = kernel.play(first, count)
    tally, traced = kernel.trace(first, count)
    assert (
        played.to_json()
        == tally.to_json()
        == wanted.to_json()
        == reference.play(first, count).to_json()
    )
    assert traced.ends.tolist() == turns.ends.tolist()
    assert traced.turns.tolist() == turns.turns.tolist()
    assert len(turns.turns) == wanted.turns
