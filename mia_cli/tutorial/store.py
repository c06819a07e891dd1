"""The one file the tutorial keeps, in a folder of its own, apart from every match record."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from mia_cli.files.failures import in_file, os_failure
from mia_cli.files.folders import data_dir
from mia_cli.files.reading import read_bytes
from mia_cli.files.strict_json import decode_json, encode_json
from mia_cli.files.writing import check_writable, make_folder, remove_stale, write_atomically
from mia_cli.rules.errors import BadRecord, Unwritable
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
        self._known: set[bytes] = set()

    @property
    def path(self) -> Path:
        """The file, there or not."""
        return self.folder / FILE

    def load(self) -> Progress:
        """The progress; a fresh one when there is no file.

        Raises BadRecord, with the file: ``newer_schema``, or how it is damaged. Raises Unwritable
        ("cannot_read"). After anything but ``newer_schema``, ``keep_aside`` makes room.
        """
        if not os.path.lexists(self.path):
            return Progress()
        try:
            data = read_bytes(self.path)
            progress = from_document(decode_json(data))
        except BadRecord as error:
            raise in_file(error, self.path) from None
        self._known = {data}
        return progress

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

        Raises Unwritable: ``progress_changed`` (file) when the file is not the one this store read
        or wrote last; ``not_a_folder``, ``cannot_create_folder``, ``cannot_write``.
        """
        data = encode_json(to_document(progress))
        make_folder(self.folder)
        remove_stale(self.folder, time.time())
        before = self._known
        # Both count until the write is known to have ended: an interrupt may come in between.
        self._known = before | {data}
        write_atomically(self.path, data, lambda: self._require_known(before))
        self._known = {data}

    def _require_known(self, known: set[bytes]) -> None:
        if not os.path.lexists(self.path):
            return
        try:
            found = read_bytes(self.path)
        except (BadRecord, Unwritable):
            found = b""
        if found not in known:
            raise Unwritable("progress_changed", file=str(self.path))
