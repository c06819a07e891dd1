"""JSON that is read with suspicion.

Reading errors are BadRecord, without a ``file`` field until ``failures.in_file`` adds it:
``empty_file``, ``not_utf8`` (offset), ``not_json`` (line, column), ``bad_number`` (value),
``duplicate_key`` (key), ``too_deep``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import NoReturn

from mia_cli.rules.errors import BadRecord

LONGEST_NUMBER = 200
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode_json(data: bytes) -> object:
    """The JSON value in UTF-8 ``data`` (a byte-order mark is accepted). Raises BadRecord.

    Stricter than Python's reader: no NaN or infinity, no key twice, no endless numbers.
    """
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord("not_utf8", offset=error.start) from None
    if not text.strip():
        raise BadRecord("empty_file")
    try:
        return _READER.decode(text)
    except json.JSONDecodeError as error:
        raise BadRecord("not_json", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise BadRecord("too_deep") from None


def _whole_number(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        _bad_number(text)
    return int(text)


def _real_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _bad_number(text)
    return number


def _bad_number(text: str) -> NoReturn:
    raise BadRecord("bad_number", value=text[:LONGEST_NUMBER])


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise BadRecord("duplicate_key", key=next(key for key in keys if keys.count(key) > 1))
    return found


_READER = json.JSONDecoder(
    object_pairs_hook=_without_repeats,
    parse_constant=_bad_number,
    parse_int=_whole_number,
    parse_float=_real_number,
)
# Escaped to ASCII: a name with half a surrogate pair can be written and is never half-written.
_WRITER = json.JSONEncoder(allow_nan=False, separators=(", ", ": "))


def encode_json(document: Mapping[str, object]) -> bytes:
    """``document`` as ASCII JSON with one field, and one object of a list, to a line.

    Raises ValueError or TypeError for what JSON cannot say, BadRecord("too_deep").
    """
    try:
        lines = [f"{_WRITER.encode(key)}: {_lines(value)}" for key, value in document.items()]
    except RecursionError:
        raise BadRecord("too_deep") from None
    return ("{\n " + ",\n ".join(lines) + "\n}\n").encode("ascii")


def _lines(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "[\n  " + ",\n  ".join(map(_WRITER.encode, value)) + "\n ]"
    return _WRITER.encode(value)
