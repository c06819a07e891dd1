"""The fixed CPU levels as habits: a few numbers each, from which their policies are built.

``easy`` is a beginner one can read, ``normal`` plays by the odds but has habits, ``hard`` mixes its
bluffs so that the claim does not betray the roll.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from mia_cli.players.policy import Policy, build
from mia_cli.rules.rolls import CLAIMS, OUTCOMES, Claim, Roll, claims_above, roll_at, ways_at_least
from mia_cli.rules.ruleset import RuleSet


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
    """

    truthful: float
    modest: float
    steps: tuple[float, ...]
    camouflage: float
    trusts: int
    doubt_at_66: float
    crowded: float


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

_POSITION_OF_66 = len(CLAIMS) - 1


@cache
def policy(level: str, rules: RuleSet) -> Policy:
    """The policy of a level under these rules. Raises KeyError for a level that is no table."""
    return from_habits(HABITS[level], rules)


def from_habits(habits: Habits, rules: RuleSet) -> Policy:
    """The policy that plays these habits under these rules."""

    def weights(standing: Claim | None, roll: Roll) -> Sequence[float]:
        return claim_weights(habits, rules, standing, roll)

    def doubt(standing: Claim | None, claim: Claim) -> float:
        return challenge_chance(habits, standing, claim)

    return build(weights, doubt)


def claim_weights(
    habits: Habits, rules: RuleSet, standing: Claim | None, roll: Roll
) -> list[float]:
    """Weights of the legal claims over ``standing``, lowest first."""
    legal = claims_above(standing)
    bluffs = _bluffs(habits, rules, legal, roll)
    true = [claim for claim in legal if not claim.exceeds(roll)]
    if not true:
        return bluffs
    if not any(bluffs):
        # A roll of 21 cannot be exceeded.
        bluffs = [0.0] * len(legal)
    honest = habits.truthful + habits.modest
    weights = [(1.0 - honest) * bluff for bluff in bluffs]
    weights[len(true) - 1] += habits.truthful
    weights[max(0, len(true) - 2)] += habits.modest
    return weights


def _bluffs(habits: Habits, rules: RuleSet, legal: Sequence[Claim], roll: Roll) -> list[float]:
    """Chances of the bluffs among the legal claims; all zero when nothing exceeds the roll."""
    higher = [claim.exceeds(roll) for claim in legal]
    stepped = _scaled(
        [habits.steps[at] if at < len(habits.steps) else 0.0 for at in range(len(legal))], higher
    )
    natural = _scaled([_natural(claim, rules) for claim in legal], higher)
    mix = habits.camouflage if any(stepped) else 1.0
    return [
        (1.0 - mix) * step + mix * spread for step, spread in zip(stepped, natural, strict=True)
    ]


def _natural(claim: Claim, rules: RuleSet) -> float:
    """Weight of a bluff that is spread as true claims are; a dearer 21 is bluffed less."""
    ways = roll_at(claim.position).ways
    return ways / rules.penalty_21 if claim.must_be_challenged else float(ways)


def _scaled(weights: Sequence[float], wanted: Sequence[bool]) -> list[float]:
    kept = [weight if want else 0.0 for weight, want in zip(weights, wanted, strict=True)]
    total = sum(kept)
    return [weight / total for weight in kept] if total else kept


def challenge_chance(habits: Habits, standing: Claim | None, claim: Claim) -> float:
    """Chance to challenge ``claim``, made over ``standing``; 21 is put in by the policy."""
    rise = (claim.position - habits.trusts) / (_POSITION_OF_66 - habits.trusts)
    by_height = max(0.0, rise) * habits.doubt_at_66
    too_low = 1.0 - ways_at_least(claims_above(standing)[0]) / OUTCOMES
    return min(1.0, by_height + habits.crowded * too_low)
