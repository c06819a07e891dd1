"""What everybody at the table heard of the person: claims, answers, and rolls that were shown.

Rolls that were never shown are masked out before anything is made of them, the person's own too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mia_cli.records.many.columns import Batch
from mia_cli.records.many.turns import ACCEPTED, CHALLENGED, Counts
from mia_cli.rules.ruleset import SEATS
from mia_cli.stats.totals import part_of
from mia_cli.theory.rule_arrays import FORCED, SUPPORTS, Bools, Lives

_MOST_SEATS = max(SEATS)
_BASE = 10
"""Lives of seats are the digits of one number."""


@dataclass(frozen=True, slots=True)
class ActionRows:
    """Claims or answers of the person, one row each.

    ``match``: number of the match in the batch; ``table``: row of ``PublicActions.lives``;
    ``standing`` a position, 0 for none; ``claim`` a row. ``roll``: row of the roll where it was
    shown, else -1. ``challenged``: whether the claim was.
    """

    match: Counts
    table: Counts
    standing: Counts
    claim: Counts
    roll: Counts
    challenged: Bools


@dataclass(frozen=True, slots=True)
class PublicActions:
    """``matches`` in number; ``claims`` and ``answers`` of the person; forced answers left out.

    ``lives``: penalty, and lives of living seats from the one that rolls, of every table met.
    """

    matches: int
    claims: ActionRows
    answers: ActionRows
    lives: tuple[tuple[int, Lives], ...]


def public_actions(batch: Batch) -> PublicActions:
    """What was heard of the person in finished matches of a batch, oldest first."""
    heads = batch.heads
    match = np.repeat(np.arange(len(heads)), heads["turns"])
    seat, other, roll, claim, standing, answer, lost = (
        part_of(batch.turns, name)
        for name in ("seat", "other", "roll", "claim", "above", "answer", "lost")
    )
    shown = np.where(answer == CHALLENGED, roll, 0) - 1
    holds = (shown >= 0) & SUPPORTS[shown, claim - 1]
    loser = np.where(holds, other, seat)
    lives = _lives(batch, match, np.where(answer == CHALLENGED, loser, 0), lost)
    tables = _tables(heads["penalty"][match], lives, seat, heads["seats"][match])
    met, table = np.unique(tables, return_inverse=True)
    person = heads["person"][match]
    answered = (answer == ACCEPTED) | (answer == CHALLENGED)

    def some(mask: Bools) -> ActionRows:
        which, lives_met, stood, said = match[mask], table[mask], standing[mask], claim[mask] - 1
        return ActionRows(which, lives_met, stood, said, shown[mask], answer[mask] == CHALLENGED)

    mine = answered & (person > 0)
    return PublicActions(
        len(heads),
        some(mine & (seat == person)),
        some(mine & (other == person) & ~FORCED[claim - 1]),
        tuple(_read(code) for code in met.tolist()),
    )


def _lives(batch: Batch, match: Counts, loser: Counts, lost: Counts) -> Counts:
    """[turns, 6 seats] lives before each turn."""
    heads = batch.heads
    seats = np.arange(1, _MOST_SEATS + 1)
    start = np.where(seats <= heads["seats"][:, None], heads["lives"][:, None], 0).astype(np.int64)
    losses = np.where(loser[:, None] == seats, lost[:, None], 0)
    before = losses.cumsum(axis=0) - losses
    first = heads["turns"].astype(np.int64).cumsum() - heads["turns"]
    earlier = before[np.minimum(first, max(len(before) - 1, 0))] if len(before) else start * 0
    found: Counts = (start + earlier)[match] - before
    return found


def _tables(penalty: Counts, lives: Counts, seat: Counts, seats: Counts) -> Counts:
    """The penalty and the lives of living seats from the one that rolls, as digits."""
    code = penalty.astype(np.int64)
    row = np.arange(len(lives))
    for step in range(_MOST_SEATS):
        left = lives[row, (seat - 1 + step) % seats]
        code = np.where((left > 0) & (step < seats), code * _BASE + left, code)
    return code


def _read(code: int) -> tuple[int, Lives]:
    penalty, *lives = (int(digit) for digit in str(code))
    return penalty, tuple(lives)


def slices(batch: Batch, parts: int) -> Iterator[Batch]:
    """A batch in parts of about equal numbers of matches, in order."""
    numbers = np.arange(len(batch.heads)) * parts // max(len(batch.heads), 1)
    for part in range(parts):
        yield batch.chosen(numbers == part)
