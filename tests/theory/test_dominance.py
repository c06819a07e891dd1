"""Dominated actions: found as they are defined, never taken by the solution."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli.rules.rolls import CLAIMS, ROLLS, claims_above
from mia_cli.theory import solve
from mia_cli.theory.dominance import dominated, dominated_answers, dominated_claims
from mia_cli.theory.rule_arrays import STANDINGS

FEW = (0.0, 0.25, 0.5, 1.0)
"""Values with many ties."""


def ends(seed):
    """What 21 claims lead to, for two vectors of lives."""
    random = np.random.default_rng(seed)
    held, caught, accepted = random.choice(FEW, (3, 21, 2))
    held[:20], caught[:20] = held[0], caught[0]
    return held, caught, accepted


def outcomes(end, roll, claim, column):
    """All that a claim can be worth, by the answer."""
    held, caught, accepted = (part[claim.position - 1, column] for part in end)
    challenged = held if roll.supports(claim) else caught
    return (challenged,) if claim.must_be_challenged else (challenged, accepted)


def beats(some, others):
    """At least as much whatever the answers to the two claims, and more in one case."""
    pairs = list(product(some, others))
    return all(one >= other for one, other in pairs) and any(one > other for one, other in pairs)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_claims_by_the_definition(seed):
    end = ends(seed)
    found, safest = dominated_claims(*end)
    for standing, roll, column in product(STANDINGS, ROLLS, range(2)):
        at = 0 if standing is None else standing.position
        legal = claims_above(standing)
        worth = {claim: outcomes(end, roll, claim, column) for claim in legal}
        for claim in CLAIMS:
            expected = claim in legal and any(beats(worth[other], worth[claim]) for other in legal)
            assert found[at, roll.position - 1, claim.position - 1, column] == expected
        best = CLAIMS[safest[at, roll.position - 1, column]]
        assert best in legal
        for claim in legal:
            if found[at, roll.position - 1, claim.position - 1, column]:
                assert beats(worth[best], worth[claim])


@given(st.integers(0, 2**32 - 1))
def test_answers_by_the_definition(seed):
    held, caught, accepted = end = ends(seed)
    challenges, accepts = dominated_answers(*end)
    for claim, column in product(CLAIMS, range(2)):
        at = claim.position - 1, column
        cases = {held[at] if roll.supports(claim) else caught[at] for roll in ROLLS}
        free = not claim.must_be_challenged
        other = cases != {accepted[at]}
        worse = free and other and all(case <= accepted[at] for case in cases)
        better = free and other and all(case >= accepted[at] for case in cases)
        assert (challenges[at], accepts[at]) == (worse, better)


def taken(solution, seats):
    """How many dominated actions have a chance, over all lives of so many seats."""
    numbers = np.flatnonzero(solution.states.living == seats)
    count = 0
    for some in np.array_split(numbers, -(-len(numbers) // 200)):
        found = dominated(solution, [solution.states.vectors[number] for number in some])
        for standing, play in enumerate(solution.plays(some)):
            count += (found.claims[standing, :, standing:] & (play.claims() > 0.0)).sum()
            count += (found.challenges[standing:] & (play.challenge > 0.0)).sum()
            count += (found.accepts[standing:] & (play.challenge < 1.0)).sum()
    return count


@pytest.mark.parametrize("penalty", [1, 2])
def test_the_solution_takes_no_dominated_action_up_to_four_seats(penalty):
    solution = solve(4, 5, penalty)
    assert [taken(solution, seats) for seats in (2, 3, 4)] == [0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [1, 2])
def test_the_solution_takes_no_dominated_action_at_any_table(penalty):
    solution = solve(6, 5, penalty)
    assert [taken(solution, seats) for seats in (5, 6)] == [0, 0]


@pytest.mark.parametrize("penalty", [1, 2])
def test_a_false_21_with_another_claim_left_is_dominated_whatever_the_lives(penalty):
    solution = solve(4, 3, penalty)
    found = dominated(solution, solution.states.vectors[1:]).claims
    assert found[:20, :20, 20].all()
    assert not found[20].any()
