"""Single records out of files, logs and standard input, read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.reading import LARGEST
from mia_cli.records.many.match_summary import MatchSummary, read_summaries
from mia_cli.records.many.stream import (
    Chunk,
    Problem,
    blocks,
    chunks,
    named,
    open_source,
    place_of,
    too_large,
    unpacked,
)
from mia_cli.records.record import MatchRecord, decode_record
from mia_cli.rules.errors import BadRecord, CannotRead, MiaError

_TOGETHER = 10_000
"""Records read at once: a chunk of brackets alone would be a million."""
_ID = re.compile(rb'\s*\{\s*"schema"\s*:\s*"[^"\\]*"\s*,\s*"id"\s*:\s*"([^"\\]*)"')
"""A record up to its id, as everything here writes it."""


def records_of(source: Path | BinaryIO, name: str) -> Iterator[MatchRecord | Problem]:
    """Every record of a file or stream, or what is wrong with it, in order.

    Raises Unwritable and BadRecord when it cannot be opened.
    """
    for place, data in _texts(source, name):
        yield _read(place, data)


def _read(place: str, data: bytes | Problem) -> MatchRecord | Problem:
    if isinstance(data, Problem):
        return data
    try:
        large = too_large(data)
        if large:
            raise large
        return decode_record(data, place)
    except MiaError as error:
        return named(error, place)


def summaries_of(source: Path | BinaryIO, name: str) -> Iterator[MatchSummary | Problem]:
    """Every record of a file or stream as ``match_summary`` has it, read at speed, in order.

    Raises as ``records_of``.
    """
    with open_source(source) if isinstance(source, Path) else unpacked(source) as stream:
        pieces = chunks(stream, name)
        first = list(beginning(pieces))
        data = whole(first)
        if data is not None:
            read = read_summaries([data])[0]
            yield named(read, name) if isinstance(read, MiaError) else read
            return
        for piece in (*first, *pieces):
            yield from [piece] if isinstance(piece, Problem) else read_chunk(piece)


def read_chunk(chunk: Chunk) -> Iterator[MatchSummary | Problem]:
    """The records of a chunk, or what is wrong with each."""
    waiting = blocks(chunk)
    while parts := list(islice(waiting, _TOGETHER)):
        summaries = read_summaries([data for _, data in parts])
        for (line, data), summary in zip(parts, summaries, strict=True):
            read = too_large(data) or summary
            yield named(read, place_of(chunk.source, line)) if isinstance(read, MiaError) else read


def _texts(source: Path | BinaryIO, name: str) -> Iterator[tuple[str, bytes | Problem]]:
    stream = open_source(source) if isinstance(source, Path) else unpacked(source)
    with stream:
        pieces = chunks(stream, name)
        first = list(beginning(pieces))
        data = whole(first)
        if data is not None:
            yield name, data
            return
        for piece in (*first, *pieces):
            if isinstance(piece, Problem):
                yield name, piece
            else:
                yield from ((place_of(name, line), text) for line, text in blocks(piece))


def beginning(pieces: Iterator[Chunk | Problem]) -> Iterator[Chunk | Problem]:
    """The pieces of a source that may be one record, or as much of a larger one."""
    size = 0
    for piece in pieces:
        yield piece
        size += len(piece.data) if isinstance(piece, Chunk) else 0
        if size > LARGEST:
            return


def whole(pieces: Sequence[Chunk | Problem]) -> bytes | None:
    """The bytes of a source that is one record, whatever its lines look like."""
    parts = [piece.data for piece in pieces if isinstance(piece, Chunk)]
    data = b"".join(parts)
    if len(parts) < len(pieces) or len(data) > LARGEST:
        return None
    found = list(blocks(Chunk("", 1, data)))
    if not found:
        return data
    if len(found) > 1:
        top = data.strip().split(b"\n", 1)[0].rstrip()
        if len(top) > 1 and top.endswith(b"}"):
            return None
        try:
            decode_record(data, "")
        except MiaError:
            return None
    return data


def find_record(source: Path | BinaryIO, name: str, wanted: str | None) -> MatchRecord:
    """The only record of a source, or the one that ``wanted`` names.

    That is an id; or else what stands behind the last hyphen of one, such as the number of a match
    of a log; or else the beginning or end of one. Only records with such ids are read, as far as
    an id stands where it always does. Raises what is wrong with the source or the record;
    CannotRead: ``several_matches`` (file), ``no_such_match`` (value), ``ambiguous_id`` (value,
    matches).
    """
    numbered: list[MatchRecord] = []
    partly: list[MatchRecord] = []
    damaged: Problem | None = None
    for place, data in _texts(source, name):
        if wanted is not None and not _may_be(data, wanted, is_enough=len(partly) > 1):
            continue
        item = _read(place, data)
        if isinstance(item, Problem):
            damaged = damaged or item
        elif item.id == wanted:
            return item
        elif wanted is not None and item.id.rpartition("-")[2] == wanted:
            numbered.append(item)
        elif wanted is None or item.id.startswith(wanted) or item.id.endswith(wanted):
            partly.append(item)
        if len(numbered) > 1 or (wanted is None and len(partly) > 1):
            break
    found = numbered or partly
    if len(found) == 1:
        return found[0]
    if found and wanted is None:
        raise CannotRead("several_matches", file=name, option="--match")
    if found:
        raise CannotRead("ambiguous_id", value=wanted, matches=tuple(item.id for item in found))
    if damaged is not None:
        raise damaged.error
    if wanted is None:
        raise BadRecord("empty_file", file=name)
    raise CannotRead("no_such_match", value=wanted)


def _may_be(data: bytes | Problem, wanted: str, *, is_enough: bool) -> bool:
    """Whether a record may be the one that is wanted, by its id, if that is easily seen.

    ``is_enough``: others whose id begins or ends so are not wanted any more.
    """
    id_ = None if isinstance(data, Problem) else _ID.match(data)
    if id_ is None:
        return True
    text = id_[1].decode(errors="replace")
    if text == wanted or text.rpartition("-")[2] == wanted:
        return True
    return not is_enough and (text.startswith(wanted) or text.endswith(wanted))
