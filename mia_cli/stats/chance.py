"""How surprising a set of dice is."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log


def chi_square(observed: Sequence[int], shares: Sequence[float]) -> float:
    """Pearson's figure: the sum of (observed - expected)^2 / expected; 0 without observations."""
    total = sum(observed)
    pairs = zip(observed, shares, strict=True)
    return sum((seen - total * share) ** 2 / (total * share) for seen, share in pairs if total)


def chi_square_tail(figure: float, freedom: int) -> float:
    """Chance that fair dice give this figure or a larger one, for an even ``freedom``.

    With freedom = 2 m the distribution has the closed form Q = exp(-x) sum_{k < m} x^k / k!,
    x = figure / 2 (Abramowitz and Stegun 26.4.5). Raises ValueError for an odd one.
    """
    if freedom < 2 or freedom % 2 or figure < 0.0:
        raise ValueError(f"no closed form for {figure} and {freedom} degrees of freedom")
    half = figure / 2.0
    if half == 0.0:
        return 1.0
    terms = (exp(k * log(half) - lgamma(k + 1) - half) for k in range(freedom // 2))
    return min(1.0, sum(terms))
