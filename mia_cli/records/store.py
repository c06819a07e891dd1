"""The folder of match records: one file per match, named by its id."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from mia_cli.files.failures import in_file, os_failure
from mia_cli.files.guarded import GuardedFile
from mia_cli.files.reading import open_to_read
from mia_cli.files.writing import check_writable, remove_stale
from mia_cli.records.record import UNFINISHED, MatchRecord, decode_record, encode_record
from mia_cli.records.shapes import MATCH_ID
from mia_cli.rules.errors import BadRecord, CannotRead, MiaError, NotAllowed, Unwritable

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Signs of the random part of an id, without those that look alike: 0 and o, 1, i and l."""
_RANDOM_SIGNS = 6
_MINUTE = len("20261130-0332")
_ENDING = ".json"
_TYPICAL_BYTES = 1 << 16
_LONGEST_LISTED = 10
_PEEKED_AT = 50
"""Files, the newest, that are looked into for a match that was left."""
_HEAD = 512


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file among the records that is none, with what is wrong; it is left as it is."""

    path: Path
    error: MiaError


def _ignore(_: Damaged) -> None:
    pass


class MatchStore:
    """The match records of one folder.

    The folder need not exist until something is saved. One store remembers which version of a
    record it read or wrote last, and never overwrites another one: two processes that play on
    with the same match do not undo each other's moves.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._clock = clock
        self._files: dict[str, GuardedFile] = {}
        self._is_clean = False

    def path_of(self, match_id: str) -> Path:
        """The file of a match, there or not. Raises CannotRead("bad_id") (value)."""
        return self.folder / f"{_checked(match_id)}{_ENDING}"

    def new_id(self, now: datetime) -> str:
        """An id nobody uses here: the UTC minute and six random signs, ``20261130-0332-k7f3q2``."""
        while True:
            match_id = draw_id(now)
            if not os.path.lexists(self.path_of(match_id)):
                return match_id

    def check_writable(self) -> None:
        """Find out before the first roll whether a match could be saved; creates the folder.

        Raises Unwritable as :meth:`save` does.
        """
        check_writable(self.folder, _TYPICAL_BYTES)

    def save(self, record: MatchRecord) -> None:
        """Write a record whole, or leave the file as it was.

        Raises Unwritable: ``changed_elsewhere`` (id, file) when the file is not the one this store
        read or wrote last; ``not_a_folder``, ``cannot_create_folder``, ``cannot_write`` (file,
        reason, detail).
        """
        file = self._files.setdefault(record.id, GuardedFile(self.path_of(record.id)))
        self._remove_stale()
        with _as_of(record, file):
            file.write(encode_record(record))

    def _remove_stale(self) -> None:
        if not self._is_clean:
            remove_stale(self.folder, self._clock())
            self._is_clean = True

    def load(self, text: str) -> MatchRecord:
        """The record with this id, or the only one whose id begins or ends with ``text``.

        Raises CannotRead: ``bad_id`` (value), ``no_such_match`` (value), ``ambiguous_id`` (value,
        matches: at most ten of them), or what is wrong with the file (see ``record``, ``files``).
        """
        wanted = _checked(text.strip().lower())
        ids = self.ids()
        found = (
            [wanted]
            if wanted in ids
            else [known for known in ids if known.startswith(wanted) or known.endswith(wanted)]
        )
        if not found:
            raise CannotRead("no_such_match", value=text)
        if len(found) > 1:
            newest = tuple(reversed(found[-_LONGEST_LISTED:]))
            raise CannotRead("ambiguous_id", value=text, matches=newest)
        return self.read(found[0])

    def read(self, match_id: str) -> MatchRecord:
        """The record with exactly this id. Raises as :meth:`load` does."""
        return self._read(self.path_of(match_id))

    def _read(self, path: Path) -> MatchRecord:
        try:
            match_id = _checked(path.name.removesuffix(_ENDING))
            file = GuardedFile(path)
            record = file.read(lambda data: decode_record(data, path))
        except (BadRecord, CannotRead) as error:
            raise in_file(error, path) from None
        if record.id != match_id:
            # Saving it would overwrite another match.
            raise BadRecord("id_differs", file=str(path), expected=match_id, found=record.id)
        self._files[match_id] = file
        return record

    def ids(self) -> tuple[str, ...]:
        """Ids of all records, damaged ones included, oldest first. Raises Unwritable."""
        names = (name.removesuffix(_ENDING) for name in self._names())
        return tuple(name for name in names if _is_id(name))

    def _names(self) -> list[str]:
        """Everything that is named like a record, by name. Raises Unwritable("cannot_read")."""
        try:
            # Names are sorted much faster than paths, and there may be a hundred thousand.
            return sorted(filter(_is_named_like_a_record, os.listdir(self.folder)))  # noqa: PTH208
        except FileNotFoundError:
            return []
        except NotADirectoryError as error:
            raise os_failure("not_a_folder", self.folder, error) from error
        except OSError as error:
            raise os_failure("cannot_read", self.folder, error) from error

    def waiting(self) -> str | None:
        """The end of the id of a match that was left, the newest of the latest, if it tells it
        from all others, else the whole id; None without any.

        Names are read, and the heads of a few files. Raises nothing.
        """
        try:
            ids = [name.removesuffix(_ENDING) for name in self._names()]
        except MiaError:
            return None
        for match_id in reversed(ids[-_PEEKED_AT:]):
            if _is_id(match_id) and _is_left(self.path_of(match_id)):
                end = match_id.rpartition("-")[2]
                alike = sum(known.startswith(end) or known.endswith(end) for known in ids)
                return end if alike == 1 else match_id
        return None

    def discard(self, record: MatchRecord) -> None:
        """Delete the file of an unfinished match, as this store has read it.

        Raises NotAllowed("match_is_over") (id), Unwritable: ``changed_elsewhere`` (id, file),
        ``cannot_write`` (file, reason, detail).
        """
        if record.status != UNFINISHED:
            raise NotAllowed("match_is_over", id=record.id)
        file = self._files.setdefault(record.id, GuardedFile(self.path_of(record.id)))
        with _as_of(record, file):
            file.remove()

    def records(self) -> Iterator[MatchRecord | Damaged]:
        """Every record, oldest first, or what is wrong with its file. Raises Unwritable when the
        folder itself cannot be read."""
        for name in self._names():
            found = self._attempt(self.folder / name)
            if found is not None:
                yield found

    def _attempt(self, path: Path) -> MatchRecord | Damaged | None:
        try:
            return self._read(path)
        except MiaError as error:
            # Deleted since the folder was listed is not damaged.
            return Damaged(path, error) if os.path.lexists(path) else None

    def newest(
        self, on_damaged: Callable[[Damaged], None] = _ignore, most: int | None = None
    ) -> Iterator[MatchRecord]:
        """Records, the newest first, read one by one as they are asked for.

        No more than ``most`` files are read. Damaged ones on the way are handed to ``on_damaged``.
        Raises Unwritable like :meth:`records`.
        """
        newest_first = self._names()[::-1][:most]
        # Ids tell the minute; within one, the records themselves tell which came later.
        for _, names in groupby(newest_first, key=lambda name: name[:_MINUTE]):
            found = []
            for item in (self._attempt(self.folder / name) for name in names):
                if isinstance(item, Damaged):
                    on_damaged(item)
                elif item is not None:
                    found.append(item)
            yield from sorted(found, key=lambda record: record.created, reverse=True)

    def unfinished(self, on_damaged: Callable[[Damaged], None] = _ignore) -> Iterator[MatchRecord]:
        """Unfinished matches, read like :meth:`newest`."""
        return (record for record in self.newest(on_damaged) if record.status == UNFINISHED)

    def latest_unfinished(
        self, on_damaged: Callable[[Damaged], None] = _ignore
    ) -> MatchRecord | None:
        """The newest unfinished match, None when there is none."""
        return next(self.unfinished(on_damaged), None)


@contextlib.contextmanager
def _as_of(record: MatchRecord, file: GuardedFile) -> Iterator[None]:
    """What another program has made of a record is said of the match."""
    try:
        yield
    except Unwritable as error:
        if error.code != "file_changed":
            raise
        raise Unwritable("changed_elsewhere", id=record.id, file=str(file.path)) from None


def _is_left(path: Path) -> bool:
    """True for the file of an unfinished match, by its head, as this program writes it."""
    try:
        with open_to_read(path) as file:
            return b'"status": "unfinished"' in file.read(_HEAD)
    except (MiaError, OSError):
        return False


def draw_id(now: datetime) -> str:
    """An id that only chance keeps from being in use, for a match that cannot be saved."""
    random = "".join(secrets.choice(ALPHABET) for _ in range(_RANDOM_SIGNS))
    return f"{now.astimezone(UTC):%Y%m%d-%H%M}-{random}"


def _is_named_like_a_record(name: str) -> bool:
    return name.endswith(_ENDING) and not name.startswith(".")


def _is_id(text: str) -> bool:
    try:
        MATCH_ID.read(text)
    except ValueError:
        return False
    return True


def _checked(text: str) -> str:
    if not _is_id(text):
        raise CannotRead("bad_id", value=text)
    return text
