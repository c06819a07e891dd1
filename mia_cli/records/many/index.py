"""An index of a folder of records, so that only new and changed records are read.

A SQLite file in the cache folder, one for each folder of records. The records stay the truth: an
index that is missing, damaged, of another version or in use by another process is made again, or
done without. Nothing here raises for what is wrong with the index.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mia_cli.files.failures import os_failure
from mia_cli.files.writing import make_folder
from mia_cli.records.many.columns import HEAD, Batch, PlayerKey, PlayerNumbers, batch_of, pack
from mia_cli.records.many.match_summary import MatchSummary
from mia_cli.records.many.processes import FileStamp, read_files, spread
from mia_cli.records.many.stream import Problem
from mia_cli.rules.errors import Unwritable

VERSION = 2
"""Raised whenever the same records would give other rows."""
_TOGETHER = 500
_PATIENCE = 2.0
_SCHEMA = f"""
CREATE TABLE player (number INTEGER PRIMARY KEY, name TEXT, player TEXT);
CREATE TABLE record (
    file TEXT PRIMARY KEY, changed INTEGER, size INTEGER, inode INTEGER, head BLOB, turns BLOB
) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""
_Row = tuple[str, int, int, int, bytes, bytes]


@dataclass
class Found:
    """All records of a folder: ``files[match]`` are their names, oldest first by name."""

    batch: Batch
    files: list[str]
    problems: list[Problem] = field(default_factory=list)

    @property
    def ids(self) -> Iterator[str]:
        """The ids of the matches: a record is named by its id."""
        return (name.removesuffix(".json") for name in self.files)


def index_path(cache: Path, folder: Path) -> Path:
    """The index of a folder of records."""
    name = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return cache / f"records-{name}.sqlite3"


def read_folder(folder: Path, cache: Path | None, jobs: int | None = None) -> Found:
    """Every record of a folder, from the index where it is up to date.

    ``cache`` is where indexes are kept (None: nowhere). Raises Unwritable when the folder cannot
    be read; a folder that is not there has no records.
    """
    with _no_collecting():
        return _read_folder(folder, cache, jobs)


@contextlib.contextmanager
def _no_collecting() -> Iterator[None]:
    # A hundred thousand rows are no garbage, but are searched for it again and again.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_folder(folder: Path, cache: Path | None, jobs: int | None) -> Found:
    stamps = _stamps(folder)
    rows, players = _load(cache, folder)
    known = {row[0]: row for row in rows}
    kept, new = [], []
    for stamp in stamps:
        row = known.get(stamp.name)
        if row is not None and row[:4] == stamp:
            kept.append(row)
        else:
            new.append(stamp)
    added, problems = _read(folder, new, players, jobs)
    names = {stamp.name for stamp in stamps}
    gone = [name for name in known if name not in names]
    if cache is not None and (added or gone):
        _store(cache, folder, added, gone, players)
    return _found(sorted([*kept, *added]), players, problems)


def _stamps(folder: Path) -> list[FileStamp]:
    try:
        with os.scandir(folder) as entries:
            return list(_stamped(entries))
    except FileNotFoundError:
        return []
    except NotADirectoryError as error:
        raise os_failure("not_a_folder", folder, error) from error
    except OSError as error:
        raise os_failure("cannot_read", folder, error) from error


def _stamped(entries: Iterable[os.DirEntry[str]]) -> Iterator[FileStamp]:
    for entry in entries:
        if entry.name.endswith(".json") and not entry.name.startswith("."):
            with contextlib.suppress(OSError):  # it has gone meanwhile
                seen = entry.stat()
                yield FileStamp(entry.name, seen.st_mtime_ns, seen.st_size, seen.st_ino % 2**63)


def _read(
    folder: Path, stamps: Sequence[FileStamp], players: PlayerNumbers, jobs: int | None
) -> tuple[list[_Row], list[Problem]]:
    tasks = (
        (folder, tuple(stamps[first : first + _TOGETHER]))
        for first in range(0, len(stamps), _TOGETHER)
    )
    rows: list[_Row] = []
    problems: list[Problem] = []
    for results in spread(read_files, tasks, jobs):
        for stamp, summary in results:
            if isinstance(summary, MatchSummary):
                rows.append(_row(stamp, summary, players))
            elif summary is not None:
                problems.append(summary)
    return rows, sorted(problems, key=lambda problem: problem.place)


def _row(stamp: FileStamp, summary: MatchSummary, players: PlayerNumbers) -> _Row:
    head = pack(summary, [players.number(who) for who in summary.players])
    return stamp.name, stamp.changed, stamp.size, stamp.inode, head, summary.turns


def _found(rows: Sequence[_Row], players: PlayerNumbers, problems: list[Problem]) -> Found:
    heads, turns = b"".join(row[4] for row in rows), b"".join(row[5] for row in rows)
    batch = batch_of(heads, turns, players.listed())
    return Found(batch, [row[0] for row in rows], problems)


def _load(cache: Path | None, folder: Path) -> tuple[list[_Row], PlayerNumbers]:
    """All rows, and the players they name by number; none when the index cannot be used."""
    if cache is None:
        return [], PlayerNumbers()
    path = index_path(cache, folder)
    try:
        if path.is_file():
            with contextlib.closing(_connect(path)) as index:
                return _rows(index)
    except sqlite3.OperationalError:
        pass  # locked, or unreadable: done without
    except (sqlite3.Error, ValueError, TypeError, OverflowError):
        with contextlib.suppress(OSError):
            path.unlink()
    except OSError:
        pass
    return [], PlayerNumbers()


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)


def _rows(index: sqlite3.Connection) -> tuple[list[_Row], PlayerNumbers]:
    if index.execute("PRAGMA user_version").fetchone() != (VERSION,):
        raise ValueError("another version")
    index.execute("BEGIN")
    players = PlayerNumbers()
    listed = index.execute("SELECT number, name, player FROM player ORDER BY number").fetchall()
    for number, name, player in listed:
        if players.number((name, player)) != number:
            raise ValueError("players are not in order")
    rows: list[_Row] = index.execute(
        "SELECT file, changed, size, inode, head, turns FROM record"
    ).fetchall()
    _check(rows, len(listed))
    return rows, players


def _check(rows: Sequence[_Row], players: int) -> None:
    """Raise ValueError for rows that were not written by this program."""
    import numpy as np

    size = HEAD.itemsize
    if any(len(row[4]) != size for row in rows):
        raise ValueError("rows of another size")
    heads = np.frombuffer(b"".join(row[4] for row in rows), dtype=HEAD)
    lengths = np.array([len(row[5]) for row in rows], dtype=np.int64)
    if (heads["turns"].astype(np.int64) * 4 != lengths).any() or (
        heads["players"] >= players
    ).any():
        raise ValueError("rows that contradict themselves")


def _store(
    cache: Path, folder: Path, added: Sequence[_Row], gone: Sequence[str], players: PlayerNumbers
) -> None:
    """Put rows in. Another process may have added players meanwhile: then nothing is written."""
    try:
        make_folder(cache)
        path = index_path(cache, folder)
        if path.exists() and not path.is_file():
            return  # a pipe would be waited for
        with contextlib.closing(_connect(path)) as index:
            index.execute("PRAGMA synchronous = OFF")  # it can be made again
            index.execute("BEGIN IMMEDIATE")
            if index.execute("PRAGMA user_version").fetchone() != (VERSION,):
                for statement in _SCHEMA.strip().rstrip(";").split(";"):
                    index.execute(statement)
            if not _add_players(index, players):
                index.execute("ROLLBACK")
                return
            index.executemany("DELETE FROM record WHERE file = ?", [(name,) for name in gone])
            index.executemany("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)", added)
            index.execute("COMMIT")
    except (sqlite3.Error, OSError, Unwritable):
        pass


def _add_players(index: sqlite3.Connection, players: PlayerNumbers) -> bool:
    stored = [
        (name, player)
        for name, player in index.execute("SELECT name, player FROM player ORDER BY number")
    ]
    listed: list[PlayerKey] = players.listed()
    if stored != listed[: len(stored)]:
        return False
    new = ((number, *listed[number]) for number in range(len(stored), len(listed)))
    index.executemany("INSERT INTO player VALUES (?, ?, ?)", new)
    return True
