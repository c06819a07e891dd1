"""What the solution advises at a decision, and what another choice would cost.

Chances to win are those of the deciding seat if everybody plays the solution from there on. At
three or more seats that is one equilibrium among others, and other players can change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mia_cli.engine.policy import position
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.match import (
    Accept,
    Action,
    Challenge,
    MakeClaim,
    Observation,
    in_playing_order,
    legal_answers,
)
from mia_cli.rules.rolls import Claim, Roll, claims_above
from mia_cli.theory import tie_breaking
from mia_cli.theory.reasons import Reason, answer_reason, claim_reason
from mia_cli.theory.rule_arrays import require_lives, require_standing
from mia_cli.theory.solution import Solution
from mia_cli.theory.stage import StageEquilibrium
from mia_cli.theory.states import ANSWERING, ROLLER, Ahead

if TYPE_CHECKING:
    from mia_cli.theory.second_opinion import SecondOpinion


@dataclass(frozen=True, slots=True)
class Option:
    """An action, how often the solution takes it, and the chance to win after it.

    Of a claim: ``challenged``, how often the solution challenges it, and the chances to win once
    it is and once it is accepted. All three are 0 for an answer.
    """

    action: Action
    probability: float
    win: float
    challenged: float = 0.0
    if_challenged: float = 0.0
    if_accepted: float = 0.0


@dataclass(frozen=True, slots=True)
class Advice:
    """The options at a decision: claims from the lowest, or accept and challenge.

    At an answer, ``holds`` is the chance that the claim is true, and ``expected`` tells whether
    the solved roller ever makes it. If so, ``holds`` is exact against that roller. If not, it is
    the chance with a careless roller (``tie_breaking``), moved just as far as makes the solved
    answer right. ``if_true`` and ``if_false``: chance to win after a challenge of a claim that
    holds, and of one that does not. At a claim all three are None. ``reason`` says what decides,
    ``second`` what is better against the level of the other seat, where its habits are known.
    """

    options: tuple[Option, ...]
    reason: Reason
    holds: float | None = None
    expected: bool = True
    if_true: float | None = None
    if_false: float | None = None
    second: SecondOpinion | None = None

    @property
    def win(self) -> float:
        """Chance to win with the advised mix."""
        return sum(option.probability * option.win for option in self.options)

    @property
    def choice(self) -> Option:
        """The best option; of those that win alike, the one that the best play takes most."""
        return max(self.options, key=lambda option: (round(option.win, 9), option.probability))

    @property
    def best(self) -> float:
        """Chance to win after the best option."""
        return max(option.win for option in self.options)

    def cost(self, action: Action) -> float:
        """Chance to win that ``action`` gives away. Raises NotAllowed("not_now")."""
        found = [option.win for option in self.options if option.action == action]
        if not found:
            raise NotAllowed("not_now", action=type(action).__name__, phase="decision")
        return self.best - found[0]


def advise(solution: Solution, seen: Observation) -> Advice:
    """Advice for the seat that decides, from what it sees.

    Raises BadRuleSet("not_solved") when the solution is of another penalty or a smaller table.
    """
    if seen.rules.penalty_21 != solution.penalty_21:
        raise BadRuleSet("not_solved", penalty_21=seen.rules.penalty_21)
    lives = in_playing_order(seen.lives, seen.roller)
    if seen.decision == "claim" and seen.roll is not None:
        return advise_claim(solution, lives, seen.above, seen.roll)
    if seen.decision == "answer" and seen.claim is not None:
        return advise_answer(solution, lives, seen.above, seen.claim)
    raise AssertionError("an observation without the roll or claim that its decision is about")


def advise_claim(
    solution: Solution, lives: Sequence[int], above: Claim | None, roll: Roll
) -> Advice:
    """The legal claims for a roll.

    ``lives`` in playing order from the seat that rolled. Raises BadRuleSet as ``Solution`` does.
    """
    ahead, play = _stage(solution, lives, above)
    claims = play.claims()[roll.position - 1, :, 0]
    options = []
    for row, claim in enumerate(claims_above(above)):
        index = claim.position - 1
        end = ahead.held if roll.supports(claim) else ahead.caught
        probability = float(play.challenge[row, 0])
        shown, passed = (float(one[index, ROLLER, 0]) for one in (end, ahead.accepted))
        win = probability * shown + (1.0 - probability) * passed
        options.append(
            Option(MakeClaim(claim), float(claims[row]), win, probability, shown, passed)
        )
    return Advice(tuple(options), claim_reason(options, roll))


def advise_answer(
    solution: Solution, lives: Sequence[int], above: Claim | None, claim: Claim
) -> Advice:
    """The answers to ``claim``, made over ``above``.

    ``lives`` in playing order from the seat that *claimed*; the next living seat decides. Raises
    BadRuleSet as ``Solution`` does, NotAllowed("claim_too_low") for a claim that cannot follow.
    """
    if not claim.beats(above):
        raise NotAllowed("claim_too_low", claim=claim.name, above=above.name if above else None)
    ahead, play = _stage(solution, lives, above)
    index = claim.position - 1
    held, caught, accepted = (
        float(end[index, ANSWERING, 0]) for end in (ahead.held, ahead.caught, ahead.accepted)
    )
    probability = float(play.challenge[index - play.standing, 0])
    true, false = (float(mass[index - play.standing, 0]) for mass in play.masses())
    expected = true + false > 0.0
    if expected:
        holds = true / (true + false)
    else:
        holds = _belief(play.standing, index, probability, held - accepted, caught - accepted)
    wins: dict[type[Action], tuple[float, float]] = {
        Accept: (1.0 - probability, accepted),
        Challenge: (probability, holds * held + (1.0 - holds) * caught),
    }
    options = (Option(answer, *wins[type(answer)]) for answer in legal_answers(claim))
    reason = answer_reason(claim, holds, accepted, held, caught)
    return Advice(tuple(options), reason, holds, expected, held, caught)


def _belief(
    standing: int, index: int, probability: float, gain_true: float, gain_false: float
) -> float:
    """Chance that a claim which is never made holds: see ``Advice``."""
    true, false = (float(mass[standing, index]) for mass in tie_breaking.claims())
    holds = true / (true + false)
    if not gain_true < 0.0 < gain_false:
        return holds
    even = gain_false / (gain_false - gain_true)
    if probability == 0.0:
        return max(holds, even)
    return min(holds, even) if probability == 1.0 else even


def _stage(
    solution: Solution, lives: Sequence[int], above: Claim | None
) -> tuple[Ahead, StageEquilibrium]:
    standing = require_standing(position(above))
    return solution.stages(np.array([solution.state(require_lives(lives))]), standing)
