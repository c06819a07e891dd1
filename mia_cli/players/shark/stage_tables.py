"""How the shark plays in one stage: the best response where its credit pays, else the solution.

Places count living seats from the one that rolls. Rolls and claims are [21]; standing claims are
those of the plan, ``standings``: all or, for a decision, one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mia_cli.players.shark.reader import PublicStage
from mia_cli.players.shark.response import Plan
from mia_cli.players.shark.risk import Credit
from mia_cli.players.shark.stage_solution import StageSolution
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import CHANCES, CLAIM_COUNT, FORCED, LEGAL, SUPPORTS, Bools, Floats

_ROLLS = np.arange(CLAIM_COUNT)


@dataclass(frozen=True, slots=True)
class StageTables:
    """``claims`` [standing, roll, claim] of the seat that rolls, ``challenges`` [standing, claim]
    of the next; the part that is not the shark's is the solution's. ``free`` [standing]: where
    the solution is left.
    """

    claims: Floats
    challenges: Floats
    free: Bools


def idle(solution: StageSolution, standings: range) -> StageTables:
    """A stage between other seats."""
    claims, challenges, _ = _solved(solution, standings)
    return StageTables(claims, challenges, np.zeros(len(standings), dtype=bool))


def rolling(solution: StageSolution, plan: Plan, credit: Credit, standings: range) -> StageTables:
    """The shark rolls.

    Whether the solution is left depends on the standing claim, not on the roll: see ``risk``. In
    such a stage a roll whose best claim gains next to nothing still follows the solution.
    """
    held, caught, accepted = (
        end[:, 0] for end in (solution.held, solution.caught, solution.accepted)
    )
    limits, (solved, challenges, some) = credit.limits, _solved(solution, standings)
    challenged = np.where(SUPPORTS, held, caught)
    lowest = np.where(FORCED, challenged, np.minimum(challenged, accepted))  # [roll, claim]
    as_solved = np.where(solved > 0.0, lowest, np.inf).min(axis=2)
    leaves = plan.claim_gain > limits.least
    as_planned = np.where(leaves, lowest[_ROLLS, plan.claims], as_solved)
    gain = plan.claim_gain @ CHANCES
    free = credit.pays(_worst(solution.rolls[some], as_planned)) & (gain > limits.least)
    best = np.where(leaves[..., None], np.eye(CLAIM_COUNT)[plan.claims], solved)
    claims = np.where(free[:, None, None], best, solved)
    return StageTables(claims, challenges, free)


def answering(solution: StageSolution, plan: Plan, credit: Credit, standings: range) -> StageTables:
    """The shark answers."""
    held, caught, accepted = (
        end[:, 1] for end in (solution.held, solution.caught, solution.accepted)
    )
    limits, (claims, solved, some) = credit.limits, _solved(solution, standings)
    value, legal = solution.values[some, 1:2], LEGAL[some]
    challenged = np.minimum(held, caught)

    def worst(challenges: Floats) -> Floats:
        low = np.where(challenges > 0.0, challenged, np.inf)
        low = np.minimum(low, np.where(challenges < 1.0, accepted, np.inf))
        return _worst(value, np.where(legal, low, np.inf))

    free = credit.pays(worst(plan.challenges)) & (plan.answer_gain > limits.least)
    challenges = np.where(free[:, None], plan.challenges, solved)
    return StageTables(claims, challenges, free)


def gift(solution: StageSolution, place: int, stage: PublicStage) -> float:
    """What the other seat surely gave away in a stage in which the shark played the solution.

    Never negative, and on average not more than the solved value rose: see ``risk``.
    """
    held, caught, accepted = (
        end[:, place] for end in (solution.held, solution.caught, solution.accepted)
    )
    standing, claim, solved = stage.standing, stage.claim, solution.solved
    if place == 0:
        true, false = (mass[claim] for mass in claim_masses(solved.claims[standing]))
        if FORCED[claim] or true + false == 0.0:
            return 0.0
        challenged = (true * held[claim] + false * caught[claim]) / (true + false)
        answered = accepted[claim] if stage.shown is None else challenged
        return float(answered - min(challenged, accepted[claim]))
    challenges = np.where(FORCED, 1.0, solved.challenges[standing])
    passed = (1.0 - challenges) * accepted
    worth = np.where(SUPPORTS, challenges * held + passed, challenges * caught + passed)
    given = worth[:, claim] - np.where(LEGAL[standing], worth, np.inf).min(axis=1)
    return float(given.min() if stage.shown is None else given[stage.shown])


def _solved(solution: StageSolution, standings: range) -> tuple[Floats, Floats, slice]:
    """The solution's claims and challenges after these standing claims, and where these are."""
    some = slice(standings.start, standings.stop)
    return solution.solved.claims[some], solution.solved.challenges[some], some


def _worst(before: Floats, after: Floats) -> Floats:
    """[standing] the most that can be lost."""
    loss: Floats = (before - after).max(axis=1)
    return loss
