"""Two seats: every stage again as a linear program, in a recursion of its own."""

from functools import cache

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_array

from mia_cli.rules.match import lose, loss, next_leader, winner
from mia_cli.rules.rolls import CLAIMS, OUTCOMES, ROLLS, claim_at, claims_above
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import solve


class Programs:
    """Chance of the roller to win, by one linear program for each stage."""

    def __init__(self, penalty):
        self.rules = RuleSet(penalty_21=penalty)
        self.value = cache(self.value)

    def value(self, lives, standing):
        legal = claims_above(claim_at(standing) if standing else None)
        rolls = [(roll, claim) for roll in ROLLS for claim in legal]
        count = len(rolls)
        # Maximise the sum of what the answering seat leaves of each claim: for either answer,
        # left[claim] <= sum over rolls of chance * said[roll, claim] * worth.
        entries, rows = [], 0
        for at, claim in enumerate(legal):
            for accept in (False, True)[: 1 if claim.must_be_challenged else 2]:
                entries.append((rows, count + at, 1.0))
                for column, (roll, said) in enumerate(rolls):
                    if said == claim:
                        worth = self.worth(lives, roll, claim, accept)
                        entries.append((rows, column, -roll.ways / OUTCOMES * worth))
                rows += 1
        row, column, entry = zip(*entries, strict=True)
        shape = (rows, count + len(legal))
        one = [(ROLLS.index(roll), at) for at, (roll, _) in enumerate(rolls)]
        sums = coo_array((np.ones(count), np.array(one).T), shape=(len(ROLLS), shape[1]))
        solved = linprog(
            np.concatenate([np.zeros(count), -np.ones(len(legal))]),
            A_ub=coo_array((entry, (row, column)), shape=shape).tocsr(),
            b_ub=np.zeros(rows),
            A_eq=sums.tocsr(),
            b_eq=np.ones(len(ROLLS)),
            bounds=[(0, None)] * shape[1],
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        assert solved.status == 0
        return -solved.fun

    def worth(self, lives, roll, claim, accept):
        if accept:
            return 1 - self.value(lives[::-1], claim.position)
        loser = 2 if roll.supports(claim) else 1
        after = lose(lives, loser, loss(self.rules, claim))
        if winner(after):
            return float(winner(after) == 1)
        leads = next_leader(after, loser)
        return self.value(after, 0) if leads == 1 else 1 - self.value(after[::-1], 0)


@pytest.mark.parametrize(
    ("lives", "penalty"),
    [
        (2, 1),
        (2, 2),
        pytest.param(5, 1, marks=pytest.mark.slow),
        pytest.param(5, 2, marks=pytest.mark.slow),
    ],
)
def test_every_stage_of_two_seats(lives, penalty):
    solution, programs = solve(2, lives, penalty), Programs(penalty)
    for mine in range(1, lives + 1):
        for theirs in range(1, lives + 1):
            for standing in range(len(CLAIMS)):
                found = solution.values((mine, theirs), standing)[0]
                assert found == pytest.approx(programs.value((mine, theirs), standing), abs=1e-9)
