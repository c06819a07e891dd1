"""Sends blocks to a Dask cluster.

The scheduler hands blocks to its workers and gives those of a worker that died to others; what a
block gives depends on the block alone, so the totals are the same. Here, only what the scheduler
answers for a block that was sent counts, in the order of the blocks, and so each counts once.

Everything that Dask logs or warns about is kept away from stderr: what matters is said as an error.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import re
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pkgutil import resolve_name
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any

from mia_cli import __version__
from mia_cli.rules.errors import CannotRead, NotAllowed
from mia_cli.simulate.blocks import MakeBlockPlayer, Part
from mia_cli.simulate.workers import cluster_worker
from mia_cli.simulate.workers.processes import Block, NoCluster, WorkerDied

PATIENCE = 30.0
"""Seconds without any worker, or without an answer of the scheduler, until it is given up."""
CONNECT = 10.0
"""Seconds to connect in."""
LOOK = 2.0
"""Seconds between two looks at who is there."""
IN_FLIGHT = 3
"""Tasks sent by thread of a worker: it never waits, and memory stays bounded."""
MOST_TOGETHER = 64
"""Blocks in a task, at most."""
SLACK = 5.0
"""Seconds that connecting may take beyond that."""
GOODBYE = 5.0
"""Seconds for the workers to hear that a run is over."""
_INSTALL = "pip install 'mia-cli[dask]'"
_VERSION = "mia_cli:__version__"
_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(\[[0-9A-Fa-f:.]+\]|[\w.-]+):([0-9]{1,5})", re.ASCII)


class Cluster:
    """A connection to a Dask scheduler; workers there have the version of this program.

    ``on_loss`` hears the address of a worker that is gone with blocks. Raises NoCluster;
    CannotRead("not_an_address"); NotAllowed("needs_package") without the package.
    """

    def __init__(self, address: str, on_loss: Callable[[str], None] | None = None) -> None:
        self.address = _checked(address)
        self._on_loss = on_loss
        self._lost = SimpleQueue[Mapping[str, Any]]()
        with contextlib.ExitStack() as stack:
            stack.enter_context(_quiet())
            self.client = _connected(self.address)
            stack.callback(self._disconnect)
            self._require_workers()
            self._require_version()
            self.client.subscribe_topic("all", self._hear)
            self._closing = stack.pop_all()

    def workers(self, make: MakeBlockPlayer) -> ClusterWorkers:
        """Workers that play with what ``make`` gives."""
        return ClusterWorkers(self, make)

    def close(self) -> None:
        """Disconnect; what was sent is cancelled by the scheduler."""
        self._closing.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, question: Callable[[], Any], seconds: float | None = None) -> Any:
        """What a method of the client answers. Raises NoCluster("cluster_lost"), if not soon."""

        async def answer() -> Any:
            return await question()

        try:
            return self.client.sync(answer, callback_timeout=seconds or PATIENCE)
        except Exception:
            raise self.lost() from None

    def lost(self) -> NoCluster:
        """The error for a connection that is gone."""
        return NoCluster("cluster_lost", address=self.address)

    def empty(self) -> NoCluster:
        """The error for a cluster that has no workers."""
        return NoCluster("cluster_empty", address=self.address, seconds=round(PATIENCE))

    def threads(self) -> int:
        """Threads of all workers that are there."""
        return sum(self.ask(self.client.nthreads).values())

    def losses(self, run: str) -> Iterator[str]:
        """Addresses of workers that went, since the last call, with blocks of a run."""
        with contextlib.suppress(Empty):
            while True:
                event = self._lost.get_nowait()
                # The tasks of the worker; how they are listed differs between versions.
                if run in repr(event):
                    yield str(event.get("worker"))

    def tell(self, address: str) -> None:
        """Tell of a worker that is gone."""
        if self._on_loss:
            self._on_loss(address)

    def _hear(self, event: tuple[float, Any]) -> None:
        _, what = event
        if isinstance(what, Mapping) and what.get("action") == "remove-worker":
            self._lost.put(what)

    def _require_workers(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self.threads():
            if time.monotonic() > end:
                raise self.empty()
            time.sleep(0.1)

    def _require_version(self) -> None:
        """Workers need this program, in this version, and so does the scheduler. Or NoCluster.

        They are asked by a function of the standard library: ours may not be there.
        """
        found: dict[str, object] = self.ask(
            lambda: self.client.run(resolve_name, _VERSION, on_error="return")
        )
        # Of the scheduler, errors are not told apart: it has just answered.
        with contextlib.suppress(NoCluster):
            found[self.address] = None
            found[self.address] = self.ask(
                lambda: self.client.run_on_scheduler(resolve_name, _VERSION)
            )
        for place, version in found.items():
            if version != __version__:
                has = version if isinstance(version, str) else "–"
                raise NoCluster("other_version", worker=place, found=has, needed=__version__)

    def _disconnect(self) -> None:
        with contextlib.suppress(Exception):
            self.client.close(CONNECT)


@dataclass(frozen=True, slots=True)
class _Task:
    """Blocks that were sent together, and the future of what comes of them."""

    future: Any
    blocks: list[Block]

    def deadly(self) -> WorkerDied:
        """The error for a task on which workers died too often."""
        first, count = self.blocks[0][0], sum(count for _, count in self.blocks)
        return WorkerDied("worker_died", first=first, count=count, exit=None)


class ClusterWorkers:
    """Plays blocks on a cluster."""

    def __init__(self, cluster: Cluster, make: MakeBlockPlayer) -> None:
        self._cluster, self._client = cluster, cluster.client
        self._make = pickle.dumps(make)
        # No other run has this name, so no result of another one is taken for ours.
        self._run = f"mia-{uuid.uuid4()}"
        self._sent = 0
        self._together = 1
        self._threads = 0
        self._fetch = LOOK
        self._looked = self._seen = 0.0

    def play(self, blocks: Iterable[Block]) -> Iterator[Part]:
        """Blocks side by side; never more than a few wait for an earlier one.

        Raises WorkerDied where workers died too often on a block, and NoCluster.
        """
        waiting, flight = iter(blocks), deque[_Task]()
        try:
            while True:
                self._look(flight)
                while len(flight) < IN_FLIGHT * max(1, self._threads):
                    some = list(islice(waiting, self._together))
                    if not some:
                        break
                    flight.append(self._send(some))
                if not flight:
                    return
                played = self._landed(flight[0])
                if played is not None:
                    flight.popleft()
                    yield from self._parts(played)
        finally:
            self._end(flight)

    def _send(self, blocks: list[Block]) -> _Task:
        self._sent += 1
        key = (self._run, self._sent)
        try:
            future = self._client.submit(
                cluster_worker.play, __version__, self._run, self._make, blocks, key=key, pure=False
            )
        except Exception:
            raise self._cluster.lost() from None
        return _Task(future, blocks)

    def _landed(self, task: _Task) -> Any:
        """What came of a task; None while nothing has, after some time."""
        from distributed import CancelledError, KilledWorker, wait

        try:
            with self._client.as_current():
                wait(task.future, timeout=LOOK)
        except TimeoutError:
            return None
        except CancelledError:
            raise self._cluster.lost() from None
        try:
            found = task.future.result(timeout=self._fetch)
            self._fetch = LOOK
            return found
        except TimeoutError:
            # It is lost again with its worker, or it is large and on its way.
            self._fetch = min(2 * self._fetch, PATIENCE)
            return None
        except KilledWorker:
            raise task.deadly() from None
        except (CancelledError, OSError):
            raise self._cluster.lost() from None

    def _parts(self, played: cluster_worker.TimedParts | Exception) -> list[Part]:
        if isinstance(played, Exception):
            raise played
        parts, seconds = played
        # Long enough for what a task costs, and for a scheduler with many workers.
        wanted = max(0.25, 0.01 * self._threads)
        if seconds < wanted / 2 and len(parts) == self._together:
            self._together = min(MOST_TOGETHER, 2 * self._together)
        elif seconds > 2 * wanted:
            self._together = max(1, self._together // 2)
        return parts

    def _look(self, flight: Iterable[_Task]) -> None:
        """From time to time: who is there, and who is gone."""
        for address in self._cluster.losses(self._run):
            self._cluster.tell(address)
        now = time.monotonic()
        if self._looked and now - self._looked < LOOK:
            return
        self._threads = self._cluster.threads()
        self._looked = now
        if self._threads or not self._seen:
            self._seen = now
            return
        for task in flight:
            # It may have killed them all, before what comes before it was done.
            if task.future.status == "error":
                raise task.deadly()
        if now - self._seen > PATIENCE:
            raise self._cluster.empty()

    def _end(self, flight: Iterable[_Task]) -> None:
        """Cancel what is in flight, and let the workers close their players."""
        if self._client.status != "running":
            return
        with contextlib.suppress(Exception):
            self._client.cancel([task.future for task in flight], force=True)
        with contextlib.suppress(Exception):
            run = self._run
            self._cluster.ask(
                lambda: self._client.run(cluster_worker.forget, run, on_error="ignore"), GOODBYE
            )


def _checked(address: str) -> str:
    """The address, if a scheduler can have it. Raises CannotRead("not_an_address")."""
    plain = address.strip()
    found = _ADDRESS.fullmatch(plain)
    if not found or not 1 <= int(found[2]) <= 65535:
        raise CannotRead("not_an_address", place="--dask", value=address)
    return plain if "://" in plain else f"tcp://{plain}"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """No log lines and no warnings, of any thread."""
    # For good: some things are only complained about when they are collected, much later.
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise NotAllowed("needs_package", option="--dask", command=_INSTALL) from None
    made: list[Any] = []

    def connect() -> None:
        # Errors of any kind: what answers there may be anything.
        with contextlib.suppress(Exception):
            made.append(Client(address, timeout=CONNECT, set_as_default=False, name="mia"))

    # The client has a limit for some of its steps and waits without end in others, such as for an
    # answer of a server of another kind.
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(CONNECT + SLACK)
    if not made:
        raise NoCluster("cluster_silent", address=address)
    return made[0]
