"""The one file the tutorial keeps, in a folder of its own, apart from every match record."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from mia_cli.files.failures import in_file, os_failure
from mia_cli.files.folders import data_dir
from mia_cli.files.guarded import GuardedFile
from mia_cli.files.strict_json import decode_json, encode_json
from mia_cli.files.writing import check_writable, remove_stale
from mia_cli.rules.errors import BadRecord
from mia_cli.tutorial.progress import Progress, from_document, to_document

FOLDER = "tutorial"
FILE = "progress.json"
_TYPICAL_BYTES = 1 << 14
_MOST_ASIDE = 1000


def tutorial_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the tutorial. Raises Unwritable like ``data_dir``."""
    return data_dir(environment) / FOLDER


class ProgressStore:
    """Reads and saves the progress; never overwrites a file it has not read or written itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = GuardedFile(folder / FILE)

    @property
    def path(self) -> Path:
        """The file, there or not."""
        return self._file.path

    def load(self) -> Progress:
        """The progress; a fresh one when there is no file.

        Raises BadRecord, with the file: ``newer_schema``, or how it is damaged. Raises Unwritable
        ("cannot_read"). After anything but ``newer_schema``, ``keep_aside`` makes room.
        """
        if not os.path.lexists(self.path):
            return Progress()
        try:
            return self._file.read(lambda data: from_document(decode_json(data)))
        except BadRecord as error:
            raise in_file(error, self.path) from None

    def keep_aside(self) -> Path:
        """Move a damaged file out of the way, under a free name, and return its new path.

        Raises Unwritable("cannot_write"); the file is then still where it was.
        """
        names = (f"progress.damaged-{number}.json" for number in range(1, _MOST_ASIDE))
        free = (self.folder / name for name in names if not os.path.lexists(self.folder / name))
        target = next(free, self.folder / "progress.damaged.json")
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

    def save(self, progress: Progress) -> None:
        """Write the progress whole, or leave the file as it was.

        Raises Unwritable as GuardedFile does: ``file_changed`` (file) when the file is not the one
        this store read or wrote last.
        """
        remove_stale(self.folder, time.time())
        self._file.write(encode_json(to_document(progress)))
