"""A file that only its reader may overwrite."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mia_cli.files.reading import read_bytes
from mia_cli.files.writing import make_folder, remove_checked, write_atomically
from mia_cli.rules.errors import MiaError, Unwritable

T = TypeVar("T")


class GuardedFile:
    """A private file that is overwritten only in the version that was read or written here last.

    So two programs that have the same file open do not undo each other's work. A file that has
    gone is written anew.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: set[bytes] = set()

    def read(self, decode: Callable[[bytes], T]) -> T:
        """What ``decode`` makes of the file, which is known from now on if that goes well.

        Raises as ``read_bytes`` and ``decode`` do.
        """
        data = read_bytes(self.path)
        found = decode(data)
        self._known = {_version(data)}
        return found

    def write(self, data: bytes) -> None:
        """Write the file whole, or leave it as it was; its folder is made.

        Raises Unwritable: ``file_changed`` (file) when it is not the version that is known here;
        ``not_a_folder``, ``cannot_create_folder``, ``cannot_write``.
        """
        make_folder(self.path.parent)
        before, version = self._known, _version(data)
        # Both count until the write is known to have ended: an interrupt may come in between.
        self._known = before | {version}
        write_atomically(self.path, data, lambda: self._require(before))
        self._known = {version}

    def remove(self) -> None:
        """Delete the file. Raises Unwritable: ``file_changed`` as above, ``cannot_write``."""
        remove_checked(self.path, lambda: self._require(self._known))

    def _require(self, known: set[bytes]) -> None:
        if not os.path.lexists(self.path):
            return
        try:
            found = _version(read_bytes(self.path))
        except MiaError:
            found = b""
        if found not in known:
            raise Unwritable("file_changed", file=str(self.path))


def _version(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
