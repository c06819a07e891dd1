"""The normal quantile and Wilson's interval, by which every figure from counts is framed."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""Quantile of the normal distribution that leaves 2.5 % above it."""
Interval = tuple[float, float]


def wilson(rate: float, trials: float) -> Interval:
    """Wilson's interval of 95 % for a rate seen in this many trials, which need not be whole.

    Within 0..1, and sensible for no successes, successes only, and a single trial (Wilson 1927).
    Raises ValueError for what is no rate of any trials.
    """
    if not (0.0 <= rate <= 1.0 and trials > 0.0):
        raise ValueError(f"{rate} of {trials} trials is no rate")
    square = Z95 * Z95
    centre = rate + square / (2.0 * trials)
    spread = Z95 * sqrt(rate * (1.0 - rate) / trials + square / (4.0 * trials * trials))
    scale = 1.0 + square / trials
    low = 0.0 if rate <= 0.0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if rate >= 1.0 else min(1.0, (centre + spread) / scale)
    return low, high
