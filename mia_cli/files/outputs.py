"""Files that a person names for what mia writes, written as the shell would write them.

Links are followed. What is no regular file (a device, a pipe) is written into. ``-`` is standard
output, and so is every other name of it. A file that is there keeps its mode and its owner, a new
one has what the umask leaves. One that holds anything else than mia writes there stays as it is,
unless its replacement is forced.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.failures import os_failure
from mia_cli.files.reading import named_descriptor
from mia_cli.files.writing import PRIVATE, SHARED, replacing
from mia_cli.rules.errors import NotAllowed

STDOUT = "-"
FORCE = "--force"
PACKED = ".gz"
_HEAD = 1 << 16
"""Bytes of a file that are looked at to know its kind."""
_GZIP = b"\x1f\x8b"
_STANDARD = (1, 2)
_OTHERS_FOLDER = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(frozen=True, slots=True)
class OutputKind:
    """A kind of file that mia writes: its word in messages, and what its first bytes look like.

    ``packs``: a name that ends in ``.gz`` packs it.
    """

    word: str
    look: re.Pattern[bytes]
    packs: bool = False


GENERATOR = '<meta name="generator" content="mia">'
"""Stands in the head of every page, so that it is known again."""
_PAGE = rb'\s*<!doctype html>.*(?:<meta name="generator" content="mia|\.mia\{)'
PAGE = OutputKind("page", re.compile(_PAGE, re.DOTALL))
PICTURE = OutputKind("picture", re.compile(rb'\s*<svg [^>]*class="mia"'))
PRESET = OutputKind("preset", re.compile(rb"\s*lives\s*="))
RECORDS = OutputKind("records", re.compile(rb'\{"schema":"mia\.match/'), packs=True)
"""Records line by line: an export, or the log of a run."""
RUN = OutputKind("run", re.compile(rb'\s*\{\s*"schema"\s*:\s*"mia\.simulation/'))
TURNS = OutputKind("turns", re.compile(rb'match,round,turn,seat,|\{"match":'), packs=True)


class OutputFile:
    """A file that a person named, looked at at once and written later, once or several times.

    Raises, at once and again when it is opened: NotAllowed("output_differs") (file, allowed,
    option) for a file of another kind that is not forced; Unwritable("cannot_write").
    """

    def __init__(
        self, name: str, kind: OutputKind, *, force: bool = False, private: bool = False
    ) -> None:
        self.name = name
        self.kind = kind
        self._force = force
        self._mode = PRIVATE if private else SHARED
        with self._failures():
            self._found()

    @property
    def is_stdout(self) -> bool:
        """Whether it is standard output by the name of ``-``."""
        return self.name == STDOUT

    @property
    def is_regular(self) -> bool:
        """Whether it is, or will be, a file that can be read again: no device, no pipe."""
        with self._failures():
            found = self._found()
            return _descriptor(self.name, found) is None and (
                found is None or stat.S_ISREG(found.st_mode)
            )

    @property
    def is_ours(self) -> bool:
        """Whether a regular file holds what mia writes there, or nothing."""
        return _looks_like(self.kind, self.name)

    def write(self, data: bytes) -> None:
        """Write all there is to write."""
        with self.opened() as file:
            file.write(data)

    @contextlib.contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open for writing. Where the system allows it, the new file takes the place of the old
        one only when it is whole; packed by its name.

        A pipe whose reader has had enough ends the block, and is no error.
        """
        with self._failures(), self._raw() as file:
            if not (self.kind.packs and self.name.endswith(PACKED)):
                yield file
                return
            from gzip import GzipFile

            # Without name and time, so that equal files are equal.
            with GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield packed  # type: ignore[misc]

    @contextlib.contextmanager
    def adding(self) -> Iterator[tuple[BinaryIO, bool]]:
        """The file as it is, open for adding to its end, and whether it is new.

        A new one is private. Raises OSError.
        """
        found = self._found()
        descriptor = _descriptor(self.name, found)
        if descriptor is not None:
            with _shared(descriptor) as file:
                yield file, False
            return
        flags = os.O_APPEND | (os.O_CREAT | os.O_EXCL if found is None else 0)
        path = os.path.realpath(self.name) if found is None else self.name
        with os.fdopen(_open_to_write(path, flags, PRIVATE), "wb") as file:
            yield file, found is None

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            if self.is_stdout:
                raise
        except OSError as error:
            raise os_failure("cannot_write", Path(self.name), error) from error

    def _found(self) -> os.stat_result | None:
        """What is there, None for a new file; refused where it may not be replaced."""
        if self.is_stdout:
            return None
        try:
            found = Path(self.name).stat()
        except FileNotFoundError:
            _check_folder(self.name)
            return None
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _descriptor(self.name, found) is None and stat.S_ISREG(found.st_mode):
            os.close(_open_to_write(self.name))
            if not self._force and not self.is_ours:
                raise NotAllowed(
                    "output_differs", file=self.name, allowed=self.kind.word, option=FORCE
                )
        return found

    @contextlib.contextmanager
    def _raw(self) -> Iterator[BinaryIO]:
        found = self._found()
        descriptor = _descriptor(self.name, found)
        if descriptor is not None:
            with _shared(descriptor) as file:
                yield file
        elif found is None or (stat.S_ISREG(found.st_mode) and _is_replaceable(self.name, found)):
            with _replaced(self.name, self._mode, found) as file:
                yield file
        else:
            with _in_place(self.name) as file:
                yield file


def _check_folder(name: str) -> None:
    """Raise OSError where no new file can be made."""
    folder = Path(os.path.realpath(name)).parent
    is_folder = stat.S_ISDIR(folder.stat().st_mode)
    if name.endswith(("/", os.sep)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not is_folder:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _open_to_write(name: str, flags: int = 0, mode: int = 0) -> int:
    flags |= os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    return os.open(name, flags, mode)


def _looks_like(kind: OutputKind, name: str) -> bool:
    """Whether a regular file is of this kind; an empty one holds nothing that could be lost."""
    try:
        with Path(name).open("rb") as file:
            head = file.read(_HEAD)
    except PermissionError:
        return False
    if kind.packs and head.startswith(_GZIP):
        with contextlib.suppress(zlib.error):
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    return not head or kind.look.match(head) is not None


def _descriptor(name: str, found: os.stat_result | None) -> int | None:
    """The descriptor of this process that a path names, or that has the same file open.

    Opened anew, the file behind standard output would be cut and written twice.
    """
    if found is None:
        return 1 if name == STDOUT else None
    for descriptor in _STANDARD:
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), found):
                return descriptor
    return named_descriptor(name)


@contextlib.contextmanager
def _shared(descriptor: int) -> Iterator[BinaryIO]:
    """A descriptor to write to, behind what was printed on it already."""
    if descriptor in _STANDARD:
        stream = sys.stdout if descriptor == 1 else sys.stderr
        if stream is not None:
            stream.flush()
        file = getattr(stream, "buffer", None) or BytesIO()  # closed: nobody hears
        yield file
        file.flush()
        return
    with os.fdopen(os.dup(descriptor), "wb") as own:
        yield own


def _is_replaceable(name: str, found: os.stat_result) -> bool:
    """Whether a new file in its place would be the same to everybody: one name, no rights apart."""
    if found.st_nlink > 1:
        return False
    listed: list[str] = []
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            listed = os.listxattr(name)
    return "system.posix_acl_access" not in listed


@contextlib.contextmanager
def _replaced(name: str, mode: int, found: os.stat_result | None) -> Iterator[BinaryIO]:
    """A new file for the place of this one, or the file itself where the folder allows no other."""
    with contextlib.ExitStack() as stack:
        path = Path(os.path.realpath(name))
        try:
            file = stack.enter_context(replacing(path, mode=mode, like=found))
        except OSError as error:
            if found is None or error.errno not in _OTHERS_FOLDER:
                raise
            file = stack.enter_context(_in_place(name))
        yield file


@contextlib.contextmanager
def _in_place(name: str) -> Iterator[BinaryIO]:
    with os.fdopen(_open_to_write(name), "wb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.truncate(0)
        yield file
