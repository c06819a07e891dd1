"""Runs the blocks of a simulation to their end, or to where it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import lcm

from mia_cli.simulate.blocks import LARGE, Failure, Faults, Part, block_size, cut
from mia_cli.simulate.lockstep.library import NUMPY
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.margins import widest
from mia_cli.simulate.saved import RunFile, State
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.processes import WorkerDied, Workers

SAVE_EVERY = 1.0
"""Seconds between two writes of the state, at least; it is written at the end in any case."""
FIRST_LOOK = 1000
"""Matches after which ``until`` is looked at first; then each time there are a tenth more."""

OnState = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """Where a run has come to. ``narrow``: ``until`` was reached.

    ``stopped``: before its end, by Ctrl-C, or for the ``loss`` of those who played, or, with
    ``failed``, for a fault of a program. ``failure``: the first such fault that was met.
    """

    state: State
    stopped: bool = False
    narrow: bool = False
    loss: WorkerDied | None = None
    failed: bool = False
    failure: Failure | None = None


def run(
    state: State,
    workers: Workers,
    *,
    keep: RunFile | None = None,
    log: RunLog | None = None,
    seen: OnState,
) -> RunResult:
    """Play from ``state`` on.

    ``keep``: where the state is written as blocks end; into a pipe, once at the end. ``seen`` hears
    of every block. Ctrl-C, and workers that die too often, end the run with what is finished.
    Raises Unwritable for the files.
    """
    result = _play(state, workers, keep, log, seen)
    if log:
        log.flush()
        if not result.stopped:
            log.share()
    if keep:
        keep.save(result.state)
    return result


def is_finished(state: State) -> bool:
    """Whether there is nothing left to play."""
    return state.done == state.matches or is_narrow(state, _looks(state))


def _looks(state: State) -> list[int]:
    return looks_at(look_every(state.setup), state.matches) if state.until else []


def _play(
    state: State, workers: Workers, keep: RunFile | None, log: RunLog | None, seen: OnState
) -> RunResult:
    looks = _looks(state)
    size = block_size(state.setup, logged=log is not None)
    first = state.setup.first
    stops = [first + look for look in looks]
    blocks = cut(first + state.done, first + state.matches, size, stops, first)
    failure: Failure | None = None
    started = saved = time.monotonic()
    before = state.elapsed
    parts = workers.play(blocks)
    try:
        if is_narrow(state, looks):
            return RunResult(state, narrow=True)
        for part in parts:
            written = log.write(part.log) if log else 0
            now = time.monotonic()
            state = after(state, part, written, before + now - started)
            failure = failure or part.failure
            seen(state)
            if part.stopped:
                return RunResult(state, stopped=True, failed=True, failure=failure)
            if is_narrow(state, looks):
                return RunResult(state, narrow=True, failure=failure)
            is_due = now - saved >= SAVE_EVERY and state.done < state.matches
            if keep and keep.is_kept and is_due:
                if log:
                    log.flush()
                keep.save(state)
                saved = time.monotonic()
    except (KeyboardInterrupt, WorkerDied) as end:
        if log:
            log.cut(state.log_bytes)
        loss = end if isinstance(end, WorkerDied) else None
        return RunResult(state, stopped=True, loss=loss, failure=failure)
    finally:
        close = getattr(parts, "close", None)
        if close:
            close()
    return RunResult(state, failure=failure)


def after(state: State, part: Part, log_bytes: int, elapsed: float) -> State:
    """The state once the next block is done."""
    return replace(
        state,
        done=part.end - state.setup.first,
        tally=state.tally + part.tally,
        faults=sum_of(state.faults, part.faults),
        log_bytes=log_bytes,
        elapsed=elapsed,
        kernel=NUMPY if NUMPY in (state.kernel, part.kernel) else part.kernel,
    )


def sum_of(some: Faults, others: Faults) -> Faults:
    """Faults of both."""
    found: dict[tuple[int, str], int] = dict(some)
    for key, number in others.items():
        found[key] = found.get(key, 0) + number
    return found


def look_every(setup: Setup) -> int:
    """Matches between two looks are a multiple of this.

    Whole cycles of seatings; with sessions, which are long, whole sessions in which all lead alike.
    """
    if setup.session == 1:
        return len(setup.seatings)
    return lcm(setup.session, len(setup.players))


def looks_at(cycle: int, matches: int) -> list[int]:
    """After how many matches the width of intervals is looked at: whole cycles of seatings.

    The looks do not depend on blocks or workers, so neither does where a run stops; and they are
    few, so that a run does not stop at a moment that happens to look good.
    """
    looks: list[int] = []
    at = FIRST_LOOK
    while at < matches:
        looks.append(-(-at // cycle) * cycle)
        # Beyond a block of the kernel, looks stand at whole blocks.
        at = at + at // 10 if at < LARGE else -(-(at + at // 10) // LARGE) * LARGE
    return [look for look in dict.fromkeys(looks) if look < matches]


def is_narrow(state: State, looks: list[int]) -> bool:
    """True where this is a look (or the end), and every interval is narrow enough."""
    if state.until is None or not (state.done in looks or 0 < state.done == state.matches):
        return False
    return widest(state.tally, state.setup.seatings) <= state.until
