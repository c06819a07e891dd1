"""What a worker of a cluster does: it plays blocks, with block players that it keeps for a while.

Runs in processes of others, in several threads at once. Block players are made once for each run
and thread and kept between the blocks; programs may belong to them, so they are closed in any case:
when the run says that it is over, when later runs need the place, when nobody has asked for a
while (the run may have been killed), and when the process ends.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.util import Finalize

from mia_cli import __version__
from mia_cli.rules.errors import MiaError
from mia_cli.simulate.blocks import BlockPlayer, Part
from mia_cli.simulate.workers.processes import Block, NoCluster

KEPT = 2
"""Runs whose players a process keeps."""
IDLE = 60.0
"""Seconds after which players that nobody has asked are closed."""

TimedParts = tuple[list[Part], float]
"""Parts of some blocks, and how many seconds they took."""


@dataclass(slots=True)
class _Run:
    """Players of a run that have nothing to do, and when one of them last had."""

    idle: list[BlockPlayer] = field(default_factory=list)
    used: float = 0.0


class BlockPlayers:
    """The block players of this process, by run; safe with threads."""

    def __init__(self, kept: int = KEPT, idle: float = IDLE) -> None:
        self._kept, self._idle = kept, idle
        self._runs: dict[str, _Run] = {}
        self._lock = threading.Lock()
        # Players of several threads need the same tables: one computes them, the others wait.
        self._making = threading.Lock()
        self._timer: threading.Timer | None = None

    def play(
        self, run: str, make: Callable[[], BlockPlayer], blocks: Iterable[Block]
    ) -> TimedParts:
        """Play blocks one after another. Raises what the block player raises."""
        place, player = self._take(run)
        if player is None:
            with self._making:
                player = make()
        try:
            started = time.monotonic()
            parts = list(_until_stopped(player, blocks))
            seconds = time.monotonic() - started
        except BaseException:
            # Who knows what state it is in.
            player.close()
            raise
        self._give_back(run, place, player)
        return parts, seconds

    def forget(self, run: str) -> None:
        """Close the players of a run; one that plays is closed when it is done."""
        with self._lock:
            gone = self._runs.pop(run, None)
        _close([gone] if gone else [])

    def forget_all(self) -> None:
        """Close all players that do not play."""
        with self._lock:
            gone = list(self._runs.values())
            self._runs.clear()
        _close(gone)

    def _take(self, run: str) -> tuple[_Run, BlockPlayer | None]:
        with self._lock:
            # The run that was asked for last stands at the end.
            place = self._runs.pop(run) if run in self._runs else _Run()
            self._runs[run] = place
            place.used = time.monotonic()
            too_many = list(self._runs)[: -self._kept]
            gone = [self._runs.pop(other) for other in too_many]
            player = place.idle.pop() if place.idle else None
        _close(gone)
        return place, player

    def _give_back(self, run: str, place: _Run, player: BlockPlayer) -> None:
        with self._lock:
            is_wanted = self._runs.get(run) is place
            if is_wanted:
                place.idle.append(player)
                place.used = time.monotonic()
                if self._timer is None:
                    self._wait_for_idle()
        if not is_wanted:
            player.close()

    def _wait_for_idle(self) -> None:
        self._timer = threading.Timer(self._idle, self._close_idle)
        self._timer.daemon = True
        self._timer.start()

    def _close_idle(self) -> None:
        with self._lock:
            since = time.monotonic() - self._idle
            old = [run for run, place in self._runs.items() if place.used <= since]
            gone = [self._runs.pop(run) for run in old]
            self._timer = None
            if self._runs:
                self._wait_for_idle()
        _close(gone)


def _until_stopped(player: BlockPlayer, blocks: Iterable[Block]) -> Iterator[Part]:
    for first, count in blocks:
        part = player.play(first, count)
        yield part
        if part.stopped:
            return


def _close(runs: Sequence[_Run]) -> None:
    for run in runs:
        for player in run.idle:
            with contextlib.suppress(Exception):
                player.close()
        run.idle.clear()


_PLAYERS = BlockPlayers()
# Not atexit: a worker may itself be a process of multiprocessing, which does not look there.
Finalize(None, _PLAYERS.forget_all, exitpriority=10)


def play(version: str, run: str, make: bytes, blocks: Sequence[Block]) -> TimedParts | Exception:
    """Play blocks of a run; an error is returned, so that it is told from those of the cluster.

    ``make`` is a pickled MakeBlockPlayer. Errors: ``other_version`` where this is not ``version``
    of the program; those of the block player, as RuntimeError unless they are the user's.
    """
    if version != __version__:
        return NoCluster("other_version", worker=_address(), found=__version__, needed=version)
    try:
        return _PLAYERS.play(run, pickle.loads(make), blocks)
    except MiaError as error:
        return error
    except Exception as error:
        return RuntimeError(repr(error))


def forget(run: str) -> None:
    """A run is over: close its players, without making the caller wait."""
    threading.Thread(target=_PLAYERS.forget, args=(run,), daemon=True).start()


def _address() -> str:
    from distributed import get_worker

    return str(get_worker().address)
