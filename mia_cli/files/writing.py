"""Files that are whole or not there: replaced in one step. Folders that they are in."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.failures import os_failure
from mia_cli.files.locks import locked_folder

PRIVATE, SHARED = 0o600, 0o666
PRIVATE_FOLDER, SHARED_FOLDER = 0o700, 0o777
"""Modes before the umask: records and progress are for their owner alone."""
_TEMPORARY = re.compile(r"\.mia-[a-z0-9_]+\.tmp")
_STALE_AFTER = 24 * 3600.0


def write_atomically(
    path: Path, data: bytes, check: Callable[[], None] | None = None, *, mode: int = PRIVATE
) -> None:
    """Replace ``path`` by ``data`` in one step; at every moment the old or the new file is there.

    ``mode`` is lessened by the umask. ``check`` is called right before the step, with the folder
    locked against others who write through this function, and may raise. On any failure the old
    file is untouched and nothing is left behind. Raises Unwritable("cannot_write").
    """
    try:
        with replacing(path, mode=mode, check=check) as file:
            file.write(data)
    except OSError as error:
        raise os_failure("cannot_write", path, error) from error


def remove_checked(path: Path, check: Callable[[], None]) -> None:
    """Delete a file after ``check``, with the folder locked as in :func:`write_atomically`.

    Raises what ``check`` raises, Unwritable("cannot_write").
    """
    try:
        with locked_folder(path.parent) as folder:
            check()
            path.unlink()
            _sync_folder(folder)
    except OSError as error:
        raise os_failure("cannot_write", path, error) from error


@contextlib.contextmanager
def replacing(
    path: Path,
    *,
    mode: int = PRIVATE,
    like: os.stat_result | None = None,
    check: Callable[[], None] | None = None,
) -> Iterator[BinaryIO]:
    """A new file that takes the place of ``path``, in one step, when the block has ended well.

    ``mode`` is lessened by the umask; ``like``: of the file whose mode and owner it gets instead.
    ``check`` as in :func:`write_atomically`. Raises OSError.
    """
    with _temporary(path.parent, mode) as (temporary, file):
        if like is not None:
            _make_alike(file.fileno(), like)
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()  # an open file is not renamed everywhere
        with locked_folder(path.parent) as folder:
            if check is not None:
                check()
            temporary.replace(path)
            _sync_folder(folder)


@contextlib.contextmanager
def _temporary(folder: Path, mode: int = PRIVATE) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file in a folder, open for writing; removed afterwards if it has still its name."""
    path = folder / f".mia-{os.urandom(8).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            yield path, file
    finally:
        _remove(path)


def _make_alike(handle: int, like: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    found = os.fstat(handle)
    if (found.st_uid, found.st_gid) != (like.st_uid, like.st_gid):
        os.fchown(handle, like.st_uid, like.st_gid)
    os.fchmod(handle, stat.S_IMODE(like.st_mode))


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _sync_folder(handle: int | None) -> None:
    # Makes the rename itself survive a power cut. Some file systems cannot; the file is complete
    # either way.
    if handle is not None:
        with contextlib.suppress(OSError):
            os.fsync(handle)


def make_folder(folder: Path, mode: int = PRIVATE_FOLDER) -> None:
    """Create a folder, by default a private one, and its parents, unless it is there.

    Raises Unwritable("not_a_folder") when a file is in its place or on the way, otherwise
    Unwritable("cannot_create_folder").
    """
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise os_failure("not_a_folder", _in_the_way(folder), error) from error
    except OSError as error:
        raise os_failure("cannot_create_folder", folder, error) from error


def _in_the_way(folder: Path) -> Path:
    found = (place for place in (folder, *folder.parents) if os.path.lexists(place))
    return next(found, folder)


def check_writable(folder: Path, expected_bytes: int) -> None:
    """Create ``folder`` and try a file of ``expected_bytes`` in it. Raises Unwritable."""
    make_folder(folder)
    try:
        with _temporary(folder) as (_, file):
            file.write(b"\n" * expected_bytes)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise os_failure("cannot_write", folder, error) from error


def remove_stale(folder: Path, now: float) -> None:
    """Remove temporary files that killed processes left more than a day before ``now``.

    ``now`` is in seconds since 1970. Never raises: this is housekeeping.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if _TEMPORARY.fullmatch(entry.name) and _is_stale(entry, now):
                    _remove(Path(entry.path))


def _is_stale(entry: os.DirEntry[str], now: float) -> bool:
    is_file = entry.is_file(follow_symlinks=False)
    return is_file and now - entry.stat(follow_symlinks=False).st_mtime > _STALE_AFTER
