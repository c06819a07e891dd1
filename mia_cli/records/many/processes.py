"""Reads files and does other tasks, in several processes where that is worth it."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mia_cli.files.failures import in_file
from mia_cli.files.reading import read_bytes
from mia_cli.records.many.match_summary import MatchSummary, read_summaries
from mia_cli.records.many.stream import Problem
from mia_cli.rules.errors import BadRecord, MiaError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_AHEAD = 2
_ALONE = 2
"""Tasks that are done here before other processes are started: small inputs need none."""
Task = TypeVar("Task")
Made = TypeVar("Made")


class FileStamp(NamedTuple):
    """A file, and what changes whenever it is replaced: time, size, number on the disk."""

    name: str
    changed: int
    size: int
    inode: int


Stamped = tuple[FileStamp, MatchSummary | Problem | None]


def read_files(task: tuple[Path, tuple[FileStamp, ...]]) -> list[Stamped]:
    """Read single records of a folder; None for a file that has gone since."""
    folder, stamps = task
    found: list[Stamped] = []
    data = [read_file(folder / stamp.name) for stamp in stamps]
    summaries = iter(read_summaries([item for item in data if isinstance(item, bytes)]))
    for stamp, item in zip(stamps, data, strict=True):
        summary = next(summaries) if isinstance(item, bytes) else item
        found.append((stamp, _named_right(folder / stamp.name, summary)))
    return found


def read_file(path: Path) -> bytes | MiaError:
    """The bytes of a record, or what is wrong."""
    try:
        return read_bytes(path)
    except MiaError as error:
        return error


def _named_right(path: Path, summary: MatchSummary | MiaError) -> MatchSummary | Problem | None:
    """The summary of a record that is named after its match; None when its file has gone."""
    if isinstance(summary, MatchSummary) and f"{summary.id}.json" != path.name:
        expected = path.name.removesuffix(".json")
        summary = BadRecord("id_differs", expected=expected, found=summary.id)
    if isinstance(summary, MatchSummary):
        return summary
    return Problem(str(path), in_file(summary, path)) if os.path.lexists(path) else None


def spread(
    work: Callable[[Task], Made], tasks: Iterable[Task], jobs: int | None = None
) -> Iterator[Made]:
    """The results of ``work`` for every task, in order. At most a few tasks wait at a time.

    ``jobs``: processes, one per processor and at most 8 by default. A process that dies is no
    harm: its tasks are done here.
    """
    jobs = min(os.cpu_count() or 1, 8) if jobs is None else jobs
    waiting = iter(tasks)
    for _, task in zip(range(_ALONE), waiting, strict=False):
        yield work(task)
    first = next(waiting, None)
    if first is None:
        return
    if jobs > 1:
        yield from _in_processes(work, _chained(first, waiting), jobs)
    else:
        yield from map(work, _chained(first, waiting))


def _chained(first: Task, rest: Iterator[Task]) -> Iterator[Task]:
    yield first
    yield from rest


def _in_processes(work: Callable[[Task], Made], tasks: Iterator[Task], jobs: int) -> Iterator[Made]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    try:
        pool = ProcessPoolExecutor(
            jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_start
        )
    except (OSError, ImportError, NotImplementedError):  # no semaphores here
        yield from map(work, tasks)
        return
    pending: deque[tuple[Task, Future[Made] | None]] = deque()
    try:
        for task in tasks:
            pending.append((task, _submitted(pool, work, task)))
            if len(pending) > _AHEAD * jobs:
                yield _done(work, *pending.popleft())
        while pending:
            yield _done(work, *pending.popleft())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _submitted(
    pool: ProcessPoolExecutor, work: Callable[[Task], Made], task: Task
) -> Future[Made] | None:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(work, task)
    except BrokenProcessPool:
        return None


def _done(work: Callable[[Task], Made], task: Task, future: Future[Made] | None) -> Made:
    if future is None:
        return work(task)
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        return work(task)


def _start() -> None:
    """Ctrl-C ends the command; its processes end with it and say nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
