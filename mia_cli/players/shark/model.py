"""What one other seat does, as learned from what everybody at the table could see.

Two separate posteriors over the habits of ``family`` and the solved player: one of its claims,
one of its challenges. A claim that was never shown counts by the rolls that could have led to it, a
shown roll by itself. No family holds everybody, so the posterior mean is then corrected by what was
counted (``correction``).

Arrays are [21 standings, 21 claims]; standings are positions, 0 for none, claims and rolls rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mia_cli.players.shark import family
from mia_cli.players.shark.correction import Corrected, weights_of
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import CLAIM_COUNT, FORCED, LEGAL, SUPPORTS, Floats

LEAST_CHANCE = 0.005
"""No single observation counts for more than one in two hundred."""


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How fast the model learns; the figures were found on habits outside the family.

    ``solved``: prior chance of the solved player. ``keep``: what is left of old evidence after
    another observation. ``claims``: observations that the family is worth against counts of
    claims. ``claims_known`` and ``answers_known``: False takes the solved player instead of that
    half of the model.
    """

    solved: float = 0.3
    keep: float = 0.995
    claims: float = 40.0
    claims_known: bool = True
    answers_known: bool = True


@dataclass(frozen=True, slots=True)
class Solved:
    """The solved player at the lives in question: claims [standing, roll, claim], challenges."""

    claims: Floats
    challenges: Floats


class SeatModel:
    """The posteriors and the counts of one seat."""

    def __init__(self, settings: LearningSettings) -> None:
        self._settings = settings
        self._claim_logs = prior(len(family.claims()), settings.solved)
        self._answer_logs = prior(len(family.challenges()), settings.solved)
        self._heard = np.zeros(LEGAL.shape)
        self._holding, self._challenging = Corrected(), Corrected()

    def copy(self) -> SeatModel:
        """A model that learns on its own from here."""
        other = SeatModel(self._settings)
        other._claim_logs, other._answer_logs = self._claim_logs.copy(), self._answer_logs.copy()
        other._heard = self._heard.copy()
        other._holding, other._challenging = self._holding.copy(), self._challenging.copy()
        return other

    def claimed(self, solved: Solved, standing: int, claim: int, roll: int | None) -> None:
        """It claimed over ``standing``; ``roll`` when it was shown."""
        keep = self._settings.keep
        if roll is None:
            true, false = family.masses()
            chances = true[:, standing, claim] + false[:, standing, claim]
            at_true, at_false = claim_masses(solved.claims[standing])
            at = at_true[claim] + at_false[claim]
        else:
            chances = family.claims()[:, standing, roll, claim]
            at = solved.claims[standing, roll, claim]
            share = share_of_true(*self._expected(solved))
            holds = bool(SUPPORTS[roll, claim])
            self._holding.learn(share[standing, claim], standing, claim, holds, keep)
        _weigh(self._claim_logs, chances, float(at), keep)
        self._heard *= keep
        self._heard[standing, claim] += 1.0

    def answered(self, solved: Solved, standing: int, claim: int, challenged: bool) -> None:
        """It answered a claim made over ``standing``; a forced answer tells nothing."""
        if FORCED[claim]:
            return
        chances = family.challenges()[:, standing, claim]
        at = float(solved.challenges[standing, claim])
        keep, says = self._settings.keep, weights_of(self._answer_logs)
        expected = says[0] * at + says[1:] @ chances
        self._challenging.learn(float(expected), standing, claim, challenged, keep)
        if not challenged:
            chances, at = 1.0 - chances, 1.0 - at
        _weigh(self._answer_logs, chances, at, keep)

    def masses(self, solved: Solved) -> tuple[Floats, Floats]:
        """Expected chances that it makes a claim that holds, and one that does not."""
        if not self._settings.claims_known:
            return claim_masses(solved.claims)
        true, false = self._expected(solved)
        worth = self._settings.claims
        counted = STANDINGS_NEAR @ self._heard
        total = worth + counted.sum(axis=1, keepdims=True)
        said = np.where(LEGAL, (worth * (true + false) + counted) / total, 0.0)
        said /= said.sum(axis=1, keepdims=True)
        share = self._holding.table(share_of_true(true, false))
        return said * share, said * (1.0 - share)

    def challenges(self, solved: Solved) -> Floats:
        """Expected chance that it challenges; 1 for a claim of 21, 0 for one that cannot be."""
        if not self._settings.answers_known:
            return solved.challenges
        weight = weights_of(self._answer_logs)
        mean = np.tensordot(weight[1:], family.challenges(), 1) + weight[0] * solved.challenges
        return np.where(FORCED, 1.0, np.where(LEGAL, self._challenging.table(mean), 0.0))

    def _expected(self, solved: Solved) -> tuple[Floats, Floats]:
        """Posterior mean of the masses of true and of false claims."""
        weight = weights_of(self._claim_logs)
        at_true, at_false = claim_masses(solved.claims)
        of_true, of_false = family.masses()
        return (
            np.tensordot(weight[1:], of_true, 1) + weight[0] * at_true,
            np.tensordot(weight[1:], of_false, 1) + weight[0] * at_false,
        )


_PLACE = np.arange(CLAIM_COUNT)
STANDINGS_NEAR: Floats = np.exp(-np.abs(_PLACE[:, None] - _PLACE) / 2.0)
"""[21, 21] weights of a claim made over one standing claim for another."""


def share_of_true(true: Floats, false: Floats) -> Floats:
    """How often claims hold, from the chances of those that do and those that do not."""
    return np.asarray(true / np.maximum(true + false, 1e-9))


def prior(others: int, solved: float) -> Floats:
    """Log chances of the solved player and, alike, of so many others."""
    return np.asarray(np.log([solved, *[(1.0 - solved) / others] * others]))


def _weigh(logs: Floats, chances: Floats, solved: float, keep: float) -> None:
    """Bayes' rule on log weights, the solved player first, after forgetting a little."""
    logs *= keep
    logs[0] += np.log(max(solved, LEAST_CHANCE))
    logs[1:] += np.log(np.maximum(chances, LEAST_CHANCE))
    logs -= logs.max()
