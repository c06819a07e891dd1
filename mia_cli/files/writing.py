"""Files that are whole or not there: replaced in one step, and JSON that is read with suspicion.

Reading errors are BadRecord, all without a ``file`` field until :func:`in_file` adds it:
``empty_file``, ``not_utf8`` (offset), ``not_json`` (line, column), ``bad_number`` (value),
``duplicate_key`` (key), ``too_deep``, ``too_large`` (limit, bytes), ``not_a_file``. A file that
the system does not hand over is Unwritable("cannot_read").
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NoReturn

from mia_cli.files.locks import locked_folder
from mia_cli.rules.errors import BadRecord, MiaError, Unwritable

LARGEST = 4 << 20
"""Bytes of the largest file that is read; a long match takes about 100,000."""
LONGEST_NUMBER = 200
PRIVATE, SHARED = 0o600, 0o666
"""Modes of new files, before the umask: records and progress are for their owner alone."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TEMPORARY = re.compile(r"\.mia-[a-z0-9_]+\.tmp")
_STALE_AFTER = 24 * 3600.0


def in_file(error: MiaError, path: Path | str) -> MiaError:
    """The same error with the file it is about."""
    return type(error)(error.code, **{**error.fields, "file": str(path)})


def os_failure(code: str, path: Path, error: OSError) -> Unwritable:
    """Unwritable with the path, the name of the system's error (``"ENOSPC"``) and its words."""
    name = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return Unwritable(code, file=str(path), reason=name, detail=error.strerror or name)


def read_bytes(path: Path, *, any_kind: bool = False) -> bytes:
    """The bytes of a file of at most LARGEST bytes.

    Only a regular file is read, so that a pipe or device among the records cannot stop a command;
    ``any_kind`` also reads these, for a path that somebody typed. Raises BadRecord and Unwritable
    as listed above.
    """
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever.
        waiting = 0 if any_kind else getattr(os, "O_NONBLOCK", 0)
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | waiting)) as file:
            if not any_kind and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadRecord("not_a_file")
            data = file.read(LARGEST + 1)
    except IsADirectoryError:
        raise BadRecord("not_a_file") from None
    except OSError as error:
        if path.is_dir():  # Windows says "permission denied"
            raise BadRecord("not_a_file") from None
        raise os_failure("cannot_read", path, error) from error
    if len(data) > LARGEST:
        raise BadRecord("too_large", limit=LARGEST, bytes=_size(path))
    return data


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return LARGEST + 1


def decode_json(data: bytes) -> object:
    """The JSON value in UTF-8 ``data`` (a byte-order mark is accepted). Raises BadRecord.

    Stricter than Python's reader: no NaN or infinity, no key twice, no endless numbers.
    """
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord("not_utf8", offset=error.start) from None
    if not text.strip():
        raise BadRecord("empty_file")
    try:
        return _READER.decode(text)
    except json.JSONDecodeError as error:
        raise BadRecord("not_json", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise BadRecord("too_deep") from None


def _whole_number(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        _bad_number(text)
    return int(text)


def _real_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _bad_number(text)
    return number


def _bad_number(text: str) -> NoReturn:
    raise BadRecord("bad_number", value=text[:LONGEST_NUMBER])


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise BadRecord("duplicate_key", key=next(key for key in keys if keys.count(key) > 1))
    return found


_READER = json.JSONDecoder(
    object_pairs_hook=_without_repeats,
    parse_constant=_bad_number,
    parse_int=_whole_number,
    parse_float=_real_number,
)
# Escaped to ASCII: a name with half a surrogate pair can be written and is never half-written.
_WRITER = json.JSONEncoder(allow_nan=False, separators=(", ", ": "))


def encode_json(document: Mapping[str, object]) -> bytes:
    """``document`` as ASCII JSON with one field, and one object of a list, to a line.

    Raises ValueError or TypeError for what JSON cannot say, BadRecord("too_deep").
    """
    try:
        lines = [f"{_WRITER.encode(key)}: {_lines(value)}" for key, value in document.items()]
    except RecursionError:
        raise BadRecord("too_deep") from None
    return ("{\n " + ",\n ".join(lines) + "\n}\n").encode("ascii")


def _lines(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "[\n  " + ",\n  ".join(map(_WRITER.encode, value)) + "\n ]"
    return _WRITER.encode(value)


def write_atomically(path: Path, data: bytes, check: Callable[[], None] | None = None) -> None:
    """Replace ``path`` by ``data`` in one step; at every moment the old or the new file is there.

    The file is private. ``check`` is called right before the step, with the folder locked against
    others who write through this function, and may raise. On any failure the old file is untouched
    and nothing is left behind. Raises Unwritable("cannot_write").
    """
    try:
        with replacing(path, check=check) as file:
            file.write(data)
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


def make_folder(folder: Path) -> None:
    """Create a private folder, and its parents, unless it is there.

    Raises Unwritable("not_a_folder") when a file is in its place or on the way, otherwise
    Unwritable("cannot_create_folder").
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
