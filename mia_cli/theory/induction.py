"""Backward induction: the value of every state from the values of the states that follow it.

Accepting always re-rolls, and only the latest claim binds. So before a roll (lives, who rolls,
standing claim) is all that matters, and a stage leads only to a higher standing claim with the
same lives or to a round with fewer lives in total. Total lives upward, and within equal totals
standing claims from 66 down to none, every stage is solved once, all states of equal total
together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mia_cli.theory.rule_arrays import LEGAL, STANDINGS, Floats, Ints
from mia_cli.theory.stage import Payoffs, StageEquilibrium, solve_stage
from mia_cli.theory.states import ANSWERING, ROLLER, Ahead, States

OnProgress = Callable[[int, int], None]
"""Told how many states are done, and of how many."""
OnStage = Callable[[Ints, StageEquilibrium], None]
"""Shown how states are played after a standing claim: 20 down to 0 for some, then the next."""


def solve_states(
    states: States,
    penalty_21: int,
    progress: OnProgress | None = None,
    watch: OnStage | None = None,
) -> Floats:
    """[21 standings, place, state] chance of each seat to win in equilibrium.

    Interrupting it leaves nothing behind.
    """
    values = np.zeros((len(STANDINGS), states.max_players, len(states)))
    values[:, ROLLER, 0] = 1.0
    done = 0
    for some in states.batches():
        ahead = Ahead(values, states, some, penalty_21)
        for standing in reversed(range(len(STANDINGS))):
            play = solve_stage(standing, payoffs(ahead, standing))
            values[standing][:, some] = expected(ahead, play)
            if watch is not None:
                watch(some, play)
            if standing:
                ahead.reach(standing)
        done += len(some)
        if progress is not None:
            progress(done, len(states) - 1)
    return values


def payoffs(ahead: Ahead, standing: int) -> Payoffs:
    """What the two seats that act get from the stages after this standing claim."""
    held, caught, accepted = (
        part[standing:] for part in (ahead.held, ahead.caught, ahead.accepted)
    )
    return Payoffs(
        held=held[:, ROLLER],
        caught=caught[:, ROLLER],
        accepted=accepted[:, ROLLER],
        challenge_true=held[:, ANSWERING] - accepted[:, ANSWERING],
        challenge_false=caught[:, ANSWERING] - accepted[:, ANSWERING],
    )


def all_payoffs(ahead: Ahead) -> Payoffs:
    """``payoffs`` after every standing claim: every state after none, then after 31, and so on.

    Where states are few, ``solve_stage`` takes little longer over all than over one of them.
    """
    standings = np.repeat(np.arange(len(STANDINGS)), ahead.held.shape[2])
    legal, every = LEGAL[standings].T, payoffs(ahead, 0)

    def after_each(part: Floats, not_legal: float = -np.inf) -> Floats:
        return np.where(legal, np.tile(part, len(STANDINGS)), not_legal)

    return Payoffs(
        after_each(every.held),
        after_each(every.caught),
        after_each(every.accepted),
        after_each(every.challenge_true, np.nan),
        after_each(every.challenge_false, np.nan),
        standings,
    )


def expected(ahead: Ahead, play: StageEquilibrium) -> Floats:
    """[place, state] values of the stages when the two seats play like this."""
    true, false = play.masses()
    passed = (true + false) * (1.0 - play.challenge)
    value = np.zeros(ahead.held.shape[1:])
    for mass, ends in ((true, ahead.held), (false, ahead.caught)):
        # All claims but 21, the last, lead to the same when challenged.
        challenged = mass * play.challenge
        value += challenged[-1] * ends[-1]
        if len(challenged) > 1:
            value += np.add.accumulate(challenged[:-1], axis=0)[-1] * ends[0]
    for row in range(len(true) - 1):
        value += passed[row] * ahead.accepted[play.standing + row]
    return value
