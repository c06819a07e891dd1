"""Players given by tables, for the tests of theory: the two of the published figures and others."""

import numpy as np

from mia_cli.engine.policy import build
from mia_cli.rules.match import Accept, Challenge
from mia_cli.rules.rolls import claims_above, ways_at_least


def _truth_else_lowest(standing, roll):
    legal = claims_above(standing)
    truth = [float(claim.position == roll.position) for claim in legal]
    return truth if any(truth) else [1.0] + [0.0] * (len(legal) - 1)


def _uniform(standing, roll):
    return [1.0] * len(claims_above(standing))


T = build(_truth_else_lowest, lambda standing, claim: 1 - ways_at_least(claim) / 36)
"""Tells the truth when the roll beats the standing claim, else makes the lowest legal claim."""
U = build(_uniform, lambda standing, claim: 0.5)
"""Claims anything, challenges half the time."""


def erratic(seed):
    """A policy with every probability drawn at random, some of them 0."""
    random = np.random.default_rng(seed)

    def weights(standing, roll):
        drawn = random.random(len(claims_above(standing)))
        drawn[drawn < 0.4] = 0.0
        drawn[random.integers(len(drawn))] = 0.5
        return [float(weight) for weight in drawn]

    return build(weights, lambda standing, claim: float(random.random()))


class Moody:
    """Tables that depend on the lives: one policy or the other by a hash of the lives."""

    def __init__(self, *policies):
        self.policies = policies

    def choose(self, lives):
        return self.policies[sum(left * 7**at for at, left in enumerate(lives)) % 2]

    def tables(self, lives):
        policy = self.choose(lives)
        return np.array(policy.claims), np.array(policy.challenges)


class Tablewise:
    """Plays ``Tabled`` tables through the engine."""

    def __init__(self, tabled):
        self.tabled = tabled
        self.known = {}

    def _tables(self, seen):
        turned = (*seen.lives[seen.roller - 1 :], *seen.lives[: seen.roller - 1])
        lives = tuple(left for left in turned if left)
        if lives not in self.known:
            self.known[lives] = self.tabled.tables(lives)
        return self.known[lives]

    def claim(self, seen, uniform):
        legal = claims_above(seen.above)
        row = self._tables(seen)[0][21 - len(legal), seen.roll.position - 1, -len(legal) :]
        return legal[min(int(np.searchsorted(np.cumsum(row), uniform, "right")), len(legal) - 1)]

    def answer(self, seen, uniform):
        above = seen.above.position if seen.above else 0
        probability = self._tables(seen)[1][above, seen.claim.position - 1]
        return Challenge() if uniform < probability else Accept()
