"""Solutions kept between runs, in a folder that the caller names.

A file is a line of JSON and the values as they lie in memory. The line carries a fingerprint of
the rules, of the way of solving and of the values, so that a damaged file, one of another version
or of another machine's byte order is noticed and solved again. The largest gain of any seat, which
proves a solution, is a file beside it. Nothing here raises for what is wrong with a file or a
folder: the cache only saves time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

import numpy as np

from mia_cli.files.reading import read_bytes
from mia_cli.files.writing import make_folder, write_atomically
from mia_cli.rules.errors import MiaError, Unwritable
from mia_cli.theory import rule_arrays, tie_breaking
from mia_cli.theory.rule_arrays import Floats
from mia_cli.theory.states import States

SCHEMA = "mia.solution/1"
ALGORITHM = 2
"""Raised whenever the same rules would give another solution: old files are then not used."""
_LONGEST_HEAD = 1000


def load(folder: Path, states: States, penalty_21: int) -> Floats | None:
    """The stored values of this solution, or None when there are none that can be trusted."""
    shape = _shape(states)
    size = 8 * int(np.prod(shape))
    try:
        data = read_bytes(_path(folder, states, penalty_21), _LONGEST_HEAD + size)
    except MiaError:
        return None
    head, payload = data[:-size], data[-size:]
    if head != _head(states, penalty_21, payload):
        return None
    return np.frombuffer(payload, dtype="<f8").reshape(shape).astype(np.float64)


def store(folder: Path, states: States, penalty_21: int, values: Floats) -> bool:
    """Keep these values. Returns whether that worked; a file is whole or not there."""
    payload = values.astype("<f8").tobytes()
    data = _head(states, penalty_21, payload) + payload
    try:
        make_folder(folder)
        write_atomically(_path(folder, states, penalty_21), data)
    except Unwritable:
        return False
    return True


def load_gain(folder: Path, states: States, penalty_21: int, values: Floats) -> float | None:
    """The largest gain of any seat that is kept for these values, or None."""
    path = _path(folder, states, penalty_21, "gain")
    head = _head(states, penalty_21, values.astype("<f8").tobytes())
    try:
        data = read_bytes(path, len(head) + _LONGEST_HEAD)
    except MiaError:
        return None
    digits = data[len(head) :].partition(b" ")[0]
    return float(digits) if data == _with_gain(head, digits) else None


def store_gain(folder: Path, states: States, penalty_21: int, values: Floats, gain: float) -> None:
    """Keep the largest gain of any seat beside these values."""
    head = _head(states, penalty_21, values.astype("<f8").tobytes())
    with contextlib.suppress(Unwritable):
        make_folder(folder)
        path = _path(folder, states, penalty_21, "gain")
        write_atomically(path, _with_gain(head, repr(gain).encode()))


def _with_gain(head: bytes, digits: bytes) -> bytes:
    mark = hashlib.sha256(head + digits).hexdigest()
    return head + digits + b" " + mark.encode() + b"\n"


def _path(folder: Path, states: States, penalty_21: int, what: str = "solution") -> Path:
    name = f"{what}-{states.max_players}-{states.max_lives}-{penalty_21}.mia"
    return folder / name


def _shape(states: States) -> tuple[int, int, int]:
    return len(rule_arrays.STANDINGS), states.max_players, len(states)


def _head(states: States, penalty_21: int, payload: bytes) -> bytes:
    fields = {
        "schema": SCHEMA,
        "algorithm": ALGORITHM,
        "players": states.max_players,
        "lives": states.max_lives,
        "penalty_21": penalty_21,
        "rules": _rules(states.max_players, penalty_21),
        "values": hashlib.sha256(payload).hexdigest(),
    }
    return json.dumps(fields).encode("ascii") + b"\n"


def _rules(seats: int, penalty_21: int) -> str:
    """A hash of every table that the solution depends on."""
    hashed = hashlib.sha256()
    for table in (
        *(rule_arrays.CHANCES, rule_arrays.SUPPORTS, rule_arrays.LEGAL, rule_arrays.FORCED),
        *(rule_arrays.losses(penalty_21), rule_arrays.lives_after(), rule_arrays.leaders(seats)),
        *(*tie_breaking.claims(), tie_breaking.challenges()),
    ):
        hashed.update(np.ascontiguousarray(table, dtype="<f8").tobytes())
    return hashed.hexdigest()
