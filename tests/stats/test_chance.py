"""Chances against SciPy."""

import pytest
from scipy import stats

from mia_cli.stats.chance import chi_square, chi_square_tail


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
