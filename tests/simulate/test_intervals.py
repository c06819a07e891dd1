"""Intervals cover what they should, for rotated seatings and for extreme counts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.simulate.intervals import design_effect, win_interval
from mia_cli.theory.intervals import wilson

LEADS, FOLLOWS = 0.75, 0.35
"""Chances to win of a player for whom leading is worth even more than in Mia."""


def binomial(trials: int, chance: float) -> list[float]:
    """Chances of 0, 1, 2 ... wins, by multiplication alone."""
    found = [(1 - chance) ** trials]
    for wins in range(trials):
        ratio = (trials - wins) / (wins + 1) * chance / (1 - chance)
        found.append(found[-1] * ratio)
    return found


def coverage(each: int, leads: float, follows: float) -> float:
    """Chance, summed over all outcomes, that the interval of ``2 * each`` matches has the truth."""
    truth = (leads + follows) / 2
    first, second = binomial(each, leads), binomial(each, follows)
    total = 0.0
    for led, one in enumerate(first):
        for followed, other in enumerate(second):
            low, high = win_interval((led, followed), (each, each))
            total += one * other * (low <= truth <= high)
    return total


@pytest.mark.parametrize("each", [10, 30, 100])
@pytest.mark.parametrize(
    ("leads", "follows"), [(0.55, 0.45), (LEADS, FOLLOWS), (0.98, 0.9), (0.1, 0.02), (0.97, 0.02)]
)
def test_coverage_over_all_outcomes(each, leads, follows):
    assert coverage(each, leads, follows) > 0.93


def test_strata_make_the_interval_narrower_where_leading_matters():
    """Like trials would be taken to vary more than these do."""
    low, high = win_interval((4500, 500), (5000, 5000))
    plain_low, plain_high = wilson(0.5, 10_000)
    assert high - low < 0.65 * (plain_high - plain_low)
    assert coverage(60, 0.9, 0.1) < 0.995


@pytest.mark.parametrize("matches", [1, 2, 10])
def test_few_matches(matches):
    for wins in range(matches + 1):
        leads = (matches + 1) // 2
        low, high = win_interval((min(wins, leads), max(0, wins - leads)), (leads, matches - leads))
        assert 0 <= low <= wins / matches <= high <= 1
        assert high - low > 0.2


def test_nothing_played():
    assert win_interval((0, 0), (0, 0)) is None


@pytest.mark.parametrize("matches", [1, 2, 10, 10**9])
def test_all_or_none(matches):
    low, high = win_interval((0,), (matches,))
    assert low == 0.0 and 0 < high < 1
    low, high = win_interval((matches,), (matches,))
    assert high == 1.0 and 0 < low < 1


@given(st.lists(st.integers(0, 10**12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))))
def test_always_a_part_of_0_to_1(strata):
    wins, matches = [won for won, _ in strata], [played for _, played in strata]
    found = win_interval(wins, matches)
    if not sum(matches):
        assert found is None
        return
    low, high = found
    assert all(map(math.isfinite, found))
    rate = sum(wins) / sum(matches)
    assert 0 <= low <= rate + 1e-15 and rate - 1e-15 <= high <= 1
    assert 0 < design_effect(wins, matches) <= 1
