"""Intervals of 95 % for win rates, right for rotated seatings and for extreme counts.

Matches of a run are independent, but not alike: a player that leads first wins more often. A win
rate is then a mean over strata (the distances from the first leader), and varies less than that of
as many like trials. The variance over strata is estimated, and the interval is Wilson's for the
number of like trials that would vary as much (Wilson 1927; the effective number of trials as in
Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of positive
counts estimated from survey data"). Wilson's interval stays within 0..1 and is sensible for no
wins, all wins and a single match.

Where players learn, a session of matches is one draw, and the variance is estimated from the
differences between sessions, as for clusters in a survey (Cochran 1977, "Sampling techniques",
section 9). It is never taken to be smaller than that of independent matches. Few sessions tell
little about their own variance. So one session more is taken to have been seen, with twice the
variance of independent matches; and the number of like trials is reduced by the square of the ratio
of Student's quantile to the normal one. Simulated sessions (tests) are covered as they should be
up to four times that variance, from two sessions on; a single one says little.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt, tan

from mia_cli.theory.intervals import Z95, Interval, wilson

PRIOR_EFFECT = 2.0
"""Variance over sessions, by that of independent matches, before any was seen."""


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


def session_interval(
    wins: Sequence[int], matches: Sequence[int], sums: Sequence[int]
) -> Interval | None:
    """``win_interval`` where matches were played in sessions; ``sums`` as in ``sessions``.

    ``sums``: sessions, and the sums of w * w, w * n and n * n for w wins in n matches of a session.
    """
    total = sum(matches)
    if not total:
        return None
    # A session that was cut short counts for what it is worth (Kish 1965, "Survey sampling").
    sessions = round(total * total / sums[3])
    seen = session_effect(sum(wins), total, sums)
    effect = (PRIOR_EFFECT + (sessions - 1) * seen) / sessions
    trials = total / max(design_effect(wins, matches), effect) * (Z95 / student(sessions)) ** 2
    return wilson(sum(wins) / total, max(1.0, trials))


def session_effect(wins: int, matches: int, sums: Sequence[int]) -> float:
    """Variance of a win rate over sessions, by that of as many like trials; 0 where unknown."""
    sessions, squares, products, sizes = sums
    rate = wins / matches
    if sessions < 2 or not 0.0 < rate < 1.0:
        return 0.0
    # Whole numbers of up to 10^10 are exact here; the rate is the only one that is rounded.
    spread = squares - 2.0 * rate * products + rate * rate * sizes
    variance = sessions / (sessions - 1.0) * max(0.0, spread) / matches
    return variance / (rate * (1.0 - rate))


def student(freedom: int) -> float:
    """The quantile of Student's distribution that leaves 2.5 % above it.

    From 3 degrees of freedom on, the expansion 26.7.5 of Abramowitz and Stegun (1964).
    """
    if freedom == 1:
        return tan(pi * 0.475)
    if freedom == 2:
        return 0.95 * sqrt(2.0 / (1.0 - 0.95**2))
    z = Z95
    terms = (
        (z**3 + z) / 4.0,
        (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / 96.0,
        (3.0 * z**7 + 19.0 * z**5 + 17.0 * z**3 - 15.0 * z) / 384.0,
        (79.0 * z**9 + 776.0 * z**7 + 1482.0 * z**5 - 1920.0 * z**3 - 945.0 * z) / 92160.0,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
