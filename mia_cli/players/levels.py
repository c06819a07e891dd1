"""The fixed CPU levels: policies built from their habits, and players that look at the lives.

No policy takes a dominated action (``theory.dominance``) with two seats, whatever the lives. With
more seats the lives decide which actions are dominated, and the solution tells: a level leaves
them out there, and the solution is asked for when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from mia_cli.engine.policy import Policy, PolicyPlayer, build
from mia_cli.players import kept_policies
from mia_cli.players.habits import HABITS, Habits
from mia_cli.players.kept_policies import KeptPolicies
from mia_cli.rules.match import Answer, Observation, in_playing_order
from mia_cli.rules.rolls import (
    CLAIMS,
    OUTCOMES,
    Claim,
    Roll,
    claims_above,
    parse_claim,
    roll_at,
    ways_at_least,
)
from mia_cli.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from mia_cli.theory.dominance import Undominated
    from mia_cli.theory.solution import Solution

_POSITION_OF_66 = len(CLAIMS) - 1
_SAFE = parse_claim("52")
"""Up to here a claim may as well be true: accepted, none is worth more than another."""


@cache
def policy(level: str, rules: RuleSet) -> Policy:
    """The policy of a level under these rules. Raises KeyError for a level that is no table."""
    return from_habits(HABITS[level], rules)


@cache
def strategy(level: str, rules: RuleSet, solution: Solution) -> Undominated:
    """The tables of a level by lives, for any number of seats that is solved. Raises KeyError."""
    from mia_cli.theory.dominance import Undominated

    return Undominated(policy(level, rules), solution)


SolutionSource = Callable[[int, int, int], "Solution"]
"""Gives the solution for seats, lives and the loss over a claim of 21; may take seconds once."""


class LevelPolicies:
    """The policies of a level by the lives on the table."""

    def __init__(self, level: str, rules: RuleSet, solved: SolutionSource) -> None:
        self._level, self._rules, self._solved = level, rules, solved
        self._known: dict[tuple[int, ...], Policy] = {}
        self._kept: KeptPolicies | None = None
        self._of_two = partial(policy, level, rules)

    def at(self, lives: Sequence[int], roller: int) -> Policy:
        """``lives`` by seat while the seat ``roller`` rolls."""
        living = in_playing_order(lives, roller)
        if len(living) == 2:
            return self._of_two()
        if living not in self._known:
            self._known[living] = self._worked_out(living, len(lives))
        return self._known[living]

    def is_kept(self, seats: int) -> bool:
        """Whether the policies of such a table are known without its solution."""
        if self._kept is None:
            self._kept = kept_policies.load(self._level, self._rules, seats, self._of_two)
        return seats == 2 or self._kept is not None

    def prepare(self, seats: int) -> None:
        """Ask for the solution of such a table now, if it will be needed, and not in a match."""
        if not self.is_kept(seats):
            self._solved(seats, self._rules.lives, self._rules.penalty_21)

    def _worked_out(self, living: tuple[int, ...], seats: int) -> Policy:
        if self.is_kept(seats) and self._kept is not None:
            return self._kept.at(living)
        rules, base = self._rules, self._of_two
        player = strategy(self._level, rules, self._solved(seats, rules.lives, rules.penalty_21))
        if seats <= kept_policies.MOST_SEATS:
            self._kept = kept_policies.make(self._level, rules, seats, base, player)
            return self._kept.at(living)
        return Policy(*(table.tolist() for table in player.tables(living)))


class LevelPlayer:
    """Plays a level at a table with any number of seats."""

    def __init__(self, policies: LevelPolicies) -> None:
        self._policies = policies

    def prepare(self, seats: int) -> None:
        """See ``LevelPolicies``."""
        self._policies.prepare(seats)

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Sample a claim; always legal."""
        return self._player(seen).claim(seen, uniform)

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Sample an answer; 21 is always challenged."""
        return self._player(seen).answer(seen, uniform)

    def _player(self, seen: Observation) -> PolicyPlayer:
        return PolicyPlayer(self._policies.at(seen.lives, seen.roller))


def from_habits(habits: Habits, rules: RuleSet) -> Policy:
    """The policy that plays these habits under these rules."""

    def weights(above: Claim | None, roll: Roll) -> Sequence[float]:
        return claim_weights(habits, above, roll)

    def challenges(above: Claim | None, claim: Claim) -> float:
        return challenge_chance(habits, rules, above, claim)

    return build(weights, challenges)


def claim_weights(habits: Habits, above: Claim | None, roll: Roll) -> list[float]:
    """Weights of the legal claims over ``above``, lowest first.

    A false 21 is a life thrown away: it is claimed only where nothing else is left. A bluff up to
    52 risks what the truth does not, and leads no further: it is for rolls that cannot be told.
    """
    legal = claims_above(above)
    true = [claim for claim in legal if not claim.exceeds(roll)]
    bluffs = tuple(
        claim.exceeds(roll) and not claim.must_be_challenged and (not true or claim.beats(_SAFE))
        for claim in legal
    )
    if not any(bluffs):
        return [float(claim is legal[len(true) - 1]) for claim in legal]
    honest = habits.truthful_low if _SAFE.exceeds(roll) else habits.truthful
    honest = honest if true else 0.0
    weights = [(1.0 - honest) * weight for weight in _bluffs(habits, legal, bluffs)]
    if true:
        weights[len(true) - 1] += honest
    return weights


@cache
def _bluffs(habits: Habits, legal: tuple[Claim, ...], wanted: tuple[bool, ...]) -> list[float]:
    """Chances of the wanted bluffs among the legal claims; alike for all rolls below them."""
    stepped = _scaled([habits.reach**step for step in range(len(legal))], wanted)
    natural = _scaled([roll_at(claim.position).ways for claim in legal], wanted)
    mix = habits.camouflage
    return [
        (1.0 - mix) * step + mix * spread for step, spread in zip(stepped, natural, strict=True)
    ]


def _scaled(weights: Sequence[float], wanted: Sequence[bool]) -> list[float]:
    kept = [weight if want else 0.0 for weight, want in zip(weights, wanted, strict=True)]
    total = sum(kept)
    return [weight / total for weight in kept]


def challenge_chance(habits: Habits, rules: RuleSet, above: Claim | None, claim: Claim) -> float:
    """Chance to challenge ``claim``, made over ``above``; 21 is put in by the policy.

    A claim of 31 holds with every roll. After 66 only 21 is left, and where it costs more than
    the challenge of a 66, that is the better risk whatever the roll.
    """
    if ways_at_least(claim) == OUTCOMES:
        return 0.0
    if rules.penalty_21 > 1 and claim.position == _POSITION_OF_66:
        return 1.0
    rise = (claim.position - habits.trusts) / (_POSITION_OF_66 - habits.trusts)
    by_height = max(0.0, rise) * habits.doubt_at_66
    too_low = 1.0 - ways_at_least(claims_above(above)[0]) / OUTCOMES
    return min(1.0, by_height + habits.crowded * too_low)
