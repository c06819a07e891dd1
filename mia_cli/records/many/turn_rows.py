"""One row a turn (a roll, a claim, an answer), for the tables of other programs.

What a row says is listed once, in ``COLUMNS``; all forms of a row follow from it. Most of a row
repeats from row to row, so the text of every part (columns side by side that lead to one value of a
``TurnRow``) is made once and looked up from then on.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from mia_cli.records.many.columns import Batch
from mia_cli.records.many.turns import ACCEPTED, CHALLENGED, PENDING, SHIFTS, WIDTHS
from mia_cli.rules.match import lose
from mia_cli.rules.rolls import claim_at, roll_at

TurnForm = Literal["csv", "jsonl"]
"""CSV with a head, or one JSON object a line."""
_JSON_ENDINGS = (".jsonl", ".ndjson")
_ANSWERS = {PENDING: None, ACCEPTED: "accept", CHALLENGED: "challenge"}
_KEPT = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class TurnActions:
    """What was done in a turn, whatever the match; None where it is unknown or was not done.

    A claim was made over ``above``. ``roll`` is None where the record does not have it. ``holds``
    is told by a challenge alone; then ``loser`` lost ``lost`` lives.
    """

    seat: int
    above: str | None
    roll: str | None
    claim: str | None
    bluff: bool | None
    answered_by: int | None
    answer: str | None
    holds: bool | None
    loser: int
    lost: int


class RoundState(NamedTuple):
    """A round, from 1, and the lives of all seats in it."""

    number: int
    lives: tuple[int, ...]


class SeatPlayer(NamedTuple):
    """A seat and who plays it."""

    seat: int
    player: str


class TurnRow(NamedTuple):
    """A turn: the match's id, its round, its number in the round from 1, who claimed, and what."""

    match: str
    round: RoundState
    turn: int
    claimer: SeatPlayer
    done: TurnActions


COLUMNS = (
    ("match", "match"),
    ("round", "round.number"),
    ("turn", "turn"),
    ("seat", "claimer.seat"),
    ("player", "claimer.player"),
    ("lives", "round.lives"),
    ("above", "done.above"),
    ("roll", "done.roll"),
    ("claim", "done.claim"),
    ("bluff", "done.bluff"),
    ("answered_by", "done.answered_by"),
    ("answer", "done.answer"),
    ("holds", "done.holds"),
)
"""The columns: name, and where a TurnRow has it."""


@lru_cache(_KEPT)
def turn_actions(code: int) -> TurnActions:
    """The turn that a number of ``turns`` says."""
    part = {name: code >> SHIFTS[name] & (1 << width) - 1 for name, width in WIDTHS.items()}
    roll = roll_at(part["roll"]) if part["roll"] else None
    claim, above = (claim_at(part[name]) if part[name] else None for name in ("claim", "above"))
    bluff = None if roll is None or claim is None else claim.exceeds(roll)
    holds = None if bluff is None or part["answer"] != CHALLENGED else not bluff
    return TurnActions(
        seat=part["seat"],
        above=None if above is None else above.name,
        roll=None if roll is None else roll.name,
        claim=None if claim is None else claim.name,
        bluff=bluff,
        answered_by=None if part["answer"] == PENDING else part["other"],
        answer=_ANSWERS[part["answer"]],
        holds=holds,
        loser=part["other"] if holds else part["seat"],
        lost=part["lost"],
    )


def turn_rows(batch: Batch, ids: Sequence[str]) -> Iterator[TurnRow]:
    """The turns of all matches of a batch, in order; ``ids`` of its matches.

    A roll after which nothing was claimed, where a match was left, is no turn.
    """
    codes = iter(batch.turns.tolist())
    columns = (batch.heads[name].tolist() for name in ("lives", "seats", "players", "turns"))
    for match, lives, seats, players, turns in zip(ids, *columns, strict=True):
        named = [batch.players[who][1] for who in players[:seats]]
        yield from match_rows(match, lives, named, islice(codes, turns))


def match_rows(
    match: str, lives: int, players: Sequence[str], codes: Iterable[int]
) -> Iterator[TurnRow]:
    """The turns of one match: its id, the lives at its start, who plays, and the turns."""
    seated = [SeatPlayer(seat, player) for seat, player in enumerate(players, 1)]
    state, turn = RoundState(1, (lives,) * len(players)), 0
    for code in codes:
        done = turn_actions(code)
        if done.claim is None:
            continue
        turn += 1
        yield TurnRow(match, state, turn, seated[done.seat - 1], done)
        if done.lost:
            left = lose(state.lives, done.loser, done.lost)
            state, turn = RoundState(state.number + 1, left), 0


def as_dict(row: TurnRow) -> dict[str, object]:
    """A row by the names of the columns; lives are a list."""
    found = dict(zip(_NAMES, _VALUES(row), strict=True))
    return {**found, "lives": list(row.round.lives)}


_NAMES = tuple(name for name, _ in COLUMNS)
_VALUES = attrgetter(*(path for _, path in COLUMNS))


def form_of(name: str) -> TurnForm:
    """The form that a file's name asks for: JSON lines for .jsonl and .ndjson, packed or not."""
    return "jsonl" if name.lower().removesuffix(".gz").endswith(_JSON_ENDINGS) else "csv"


def head_of(form: TurnForm) -> bytes:
    """What stands before the first row."""
    return f"{','.join(_NAMES)}\n".encode() if form == "csv" else b""


def written(rows: Iterable[TurnRow], form: TurnForm) -> bytes:
    """Rows as bytes.

    In CSV an unknown value is empty, true and false are words, and lives stand with spaces
    between them.
    """
    texts, (begin, end) = _TEXTS[form], _ENDS[form]
    lines = (
        ",".join([known[value] for known, value in zip(texts, values, strict=True)])
        for values in map(_PARTS, rows)
    )
    return "".join([f"{begin}{line}{end}" for line in lines]).encode()


_ENDS = {"csv": ("", "\n"), "jsonl": ("{", "}\n")}
_GROUPED = [
    (name, list(columns))
    for name, columns in groupby(COLUMNS, key=lambda column: column[1].partition(".")[0])
]
_PARTS = attrgetter(*(name for name, _ in _GROUPED))
"""The values of a row, each of which has some columns side by side."""


class _PartTexts(dict[Any, str]):
    """Texts of a part of a row by its value."""

    def __init__(self, columns: Sequence[tuple[str, str]], spell: Spell) -> None:
        super().__init__()
        self._columns, self._spell = columns, spell

    def __missing__(self, value: Any) -> str:
        if len(self) >= _KEPT:
            self.clear()
        paths = ((name, path.partition(".")[2]) for name, path in self._columns)
        cells = [(name, attrgetter(rest)(value) if rest else value) for name, rest in paths]
        self[value] = text = self._spell(cells)
        return text


Spell = Callable[[Sequence[tuple[str, Any]]], str]
"""Gives the text of some cells, from their names and values."""


def _json(cells: Sequence[tuple[str, Any]]) -> str:
    return ",".join(f'"{name}":{_JSON.encode(cell)}' for name, cell in cells)


def _csv(cells: Sequence[tuple[str, Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([_plain(cell) for _, cell in cells])
    return text.getvalue()


_JSON = json.JSONEncoder(separators=(",", ":"))
_TEXTS = {
    form: [_PartTexts(columns, spell) for _, columns in _GROUPED]
    for form, spell in (("csv", _csv), ("jsonl", _json))
}


def _plain(value: object) -> object:
    """A cell of CSV; a name from outside cannot steer the terminal that it is printed on."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, str) and not value.isprintable():
        return value.encode("unicode_escape").decode("ascii")
    return value
