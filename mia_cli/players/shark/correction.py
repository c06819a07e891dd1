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
    """Counts of something that happened or did not, as each notion sees them at each cell."""

    def __init__(self) -> None:
        self._logs = np.zeros(len(_NEAR) + 1)
        # [notion, cell] observations nearby, and those in which it happened: kept as sums, since
        # adding one is a column, and counting all anew a product with the whole of ``kernels``.
        self._near_yes, self._near_all = np.zeros((2, len(_NEAR), len(_CELLS)))

    def copy(self) -> Corrected:
        """Counts that go on by themselves."""
        other = Corrected()
        other._logs = self._logs.copy()
        other._near_yes, other._near_all = self._near_yes.copy(), self._near_all.copy()
        return other

    def learn(
        self, expected: float, standing: int, claim: int, happened: bool, keep: float
    ) -> None:
        """Count one observation where the family had ``expected``; keep a part of the others."""
        at = PLACE[standing, claim]
        near_yes, near_all = self._near_yes[:, at], self._near_all[:, at]
        told = np.concatenate([[expected], (WORTHS * expected + near_yes) / (WORTHS + near_all)])
        foretold = told if happened else 1.0 - told
        self._logs = self._logs * _KEEP + np.log(np.maximum(foretold, LEAST_CHANCE))
        near = kernels()[:, at]
        self._near_yes *= keep
        self._near_all *= keep
        self._near_yes += float(happened) * near
        self._near_all += near

    def table(self, expected: Floats) -> Floats:
        """[21 standings, 21 claims] corrected chances; 0 for claims that cannot be made."""
        flat, worths = expected[LEGAL], WORTHS[:, None]
        told = (worths * flat + self._near_yes) / (worths + self._near_all)
        weight = weights_of(self._logs)
        found = np.zeros(LEGAL.shape)
        found[LEGAL] = weight[0] * flat + weight[1:] @ told
        return found


def weights_of(logs: Floats) -> Floats:
    """Weights that sum to 1, along the last axis."""
    found = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(found / found.sum(axis=-1, keepdims=True))
