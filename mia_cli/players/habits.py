"""The habits of the fixed CPU levels: a few numbers each, and nothing else.

``easy`` is a beginner one can read, ``normal`` plays by the odds but has habits, ``hard`` bluffs
with every low roll, in small steps and big ones. ``levels`` makes policies of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """How a level plays, as numbers a person can read.

    Claiming: ``truthful`` is the chance to claim the roll itself when it beats the standing
    claim, ``truthful_low`` the same for rolls below 52; the rest, and every roll that is too low,
    bluffs. Of two bluffs a step apart the higher one is made ``reach`` times as often (0..1);
    ``camouflage`` (0..1) mixes in bluffs spread like true claims are.

    Answering: a claim is challenged with a chance that rises in a straight line from 0 at
    position ``trusts`` to ``doubt_at_66`` at 66. ``crowded`` (0..1) adds doubt when the
    roller had little room: it is multiplied by the share of rolls that could not beat the claim
    that stood before.

    ``version`` is raised whenever a level plays differently anywhere.
    """

    truthful: float
    truthful_low: float
    reach: float
    camouflage: float
    trusts: int
    doubt_at_66: float
    crowded: float
    version: int = 1


HABITS = {
    "easy": Habits(
        truthful=0.95,
        truthful_low=0.95,
        reach=0.2,
        camouflage=0.0,
        trusts=12,
        doubt_at_66=0.6,
        crowded=0.0,
        version=2,
    ),
    "normal": Habits(
        truthful=0.9,
        truthful_low=0.9,
        reach=0.6,
        camouflage=0.1,
        trusts=10,
        doubt_at_66=0.4,
        crowded=0.65,
        version=2,
    ),
    "hard": Habits(
        truthful=1.0,
        truthful_low=0.0,
        reach=0.75,
        camouflage=0.2,
        trusts=7,
        doubt_at_66=0.46,
        crowded=1.0,
        version=3,
    ),
}
"""The levels that are tables of probabilities, weakest first.

The numbers were found by exact evaluation: see README for what a level wins against which, and
what can be won against it. Tests hold all of it.
"""
