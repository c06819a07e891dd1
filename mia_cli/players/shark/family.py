"""The habits that the shark can imagine: tables of claims and of challenges.

Neither list holds the habits of any level of this program. They are plain ways in which people
play, wide enough that a mixture of them is near most players; what a player does otherwise is
learned cell by cell (``model``). The solved player is put in by the model: it depends on the lives.

Claims are [habit, 21 standings, 21 rolls, 21 claims], rows over claims sum to 1; challenges are
[habit, 21 standings, 21 claims]. Built once and shared: 4 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import BLUFF, CHANCES, FORCED, LEGAL, SUPPORTS, Bools, Floats

_COUNT = len(FORCED)
_SHAPE = (len(LEGAL), _COUNT, _COUNT)
_TRUTHFUL = (1.0, 0.8, 0.5)
"""How often a roll that can be claimed is claimed."""
_FLOORS = (5, 9, 12, 14, 16)
"""Rows 51, 61, 64, 11 and 33: lower rolls are claimed as something from there on."""
_FLAT = (0.02, 0.1, 0.25, 0.5, 0.75, 0.95)
_THRESHOLDS = (3, 7, 9, 11, 13, 14, 16, 18)
"""Rows of the first claim that is doubted."""
_SAME = np.eye(_COUNT, dtype=bool)
_SLIP = 0.03
"""Share of decisions that follow no habit: no observation rules a habit out for good."""


@cache
def claims() -> Floats:
    """[habit, standing, roll, claim] chance of a claim given the roll."""
    found = np.stack(list(_claims()))
    anything = np.broadcast_to(LEGAL[:, None, :], _SHAPE) / LEGAL.sum(axis=1)[:, None, None]
    return np.asarray((1.0 - _SLIP) * found + _SLIP * anything)


@cache
def masses() -> tuple[Floats, Floats]:
    """[habit, standing, claim] chances to make a claim that holds, and one that does not."""
    return claim_masses(claims())


@cache
def challenges() -> Floats:
    """[habit, standing, claim] chance to challenge; 1 for 21, 0 for what cannot be claimed."""
    found = np.clip(np.stack(list(_challenges())), _SLIP, 1.0 - _SLIP)
    return np.where(FORCED, 1.0, np.where(LEGAL, found, 0.0))


def _claims() -> Iterator[Floats]:
    legal = np.broadcast_to(LEGAL[:, None, :], _SHAPE)
    truth = np.eye(_COUNT) * legal
    can = truth.sum(axis=-1, keepdims=True)
    holding = legal & SUPPORTS
    styles = [_scaled(np.where(legal & BLUFF, weights, 0.0)) for weights in _bluffs()]
    for honest in _TRUTHFUL:
        for style in styles:
            # A roll of 21 cannot be exceeded: it is told.
            often = np.where(style.any(axis=-1, keepdims=True), honest, 1.0)
            yield np.where(can, often * truth + (1.0 - often) * style, style)
    first, second = _lowest(legal), _lowest(legal & (np.cumsum(legal, axis=-1) > 1))
    yield first
    yield _scaled(legal.astype(float))
    yield np.where(second.any(axis=-1, keepdims=True), (first + second) / 2.0, first)
    for style in styles[:4]:
        yield np.where(can, _lowest(holding), style)
        yield np.where(can, _scaled(holding.astype(float)), style)
        yield np.where(
            can, _highest(holding & (np.arange(_COUNT) != np.arange(_COUNT)[:, None]), truth), style
        )
    for poor, (low, high) in product((5, 9, 13), ((8, 13), (11, 16), (14, 19))):
        band = legal & (np.arange(_COUNT) >= low) & (np.arange(_COUNT) <= high)
        lies = (np.arange(_COUNT) < poor)[None, :, None] | (can == 0.0)
        bluff = np.where(band.any(axis=-1, keepdims=True), _scaled(band.astype(float)), first)
        yield np.where(lies, bluff, truth)
    for floor in _FLOORS:
        from_there = legal & (np.arange(_COUNT) >= floor)
        told = from_there & _SAME
        for weights in (_lowest(from_there), _scaled(from_there * (1.0 - FORCED))):
            raised = np.where(weights.any(axis=-1, keepdims=True), weights, first)
            yield np.where(told.any(axis=-1, keepdims=True), told, raised)


def _bluffs() -> Iterator[Floats]:
    """[standing, 1, claim] weights of bluffs: near, further, anywhere, as dice fall, high."""
    step = np.maximum(np.cumsum(LEGAL, axis=1) - 1, 0)[:, None, :]
    row = np.broadcast_to(np.arange(_COUNT), step.shape)
    plain = np.where(FORCED, 0.02, 1.0)
    yield 0.14**step * plain
    yield 0.45**step * plain
    yield 0.75**step * plain
    yield np.ones(step.shape)
    yield CHANCES * np.ones(step.shape)
    rising = np.asarray(1.35**row, dtype=np.float64)
    yield rising * plain
    middle: Floats = np.exp(-np.abs(row - 13.0) / 1.5)
    yield middle * plain
    yield np.where(row >= 14, plain, 0.03 * plain)


def _challenges() -> Iterator[Floats]:
    holds = (CHANCES[:, None] * SUPPORTS).sum(axis=0)
    beats = np.array([CHANCES[legal].sum() for legal in LEGAL])[:, None]
    odds = np.broadcast_to(1.0 - holds, LEGAL.shape)
    given = 1.0 - np.minimum(holds / beats, 1.0)
    step = np.maximum(np.cumsum(LEGAL, axis=1) - 1, 0)
    row = np.broadcast_to(np.arange(_COUNT), LEGAL.shape)
    for chance in (odds, given, (odds + given) / 2.0):
        yield chance
        yield chance**2
        yield chance**4
        yield 0.5 * chance
    for rate in _FLAT:
        yield np.full(LEGAL.shape, rate)
    for first in _THRESHOLDS:
        for low, high in ((0.03, 0.95), (0.1, 0.55)):
            yield np.where(row >= first, high, low)
    crowded = np.broadcast_to(1.0 - beats, LEGAL.shape)
    for start, top, crowd in product((3, 8, 12), (0.3, 0.7, 1.0), (0.0, 0.4, 0.9)):
        ramp: Floats = np.maximum(row - start, 0) / (19.0 - start)
        yield ramp * top + crowd * crowded
    fresh = np.arange(_COUNT)[:, None] == 0
    for early, late in ((0.05, 0.35), (0.05, 0.7), (0.4, 0.1)):
        yield np.broadcast_to(np.where(fresh, early, late), LEGAL.shape)
    for near, far in ((0.6, 0.1), (0.1, 0.6)):
        for width in (1, 3):
            yield np.where(step < width, near, far)
    yield crowded
    yield 0.8 * 0.6**step
    yield 1.0 - 0.85**step


def _scaled(weights: Floats) -> Floats:
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0.0, total, 1.0))


def _lowest(allowed: Bools) -> Floats:
    """The lowest allowed claim; all 0 where there is none."""
    return np.asarray(allowed & (np.cumsum(allowed, axis=-1) == 1), dtype=float)


def _highest(allowed: Bools, otherwise: Floats) -> Floats:
    last = _lowest(allowed[..., ::-1])[..., ::-1]
    return np.where(allowed.any(axis=-1, keepdims=True), last, otherwise)
