"""The statistics: intervals, and how surprising a set of dice is."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, sqrt

Z95 = 1.959963984540054
"""Quantile of the normal distribution with 2.5 % above it."""


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927); also for 1 match, all wins or none.

    Raises ValueError without matches.
    """
    if not 0 <= wins <= matches or not matches:
        raise ValueError(f"{wins} of {matches} is no share")
    share, square = wins / matches, Z95 * Z95
    middle = (share + square / (2 * matches)) / (1 + square / matches)
    spread = share * (1 - share) / matches + square / (4 * matches * matches)
    half = Z95 * sqrt(spread) / (1 + square / matches)
    low = 0.0 if wins == 0 else middle - half
    return max(0.0, low), 1.0 if wins == matches else min(1.0, middle + half)


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
