"""The habits of the fixed CPU levels: a few numbers each, and nothing else.

``easy`` is a beginner one can read, ``normal`` plays by the odds but has habits, ``hard`` mixes its
bluffs so that the claim does not betray the roll. ``levels`` makes policies of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """How a level plays, as numbers a person can read.

    Claiming: ``truthful`` is the chance to claim the roll itself when it beats the standing
    claim; ``modest`` the chance to claim one step lower where that is legal too; the rest, and
    every roll that is too low, bluffs. ``steps`` weigh the bluffs one, two, three ... claims above
    the lowest legal one, and ``camouflage`` (0..1) mixes in bluffs spread like true claims are, so
    that a claim says little about the roll.

    Answering: a claim is challenged with a chance that rises in a straight line from 0 at
    position ``trusts`` to ``doubt_at_66`` at 66. ``crowded`` (0..1) adds doubt when the
    roller had little room: it is multiplied by the share of rolls that could not beat the claim
    that stood before.

    ``version`` is raised whenever a level plays differently anywhere.
    """

    truthful: float
    modest: float
    steps: tuple[float, ...]
    camouflage: float
    trusts: int
    doubt_at_66: float
    crowded: float
    version: int = 1


HABITS = {
    "easy": Habits(
        truthful=0.9,
        modest=0.1,
        steps=(8.0, 1.5, 0.5),
        camouflage=0.0,
        trusts=12,
        doubt_at_66=0.6,
        crowded=0.0,
    ),
    "normal": Habits(
        truthful=0.9,
        modest=0.05,
        steps=(3.0, 2.0, 1.0, 0.5),
        camouflage=0.1,
        trusts=10,
        doubt_at_66=0.4,
        crowded=0.6,
    ),
    "hard": Habits(
        truthful=1.0,
        modest=0.0,
        steps=(1.0, 2.0, 1.0, 1.0),
        camouflage=0.75,
        trusts=8,
        doubt_at_66=0.7,
        crowded=1.1,
    ),
}
"""The levels that are tables of probabilities, weakest first.

The numbers were found by exact evaluation. The ceilings (win chance of a best response; two seats,
3 lives, penalty 1, mean over who leads first) are 0.89, 0.75 and 0.61; ``normal`` wins 0.62
against ``easy``, ``hard`` 0.58 against ``easy`` and 0.56 against ``normal``. Tests hold them.
"""
