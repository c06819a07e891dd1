"""Intervals of 95 % for win rates, right for rotated seatings and for extreme counts.

Matches of a run are independent, but not alike: a player that leads first wins more often. A win
rate is then a mean over strata (the distances from the first leader), and varies less than that of
as many like trials. The variance over strata is estimated, and the interval is Wilson's for the
number of like trials that would vary as much (Wilson 1927; the effective number of trials as in
Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of positive
counts estimated from survey data"). Wilson's interval stays within 0..1 and is sensible for no
wins, all wins and a single match.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

Z = 1.959963984540054
"""Quantile of the normal distribution that leaves 2.5 % above it."""
Interval = tuple[float, float]


def wilson(rate: float, trials: float) -> Interval:
    """Wilson's interval of 95 % for a rate seen in this many trials, which need not be whole."""
    square = Z * Z
    centre = rate + square / (2.0 * trials)
    spread = Z * sqrt(rate * (1.0 - rate) / trials + square / (4.0 * trials * trials))
    scale = 1.0 + square / trials
    low = 0.0 if rate <= 0.0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if rate >= 1.0 else min(1.0, (centre + spread) / scale)
    return low, high


def win_interval(wins: Sequence[int], matches: Sequence[int]) -> Interval | None:
    """The interval for the share of all matches won; None when there are no matches.

    ``wins`` and ``matches`` by stratum: in each, all matches are alike.
    """
    total = sum(matches)
    if not total:
        return None
    return wilson(sum(wins) / total, total / design_effect(wins, matches))


def design_effect(wins: Sequence[int], matches: Sequence[int]) -> float:
    """Variance of a win rate over strata, by that of as many like trials: at most 1.

    Rates are drawn to one half by two wins and two losses in each stratum (Agresti and Coull 1998),
    so that a few matches, all won here and all lost there, are no proof of certainty.
    """
    rates = [(won + 2.0) / (played + 4.0) for won, played in zip(wins, matches, strict=True)]
    total = sum(matches)
    mean = sum(rate * played for rate, played in zip(rates, matches, strict=True)) / total
    within = sum(played * rate * (1.0 - rate) for rate, played in zip(rates, matches, strict=True))
    return min(1.0, within / (total * mean * (1.0 - mean)))
