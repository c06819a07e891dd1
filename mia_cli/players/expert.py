"""The ``expert``: a player that plays the solution of the lives actually on the table."""

from __future__ import annotations

from mia_cli.engine.policy import position, sample
from mia_cli.rules.match import Accept, Answer, Challenge, Observation, in_playing_order
from mia_cli.rules.rolls import Claim, claims_above
from mia_cli.theory.solution import Solution


class Expert:
    """Samples the equilibrium, as roller and when answering, for any number of seats.

    Where several actions are equally good in equilibrium, the solution prefers those that cost a
    careless opponent more (see ``tie_breaking``); no seat gains by leaving it all the same.
    """

    def __init__(self, solution: Solution) -> None:
        self._solution = solution

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Sample a claim. Raises BadRuleSet("not_solved") beyond the solved tables."""
        assert seen.roll is not None, "a claim is asked of the seat that rolled"
        standing = position(seen.above)
        lives = in_playing_order(seen.lives, seen.roller)
        row = self._solution.claim_probabilities(lives, standing)[seen.roll.position - 1]
        legal = claims_above(seen.above)
        return legal[sample(row[standing:].tolist(), uniform)]

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Sample an answer. Raises BadRuleSet("not_solved") beyond the solved tables."""
        assert seen.claim is not None, "an answer is asked of the seat that heard a claim"
        lives = in_playing_order(seen.lives, seen.roller)
        probabilities = self._solution.challenge_probabilities(lives, position(seen.above))
        forced = seen.claim.must_be_challenged
        challenges = forced or uniform < probabilities[seen.claim.position - 1]
        return Challenge() if challenges else Accept()
