"""The best response of one seat within a round, against expected tables of the others.

Beyond the round everybody is taken to play the solution; against habits known exactly, at two seats
and 3 lives, that loses less than 0.001 against the best response over the whole match. Within
the round, standing claims only rise, so one pass from 66 down to none finds the best claim for
every roll and the better answer to every claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.players.shark.stage_solution import StageSolution
from mia_cli.theory.rule_arrays import CHANCES, CLAIM_COUNT, FORCED, SUPPORTS, Floats, Ints

_ROLLS = np.arange(CLAIM_COUNT)


@dataclass(frozen=True, slots=True)
class ExpectedTables:
    """Expected tables of a seat, each [21 standings, 21 claims].

    Chances to make a claim that holds, to make one that does not, and to challenge it.
    """

    true: Floats
    false: Floats
    challenges: Floats


@dataclass(frozen=True, slots=True)
class Plan:
    """A best response, and what it is expected to gain over the solution's play in that stage.

    ``claims`` [21 standings, 21 rolls]: row of the best claim; ``claim_gain`` likewise. ``doubts``
    [21 standings, 21 claims]: 1 to challenge, 0 to accept; ``answer_gain`` [21 standings], before
    the claim is known. ``value`` [22 standings, seats]: chance to win while a seat rolls.
    """

    claims: Ints
    claim_gain: Floats
    doubts: Floats
    answer_gain: Floats
    value: Floats


def respond(grounds: Sequence[StageSolution], habits: Sequence[ExpectedTables]) -> Plan:
    """A plan for a seat. ``grounds``: the lives as seen from each living seat in playing order,
    from this one; ``habits``: what the others do, from the next.
    """
    seats = len(grounds)
    square = (CLAIM_COUNT, CLAIM_COUNT)
    plan = Plan(
        claims=np.zeros(square, dtype=np.intp),
        claim_gain=np.zeros(square),
        doubts=np.zeros(square),
        answer_gain=np.zeros(CLAIM_COUNT),
        value=np.zeros((CLAIM_COUNT + 1, seats)),
    )
    for standing in reversed(range(CLAIM_COUNT)):
        _claim(plan, grounds[0], habits[0], standing)
        _answer(plan, grounds[-1], habits[-1], standing)
        for place in range(1, seats - 1):
            _watch(plan, grounds[place], habits[place - 1 : place + 1], standing, place)
    return plan


def _claim(plan: Plan, ground: StageSolution, other: ExpectedTables, standing: int) -> None:
    doubt = other.challenges[standing, standing:]
    held, caught = ground.held[standing:, 0], ground.caught[standing:, 0]
    passed = (1.0 - doubt) * plan.value[standing + 1 :, 1]
    worth = np.where(SUPPORTS[:, standing:], doubt * held + passed, doubt * caught + passed)
    best = worth.argmax(axis=1)
    most = worth[_ROLLS, best]
    solved = (ground.solved.claims[standing, :, standing:] * worth).sum(axis=1)
    plan.claims[standing] = best + standing
    plan.claim_gain[standing] = most - solved
    plan.value[standing, 0] = CHANCES @ most


def _answer(plan: Plan, ground: StageSolution, other: ExpectedTables, standing: int) -> None:
    true, false = other.true[standing, standing:], other.false[standing, standing:]
    challenged = true * ground.held[standing:, 1] + false * ground.caught[standing:, 1]
    passed = (true + false) * plan.value[standing + 1 :, 0]
    doubt = (challenged > passed) | FORCED[standing:]
    gain = (doubt - ground.solved.challenges[standing, standing:]) * (challenged - passed)
    plan.doubts[standing, standing:] = doubt
    plan.answer_gain[standing] = gain.sum()
    plan.value[standing, -1] = np.where(doubt, challenged, passed).sum()


def _watch(
    plan: Plan, ground: StageSolution, others: Sequence[ExpectedTables], standing: int, place: int
) -> None:
    """The seat at ``place`` rolls and another answers."""
    roller, answering = others
    here = len(plan.value[0]) - place  # this seat as seen from the roller
    true, false = roller.true[standing, standing:], roller.false[standing, standing:]
    doubt = answering.challenges[standing, standing:]
    challenged = true * ground.held[standing:, here] + false * ground.caught[standing:, here]
    passed = (true + false) * plan.value[standing + 1 :, place + 1]
    plan.value[standing, place] = (doubt * challenged + (1.0 - doubt) * passed).sum()
