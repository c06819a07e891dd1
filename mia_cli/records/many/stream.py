"""Records one after the other in a file or on standard input, cut into pieces for reading.

Lines of JSON (logs of ``mia simulate``) and records over several lines may follow each other. A
record begins with ``{`` at the start of a line; what follows up to the next one is a block.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from mia_cli.files.failures import in_file, os_failure
from mia_cli.files.reading import LARGEST, open_to_read
from mia_cli.rules.errors import BadRecord, MiaError

CHUNK = 1 << 21
_MOST_SKIPPED = 4 * LARGEST
_BOUNDARY = b"\n{"
_END = b"\n}"
"""What a record over several lines ends with."""
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole records: bytes that begin in a line of the source (1 is the first)."""

    source: str
    line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that was skipped: its file, or file and line, and what is wrong."""

    place: str
    error: MiaError


def open_source(path: Path) -> BinaryIO:
    """A file to read records from, unpacked when it is gzip.

    Raises Unwritable("cannot_read"), BadRecord("not_a_file").
    """
    return unpacked(_opened(path))


def require_readable(path: Path) -> None:
    """Raise what :func:`open_source` raises, and read nothing: a pipe would not give it again."""
    _opened(path).close()


def _opened(path: Path) -> BinaryIO:
    try:
        return open_to_read(path)
    except BadRecord as error:
        raise in_file(error, path) from None


def unpacked(stream: BinaryIO) -> BinaryIO:
    """The stream, or what is packed in it."""
    buffered: Any = stream if hasattr(stream, "peek") else io.BufferedReader(cast(Any, stream))
    if buffered.peek(2)[:2] == _GZIP:
        return cast(BinaryIO, gzip.GzipFile(fileobj=buffered))
    return cast(BinaryIO, buffered)


def chunks(stream: BinaryIO, source: str, size: int = CHUNK) -> Iterator[Chunk | Problem]:
    """Cut a stream into chunks of about ``size`` bytes; a stream that breaks is a Problem.

    Never holds more than a chunk and the largest record; a longer one is cut off, and is then
    a problem for whoever reads it. Where no record begins for long, as in a sparse file or an
    endless device, the rest is not read.
    """
    rest, line, first = b"", 1, True
    skipped = 0
    while True:
        data, error = _read(stream, size)
        if first:
            data, first = data.removeprefix(_MARK), False
        ends = not data or error is not None
        data = rest + data
        cut = data.rfind(_BOUNDARY)
        if cut >= 0:
            yield Chunk(source, line, data[: cut + 1])
            line += data.count(b"\n", 0, cut + 1)
            skipped = 0
        rest = data[cut + 1 :][: LARGEST + 2]  # what is cut off makes it too large, not whole
        skipped += len(data) - cut - 1 - len(rest)
        if skipped > _MOST_SKIPPED:
            yield named(BadRecord("no_record", limit=_MOST_SKIPPED), place_of(source, line))
            return
        if ends:
            yield from _last(rest, source, line)
            if error is not None:
                yield Problem(source, _broken(source, error))
            return


def _read(stream: BinaryIO, size: int) -> tuple[bytes, Exception | None]:
    """The next bytes, as many as wanted or all there are, and what broke the stream off."""
    read = getattr(stream, "read1", stream.read)
    parts, wanted = [], size
    try:
        while wanted and (part := read(wanted)):
            parts.append(part)
            wanted -= len(part)
    except (OSError, EOFError, zlib.error) as error:
        return b"".join(parts), error
    return b"".join(parts), None


def _last(rest: bytes, source: str, line: int) -> Iterator[Chunk]:
    if rest.strip():
        yield Chunk(source, line, rest)


def _broken(source: str, error: Exception) -> MiaError:
    if isinstance(error, OSError) and error.errno:
        return os_failure("cannot_read", Path(source), error)
    return BadRecord("cut_archive", file=source)


def blocks(chunk: Chunk) -> Iterator[tuple[int, bytes]]:
    """Line and bytes of every block: a record, or lines that are none, each on its own."""
    line = chunk.line
    parts = chunk.data.split(_BOUNDARY)
    for at, part in enumerate(parts):
        block = part if not at else b"{" + part
        if at and b"\n" not in part:
            yield line, block
        else:
            yield from _lines(block, line)
        line += part.count(b"\n") + 1


def _lines(block: bytes, line: int) -> Iterator[tuple[int, bytes]]:
    """A block as one record, or as lines where the first one is a record already."""
    text = block.strip()
    if b"\n" not in text:
        if text:
            yield line + block[: len(block) - len(block.lstrip())].count(b"\n"), text
        return
    head = text.split(b"\n", 1)[0].rstrip()
    if text.startswith(b"{") and not (head.endswith(b"}") and len(head) > 1):
        record, _end, rest = block.partition(_END)
        yield line, (record + _END).strip() if _end else text
        block, line = rest, line + record.count(b"\n") + 1
    for number, part in enumerate(block.split(b"\n"), line):
        if part.strip():
            yield number, part.strip()


def place_of(source: str, line: int) -> str:
    """How a record in a stream is named."""
    return f"{source}:{line}"


def too_large(data: bytes) -> MiaError | None:
    """The error of a block that is larger than any record."""
    if len(data) <= LARGEST:
        return None
    return BadRecord("too_large", limit=LARGEST, bytes=len(data))


def named(error: MiaError, place: str) -> Problem:
    """A problem at a place; the error names it too."""
    return Problem(place, in_file(error, place))
