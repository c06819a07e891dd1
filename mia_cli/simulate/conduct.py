"""Conducts what a request asks for, from its set-up to its report, and tells a watcher on the way.

The whole of ``mia simulate`` but for reading options and printing: one run, the runs of a
round-robin, exact figures, or one match.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from mia_cli.files.documents import Document
from mia_cli.players import registry
from mia_cli.players.bot.fault import BotFault
from mia_cli.players.levels import SolutionSource
from mia_cli.records.record import MatchRecord
from mia_cli.simulate import record, report
from mia_cli.simulate.blocks import EngineBlocks, block_size, open_blocks
from mia_cli.simulate.bots import require_program
from mia_cli.simulate.exact import exact
from mia_cli.simulate.lockstep.library import named_kernel
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.request import SESSION, RunRequest
from mia_cli.simulate.round_robin import cross, pair_setups
from mia_cli.simulate.run import OnState, RunResult, run
from mia_cli.simulate.saved import State, new_state
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.players import WorkerPlayers
from mia_cli.simulate.workers.processes import Alone, Processes, Workers, cores

if TYPE_CHECKING:
    from mia_cli.simulate.workers.cluster import Cluster


def _ignore(_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class RunWatcher:
    """Hears what goes on while something is conducted; by default, nobody listens.

    ``solved`` gives the solutions that players need, and may tell how far it is. ``playing``
    (state) is entered around all playing of a run, and gives what hears of every block.
    ``worker_died`` (match): a process died, its matches from there on are played again;
    ``worker_gone`` (address): the same of a worker of a cluster.
    """

    solved: SolutionSource = registry.solution
    playing: Callable[[State], AbstractContextManager[OnState]] = lambda _: nullcontext(_ignore)
    worker_died: Callable[[int], None] = _ignore
    worker_gone: Callable[[str], None] = _ignore


NOBODY = RunWatcher()


@dataclass(frozen=True, slots=True)
class Conducted:
    """The report, schema ``mia.simulate/1`` or ``mia.roundrobin/1``, and the runs it is made of.

    ``wanted``: matches of all runs, also of those that were not begun; none where figures are
    exact.
    """

    document: Document
    runs: Sequence[RunResult] = ()
    wanted: int = 0

    @property
    def done(self) -> int:
        """Matches that were played."""
        return sum(one.state.done for one in self.runs)

    @property
    def stopped(self) -> bool:
        """Whether the last run ended before its end: no other one is begun then."""
        return any(one.stopped for one in self.runs)


def conduct(request: RunRequest, watcher: RunWatcher = NOBODY) -> Conducted:
    """Play, or compute, and report.

    Ctrl-C ends a run with what is finished (see ``RunResult``). Raises what
    ``RunRequest.starting_state`` raises; Unwritable for its files; BotFault for a program that
    cannot be started; NoCluster, CannotRead and NotAllowed for a cluster that cannot be used.
    """
    state = _started(request)
    with _conductor(request, watcher) as conductor:
        if request.round_robin:
            return conductor.round_robin(state)
        if request.exact:
            return Conducted(conductor.computed(state.setup))
        result = conductor.played(state)
        return Conducted(report.sampled(result), (result,), state.matches)


def conduct_match(
    request: RunRequest, watcher: RunWatcher = NOBODY
) -> tuple[MatchRecord | None, list[BotFault]]:
    """The record of the one match asked for, and the faults in it.

    None where a fault stopped the run there. Raises what ``conduct`` raises.
    """
    state = _started(request)
    assert request.match is not None
    setup = state.setup
    number = setup.first + request.match - 1
    _solve(setup, watcher)
    with watcher.playing(state):
        players = WorkerPlayers(setup, request.seconds)
        blocks = EngineBlocks(setup, players, stop=request.stop_on_fault)
        try:
            played = blocks.match(number)
        except BotFault as fault:
            return None, [fault]
        finally:
            blocks.close()
    found = record.record(setup, number, played.events, played.forfeits)
    return found, [forfeit.fault for forfeit in played.forfeits]


def _started(request: RunRequest) -> State:
    """The state to start from; where programs play here, they are known to be there."""
    state = request.starting_state()
    if not request.exact and request.dask is None:
        for name, command in state.setup.commands:
            require_program(name, command)
    return state


def _solve(setup: Setup, watcher: RunWatcher) -> None:
    registry.prepare(setup.players, setup.rules, watcher.solved)


@contextlib.contextmanager
def _conductor(request: RunRequest, watcher: RunWatcher) -> Iterator[_Conductor]:
    if request.dask is None:
        yield _Conductor(request, watcher)
        return
    from mia_cli.simulate.workers.cluster import Cluster

    with Cluster(request.dask, watcher.worker_gone) as cluster:
        yield _Conductor(request, watcher, cluster)


@dataclass(frozen=True, slots=True)
class _Conductor:
    request: RunRequest
    watcher: RunWatcher
    cluster: Cluster | None = None

    def computed(self, setup: Setup) -> Document:
        """The report of exact figures."""
        started = time.monotonic()
        _solve(setup, self.watcher)
        found = exact(setup)
        return report.computed(setup, found, time.monotonic() - started)

    def played(self, state: State) -> RunResult:
        """Play a run, its files opened first: what cannot be written shows before the end."""
        request, keep = self.request, self.request.keep
        log = RunLog(request.log, state, force=request.force) if request.log else None
        try:
            if keep and keep.is_kept:
                keep.save(state)
            _solve(state.setup, self.watcher)
            with self.watcher.playing(state) as seen:
                return run(state, self._workers(state), keep=keep, log=log, seen=seen)
        finally:
            if log:
                log.close()

    def round_robin(self, shared: State) -> Conducted:
        """A run for every pair, one after another until one is stopped, and the cross table."""
        request, names = self.request, self.request.players
        setups = pair_setups(shared.setup, names, request.session or SESSION)
        runs: list[RunResult] = []
        if request.exact:
            reports = [self.computed(setup) for setup in setups]
            return Conducted(cross(setups, names, reports, is_exact=True))
        states = [
            new_state(setup, setup.to_play(shared.matches), shared.until, None) for setup in setups
        ]
        for state in states:
            runs.append(self.played(state))
            if runs[-1].stopped:
                break
        reports = [report.sampled(one) for one in runs]
        document = cross(setups, names, reports, is_exact=False)
        return Conducted(document, runs, sum(state.matches for state in states))

    def _workers(self, state: State) -> Workers:
        request, setup = self.request, state.setup
        logged = state.log is not None
        make = partial(
            open_blocks,
            setup,
            logged=logged,
            kernel=named_kernel(),
            seconds=request.seconds,
            stop=request.stop_on_fault,
        )
        if self.cluster:
            return self.cluster.workers(make)
        size = block_size(setup, logged=logged)
        blocks = -(-(state.matches - state.done) // size)
        number = min(request.jobs or cores(), blocks)
        if number <= 1:
            return Alone(make)
        if not setup.commands:
            # Forked workers find what this leaves in the caches of the process.
            make().close()
        return Processes(make, number, self.watcher.worker_died)
