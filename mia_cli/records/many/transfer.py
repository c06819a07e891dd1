"""Records out of the folder as one file, and back in."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.outputs import OutputFile
from mia_cli.records.many.source import records_of
from mia_cli.records.many.stream import Problem, named
from mia_cli.records.record import MatchRecord, encode_line
from mia_cli.records.replay import replay
from mia_cli.records.store import Damaged, MatchStore
from mia_cli.rules.errors import BadRecord, MiaError


def export_records(
    store: MatchStore, output: OutputFile, on_damaged: Callable[[Damaged], None]
) -> int:
    """Write every record of a store as a line, oldest first; returns their number.

    Raises Unwritable.
    """
    number = 0
    with output.opened() as file:
        for item in store.records():
            if isinstance(item, Damaged):
                on_damaged(item)
            else:
                file.write(encode_line(item))
                number += 1
    return number


@dataclass
class Imported:
    """What became of the records: new here, further played, here already, another match here."""

    new: int = 0
    longer: int = 0
    same: int = 0
    differing: int = 0


def import_records(
    store: MatchStore,
    source: Path | BinaryIO,
    name: str,
    *,
    on_problem: Callable[[Problem], None],
    on_differing: Callable[[str], None],
) -> Imported:
    """Put the records of a file into a store. A record that is here already is left alone, one
    that was played further elsewhere takes the place of the shorter one, and one that differs is
    left out. Damaged ones, those that break the rules and those whose file in the store is damaged
    are handed to ``on_problem``.

    Raises Unwritable when the store cannot be written.
    """
    done = Imported()
    for item in records_of(source, name):
        if isinstance(item, Problem):
            on_problem(item)
            continue
        try:
            replay(item)
        except MiaError as error:
            on_problem(named(error, f"{name}: {item.id}"))
            continue
        try:
            _import(store, item, done, on_differing)
        except MiaError as error:
            if error.code not in _OF_ONE:
                raise
            on_problem(Problem(item.id, error))
    return done


_OF_ONE = ("damaged_here", "changed_elsewhere")
"""What is wrong with one record of the store, and no reason to leave out those that follow."""


def _import(
    store: MatchStore, record: MatchRecord, done: Imported, on_differing: Callable[[str], None]
) -> None:
    known = _known(store, record.id)
    if known is None:
        store.save(record)
        done.new += 1
    elif known == record and dict(known.extra) == dict(record.extra):
        done.same += 1
    elif _continues(known, record):
        store.save(record)
        done.longer += 1
    elif _continues(record, known):
        done.same += 1
    else:
        done.differing += 1
        on_differing(record.id)


def _known(store: MatchStore, match_id: str) -> MatchRecord | None:
    path = store.path_of(match_id)
    if not os.path.lexists(path):
        return None
    try:
        return store.read(match_id)
    except MiaError as error:
        raise BadRecord("damaged_here", id=match_id, path=str(path)) from error


def _continues(shorter: MatchRecord, longer: MatchRecord) -> bool:
    """True when ``longer`` is the same match, played further."""
    same = ("id", "ruleset", "seats", "seed", "dice", "created")
    return (
        shorter.winner is None
        and all(getattr(shorter, name) == getattr(longer, name) for name in same)
        and len(longer.events) > len(shorter.events)
        and longer.events[: len(shorter.events)] == shorter.events
    )
