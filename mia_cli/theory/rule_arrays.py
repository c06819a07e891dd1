"""The rules as arrays of numbers, generated from ``mia_cli.rules`` and never typed again.

Arrays over claims or rolls are indexed by position - 1, arrays over standing claims by position
(0: none stands). ``lives`` vectors list living seats in playing order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.match import lose, loss, next_leader
from mia_cli.rules.rolls import CLAIMS, OUTCOMES, ROLLS, Claim
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Lives = tuple[int, ...]

MAX_LIVES = max(LIVES)
MAX_SEATS = max(SEATS)
CLAIM_COUNT = len(CLAIMS)
STANDINGS: tuple[Claim | None, ...] = (
    None,
    *(claim for claim in CLAIMS if not claim.must_be_challenged),
)
"""What a claim may have to beat: nothing, or a claim that was accepted."""

CHANCES: Floats = np.array([roll.ways / OUTCOMES for roll in ROLLS])
"""[21] chance of each roll."""
SUPPORTS: Bools = np.array([[roll.supports(claim) for claim in CLAIMS] for roll in ROLLS])
"""[21 rolls, 21 claims] whether the claim holds."""
BLUFF: Bools = np.array([[claim.exceeds(roll) for claim in CLAIMS] for roll in ROLLS])
"""[21 rolls, 21 claims] whether the claim is above the roll."""
LEGAL: Bools = np.array([[claim.beats(above) for claim in CLAIMS] for above in STANDINGS])
"""[21 standings, 21 claims] whether the claim may be made."""
FORCED: Bools = np.array([claim.must_be_challenged for claim in CLAIMS])
"""[21] whether the claim cannot be accepted."""


def losses(penalty_21: int) -> Ints:
    """[21] lives the loser of a challenge loses over each claim. Raises BadRuleSet."""
    rules = RuleSet(penalty_21=penalty_21)
    return np.array([loss(rules, claim) for claim in CLAIMS], dtype=np.intp)


@cache
def lives_after() -> Ints:
    """[lives 0..5, loss 0..2] lives left after a loss."""
    amounts = range(max(PENALTIES) + 1)
    return np.array(
        [[lose((left, 1), 1, amount)[0] for amount in amounts] for left in range(MAX_LIVES + 1)],
        dtype=np.intp,
    )


@cache
def leaders(seats: int) -> Ints:
    """[2**seats living sets, seats] index of the seat that leads after a seat lost.

    Bit ``i`` of a living set says that seat index ``i`` has lives once the loss is counted.
    """
    table = np.zeros((2**seats, seats), dtype=np.intp)
    for living, loser in product(range(1, 2**seats), range(seats)):
        lives = tuple(living >> seat & 1 for seat in range(seats))
        table[living, loser] = next_leader(lives, loser + 1) - 1
    return table


def require_lives(lives: Sequence[int]) -> Lives:
    """Check lives in playing order, the seat that rolls or leads first.

    2 to 6 entries of 0 to 5 lives; the first has lives, and so has another. Returns a tuple.
    Raises BadRuleSet("bad_lives") with the value and the limits.
    """
    plain = tuple(int(left) if isinstance(left, np.integer) else left for left in lives)
    good = all(type(left) is int and 0 <= left <= MAX_LIVES for left in plain)
    if not good or len(plain) not in SEATS or not plain[0] or not any(plain[1:]):
        raise BadRuleSet(
            "bad_lives", value=plain, seats=SEATS, lives=tuple(range(1, MAX_LIVES + 1))
        )
    return plain


def require_standing(standing: int) -> int:
    """Check the position of a standing claim: 0 for none, 1 to 20.

    Raises BadRuleSet("bad_standing"); nothing can follow a claim of 21.
    """
    plain = int(standing) if isinstance(standing, np.integer) else standing
    if type(plain) is not int or not 0 <= plain < len(STANDINGS):
        raise BadRuleSet("bad_standing", value=standing, lowest=0, highest=len(STANDINGS) - 1)
    return plain
