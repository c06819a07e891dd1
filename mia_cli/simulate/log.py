"""The log of a run: every match as a line of JSON, compressed when its name ends in ``.gz``."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.writing import os_failure
from mia_cli.rules.errors import BadRecord

GZIP = ".gz"


class RunLog:
    """A file that grows block by block; or a pipe.

    ``kept`` bytes of an earlier run stay, what came after them is cut off: a run that is resumed
    leaves the same file as one that never stopped. It is cut when the first block has been played:
    a run that is refused leaves the file alone. A compressed file is a series of members, one
    for each block, which every reader takes for one file. Raises Unwritable("cannot_write"), at
    once when the file cannot be opened, and BadRecord("log_too_short") (file) when the bytes to
    keep are not there.
    """

    def __init__(self, path: Path, kept: int = 0) -> None:
        self._path, self._length = path, kept
        self._compressed = path.name.endswith(GZIP)
        self._is_cut = False
        try:
            # A file that is to be continued has to be there.
            if kept and kept > path.stat().st_size:
                raise BadRecord("log_too_short", file=str(path))
            self._file: BinaryIO = path.open("ab")
        except OSError as error:
            raise os_failure("cannot_write", path, error) from error

    def write(self, lines: bytes) -> int:
        """Add the lines of a block; returns the length of the file after them."""
        # Without the time, so that equal runs give equal files.
        data = gzip.compress(lines, mtime=0) if self._compressed else lines
        self._begin()
        try:
            self._file.write(data)
        except OSError as error:
            raise os_failure("cannot_write", self._path, error) from error
        self._length += len(data)
        return self._length

    def flush(self) -> None:
        """Put everything written so far on the disk."""
        self._begin()
        try:
            self._file.flush()
            if self._path.is_file():
                os.fsync(self._file.fileno())
        except OSError as error:
            raise os_failure("cannot_write", self._path, error) from error

    def cut(self, length: int) -> None:
        """Take back what was written after the first ``length`` bytes."""
        self.flush()
        if self._path.is_file():
            self._file.truncate(length)

    def _begin(self) -> None:
        """Cut off, once, what is not of this run."""
        if not self._is_cut and self._path.is_file():
            try:
                self._file.truncate(self._length)
            except OSError as error:
                raise os_failure("cannot_write", self._path, error) from error
        self._is_cut = True

    def close(self) -> None:
        """Close the file."""
        self._file.close()
