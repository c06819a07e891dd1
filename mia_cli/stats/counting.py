"""Counts the records of one chunk: a task for a process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress, islice

from mia_cli.records.many.columns import Batch, Collector
from mia_cli.records.many.match_summary import read_courses
from mia_cli.records.many.stream import Chunk, Problem, blocks, named, place_of, too_large
from mia_cli.records.many.turn_rows import turn_rows, written
from mia_cli.rules.errors import MiaError
from mia_cli.stats.choice import Choice
from mia_cli.stats.totals import Grouped, count_grouped

MOST_PROBLEMS = 100
"""Problems told of each chunk; more are counted."""
_TOGETHER = 10_000
"""Records read at once: a chunk of brackets alone would be a million."""


@dataclass
class Counted:
    """The counts of a chunk, its first problems, and how many problems there were.

    ``forfeited``: matches of simulations that a program lost by a fault. They are sound, but no
    matches by the rules: left out, and no problem. ``turns``: rows of all turns, where wanted.
    """

    grouped: Grouped = field(default_factory=Grouped)
    problems: list[Problem] = field(default_factory=list)
    skipped: int = 0
    records: int = 0
    forfeited: int = 0
    turns: bytes = b""

    def skip(self, problem: Problem) -> None:
        """Note a record that was skipped."""
        if problem.error.code == "forfeited":
            self.forfeited += 1
            return
        self.skipped += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def counted(batch: Batch, ids: Sequence[str], choice: Choice) -> Counted:
    """The counts of matches, by their ids."""
    found = Counted(count_grouped(batch, choice), records=len(ids))
    if choice.turns is not None:
        mask = choice.mask(batch)
        rows = turn_rows(batch.chosen(mask), list(compress(ids, mask.tolist())))
        found.turns = written(rows, choice.turns)
    return found


def count_chunk(task: tuple[Chunk, Choice]) -> Counted:
    """Count the records of a chunk."""
    chunk, choice = task
    collector, ids, left_out = Collector(), list[str](), Counted()
    waiting = blocks(chunk)
    while parts := list(islice(waiting, _TOGETHER)):
        courses = read_courses([data for _, data in parts])
        for (line, data), course in zip(parts, courses, strict=True):
            read = too_large(data) or course
            if isinstance(read, MiaError):
                left_out.skip(named(read, place_of(chunk.source, line)))
            else:
                collector.add(read)
                ids.append(read.id)
    found = counted(collector.batch(), ids, choice) if ids else Counted()
    found.problems, found.skipped = left_out.problems, left_out.skipped
    found.forfeited = left_out.forfeited
    return found
