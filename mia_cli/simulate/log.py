"""The log of a run: every match as a line of JSON, compressed when its name ends in ``.gz``."""

from __future__ import annotations

import contextlib
import gzip
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.failures import os_failure
from mia_cli.files.locks import try_lock
from mia_cli.files.outputs import PACKED, RECORDS, OutputFile
from mia_cli.files.writing import PRIVATE, SHARED
from mia_cli.rules.errors import BadRecord, Unwritable
from mia_cli.simulate.record import line_check
from mia_cli.simulate.saved import State

_PIECE = 1 << 18
_LONGEST = 1 << 22
"""Bytes of a line, at most; a long match has about 10,000."""


class RunLog:
    """A file that grows block by block; or a pipe, or standard output.

    What a resumed run (``state``) has written before stays, what came after it is cut off: it
    leaves the same file as a run that never stopped. It is cut when the first block has been
    played: a run that is refused, or has nothing to play, leaves the file alone. A compressed file
    is a series of members, one for each block, which every reader takes for one file. The file
    is for its owner alone until the run has ended: programs that play might read it. Then a new one
    gets what the umask leaves, and one that was there the mode it had.

    Raises as OutputFile does; Unwritable("in_use") (file) while another run writes to the file;
    BadRecord, with the file: ``log_too_short`` when the bytes to keep are not there,
    ``log_differs`` when they are not whole lines of this run.
    """

    def __init__(
        self, name: Path | str, state: State | None = None, *, force: bool = False
    ) -> None:
        self._name = str(name)
        self._length = state.log_bytes if state else 0
        self._packs = self._name.endswith(PACKED)
        self._output = OutputFile(self._name, RECORDS, force=force)
        self._is_regular = self._output.is_regular
        if self._is_regular and self._length > _size(self._name):
            raise BadRecord("log_too_short", file=self._name)
        self._is_cut = not self._is_regular
        self._is_heard = True
        with contextlib.ExitStack() as stack, self._failures():
            self._file, self._is_new = stack.enter_context(self._output.adding())
            self._mode = 0
            if self._is_regular:
                if not try_lock(self._file.fileno()):
                    raise Unwritable("in_use", file=self._name)
                self._mode = _mode_of_new() if self._is_new else _mode(self._file)
                if state is not None:
                    self._require_own(state)
            self._open = stack.pop_all()

    def _require_own(self, state: State) -> None:
        """Raise where the lines to keep are not those of this run."""
        is_line, first = line_check(state.setup), state.setup.first
        pieces = self._kept()
        if not _are_lines(
            _unpacked(pieces) if self._packs else pieces,
            state.done,
            lambda number, line: is_line(first + number, line),
        ):
            raise BadRecord("log_differs", file=self._name)

    def _kept(self) -> Iterator[bytes]:
        left = self._length
        with Path(self._name).open("rb") as file:
            while left and (piece := file.read(min(left, _PIECE))):
                yield piece
                left -= len(piece)

    def write(self, lines: bytes) -> int:
        """Add the lines of a block; returns the length of the file after them."""
        # Without the time, so that equal runs give equal files.
        data = gzip.compress(lines, mtime=0) if self._packs else lines
        with self._failures():
            if not self._is_cut:
                self._file.truncate(self._length)
                self._is_cut = True
                self._change_mode(PRIVATE)
            if self._is_heard:
                self._file.write(data)
        self._length += len(data)
        return self._length

    def flush(self) -> None:
        """Put everything written so far on the disk."""
        with self._failures():
            if self._is_heard:
                self._file.flush()
            if self._is_regular:
                os.fsync(self._file.fileno())

    def cut(self, length: int) -> None:
        """Take back what was written after the first ``length`` bytes."""
        self.flush()
        if self._is_regular and self._is_cut:
            with self._failures():
                self._file.truncate(length)

    def share(self) -> None:
        """The run has ended: others may have the file."""
        if self._is_regular and (self._is_new or self._is_cut):
            self._change_mode(self._mode)

    def _change_mode(self, mode: int) -> None:
        # A file of somebody else, whose group we are in, stays as it is.
        with self._failures(), contextlib.suppress(PermissionError):
            if hasattr(os, "fchmod") and mode != _mode(self._file):
                os.fchmod(self._file.fileno(), mode)

    def close(self) -> None:
        """Close the file. What could not be written has been said by ``flush``."""
        with contextlib.suppress(OSError):
            self._open.close()

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            if self._output.is_stdout:
                raise
            self._is_heard = False  # the reader of a pipe has had enough
        except OSError as error:
            raise os_failure("cannot_write", Path(self._name), error) from error


def _mode(file: BinaryIO) -> int:
    return stat.S_IMODE(os.fstat(file.fileno()).st_mode)


def _mode_of_new() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return SHARED & ~mask


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except FileNotFoundError:
        return 0


def _are_lines(pieces: Iterator[bytes], count: int, is_line: Callable[[int, bytes], bool]) -> bool:
    """Whether the pieces are that many whole lines, and each is the one of its number."""
    number, rest = 0, b""
    try:
        for piece in pieces:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if number == count or not is_line(number, line):
                    return False
                number += 1
            if len(rest) > _LONGEST:
                return False
    except (zlib.error, EOFError):
        return False
    return number == count and not rest


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What is packed in whole members of a gzip file. Raises zlib.error, EOFError."""
    member = None
    for piece in pieces:
        data = piece
        while data:
            member = member or zlib.decompressobj(wbits=31)
            yield member.decompress(data)
            data = member.unused_data
            if member.eof:
                member = None
    if member is not None:
        raise EOFError
