"""A policy: how a memoryless player claims and answers, as two tables of probabilities.

One object for three users: play samples it, the simulator vectorises it, theory evaluates it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf

from mia_cli.rules.match import Accept, Answer, Challenge, Observation
from mia_cli.rules.rolls import CLAIMS, ROLLS, Claim, Roll, claims_above

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """Probabilities of every decision, whatever the lives.

    ``claims[standing][roll - 1][claim - 1]``: chance to make a claim with a roll, ``standing``
    being the position 1..20 of the claim to beat or 0 for none; each row sums to 1 over legal
    claims. ``challenges[standing][claim - 1]``: chance to challenge a claim made over
    ``standing``; 1 for a claim of 21, 0 for a claim that cannot be made. All indices are
    positions of ``rules.rolls``.
    """

    claims: tuple[tuple[Row, ...], ...]
    challenges: tuple[Row, ...]

    def claim_row(self, standing: Claim | None, roll: Roll) -> Row:
        """Chances of the 21 claims with this roll."""
        return self.claims[position(standing)][roll.position - 1]

    def challenge_chance(self, standing: Claim | None, claim: Claim) -> float:
        """Chance to challenge ``claim`` that was made over ``standing``."""
        return self.challenges[position(standing)][claim.position - 1]


def position(standing: Claim | None) -> int:
    """Index of a standing claim: its position, 0 for none."""
    return 0 if standing is None else standing.position


def build(
    claim_weights: Callable[[Claim | None, Roll], Sequence[float]],
    challenge_chance: Callable[[Claim | None, Claim], float],
) -> Policy:
    """A policy from two functions over claims and rolls.

    ``claim_weights(standing, roll)`` gives a weight, not negative and not all zero, for each of
    ``claims_above(standing)``; they are scaled to sum to 1. ``challenge_chance(standing, claim)``
    is asked for claims that beat ``standing``; the forced challenge of 21 is put in. Raises
    ValueError for weights or chances outside these bounds.
    """
    standings = (None, *(claim for claim in CLAIMS if not claim.must_be_challenged))
    return Policy(
        claims=tuple(
            tuple(_claim_row(standing, claim_weights(standing, roll)) for roll in ROLLS)
            for standing in standings
        ),
        challenges=tuple(_challenge_row(standing, challenge_chance) for standing in standings),
    )


def _claim_row(standing: Claim | None, weights: Sequence[float]) -> Row:
    if len(weights) != len(claims_above(standing)):
        raise ValueError(f"{len(weights)} weights for the claims above {standing}")
    total = sum(weights)
    if not (all(weight >= 0.0 for weight in weights) and 0.0 < total < inf):
        raise ValueError(f"weights must be at least 0 and not all 0: {weights}")
    return (*_below(standing), *(weight / total for weight in weights))


def _challenge_row(standing: Claim | None, chance: Callable[[Claim | None, Claim], float]) -> Row:
    possible = claims_above(standing)
    row = tuple(1.0 if claim.must_be_challenged else chance(standing, claim) for claim in possible)
    if not all(0.0 <= doubt <= 1.0 for doubt in row):
        raise ValueError(f"chances to challenge must lie in 0..1: {row}")
    return (*_below(standing), *row)


def _below(standing: Claim | None) -> Row:
    """Zeros for the claims that may not follow ``standing``."""
    return (0.0,) * position(standing)


class PolicyPlayer:
    """Plays a policy: samples its tables with the uniform number it is given."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Sample a claim; always legal."""
        if seen.roll is None:
            raise AssertionError("a claim was asked of a seat that has not rolled")
        row = self._policy.claim_row(seen.above, seen.roll)
        legal = claims_above(seen.above)
        chances = row[len(row) - len(legal) :]
        return legal[sample(chances, uniform)]

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Sample an answer; 21 is always challenged."""
        if seen.claim is None:
            raise AssertionError("an answer was asked of a seat that heard no claim")
        if seen.claim.must_be_challenged:  # whatever a computed table was rounded to
            return Challenge()
        doubt = self._policy.challenge_chance(seen.above, seen.claim)
        return Challenge() if uniform < doubt else Accept()


def sample(chances: Sequence[float], uniform: float) -> int:
    """Index drawn from ``chances`` (summing to about 1) by a number in [0, 1).

    Never an index with chance 0, however the sum is rounded.
    """
    possible = [index for index, chance in enumerate(chances) if chance > 0.0]
    sums = accumulate(chances[index] for index in possible)
    return next(
        (index for index, sum_ in zip(possible, sums, strict=True) if uniform < sum_), possible[-1]
    )
