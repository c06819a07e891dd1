"""The normal quantile and Wilson's interval against SciPy."""

import pytest
from scipy import stats

from mia_cli.theory.intervals import Z95, wilson


@pytest.mark.parametrize("matches", [1, 2, 10, 400, 10**6])
def test_wilson(matches):
    for wins in {0, 1, matches // 3, matches - 1, matches}:
        expected = stats.binomtest(wins, matches).proportion_ci(method="wilson")
        low, high = wilson(wins / matches, matches)
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
        assert 0.0 <= low < high <= 1.0


def test_no_rate():
    for rate, trials in ((0.0, 0), (2.0, 1), (-0.1, 3), (0.5, -1.0)):
        with pytest.raises(ValueError):
            wilson(rate, trials)


def test_the_quantile():
    assert pytest.approx(stats.norm.ppf(0.975), abs=1e-15) == Z95
