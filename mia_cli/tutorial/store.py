"""The files the tutorial keeps, in a folder of its own, apart from every match record."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from mia_cli.files.failures import in_file, os_failure
from mia_cli.files.folders import data_dir
from mia_cli.files.guarded import GuardedFile
from mia_cli.files.strict_json import decode_json, encode_json
from mia_cli.files.writing import check_writable, remove_stale
from mia_cli.rules.errors import BadRecord
from mia_cli.tutorial import progress
from mia_cli.tutorial.progress import Progress

FOLDER = "tutorial"
FILE = "progress.json"
KeptValue = TypeVar("KeptValue")
_TYPICAL_BYTES = 1 << 14
_MOST_ASIDE = 1000


def tutorial_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the tutorial. Raises Unwritable like ``data_dir``."""
    return data_dir(environment) / FOLDER


class KeptFile(Generic[KeptValue]):
    """Reads and saves one value; never overwrites a file it has not read or written itself.

    ``fresh`` is the value where there is no file; ``read`` raises BadRecord.
    """

    def __init__(
        self,
        path: Path,
        fresh: KeptValue,
        read: Callable[[object], KeptValue],
        write: Callable[[KeptValue], Mapping[str, object]],
    ) -> None:
        self.folder = path.parent
        self._file = GuardedFile(path)
        self._fresh = fresh
        self._read = read
        self._write = write

    @property
    def path(self) -> Path:
        """The file, there or not."""
        return self._file.path

    def load(self) -> KeptValue:
        """The value; a fresh one when there is no file.

        Raises BadRecord, with the file: ``newer_schema``, or how it is damaged. Raises Unwritable
        ("cannot_read"). After anything but ``newer_schema``, ``keep_aside`` makes room.
        """
        if not os.path.lexists(self.path):
            return self._fresh
        try:
            return self._file.read(lambda data: self._read(decode_json(data)))
        except BadRecord as error:
            raise in_file(error, self.path) from None

    def keep_aside(self) -> Path:
        """Move a damaged file out of the way, under a free name, and return its new path.

        Raises Unwritable("cannot_write"); the file is then still where it was.
        """
        stem = self.path.stem
        names = (f"{stem}.damaged-{number}.json" for number in range(1, _MOST_ASIDE))
        free = (self.folder / name for name in names if not os.path.lexists(self.folder / name))
        target = next(free, self.folder / f"{stem}.damaged.json")
        try:
            self.path.rename(target)
        except OSError as error:
            raise os_failure("cannot_write", self.path, error) from error
        return target

    def check_writable(self) -> None:
        """Find out beforehand whether progress can be kept; creates the folder.

        Raises Unwritable as :meth:`save` does.
        """
        check_writable(self.folder, _TYPICAL_BYTES)

    def save(self, value: KeptValue) -> None:
        """Write the value whole, or leave the file as it was.

        Raises Unwritable as GuardedFile does: ``file_changed`` (file) when the file is not the one
        this store read or wrote last.
        """
        remove_stale(self.folder, time.time())
        self._file.write(encode_json(self._write(value)))


class ProgressStore(KeptFile[Progress]):
    """The progress through the lessons."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE, Progress(), progress.from_document, progress.to_document)
