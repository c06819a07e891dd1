"""Two players that anyone can check: see the tests that use them."""

from mia_cli.engine.policy import Policy, build
from mia_cli.rules.rolls import OUTCOMES, claims_above, ways_at_least


def honest() -> Policy:
    """Claims its roll where that is allowed, else as little as possible; challenges by the odds."""

    def weights(standing, roll):
        legal = claims_above(standing)
        truth = [float(claim.position == roll.position) for claim in legal]
        return truth if any(truth) else [1.0, *truth[1:]]

    return build(weights, lambda _standing, claim: 1 - ways_at_least(claim) / OUTCOMES)


def careless() -> Policy:
    """Claims anything, challenges every other time."""
    return build(lambda standing, _roll: [1.0] * len(claims_above(standing)), lambda *_: 0.5)
