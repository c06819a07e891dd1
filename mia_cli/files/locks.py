"""Locks that hold other processes off, and that end with the process that has them."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

_TRIES, _PAUSE = 200, 0.01
_given_up: set[tuple[int, int]] = set()
"""Folders whose lock was waited for in vain: nobody waits for them twice."""


def try_lock(handle: int) -> bool:
    """Lock an open file; False where another process, or another opening, has it locked.

    The lock ends when the last copy of the handle is closed. True where the system has no locks.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # this file system has no locks
    return True


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[int | None]:
    """The open folder, locked where the system can; None where a folder cannot be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        yield None
        return
    try:
        _wait_for(handle)
        yield handle
    finally:
        os.close(handle)  # unlocks


def _wait_for(handle: int) -> None:
    found = os.fstat(handle)
    place = (found.st_dev, found.st_ino)
    for _ in range(1 if place in _given_up else _TRIES):
        if try_lock(handle):
            _given_up.discard(place)
            return
        time.sleep(_PAUSE)
    # A stopped process must not stop everybody else: the rename is safe without the lock.
    _given_up.add(place)
