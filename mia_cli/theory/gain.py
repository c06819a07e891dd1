"""The proof of a solution: what any single seat could gain by playing differently.

The largest gain of a seat at any state is looked at. NashConv, the usual figure, is the sum of the
gains of all seats where the match starts: it is at most so many times the largest gain.

The strategies of all other seats fixed, the best a seat can do over the rest of the match follows
by backward induction with a maximum at its own decisions: as roller for each roll over claims, when
answering for each claim over the two answers. An equilibrium leaves nothing to gain, at any
state, for any seat; the bound holds against strategies that remember, too.

Only the strategies of a solution are read here, as anyone would read them; how they were found
is not used.
"""

from __future__ import annotations

import numpy as np

from mia_cli.theory.best_response import (
    BestValues,
    answer_values,
    by_roll,
    claim_values,
    watched_value,
)
from mia_cli.theory.induction import OnProgress
from mia_cli.theory.rule_arrays import CHANCES, STANDINGS, SUPPORTS, Floats, Ints
from mia_cli.theory.solution import Solution
from mia_cli.theory.stage import StageEquilibrium
from mia_cli.theory.states import ANSWERING, ROLLER, Ahead, States

Ends = tuple[Floats, Floats, Floats]
"""Values [J legal claims, place, state] of a claim that held, that was caught, was accepted."""


def max_gain(solution: Solution, progress: OnProgress | None = None) -> float:
    """The most any seat can gain, at any state, before any roll: 0 up to rounding."""
    return float(gains(solution, progress).max())


def gains(solution: Solution, progress: OnProgress | None = None) -> Floats:
    """[21 standings, place, state] win chance gained by a seat's best response (see ``States``).

    ``progress`` as for ``solve``.
    """
    states = solution.states
    responses = BestResponses(states, solution.penalty_21)
    done = 0
    for some in states.batches():
        for play in reversed(solution.plays(some)):
            responses.watch(some, play)
        done += len(some)
        if progress is not None:
            progress(done, len(states) - 1)
    return responses.values - solution.table


class BestResponses:
    """What a seat gets that answers best to the strategies that are shown, in the order of
    ``OnStage``: ``values`` [21 standings, place, state]."""

    def __init__(self, states: States, penalty_21: int) -> None:
        self._states, self._penalty_21 = states, penalty_21
        self.values = np.zeros((len(STANDINGS), states.max_players, len(states)))
        self.values[:, ROLLER, 0] = 1.0

    def watch(self, some: Ints, play: StageEquilibrium) -> None:
        """Take in how some states are played after a standing claim."""
        standing = play.standing
        if standing == len(STANDINGS) - 1:
            self._ahead = Ahead(self.values, self._states, some, self._penalty_21)
        ahead = self._ahead
        ends = ahead.held[standing:], ahead.caught[standing:], ahead.accepted[standing:]
        self.values[standing][:, some] = _respond(standing, play.claims(), play.challenge, ends)
        if standing:
            ahead.reach(standing)


def _respond(standing: int, claims: Floats, challenges: Floats, ends: Ends) -> Floats:
    """[place, state] value for each seat that answers best to the others.

    ``claims``[21 rolls, J, state], ``challenges``[J, state]: how the others play.
    """
    supports = SUPPORTS[:, standing:, None]
    said = claims * CHANCES[:, None, None]
    true = np.where(supports, said, 0.0).sum(axis=0)
    false = said.sum(axis=0) - true
    value = watched_value(true[:, None], false[:, None], challenges[:, None], *ends)
    answered = answer_values(true, false, *(end[:, ANSWERING] for end in ends))
    value[ANSWERING] = BestValues().answer(standing, *answered)
    best = by_roll(standing, *claim_values(challenges, *(end[:, ROLLER] for end in ends))).max(
        axis=1
    )
    # What is proved here is about the last digits: a sum in one order, as in ``stage``.
    value[ROLLER] = (CHANCES[:, None] * best).sum(axis=0)
    return value
