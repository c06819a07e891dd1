"""Players' tables in the form the kernel draws from: alias tables, side by side in one pool.

A row of claim chances with n possible claims becomes n columns of equal weight, each split between
at most two claims (Walker 1977, "An efficient method for generating discrete random variables with
general distributions"). A claim is then drawn from one number with one multiplication, two look-ups
and one comparison, whatever the row.

A column is one word: its threshold (32 bits), then two codes of 16 bits, the second one for
numbers from the threshold on. A code says it all: ``(standing * 21 + claim index) * 2 + holds``.
Rows that are alike share their columns: of the solved game that leaves one in forty, and the tables
of all lives at a small table stay in the cache of a core.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mia_cli.engine.policy import Policy
from mia_cli.rules.rolls import OUTCOMES, ROLLS, roll_of_dice
from mia_cli.simulate.lockstep.draws import ANSWER_BITS, CLAIM_BITS
from mia_cli.theory.rule_arrays import CLAIM_COUNT, LEGAL, STANDINGS, SUPPORTS, Floats, Lives
from mia_cli.theory.strategies import TOGETHER, ManyTabled, Strategy

Number = TypeVar("Number", np.uint32, np.uint64)
Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint32]

ROLL_OF_OUTCOME: Numbers = np.array(
    [ROLLS.index(roll_of_dice(1 + outcome // 6, 1 + outcome % 6)) for outcome in range(OUTCOMES)]
)
"""[36] index of the roll that an outcome of the dice is."""
ROWS = len(STANDINGS) * OUTCOMES
"""Rows of a table: one for each standing claim and outcome of the dice."""
ANSWERS = len(STANDINGS) * CLAIM_COUNT
CODES = 2 * ANSWERS
COLUMN_BITS = 5
"""Bits of the number of columns in ``meta``."""
MOST_COLUMNS = 1 << 32 - COLUMN_BITS
MOST_BYTES = 192 << 20
"""Tables by lives are dropped, and built again when needed, when the pool has outgrown this."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where a table is in the pool: its first row of claims and its first answer; -1: nowhere."""

    row: int
    answer: int


class Pool:
    """Tables of players, built when first asked for.

    ``meta[row]``: first column of a row * 32 + number of columns; rows of a table are
    ``standing * 36 + outcome``. ``columns``: as in the module. ``answers[answer]``: threshold
    below which a number of 31 bits challenges; answers of a table are ``standing * 21 + claim``.
    """

    def __init__(self, players: Sequence[Strategy], most_bytes: int = MOST_BYTES) -> None:
        self.players = tuple(players)
        self._most_bytes = most_bytes
        self.clear()

    def clear(self) -> None:
        """Forget every table."""
        self._meta, self._columns = _Growing(np.uint32), _Growing(np.uint64)
        self._answers = _Growing(np.uint32)
        self._known: dict[tuple[int, Lives], TablePlace] = {}
        self._rows: dict[bytes, int] = {}
        self._tables_at: dict[bytes, int] = {}

    @property
    def meta(self) -> Words:
        """[rows] see the class. The array is replaced when tables are added."""
        return self._meta.array

    @property
    def columns(self) -> Hashes:
        """[columns] see the module."""
        return self._columns.array

    @property
    def answers(self) -> Words:
        """[answers] see the class."""
        return self._answers.array

    @property
    def is_full(self) -> bool:
        """True when it is time to clear."""
        parts = (self._meta, self._columns, self._answers)
        return sum(part.array.nbytes for part in parts) > self._most_bytes

    def changes_with_lives(self, player: int) -> bool:
        """True when the tables of ``players[player]`` depend on the lives on the table."""
        return not isinstance(self.players[player], Policy)

    def place(self, player: int, lives: Lives) -> TablePlace:
        """Where the table of a player is; built now if need be.

        ``lives`` of the living seats in playing order from the one that rolls.
        """
        key = (player, lives if self.changes_with_lives(player) else ())
        if key not in self._known:
            claims, challenges = self._tables(player, lives)
            (self._known[key],) = self._add(claims[None], challenges[None])
        return self._known[key]

    def prepare(self, player: int, lives: Sequence[Lives]) -> None:
        """Build the tables for many lives, where the player gives them faster together."""
        found = self.players[player]
        new = [some for some in lives if (player, some) not in self._known]
        if isinstance(found, ManyTabled):
            for first in range(0, len(new), TOGETHER):
                some = new[first : first + TOGETHER]
                which, claims, challenges = found.many_tables(some)
                places = self._add(claims, challenges)
                for one, kind in zip(some, which.tolist(), strict=True):
                    self._known[player, one] = places[kind]

    def _tables(self, player: int, lives: Lives) -> tuple[Floats, Floats]:
        found = self.players[player]
        if isinstance(found, Policy):
            return np.array(found.claims), np.array(found.challenges)
        return found.tables(lives)

    def _add(self, claims: Floats, challenges: Floats) -> list[TablePlace]:
        """Where these tables are; tables that are alike are there once."""
        rows = self._once(claims, self._meta_of, self._meta)
        answers = self._once(challenges, thresholds, self._answers)
        return [TablePlace(*place) for place in zip(rows, answers, strict=True)]

    def _once(
        self, tables: Floats, words_of: Callable[[Floats], Words], words: _Growing[np.uint32]
    ) -> list[int]:
        """Where each of ``tables`` starts in ``words``; those that are new are added."""
        marks = [hashlib.blake2b(table.tobytes(), digest_size=16).digest() for table in tables]
        new = {mark: at for at, mark in enumerate(marks) if mark not in self._tables_at}
        if new:
            added = words_of(tables[list(new.values())])
            self._tables_at |= {
                mark: words.add(one.ravel()) for mark, one in zip(new, added, strict=True)
            }
        return [self._tables_at[mark] for mark in marks]

    def _meta_of(self, claims: Floats) -> Words:
        return self._columns_of(claims)[..., ROLL_OF_OUTCOME]

    def _columns_of(self, claims: Floats) -> Words:
        """[tables, 21 standings, 21 rolls] ``meta`` of each row of chances; adds what is new."""
        chances = (claims * LEGAL[:, None, :]).reshape(-1, CLAIM_COUNT)
        codes = np.where(chances > 0.0, np.tile(_CODES, (len(claims), 1)), 0)
        # Rows are alike when all chances and what may be said are.
        both = np.concatenate((chances.view(np.uint64), codes), axis=1)
        size, data = both.itemsize * both.shape[1], both.tobytes()
        keys = [data[at : at + size] for at in range(0, len(data), size)]
        first = {key: at for at, key in reversed(list(enumerate(keys))) if key not in self._rows}
        new = sorted(first.values())
        if new:
            counts, columns = alias_rows(chances[new], codes[new])
            start = self._columns.add(columns)
            if start + len(columns) > MOST_COLUMNS:
                raise OverflowError("more columns than meta can tell apart")
            starts = start + counts.cumsum() - counts
            metas = (starts << COLUMN_BITS | counts).tolist()
            self._rows |= {keys[at]: meta for at, meta in zip(new, metas, strict=True)}
        found = np.array([self._rows[key] for key in keys], dtype=np.uint32)
        return found.reshape(-1, len(STANDINGS), CLAIM_COUNT)

    def draw_claim(self, place: TablePlace, standing: int, outcome: int, number: int) -> int:
        """The code that ``number`` draws; what the kernel does, for one claim."""
        meta = int(self.meta[place.row + standing * OUTCOMES + outcome])
        count = meta & (1 << COLUMN_BITS) - 1
        scaled = number * count
        column = int(self.columns[(meta >> COLUMN_BITS) + (scaled >> CLAIM_BITS)])
        above = scaled << CLAIM_BITS & 2**64 - 1 >= column
        return column >> (16 if above else 0) & 0xFFFF

    def draw_challenge(self, place: TablePlace, code: int, number: int) -> bool:
        """Whether ``number`` challenges; what the kernel does, for one answer."""
        return number < int(self.answers[place.answer + (code >> 1)])


class _Growing(Generic[Number]):
    """An array that grows at its end, doubling, so that adding stays cheap."""

    def __init__(self, kind: type[Number]) -> None:
        self.array: NDArray[Number] = np.zeros(1 << 10, dtype=kind)
        self._used = 0

    def add(self, values: NDArray[Number]) -> int:
        """Put values at the end; returns where they start. May replace ``array``."""
        first, self._used = self._used, self._used + len(values)
        if self._used > len(self.array):
            grown = np.zeros(max(2 * len(self.array), self._used), dtype=self.array.dtype)
            grown[:first] = self.array[:first]
            self.array = grown
        self.array[first : self._used] = values
        return first


def thresholds(chances: Floats) -> Words:
    """Chances as numbers of 31 bits: 0 is never, 2**31 always."""
    rounded: Words = np.rint(chances * 2.0**ANSWER_BITS).astype(np.uint32)
    return rounded


def alias_rows(rows: Floats, codes: Hashes) -> tuple[Numbers, Hashes]:
    """Columns of rows of chances [rows, 21 claims] with their codes.

    Returns [rows] the number of columns of each row, and all columns, row after row. A claim with
    chance 0 is in no column.
    """
    counts = (rows > 0.0).sum(axis=1)
    # Possible claims first, in their order; each row is then its chances and its codes.
    order = np.argsort(rows <= 0.0, axis=1, kind="stable")
    chances = np.take_along_axis(rows, order, axis=1)
    codes = np.take_along_axis(codes, order, axis=1)
    starts = np.concatenate(([0], counts.cumsum()))
    columns = np.zeros(starts[-1], dtype=np.uint64)
    # Not np.unique, here and elsewhere: it loads numpy.ma, which takes as long as half of NumPy.
    for count in set(counts.tolist()):
        same = np.flatnonzero(counts == count)
        built = _alias(chances[same, :count], codes[same, :count])
        columns[starts[same][:, None] + np.arange(count)] = built
    return counts.astype(np.int64), columns


def _codes() -> Hashes:
    """[441 rows, 21 claims] the code of every claim with every roll over every standing claim."""
    said = np.arange(len(STANDINGS))[:, None, None] * CLAIM_COUNT + np.arange(CLAIM_COUNT)
    return (said * 2 + SUPPORTS[None]).reshape(-1, CLAIM_COUNT).astype(np.uint64)


_CODES = _codes()


def _alias(chances: Floats, codes: Hashes) -> Hashes:
    """Columns of rows [rows, n] without zeros, all rows at once.

    Again and again the lowest open column is filled up from the highest one and closed.
    """
    count = chances.shape[1]
    every = np.arange(len(chances))
    weight = chances / chances.sum(axis=1, keepdims=True) * count
    share, other = np.ones(weight.shape), codes.copy()
    is_open = np.ones(weight.shape, dtype=bool)
    for _ in range(count - 1):
        low = np.where(is_open, weight, np.inf).argmin(axis=1)
        is_open[every, low] = False
        high = np.where(is_open, weight, -np.inf).argmax(axis=1)
        lacks = np.clip(1.0 - weight[every, low], 0.0, 1.0)
        share[every, low] = 1.0 - lacks
        other[every, low] = codes[every, high]
        weight[every, high] -= lacks
    split = np.minimum(np.rint(share * 2.0**CLAIM_BITS), 2.0**CLAIM_BITS - 1.0).astype(np.uint64)
    # A full column holds its own code twice: then the threshold does not matter.
    other = np.where(share >= 1.0, codes, other)
    return (split << np.uint64(32)) | (other << np.uint64(16)) | codes
