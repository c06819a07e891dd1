"""The turns of all records of a folder, a file, or memory, read one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from mia_cli.records.many.index import read_folder
from mia_cli.records.many.match_summary import MatchSummary, read_summary
from mia_cli.records.many.source import summaries_of
from mia_cli.records.many.stream import Problem
from mia_cli.records.many.turn_rows import TurnRow, match_rows, turn_rows
from mia_cli.records.record import MatchRecord, encode_line


def turns_of_folder(folder: Path, cache: Path | None) -> Iterator[TurnRow | Problem]:
    """The turns of a folder of records, in order. Takes and raises what ``read_folder`` does."""
    found = read_folder(folder, cache)
    yield from turn_rows(found.batch, list(found.ids))
    yield from found.problems


def turns_of_file(path: Path) -> Iterator[TurnRow | Problem]:
    """The turns of a record or a log, in order. Raises Unwritable and BadRecord."""
    for item in summaries_of(path, str(path)):
        if isinstance(item, Problem):
            yield item
        else:
            yield from _rows(item)


def turns_of_records(records: Iterable[MatchRecord]) -> Iterator[TurnRow]:
    """The turns of records, as their files would tell them. Raises BadRecord for what is none."""
    for record in records:
        yield from _rows(read_summary(encode_line(record).rstrip(b"\n")))


def _rows(summary: MatchSummary) -> Iterator[TurnRow]:
    players = [player for _, player in summary.players]
    return match_rows(summary.id, summary.rules.lives, players, summary.codes())
