"""The model of ``model`` fitted to many matches at once, also with weights of matches.

The same families, prior, notions of "near" and worths, with nothing forgotten: a figure over many
matches is about all of them alike. Two things differ. The notions are trusted by how well each
foretells an observation from all others, not from the earlier ones, so that the order of matches
does not matter. And the first claim of a round is not near any other: there, nothing has to be
beaten, and people open in ways of their own. Many weightings are fitted side by side; arrays of
models begin with [weighting].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from mia_cli.players.shark import family
from mia_cli.players.shark.correction import LEAST_CHANCE as LEAST_FORETOLD
from mia_cli.players.shark.correction import PLACE, WORTHS, kernels, weights_of
from mia_cli.players.shark.model import (
    LEAST_CHANCE,
    STANDINGS_NEAR,
    LearningSettings,
    prior,
    share_of_true,
)
from mia_cli.theory.rule_arrays import FORCED, LEGAL, Bools, Floats, Ints

_SETTINGS = LearningSettings(keep=1.0)
_CELLS = int(LEGAL.sum())
_OPENS = np.arange(len(LEGAL)) == 0
_STANDINGS: Floats = STANDINGS_NEAR * (_OPENS[:, None] == _OPENS)


@cache
def _kernels() -> Floats:
    """[notion, 231 cells, 231 cells]: those of ``correction``, openings apart."""
    opens = np.argwhere(LEGAL)[:, 0] == 0
    return np.asarray(kernels() * (opens[:, None] == opens))


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims of a seat, one row each; positions and rows as in ``reader.PublicStage``.

    ``match``: number of the match. ``roll`` is -1 where it was not shown. ``solved``: chance of
    the claim for the solved player at those lives, given the roll where shown; ``solved_true``
    and ``solved_false``: its masses of that claim.
    """

    match: Ints
    standing: Ints
    claim: Ints
    roll: Ints
    holds: Bools
    solved: Floats
    solved_true: Floats
    solved_false: Floats


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers of a seat that were not forced; ``solved``: chance of a challenge when solved."""

    match: Ints
    standing: Ints
    claim: Ints
    challenged: Bools
    solved: Floats


@dataclass(frozen=True, slots=True)
class Fitted:
    """Models of one seat: weights of the solved player and the habits, counts, and notions.

    ``heard`` [B, 21, 21]; ``holding`` and ``challenging``: see ``_Counts``.
    """

    claims: Floats
    answers: Floats
    heard: Floats
    holding: _Counts
    challenging: _Counts

    def masses(self, true: Floats, false: Floats) -> tuple[Floats, Floats]:
        """[B, K, 21, 21] expected claims that hold, and that do not.

        ``true``, ``false`` [K, 21, 21]: masses of the solved player at K vectors of lives.
        """
        of_true, of_false = (
            np.tensordot(self.claims[:, 1:], part, 1)[:, None] for part in family.masses()
        )
        at = self.claims[:, 0, None, None, None]
        true, false = of_true + at * true, of_false + at * false
        worth = _SETTINGS.claims
        counted = np.tensordot(self.heard, _STANDINGS, (1, 1)).swapaxes(1, 2)[:, None]
        said = np.where(LEGAL, worth * (true + false) + counted, 0.0)
        said /= said.sum(axis=3, keepdims=True)
        share = self.holding.table(share_of_true(true, false))
        return said * share, said * (1.0 - share)

    def challenges(self, solved: Floats) -> Floats:
        """[B, K, 21, 21] expected chance to challenge, by that of the solved player [K, 21, 21]."""
        mean = np.tensordot(self.answers[:, 1:], family.challenges(), 1)[:, None]
        found = self.challenging.table(mean + self.answers[:, 0, None, None, None] * solved)
        return np.where(FORCED, 1.0, found)


def fit(claims: Claims, answers: Answers, weights: Floats) -> Fitted:
    """Models for some weightings [B, matches] of the matches; 1 counts a match once."""
    of_claims = _posterior(_claim_logs(claims), claims.match, weights)
    of_answers = _posterior(_answer_logs(answers), answers.match, weights)
    at = answers.standing, answers.claim
    expected = _mean(of_answers, family.challenges()[:, *at], answers.solved)
    said = counted(claims.standing, claims.claim, claims.match, weights)
    challenging = _counts(PLACE[at], answers.challenged, weights[:, answers.match], expected)
    return Fitted(of_claims, of_answers, said, _holding(claims, of_claims, weights), challenging)


def counted(standing: Ints, claim: Ints, match: Ints, weights: Floats) -> Floats:
    """[B, 21, 21] how often each claim was made or answered, by the weights of matches."""
    size = LEGAL.size
    cells = match * size + standing * LEGAL.shape[1] + claim
    counts = np.bincount(cells, minlength=weights.shape[1] * size).reshape(-1, size)
    return np.asarray(weights @ counts.astype(np.float64)).reshape(-1, *LEGAL.shape)


def _holding(claims: Claims, posterior: Floats, weights: Floats) -> _Counts:
    """How often shown claims held."""
    shown = claims.roll >= 0
    at = claims.standing[shown], claims.claim[shown]
    true, false = (
        _mean(posterior, masses[:, *at], solved[shown])
        for masses, solved in zip(
            family.masses(), (claims.solved_true, claims.solved_false), strict=True
        )
    )
    match, holds = claims.match[shown], claims.holds[shown]
    return _counts(PLACE[at], holds, weights[:, match], share_of_true(true, false))


def _mean(posterior: Floats, habits: Floats, solved: Floats) -> Floats:
    """[B, observations] posterior means."""
    return np.asarray(posterior[:, 1:] @ habits + posterior[:, :1] * solved)


@dataclass(frozen=True, slots=True)
class _Counts:
    """``yes`` and ``every`` [B, notion, cell]: counts near each cell; ``trust`` [B, 1 + notion]."""

    yes: Floats
    every: Floats
    trust: Floats

    def table(self, expected: Floats) -> Floats:
        """[B, K, 21, 21] corrected chances; 0 for claims that cannot be made."""
        flat = expected[..., LEGAL]
        told = self.trust[:, 0, None, None] * flat
        for notion, worth in enumerate(WORTHS):
            yes, every = self.yes[:, None, notion], self.every[:, None, notion]
            told += self.trust[:, notion + 1, None, None] * (worth * flat + yes) / (worth + every)
        found = np.zeros(expected.shape)
        found[..., LEGAL] = told
        return found


def _counts(cells: Ints, happened: Bools, weights: Floats, expected: Floats) -> _Counts:
    """``weights`` and ``expected`` [B, observations]."""
    yes = _binned(cells[happened], weights[:, happened])
    every = _binned(cells, weights)
    near = _kernels()
    near_yes, near_every = (
        np.tensordot(count, near, (1, 2)) for count in (yes, every)
    )  # [B, notion, cell]
    logs = [_score(expected, happened, weights)]
    own = weights * happened
    for notion, worth in enumerate(WORTHS):
        told = worth * expected + near_yes[:, notion][:, cells] - own
        told = told / (worth + near_every[:, notion][:, cells] - weights)
        logs.append(_score(told, happened, weights))
    return _Counts(near_yes, near_every, weights_of(np.stack(logs, axis=1)))


def _score(told: Floats, happened: Bools, weights: Floats) -> Floats:
    foretold = np.maximum(np.where(happened, told, 1.0 - told), LEAST_FORETOLD)
    found: Floats = (weights * np.log(foretold)).sum(axis=1)
    return found


def _binned(cells: Ints, weights: Floats) -> Floats:
    """[B, 231] sums of weights by cell."""
    rows = np.arange(len(weights))[:, None] * _CELLS + cells
    found = np.bincount(rows.ravel(), weights.ravel(), minlength=len(weights) * _CELLS)
    return np.asarray(found, dtype=np.float64).reshape(len(weights), _CELLS)


def _claim_logs(claims: Claims) -> Floats:
    """[claims, 1 + habits] log chances, the solved player first."""
    true, false = family.masses()
    hidden = (true + false)[:, claims.standing, claims.claim]
    shown = family.claims()[:, claims.standing, claims.roll, claims.claim]
    return _logs(claims.solved, np.where(claims.roll < 0, hidden, shown))


def _answer_logs(answers: Answers) -> Floats:
    chances = family.challenges()[:, answers.standing, answers.claim]
    challenged = answers.challenged
    solved = np.where(challenged, answers.solved, 1.0 - answers.solved)
    return _logs(solved, np.where(challenged, chances, 1.0 - chances))


def _logs(solved: Floats, habits: Floats) -> Floats:
    found: Floats = np.log(np.maximum(np.vstack([solved, habits]), LEAST_CHANCE)).T
    return found


def _posterior(logs: Floats, match: Ints, weights: Floats) -> Floats:
    """[B, 1 + habits] chances of the solved player and the habits."""
    by_match = np.zeros((weights.shape[1], logs.shape[1]))
    np.add.at(by_match, match, logs)
    return weights_of(weights @ by_match + prior(logs.shape[1] - 1, _SETTINGS.solved))
