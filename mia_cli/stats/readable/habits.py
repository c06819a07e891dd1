"""Which habits of a reading cost most: each alone replaced by what the solved player does."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from mia_cli.rules.rolls import CLAIMS
from mia_cli.stats.readable.exploit import PairTables, respond, worth
from mia_cli.stats.readable.reading import ComparedActions, Reading
from mia_cli.theory.rule_arrays import Bools, Floats, Ints

HabitKind = Literal["challenges", "bluffs", "claims"]
MOST = 3
"""Habits that are told."""
_TELLING = 1.96
"""Standard deviations from the usual below which a count is taken for luck."""
_FEWEST = 8
_LEAST = 0.01
"""Win chance below which a habit is not worth a sentence."""
Band = tuple[int, int]
_LOW, _HIGH, _DOUBLES, _TOP, _FRESH = (1, 9), (10, 14), (15, 20), (21, 21), (0, 0)
"""Positions of 31 to 54, 61 to 65 (which take the most room), the doubles, 21, and no claim."""
_HABITS: tuple[tuple[HabitKind, Band], ...] = (
    *(("challenges", _LOW), ("challenges", _HIGH), ("challenges", _DOUBLES)),
    *(("bluffs", _LOW), ("bluffs", _HIGH), ("bluffs", _DOUBLES), ("bluffs", _TOP)),
    *(("claims", _FRESH), ("claims", _LOW), ("claims", _HIGH), ("claims", _DOUBLES)),
)


@dataclass(frozen=True, slots=True)
class Habit:
    """``points``: win chance that the best response loses without this habit.

    ``kind``: challenges of claims from position ``low`` to ``high``; bluffs among shown claims of
    that band; claims over a standing claim of that band (0: at the start of a round). ``yours``
    and ``solved``: the share of challenges or bluffs on the same occasions, or the mean place of
    the claim, 1 to 21. ``of``: occasions. ``telling``: standard deviations of luck between them.
    """

    kind: HabitKind
    low: int
    high: int
    yours: float
    solved: float
    of: int
    telling: float
    points: float


def costly(compared: ComparedActions, reading: Reading, solved: PairTables) -> list[Habit]:
    """The habits that cost most, the dearest first, as far as they are more than luck.

    A response is made to the model without the habit, and judged by the judge without it; the
    fall from the reading is the habit's price. Prices do not add up: habits work together.
    """
    noted = [(kind, band, _noted(compared, kind, band)) for kind, band in _HABITS]
    told = [row for row in noted if row[2].of >= _FEWEST and row[2].telling >= _TELLING]
    if not told:
        return []
    table = reading.rules.lives, reading.rules.penalty_21
    habits = [(kind, _mask(kind, band)) for kind, band, _ in told]
    response, _ = respond(_without(reading.model, solved, habits), *table)
    left = worth(response, _without(reading.judge, solved, habits), *table)
    before = float(worth(reading.response, reading.judge, *table)[0])
    found = [
        Habit(kind, *band, note.yours, note.solved, note.of, note.telling, before - value)
        for (kind, band, note), value in zip(told, left.tolist(), strict=True)
    ]
    dear = [habit for habit in found if habit.points >= _LEAST]
    return sorted(dear, key=lambda habit: -habit.points)[:MOST]


@dataclass(frozen=True, slots=True)
class _Note:
    yours: float
    solved: float
    of: int
    telling: float


def _noted(compared: ComparedActions, kind: HabitKind, band: Band) -> _Note:
    """What was counted, and the mean and spread of the solved player on the same occasions."""
    claims, answers = compared.claims, compared.answers
    if kind == "challenges":
        mask = _within(answers.claim + 1, band)
        return _compared(answers.challenged[mask], answers.solved[mask])
    if kind == "claims":
        mask = _within(claims.standing, band)
        return _compared(claims.claim[mask], compared.place[mask], compared.spread[mask], base=1.0)
    said = claims.solved_true + claims.solved_false
    mask = _within(claims.claim + 1, band) & (claims.roll >= 0) & (said > 0.0)
    return _compared(~claims.holds[mask], claims.solved_false[mask] / said[mask])


def _compared(
    yours: Ints | Bools, usual: Floats, spread: Floats | None = None, base: float = 0.0
) -> _Note:
    number = len(yours)
    if not number:
        return _Note(0.0, 0.0, 0, 0.0)
    luck = usual * (1.0 - usual) if spread is None else spread
    apart = float(yours.sum() - usual.sum())
    telling = abs(apart) / sqrt(float(luck.sum()) + 0.5)
    return _Note(float(yours.mean()) + base, float(usual.mean()) + base, number, telling)


def _within(position: Ints, band: Band) -> Bools:
    low, high = band
    return np.asarray((position >= low) & (position <= high))


def _mask(kind: HabitKind, band: Band) -> Bools:
    """[21 standings, 21 claims] cells of a habit."""
    count = len(CLAIMS)
    rows, columns = np.arange(count)[:, None], np.arange(1, count + 1)
    found = _within(rows if kind == "claims" else columns, band)
    return np.broadcast_to(found, (count, count))


def _without(
    play: PairTables, solved: PairTables, habits: list[tuple[HabitKind, Bools]]
) -> PairTables:
    """The player with each habit in turn replaced by the solved player's."""
    changed: list[tuple[Floats, Floats, Floats]] = []
    for kind, mask in habits:
        true, false, challenges = play.true[0], play.false[0], play.challenges[0]
        if kind == "challenges":
            challenges = np.where(mask, solved.challenges[0], challenges)
        elif kind == "claims":
            true, false = (
                np.where(mask, solved.true[0], true),
                np.where(mask, solved.false, false)[0],
            )
        else:
            false = _bluffing(true, false, solved, mask)
        changed.append((true, false, challenges))
    return PairTables(*(np.stack(column) for column in zip(*changed, strict=True)))


def _bluffing(true: Floats, false: Floats, solved: PairTables, mask: Bools) -> Floats:
    """Bluffs in the solved proportion to true claims where ``mask`` is; the others give way.

    True claims stay: only so many rolls allow them. What the solved player never claims, or never
    truly, tells no proportion.
    """
    tells = mask & (solved.true[0] > 0.0)
    odds = np.divide(solved.false[0], solved.true[0], out=np.zeros_like(true), where=tells)
    wanted = np.where(tells, true * odds, 0.0)
    others = np.where(tells, 0.0, false)
    left = false.sum(axis=2, keepdims=True)
    wanted *= np.minimum(1.0, left / np.maximum(wanted.sum(axis=2, keepdims=True), 1e-12))
    left -= wanted.sum(axis=2, keepdims=True)
    total = others.sum(axis=2, keepdims=True)
    return np.asarray(
        np.where(total > 0.0, wanted + others * left / np.maximum(total, 1e-12), false)
    )
