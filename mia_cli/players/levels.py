"""The policies of the fixed CPU levels, built from their habits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mia_cli.engine.policy import Policy, build
from mia_cli.players.habits import HABITS, Habits
from mia_cli.rules.rolls import CLAIMS, OUTCOMES, Claim, Roll, claims_above, roll_at, ways_at_least
from mia_cli.rules.ruleset import RuleSet

_POSITION_OF_66 = len(CLAIMS) - 1


@cache
def policy(level: str, rules: RuleSet) -> Policy:
    """The policy of a level under these rules. Raises KeyError for a level that is no table."""
    return from_habits(HABITS[level], rules)


def from_habits(habits: Habits, rules: RuleSet) -> Policy:
    """The policy that plays these habits under these rules."""

    def weights(standing: Claim | None, roll: Roll) -> Sequence[float]:
        return claim_weights(habits, rules, standing, roll)

    def challenges(standing: Claim | None, claim: Claim) -> float:
        return challenge_chance(habits, standing, claim)

    return build(weights, challenges)


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
