"""A policy: how a memoryless player claims and answers, as two tables of probabilities.

One object for three users: play samples it, the simulator vectorises it, theory evaluates it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.match import Accept, Answer, Challenge, Observation
from mia_cli.rules.rolls import CLAIMS, ROLLS, Claim, Roll, claims_above, parse_claim

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """A behaviour strategy: probabilities of every decision, whatever the lives.

    ``claims[standing][roll - 1][claim - 1]``: chance to make a claim with a roll, ``standing``
    being the position 1..20 of the claim to beat or 0 for none; each row sums to 1 over legal
    claims. ``challenges[standing][claim - 1]``: chance to challenge a claim made over
    ``standing``; 1 for a claim of 21, 0 for a claim that cannot be made. All indices are
    positions of ``rules.rolls``.
    """

    claims: tuple[tuple[Row, ...], ...]
    challenges: tuple[Row, ...]

    def claim_row(self, above: Claim | None, roll: Roll) -> Row:
        """Chances of the 21 claims with this roll."""
        return self.claims[position(above)][roll.position - 1]

    def challenge_probability(self, above: Claim | None, claim: Claim) -> float:
        """Chance to challenge ``claim`` that was made over ``above``."""
        return self.challenges[position(above)][claim.position - 1]


def position(above: Claim | None) -> int:
    """Index of a standing claim: its position, 0 for none."""
    return 0 if above is None else above.position


ClaimChoice = Claim | str | Mapping[Claim, float] | Mapping[str, float] | Sequence[float]
"""A claim, or its name; or weights of claims, or of all legal ones, the lowest first."""
ChooseClaim = Callable[[Claim | None, Roll], ClaimChoice]
ChallengeChance = Callable[[Claim | None, Claim], float]


def build(
    claims: ChooseClaim | ArrayLike,
    challenges: ChallengeChance | ArrayLike,
) -> Policy:
    """A policy from two functions over claims and rolls, or from tables as its fields are.

    ``claims(above, roll)`` gives a claim, or weights by claim, or a weight for each of
    ``claims_above(above)``; weights are not negative and not all zero, and are scaled to sum to
    1. ``challenges(above, claim)`` is asked for claims that beat ``above``; the forced
    challenge of 21 is put in. Tables are arrays or nested lists. Raises BadRuleSet:
    ``bad_weights`` (above, roll, value, claims: how many are legal), ``bad_chance`` (above, claim,
    value), ``bad_shape`` (value, allowed); CannotRead for a name of no claim.
    """
    said = claims if callable(claims) else _claims_of(claims)
    chance = challenges if callable(challenges) else _challenges_of(challenges)
    standings = (None, *(claim for claim in CLAIMS if not claim.must_be_challenged))
    return Policy(
        claims=tuple(
            tuple(_claim_row(above, roll, said(above, roll)) for roll in ROLLS)
            for above in standings
        ),
        challenges=tuple(_challenge_row(above, chance) for above in standings),
    )


def _claims_of(table: ArrayLike) -> ChooseClaim:
    rows = _checked(table, (21, 21, 21))
    return lambda above, roll: {
        claim: weight
        for claim, weight in zip(CLAIMS, rows[position(above)][roll.position - 1], strict=True)
        if weight
    }


def _challenges_of(table: ArrayLike) -> ChallengeChance:
    rows = _checked(table, (21, 21))
    return lambda above, claim: float(rows[position(above)][claim.position - 1])


def _checked(table: ArrayLike, shape: tuple[int, ...]) -> Any:
    """A table as nested lists."""
    import numpy as np

    try:
        array = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):  # not numbers, or rows of different lengths
        array = np.zeros(())
    if array.shape != shape:
        raise BadRuleSet("bad_shape", value=array.shape, allowed=shape)
    return array.tolist()


def _claim_row(above: Claim | None, roll: Roll, choice: ClaimChoice) -> Row:
    weights = _weights(above, choice)
    legal, total = len(claims_above(above)), sum(weights)
    sound = all(weight >= 0.0 for weight in weights) and 0.0 < total < inf
    if not sound or len(weights) != legal:
        value = tuple(weights)
        raise BadRuleSet(
            "bad_weights", above=_name(above), roll=roll.name, value=value, claims=legal
        )
    return (*_below(above), *(weight / total for weight in weights))


def _weights(above: Claim | None, choice: ClaimChoice) -> Sequence[float]:
    """Weights of the legal claims; those of others come after them, where they are too many."""
    if isinstance(choice, Claim | str):
        choice = {_claim(choice): 1.0}
    if not isinstance(choice, Mapping):
        return choice
    left = {_claim(one): weight for one, weight in choice.items()}
    return [*(left.pop(claim, 0.0) for claim in claims_above(above)), *left.values()]


def _claim(said: Claim | str) -> Claim:
    return parse_claim(said) if isinstance(said, str) else said


def _challenge_row(above: Claim | None, chance: ChallengeChance) -> Row:
    possible = claims_above(above)
    row = tuple(
        1.0 if claim.must_be_challenged else float(chance(above, claim)) for claim in possible
    )
    for claim, probability in zip(possible, row, strict=True):
        if not 0.0 <= probability <= 1.0:
            raise BadRuleSet("bad_chance", above=_name(above), claim=claim.name, value=probability)
    return (*_below(above), *row)


def _name(above: Claim | None) -> str | None:
    return None if above is None else above.name


def _below(above: Claim | None) -> Row:
    """Zeros for the claims that may not follow ``above``."""
    return (0.0,) * position(above)


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
        probability = self._policy.challenge_probability(seen.above, seen.claim)
        return Challenge() if uniform < probability else Accept()


def sample(chances: Sequence[float], uniform: float) -> int:
    """Index drawn from ``chances`` (summing to about 1) by a number in [0, 1).

    Never an index with chance 0, however the sum is rounded.
    """
    possible = [index for index, chance in enumerate(chances) if chance > 0.0]
    sums = accumulate(chances[index] for index in possible)
    return next(
        (index for index, sum_ in zip(possible, sums, strict=True) if uniform < sum_), possible[-1]
    )
