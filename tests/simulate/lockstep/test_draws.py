"""The random numbers are the documented ones, and even."""

import hashlib

import numpy as np
import pytest

from mia_cli.simulate.lockstep.draws import GAMMA, Draws, key, mix


def test_published_outputs_of_the_generator():
    """SplitMix64 started at 1234567, as in the reference code's often quoted example."""
    found = [mix(1234567 + (n + 1) * GAMMA & 2**64 - 1) for n in range(3)]
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("seed", [0, 7, -3, 10**80])
def test_documented_recipe(seed):
    words = Draws(seed, match=5)
    for turn in range(4):
        numbers = []
        for purpose in ("dice", "decisions"):
            digest = hashlib.sha256(f"mia-sim/1:{purpose}:{seed}".encode()).digest()
            z = int.from_bytes(digest[:8], "big")
            z = (z + (5 * 1024 + turn + 1) * 0x9E3779B97F4A7C15) % 2**64
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
            numbers.append(z ^ (z >> 31))
        dice, decisions = numbers
        assert words.outcome(turn) == dice // 2**33 * 36 // 2**31
        assert words.claim(turn) == decisions // 2**32
        assert words.answer(turn) == decisions % 2**31


def test_seeds_and_purposes_have_streams_of_their_own():
    starts = {key(seed, purpose) for seed in range(50) for purpose in ("dice", "decisions")}
    assert len(starts) == 100


def test_outcomes_are_even_and_neighbours_independent():
    """Chi-squared over outcomes, and over pairs of them in matches and turns next to each other."""
    outcomes = np.array(
        [[Draws(3, match).outcome(turn) for turn in range(20)] for match in range(2000)]
    )
    count = np.bincount(outcomes.ravel(), minlength=36)
    assert ((count - 40000 / 36) ** 2 / (40000 / 36)).sum() < 35 + 4 * np.sqrt(70)
    for first, second in ((outcomes[:, :-1], outcomes[:, 1:]), (outcomes[:-1], outcomes[1:])):
        pairs = np.bincount((first * 36 + second).ravel(), minlength=1296)
        expected = first.size / 1296
        assert ((pairs - expected) ** 2 / expected).sum() < 1295 + 4 * np.sqrt(2 * 1295)
