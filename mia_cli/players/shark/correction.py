"""Chances that a family of habits gives, corrected by what was counted near each cell.

A cell is a claim with the standing claim it was made over. Several notions of "near" compete, the
uncorrected family among them: each is trusted by how well it has foretold what came.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from mia_cli.theory.rule_arrays import LEGAL, Floats

_CELLS = np.argwhere(LEGAL)
PLACE = np.full(LEGAL.shape, -1)
"""[21 standings, 21 claims] number of a cell, -1 where no claim can be made."""
PLACE[LEGAL] = np.arange(len(_CELLS))
_FAR = 1e9
_NEAR = (
    # How far standing claims, claims, and steps between them may differ; family's worth.
    (2.0, 0.5, _FAR, 3.0),
    (12.0, 0.6, _FAR, 4.0),
    (6.0, _FAR, 0.6, 4.0),
    (6.0, 2.5, _FAR, 8.0),
    (0.7, 8.0, _FAR, 4.0),
)
WORTHS = np.array([near[3] for near in _NEAR])
"""[notion] observations that the family is worth against counts."""
_KEEP = 0.99
LEAST_CHANCE = 0.01


@cache
def kernels() -> Floats:
    """[notion, 231 cells, 231 cells] weight of an observation at one cell for another."""
    standing, claim = _CELLS.T
    places = (standing, claim, claim - standing)

    def kernel(reaches: tuple[float, ...]) -> Floats:
        apart = np.zeros((len(_CELLS), len(_CELLS)))
        for place, reach in zip(places, reaches, strict=True):
            apart += np.abs(place[:, None] - place) / reach
        return np.asarray(np.exp(-apart))

    return np.stack([kernel(near[:3]) for near in _NEAR])


class Corrected:
    """Counts of something that happened or did not, by cell."""

    def __init__(self) -> None:
        self._logs = np.zeros(len(_NEAR) + 1)
        self._yes, self._all = np.zeros(len(_CELLS)), np.zeros(len(_CELLS))

    def copy(self) -> Corrected:
        """Counts that go on by themselves."""
        other = Corrected()
        other._logs, other._yes, other._all = self._logs.copy(), self._yes.copy(), self._all.copy()
        return other

    def learn(
        self, expected: float, standing: int, claim: int, happened: bool, keep: float
    ) -> None:
        """Count one observation where the family had ``expected``; keep a part of the others."""
        at = PLACE[standing, claim]
        near = kernels()[:, at]
        told = (WORTHS * expected + near @ self._yes) / (WORTHS + near @ self._all)
        told = np.concatenate([[expected], told])
        foretold = told if happened else 1.0 - told
        self._logs = self._logs * _KEEP + np.log(np.maximum(foretold, LEAST_CHANCE))
        self._yes *= keep
        self._all *= keep
        self._yes[at] += float(happened)
        self._all[at] += 1.0

    def table(self, expected: Floats) -> Floats:
        """[21 standings, 21 claims] corrected chances; 0 for claims that cannot be made."""
        flat, near, worths = expected[LEGAL], kernels(), WORTHS[:, None]
        told = (worths * flat + near @ self._yes) / (worths + near @ self._all)
        weight = weights_of(self._logs)
        found = np.zeros(LEGAL.shape)
        found[LEGAL] = weight[0] * flat + weight[1:] @ told
        return found


def weights_of(logs: Floats) -> Floats:
    """Weights that sum to 1, along the last axis."""
    found = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(found / found.sum(axis=-1, keepdims=True))
