"""The values of one stage (a roll, a claim, an answer) for every seat, from the solution.

All arrays are [living seats], in playing order from the seat that rolls: chances to win.
"""

from __future__ import annotations

import numpy as np

from mia_cli.engine.policy import position
from mia_cli.rules.match import Accept, Action, Match, in_playing_order
from mia_cli.rules.rolls import Claim, Roll
from mia_cli.theory.rule_arrays import Floats, require_lives
from mia_cli.theory.solution import Solution


class StageValues:
    """What a position before a roll, and all that may follow, is worth to whom.

    ``order``: the living seats from the roller; ``before``: values before the roll.
    """

    def __init__(self, solution: Solution, match: Match) -> None:
        seats = len(match.lives)
        turned = [(match.roller - 1 + step) % seats + 1 for step in range(seats)]
        self.order = [seat for seat in turned if match.lives[seat - 1]]
        self._standing = position(match.above)
        lives = require_lives(in_playing_order(match.lives, match.roller))
        state = solution.state(lives)
        self._ahead, self._play = solution.stages(np.array([state]), self._standing)
        self._living = len(self.order)
        self.before: Floats = solution.table[self._standing, : self._living, state]

    def accepted(self, claim: Claim) -> Floats:
        """After the claim was accepted."""
        found: Floats = self._ahead.accepted[claim.position - 1, : self._living, 0]
        return found

    def of_answer(self, answer: Action, claim: Claim, holds: float) -> Floats:
        """After an answer, where the claim holds with this chance."""
        if isinstance(answer, Accept):
            return self.accepted(claim)
        held, caught = (
            end[claim.position - 1, : self._living, 0]
            for end in (self._ahead.held, self._ahead.caught)
        )
        found: Floats = holds * held + (1.0 - holds) * caught
        return found

    def of_mix(self, claim: Claim, holds: float) -> Floats:
        """After the claim, answered as in the solution, where it holds with this chance."""
        probability = float(self._play.challenge[claim.position - 1 - self._standing, 0])
        held, caught = (
            end[claim.position - 1, : self._living, 0]
            for end in (self._ahead.held, self._ahead.caught)
        )
        shown = holds * held + (1.0 - holds) * caught
        found: Floats = probability * shown + (1.0 - probability) * self.accepted(claim)
        return found

    def of_claim(self, roll: Roll, claim: Claim) -> Floats:
        """After the claim with this roll."""
        return self.of_mix(claim, float(roll.supports(claim)))

    def of_roll(self, roll: Roll) -> Floats:
        """After the roll, claimed as in the solution."""
        from mia_cli.rules.rolls import CLAIMS

        chances = self._play.claims()[roll.position - 1, :, 0]
        legal = CLAIMS[self._standing :]
        moves = [self.of_claim(roll, claim) for claim in legal]
        found: Floats = np.array(chances) @ np.array(moves)
        return found
