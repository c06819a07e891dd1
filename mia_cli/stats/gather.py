"""Counts the records of folders, files and streams together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.failures import in_file
from mia_cli.records.many.columns import Collector
from mia_cli.records.many.index import read_folder
from mia_cli.records.many.match_summary import read_summary
from mia_cli.records.many.processes import spread
from mia_cli.records.many.source import beginning, whole
from mia_cli.records.many.stream import (
    Chunk,
    Problem,
    chunks,
    open_source,
    require_readable,
    unpacked,
)
from mia_cli.rules.errors import BadRecord, MiaError, Unwritable
from mia_cli.stats.choice import Choice
from mia_cli.stats.counting import Counted, count_chunk, counted
from mia_cli.stats.totals import SLICE, Grouped

STDIN = "-"
MOST_LISTED = 1000
WriteTurns = Callable[[bytes], object]


@dataclass
class Gathered:
    """Counts; the first MOST_LISTED records that were skipped, and how many in all.

    ``forfeited``: matches left out because a program lost them by a fault. ``empty``: sources named
    by the user without a single record that could be read.
    """

    grouped: Grouped = field(default_factory=Grouped)
    problems: list[Problem] = field(default_factory=list)
    skipped: int = 0
    forfeited: int = 0
    empty: list[str] = field(default_factory=list)

    def take(self, counted: Counted) -> None:
        """Add the counts of a chunk."""
        self.grouped.add(counted.grouped)
        self.skipped += counted.skipped
        self.forfeited += counted.forfeited
        self.problems += counted.problems[: MOST_LISTED - len(self.problems)]


def gather(  # noqa: PLR0913 - where records come from, and where turns go
    sources: Sequence[Path | str],
    choice: Choice,
    *,
    cache: Path | None,
    stdin: BinaryIO | None = None,
    jobs: int | None = None,
    write_turns: WriteTurns = len,
) -> Gathered:
    """Count all records of some folders, files, and ``"-"`` for ``stdin``.

    ``write_turns`` is given the rows of all turns, piece by piece, where ``choice`` wants them.
    Raises Unwritable and BadRecord for a source that cannot be read at all, before anything is
    counted where that can be known.
    """
    found = Gathered()
    files = [source for source in sources if isinstance(source, Path) and not source.is_dir()]
    for path in files:
        require_readable(path)
    for source in sources:
        is_folder = isinstance(source, Path) and source.is_dir()
        records = 0
        for part in (
            _folder(Path(source), choice, cache, jobs)
            if is_folder
            else _stream(source, choice, stdin, jobs)
        ):
            found.take(part)
            write_turns(part.turns)
            records += part.records + part.forfeited
        if not records and not is_folder:
            found.empty.append(str(source))
    return found


def _folder(
    folder: Path, choice: Choice, cache: Path | None, jobs: int | None
) -> Iterator[Counted]:
    found = read_folder(folder, cache, jobs)
    ids = iter(found.ids)
    for some in found.batch.slices(SLICE):
        yield counted(some, list(islice(ids, len(some.heads))), choice)
    yield from map(_failed, found.problems)


def _stream(
    source: Path | str,
    choice: Choice,
    stdin: BinaryIO | None,
    jobs: int | None,
) -> Iterator[Counted]:
    if isinstance(source, Path):
        stream, name = open_source(source), str(source)
    else:
        if stdin is None:
            raise Unwritable("input_closed")
        stream, name = unpacked(stdin), STDIN
    with stream:
        pieces = chunks(stream, name)
        ahead = list(beginning(pieces))
        if not ahead:
            yield _failed(Problem(name, in_file(BadRecord("empty_file"), name)))
            return
        alone = _alone(ahead, choice) if isinstance(source, Path) else None
        if alone is not None:
            yield alone
            return
        yield from _counted(chain(ahead, pieces), choice, jobs)


def _alone(ahead: Sequence[Chunk | Problem], choice: Choice) -> Counted | None:
    """A file that is one record; None for anything else."""
    data = whole(ahead)
    if data is None or not isinstance(ahead[0], Chunk):
        return None
    name = ahead[0].source
    try:
        summary = read_summary(data)
    except MiaError as error:
        return _failed(Problem(name, in_file(error, name)))
    collector = Collector()
    collector.add(summary)
    return counted(collector.batch(), [summary.id], choice)


def _failed(problem: Problem) -> Counted:
    counted = Counted()
    counted.skip(problem)
    return counted


def _counted(
    pieces: Iterable[Chunk | Problem], choice: Choice, jobs: int | None
) -> Iterator[Counted]:
    """The counts of all chunks; problems of the stream itself come last."""
    problems: list[Problem] = []

    def tasks() -> Iterator[tuple[Chunk, Choice]]:
        for piece in pieces:
            if isinstance(piece, Problem):
                problems.append(piece)
            else:
                yield piece, choice

    yield from spread(count_chunk, tasks(), jobs)
    yield from map(_failed, problems)
