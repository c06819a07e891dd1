"""What a JSON field may hold: one object per kind, with its reader and its writer.

A reader raises ValueError for everything else. ``allowed`` is for the message: the values, or a
word for the kind: ``whole_number``, ``text``, ``list``, ``list_of_lives``, ``seed``,
``seed_fingerprint``, ``time``, ``match_id``, ``player``; where null is possible, a tuple of the
word and None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from mia_cli.engine.seed import MAX_DIGITS, parse_seed
from mia_cli.rules.errors import BadRecord, CannotRead
from mia_cli.rules.rolls import CLAIMS, NAMES, ROLLS
from mia_cli.rules.ruleset import LIVES, SEATS

EXACT = 2**53 - 1
"""Largest integer that readers with floating-point numbers (JavaScript, jq) keep exactly."""
_LONGEST_QUOTE = 200
_ID = re.compile(r"[0-9a-z][0-9a-z-]{0,63}", re.ASCII)
_FINGERPRINT = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
_PLAYER = re.compile(r"[a-z][a-z0-9_-]{0,63}|bot:.+", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class FieldKind:
    """How one kind of value is read from JSON and written to it."""

    allowed: object
    read: Callable[[object], Any]
    write: Callable[[Any], object]


def seed_to_json(seed: int) -> int | str:
    """A seed as a number, or as decimal text where a number could be rounded on the way."""
    return seed if -EXACT <= seed <= EXACT else str(seed)


def seed_from_json(value: object) -> int:
    """Read a seed, number or decimal text. Raises ValueError."""
    if type(value) is int and abs(value) < 10**MAX_DIGITS:
        return value
    if isinstance(value, str):
        try:
            seed = parse_seed(value)
        except CannotRead:
            raise ValueError from None
        if str(seed) == value:  # one spelling per seed: no +7, no 007
            return seed
    raise ValueError


def _plain(value: Any) -> object:
    return value


def _whole(least: int, most: int | None = None) -> Callable[[object], int]:
    def read(value: object) -> int:
        # bool is an int to isinstance, and 3.0 == 3: neither is a seat.
        if type(value) is not int or value < least or (most is not None and value > most):
            raise ValueError
        return value

    return read


def _list_of_lives(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) not in SEATS:
        raise ValueError
    return tuple(map(_whole(0, max(LIVES)), value))


def _named(values: Mapping[str, Any]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, str) or value not in values:
            raise ValueError
        return values[value]

    return read


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    value.encode()  # half a surrogate pair is not text; UnicodeEncodeError is a ValueError
    return value


def _matching(pattern: re.Pattern[str]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not pattern.fullmatch(_text(value)):
            raise ValueError
        return str(value)

    return read


def _time(value: object) -> str:
    text = _matching(_TIME)(value)
    datetime.fromisoformat(text)  # no 31 February
    return text


def _name(value: Any) -> str:
    return str(value.name)


WHOLE = FieldKind("whole_number", _whole(1), _plain)
SEAT = FieldKind(tuple(range(1, max(SEATS) + 1)), _whole(1, max(SEATS)), _plain)
ALL_LIVES = FieldKind("list_of_lives", _list_of_lives, list)
ROLL = FieldKind(NAMES, _named({roll.name: roll for roll in ROLLS}), _name)
CLAIM = FieldKind(NAMES, _named({claim.name: claim for claim in CLAIMS}), _name)
LIST = FieldKind("list", _list, _plain)
FLAG = FieldKind((False, True), _flag, _plain)
TEXT = FieldKind("text", _text, _plain)
SEED = FieldKind("seed", seed_from_json, seed_to_json)
FINGERPRINT = FieldKind("seed_fingerprint", _matching(_FINGERPRINT), _plain)
TIME = FieldKind("time", _time, _plain)
MATCH_ID = FieldKind("match_id", _matching(_ID), _plain)
PLAYER = FieldKind("player", _matching(_PLAYER), _plain)


def one_of(*values: str) -> FieldKind:
    """One of these words."""
    return FieldKind(values, _named({value: value for value in values}), _plain)


def or_null(kind: FieldKind) -> FieldKind:
    """The same kind, or null for None."""
    allowed = (*kind.allowed, None) if isinstance(kind.allowed, tuple) else (kind.allowed, None)
    return FieldKind(
        allowed,
        lambda value: None if value is None else kind.read(value),
        lambda value: None if value is None else kind.write(value),
    )


def quotable(value: object) -> object:
    """A value for a message: whatever it is, short and without depth."""
    if isinstance(value, str):
        return value[:_LONGEST_QUOTE]
    if isinstance(value, dict):
        return "{...}"
    return "[...]" if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where in a record: the event, counted from 1, or none; and the object within it."""

    event: int | None = None
    inside: str = ""

    def refuse(self, code: str, field: str = "", **fields: object) -> NoReturn:
        """Raise BadRecord with this place: ``code``, in an event ``event_<code>`` (event)."""
        path = f"{self.inside}.{field}".strip(".")
        if self.event is None:
            raise BadRecord(code, field=path, **fields) from None
        raise BadRecord(f"event_{code}", event=self.event, field=path, **fields) from None

    def read(self, kind: FieldKind, field: str, value: object) -> Any:
        """Read one value. Raises BadRecord("bad_value") (field, value, allowed)."""
        try:
            return kind.read(value)
        except ValueError:
            self.refuse("bad_value", field, value=quotable(value), allowed=kind.allowed)


NOWHERE = FieldPlace()
"""Not inside anything: the top of a document."""


def read_object(
    value: object,
    kinds: Mapping[str, FieldKind],
    place: FieldPlace,
    optional: Container[str] = (),
) -> dict[str, Any]:
    """Read an object that holds exactly these fields (some of them optional).

    Raises BadRecord through ``place``: ``not_an_object`` (value), ``missing_field``,
    ``unknown_field`` (allowed) or ``bad_value`` (value, allowed), each naming the field.
    """
    if not isinstance(value, dict):
        place.refuse("not_an_object", value=quotable(value))
    for key in value:
        if key not in kinds:
            place.refuse("unknown_field", key[:_LONGEST_QUOTE], allowed=tuple(kinds))
    for key in kinds:
        if key not in value and key not in optional:
            place.refuse("missing_field", key)
    return {key: place.read(kind, key, value[key]) for key, kind in kinds.items() if key in value}
