"""Counts the records of one chunk: a task for a process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress

from mia_cli.records.many.columns import Batch, Collector
from mia_cli.records.many.source import read_chunk
from mia_cli.records.many.stream import Chunk, Problem
from mia_cli.records.many.turn_rows import turn_rows, written
from mia_cli.stats.choice import Choice
from mia_cli.stats.totals import Grouped, count_grouped

MOST_PROBLEMS = 100
"""Problems told of each chunk; more are counted."""


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
    for item in read_chunk(chunk):
        if isinstance(item, Problem):
            left_out.skip(item)
        else:
            collector.add(item)
            ids.append(item.id)
    found = counted(collector.batch(), ids, choice) if ids else Counted()
    found.problems, found.skipped = left_out.problems, left_out.skipped
    found.forfeited = left_out.forfeited
    return found
