"""Who plays the blocks: this process, or several of them.

Workers take blocks in order and give back their parts in order, each exactly once. Anything with
this one method can take its place, a cluster for example: what a block gives depends on the block
alone.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Protocol, cast

from mia_cli.rules.errors import MiaError
from mia_cli.simulate.blocks import BlockPlayer, MakeBlockPlayer, Part

Block = tuple[int, int]
"""First match, and how many."""
MOST_JOBS = 64
MOST_DEATHS = 3
"""Workers that may die in a run before it is given up."""


class WorkerDied(MiaError):
    """Workers died too often: ``worker_died`` (first, count: the block; exit: how it ended)."""


class NoCluster(WorkerDied):
    """A cluster cannot be used, or no longer.

    Codes: ``cluster_silent`` and ``cluster_lost`` (address), ``cluster_empty`` (address, seconds:
    no workers), ``other_version`` (worker, found, needed: of this program).
    """


class Workers(Protocol):
    """Plays blocks."""

    def play(self, blocks: Iterable[Block]) -> Iterator[Part]:
        """The parts of the blocks, in their order."""
        ...


class Alone:
    """Plays blocks in this process."""

    def __init__(self, make: MakeBlockPlayer) -> None:
        self._make = make

    def play(self, blocks: Iterable[Block]) -> Iterator[Part]:
        """One block after another."""
        player = self._make()
        try:
            for first, count in blocks:
                yield player.play(first, count)
        finally:
            player.close()


class Processes:
    """Plays blocks in several processes of this machine, each with programs of its own.

    On Linux they are forked: this starts in milliseconds, and solved tables are shared instead of
    sent. It is safe here, because Python runs no other thread in this process. Where forking is
    not safe or not possible, they are started afresh. A worker that dies is replaced and its block
    played again, which gives the same part; after MOST_DEATHS the blocks before it are played to
    their end, and the run ends with an error.
    """

    def __init__(
        self, make: MakeBlockPlayer, jobs: int, on_death: Callable[[int], None] | None = None
    ) -> None:
        self._make, self._jobs, self._on_death = make, jobs, on_death
        self._context = context()
        self._workers: list[_Worker] = []
        self._deaths = 0

    def play(self, blocks: Iterable[Block]) -> Iterator[Part]:
        """Blocks side by side; never more than a few wait for an earlier one."""
        waiting, order = iter(blocks), deque[Block]()
        parts: dict[Block, Part] = {}
        try:
            for block in waiting:
                order.append(block)
                self._give(self._idle(parts), block)
                yield from _ready(order, parts)
                while len(order) > 4 * self._jobs:
                    self._hear(parts)
                    yield from _ready(order, parts)
            while order:
                self._hear(parts)
                yield from _ready(order, parts)
        except WorkerDied as died:
            # All earlier blocks are done or being played: how far a run comes is no accident.
            while order[0][0] < cast("int", died.fields["first"]):
                self._hear(parts)
                yield from _ready(order, parts)
            raise
        finally:
            for worker in self._workers:
                worker.end()

    def _idle(self, parts: dict[Block, Part]) -> _Worker:
        """A worker without a block; waits for one if need be."""
        while True:
            for worker in self._workers:
                if worker.block is None:
                    return worker
            if len(self._workers) < self._jobs:
                self._workers.append(self._start())
            else:
                self._hear(parts)

    def _start(self) -> _Worker:
        ours = [worker.connection for worker in self._workers]
        return _Worker(self._context, self._make, ours)

    def _give(self, worker: _Worker, block: Block) -> None:
        worker.block = block
        # A worker that is gone is noticed when it is listened to.
        with contextlib.suppress(OSError):
            worker.connection.send(block)

    def _hear(self, parts: dict[Block, Part]) -> None:
        """Wait until some worker is done, or dead, and take what it gives."""
        busy = {worker.connection: worker for worker in self._workers if worker.block}
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index]
            block = worker.block
            assert block is not None
            try:
                found = worker.connection.recv()
            except (EOFError, OSError):
                self._replace(worker, block)
                continue
            worker.block = None
            if isinstance(found, BaseException):
                raise found
            parts[block] = found

    def _replace(self, worker: _Worker, block: Block) -> None:
        code = worker.end()
        self._workers.remove(worker)
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise WorkerDied("worker_died", first=block[0], count=block[1], exit=code)
        if self._on_death:
            self._on_death(block[0])
        fresh = self._start()
        self._workers.append(fresh)
        self._give(fresh, block)


class _Worker:
    """A process that plays one block at a time."""

    def __init__(
        self, context_: BaseContext, make: MakeBlockPlayer, others: list[Connection]
    ) -> None:
        self.block: Block | None = None
        self.connection, theirs = multiprocessing.Pipe()
        # A forked worker has copies of our ends of all pipes. It closes them, so that every worker
        # notices when this process is gone.
        is_forked = context_.get_start_method() == "fork"
        ours = [*others, self.connection] if is_forked else []
        process: Callable[..., BaseProcess] = context_.Process  # type: ignore[attr-defined]
        self._process = process(target=_work, args=(theirs, ours, make), daemon=True)
        self._process.start()
        theirs.close()

    def end(self) -> int | None:
        """End the process, whatever it is doing; returns how it ended."""
        self.connection.close()
        if self.block is not None:
            self._process.terminate()  # it ends its programs first
        self._process.join(10.0)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        return self._process.exitcode


def _ready(order: deque[Block], parts: dict[Block, Part]) -> Iterator[Part]:
    while order and order[0] in parts:
        yield parts.pop(order.popleft())


def _work(connection: Connection, others: list[Connection], make: MakeBlockPlayer) -> None:
    """What a worker does: play what comes until the pipe ends."""
    # Ctrl-C and the end of a terminal reach the whole group of processes; the parent decides
    # what they mean.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    for other in others:
        other.close()
    player: BlockPlayer | None = None
    try:
        player = make()
        while True:
            connection.send(player.play(*connection.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except Exception as error:
        with contextlib.suppress(OSError):
            connection.send(error if isinstance(error, MiaError) else RuntimeError(repr(error)))
    finally:
        if player is not None:
            player.close()


def _leave(*_: object) -> None:
    """On SIGTERM: end, once, by way of what has to be closed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


def context() -> BaseContext:
    """How processes are started here."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def cores() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
