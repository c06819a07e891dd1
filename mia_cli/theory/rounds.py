"""One round between fixed players: who loses it, and what is said on the way.

With every decision given by tables, a round is a chain over (standing claim, roller). Standing
claims only rise, so one pass from none to 66 gives the chance of every situation.

Arrays: ``B`` rounds at once (one per vector of lives), ``n`` living seats in playing order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mia_cli.theory.rule_arrays import (
    BLUFF,
    CHANCES,
    CLAIM_COUNT,
    FORCED,
    STANDINGS,
    SUPPORTS,
    Floats,
)

COUNTS = ("claims", "bluffs", "bluffs_caught", "challenges", "challenges_won")
"""What is counted by seat; a bluff is a claim above the roll, caught when it is challenged."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """Results of B rounds for each leader.

    ``loses[B, leader, loser, kind]``: chance that ``loser`` loses the round; kind 1 when the
    claim was 21, else 0; sums to 1 over the last two. ``counts[B, leader, count, seat]``: expected
    number by round of each of COUNTS.
    """

    loses: Floats
    counts: Floats


def claim_masses(claims: Floats) -> tuple[Floats, Floats]:
    """Chances that a claim is made and holds, and that it is made and is a bluff.

    From ``claims[..., roll, claim]`` (chance of a claim given the roll) to two [..., claim].
    """
    said = claims * CHANCES[:, None]
    return (said * SUPPORTS).sum(axis=-2), (said * BLUFF).sum(axis=-2)


def play_rounds(true: Floats, false: Floats, challenges: Floats) -> Rounds:
    """Follow rounds through.

    ``true`` and ``false``[B, n, 21 standings, 21 claims]: masses of ``claim_masses`` for each
    seat as roller. ``challenges`` (same shape): chance that the seat after it challenges.
    """
    batch, seats = true.shape[:2]
    accepted = (true + false) * (1.0 - challenges)
    reached = np.zeros((batch, CLAIM_COUNT, seats, seats))  # [B, standing, roller, leader]
    reached[:, 0] = np.eye(seats)
    for standing in range(1, len(STANDINGS)):
        flow = accepted[:, :, :standing, standing - 1]
        arrived = np.einsum("bcil,bic->bil", reached[:, :standing], flow)
        reached[:, standing] = np.roll(arrived, 1, axis=1)

    def total(masses: Floats) -> Floats:
        """[B, leader, roller]: expected number of claims with these masses."""
        expected: Floats = np.einsum("bcil,bic->bli", reached, masses)
        return expected

    held, caught = true * challenges, false * challenges
    loses = np.empty((batch, seats, seats, 2))
    for kind, claims in enumerate((~FORCED, FORCED)):
        loses[..., kind] = total(caught[..., claims].sum(-1))
        loses[..., kind] += np.roll(total(held[..., claims].sum(-1)), 1, axis=-1)
    wins = total(caught.sum(-1))
    counts = np.stack(
        [
            total((true + false).sum(-1)),
            total(false.sum(-1)),
            wins,
            np.roll(total((held + caught).sum(-1)), 1, axis=-1),
            np.roll(wins, 1, axis=-1),
        ],
        axis=2,
    )
    return Rounds(loses, counts)
