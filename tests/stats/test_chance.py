"""Intervals and chances against SciPy."""

import pytest
from scipy import stats

from mia_cli.stats.chance import chi_square, chi_square_tail, wilson


@pytest.mark.parametrize("matches", [1, 2, 10, 400, 10**6])
def test_wilson(matches):
    for wins in {0, 1, matches // 3, matches - 1, matches}:
        expected = stats.binomtest(wins, matches).proportion_ci(method="wilson")
        low, high = wilson(wins, matches)
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
        assert 0.0 <= low < high <= 1.0


def test_no_share():
    for wins, matches in ((0, 0), (2, 1), (-1, 3)):
        with pytest.raises(ValueError):
            wilson(wins, matches)


@pytest.mark.parametrize("freedom", [2, 4, 20, 60])
def test_the_tail(freedom):
    for figure in (0.0, 1e-9, 0.5, 10.0, 20.0, 31.4, 75.0, 400.0, 5000.0):
        expected = stats.chi2.sf(figure, freedom)
        assert chi_square_tail(figure, freedom) == pytest.approx(expected, rel=1e-10, abs=1e-300)


def test_the_figure():
    shares = [0.5, 0.25, 0.25]
    seen = [40, 35, 25]
    expected = stats.chisquare(seen, [50, 25, 25]).statistic
    assert chi_square(seen, shares) == pytest.approx(expected)
    assert chi_square([0, 0, 0], shares) == 0.0


@pytest.mark.parametrize(("figure", "freedom"), [(1.0, 3), (1.0, 0), (-1.0, 20)])
def test_no_closed_form(figure, freedom):
    with pytest.raises(ValueError):
        chi_square_tail(figure, freedom)
