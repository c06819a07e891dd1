"""Does what ``mia simulate`` was asked for, and prints it."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from mia_cli.cli import outcome, streams
from mia_cli.cli.bots import fault_lines
from mia_cli.cli.progress import progress_line
from mia_cli.cli.screen import screen
from mia_cli.cli.simulate.options import Job
from mia_cli.cli.solving import solution_for
from mia_cli.engine.seed import fingerprint
from mia_cli.files.documents import Document
from mia_cli.files.folders import data_dir
from mia_cli.files.strict_json import encode_json
from mia_cli.files.writing import make_folder
from mia_cli.players import registry
from mia_cli.players.bot.fault import BotFault
from mia_cli.records.record import to_json
from mia_cli.rules.errors import MiaError
from mia_cli.simulate import record
from mia_cli.simulate.blocks import EngineBlocks, block_size, open_blocks
from mia_cli.simulate.exact import exact
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.report import computed, sampled
from mia_cli.simulate.round_robin import cross, pair_setups
from mia_cli.simulate.run import RunResult, run
from mia_cli.simulate.saved import RunFile, State, new_state
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.players import WorkerPlayers
from mia_cli.simulate.workers.processes import Alone, Processes, Workers, cores
from mia_cli.text import simulate as text
from mia_cli.text.errors.sentences import sentence

if TYPE_CHECKING:
    from mia_cli.simulate.workers.cluster import Cluster

FOLDER = "simulations"
_SHOW_EVERY = 0.2


def perform(job: Job) -> int:
    """Do the job and return the exit code."""
    with contextlib.closing(job.keep) if job.keep else contextlib.nullcontext():
        return _perform_held(job)


def _perform_held(job: Job) -> int:
    if job.dask is None:
        return _perform(job)
    from mia_cli.simulate.workers.cluster import Cluster

    with Cluster(job.dask, _tell_of_loss) as cluster:
        return _perform(job, cluster)


def _perform(job: Job, cluster: Cluster | None = None) -> int:
    if job.match is not None:
        return _show_match(job, job.match)
    if job.round_robin:
        return _round_robin(job, cluster)
    if job.exact:
        _print(_computed(job.state.setup), job.output)
        return outcome.DONE
    result = _played(job, job.state, cluster)
    if not job.is_silent:
        _print(sampled(result), job.output)
    return _leave(job, result)


def _show_match(job: Job, match: int) -> int:
    """Print one match of a run as a record."""
    setup = job.state.setup
    number = setup.first + match - 1
    _solve(setup)
    with _ended_by_signals(setup):
        blocks = EngineBlocks(setup, WorkerPlayers(setup, job.seconds), stop=job.stop)
        try:
            played = blocks.match(number)
        except BotFault as fault:
            _say_errors(fault_lines(fault))
            return outcome.UNFINISHED
        finally:
            blocks.close()
    found = record.record(setup, number, played.events, played.forfeits)
    _write(encode_json(to_json(found)).decode())
    for forfeit in played.forfeits:
        _say_errors(fault_lines(forfeit.fault))
    return outcome.DONE


def _computed(setup: Setup) -> Document:
    started = time.monotonic()
    _solve(setup)
    found = exact(setup)
    return computed(setup, found, time.monotonic() - started)


def _solve(setup: Setup) -> None:
    registry.prepare(setup.players, setup.rules, solution_for)


def _played(job: Job, state: State, cluster: Cluster | None) -> RunResult:
    """Play a run, its files opened first: what cannot be written is not found out at the end."""
    log = RunLog(job.log, state, force=job.force) if job.log else None
    try:
        if job.keep and job.keep.is_kept:
            job.keep.save(state)
        _solve(state.setup)
        with _progress(state) as seen, _ended_by_signals(state.setup):
            return run(state, _crew(job, state, cluster), keep=job.keep, log=log, seen=seen)
    finally:
        if log:
            log.close()


def _crew(job: Job, state: State, cluster: Cluster | None) -> Workers:
    setup, is_logged = state.setup, state.log is not None
    write = record.line if is_logged else None
    make = partial(open_blocks, setup, write, seconds=job.seconds, stop=job.stop)
    if cluster:
        return cluster.crew(make)
    size = block_size(setup, logged=is_logged)
    blocks = -(-(state.matches - state.done) // size)
    workers = min(cores() if job.jobs is None else job.jobs, blocks)
    if workers <= 1:
        return Alone(make)
    if not setup.commands:
        # Forked workers find what this leaves in the caches of the process.
        make().close()
    return Processes(make, workers, _tell_of_death)


@contextlib.contextmanager
def _ended_by_signals(setup: Setup) -> Iterator[None]:
    """While programs play, other ways to be asked to end are Ctrl-C too: none is left behind."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    names = ("SIGTERM", "SIGHUP") if setup.commands else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _tell_of_death(match: int) -> None:
    streams.say_error(f"mia: {text.worker_replaced(match + 1)}")


def _tell_of_loss(address: str) -> None:
    streams.say_error(f"mia: {text.worker_gone(address)}")


@contextlib.contextmanager
def _progress(state: State) -> Iterator[Callable[[State], None]]:
    """How far the run is, on a terminal's stderr; nothing elsewhere."""
    with progress_line() as line:
        if line is None:
            yield lambda _: None
            return
        started, done, shown = time.monotonic(), state.done, 0.0

        def show(now: State) -> None:
            nonlocal shown
            at = time.monotonic()
            if at - shown >= _SHOW_EVERY:
                shown = at
                rate = (now.done - done) / (at - started)
                line(text.progress(now.done, now.matches, rate))

        yield show


def _leave(job: Job, result: RunResult) -> int:
    """The exit code, after saying what went wrong; where the run was stopped, also how to go on."""
    state = result.state
    streams.flush()
    _tell_of_problems(result)
    if not result.stopped:
        return outcome.DONE
    streams.say_error(f"mia: {text.interrupted(state.done, state.matches)}")
    try:
        path = job.keep.name if job.keep and job.keep.is_kept else _kept(state)
    except MiaError as error:
        streams.say_error(f"mia: {text.cannot_keep(sentence(error))}")
    else:
        log = ("--log", job.log) if job.log else ()
        command = shlex.join(("mia", "simulate", "--resume", path, *log, *job.again))
        streams.say_error(f"mia: {text.how_to_resume(command)}")
    return _code(result)


def _tell_of_problems(result: RunResult) -> None:
    """The first fault of a program, and the loss of those who played."""
    failure = result.failure
    if failure:
        number = failure.match - result.state.setup.first + 1
        streams.say_error(f"mia: {text.first_fault(number)}")
        _say_errors(fault_lines(failure.fault))
    if result.loss:
        streams.say_error(f"mia: {sentence(result.loss)}")


def _say_errors(lines: list[str]) -> None:
    for line in lines:
        streams.say_error(line)


def _code(result: RunResult) -> int:
    if result.loss:
        return outcome.INTERNAL
    if result.failed:
        return outcome.UNFINISHED
    return outcome.INTERRUPTED if result.stopped else outcome.DONE


def _kept(state: State) -> str:
    """Keep a run that was stopped without --resume among the program's data. Raises Unwritable."""
    folder = data_dir() / FOLDER
    make_folder(folder)
    name = f"{fingerprint(state.setup.seed)[:12]}-{time.time_ns()}.json"
    with contextlib.closing(RunFile(folder / name)) as file:
        file.save(state)
    return file.name


def _round_robin(job: Job, cluster: Cluster | None) -> int:
    state = job.state
    shared = state.setup
    setups = pair_setups(shared, job.round_robin, job.session)
    reports: list[Document] = []
    code = outcome.DONE
    for setup in setups:
        if job.exact:
            reports.append(_computed(setup))
            continue
        matches = _wanted(setup, state.matches)
        found = _played(job, new_state(setup, matches, state.until, None), cluster)
        reports.append(sampled(found))
        code = _code(found)
        _tell_of_problems(found)
        if found.stopped:
            break
    table = cross(setups, job.round_robin, [dict(one) for one in reports], is_exact=job.exact)
    if job.output == "table":
        _say(text.round_robin(table))
    else:
        _write(_csv(reports) if job.output == "csv" else _json(table))
    if not table["finished"]:
        streams.flush()
        done = sum(report["matches"] for report in reports)
        wanted = sum(_wanted(setup, state.matches) for setup in setups)
        streams.say_error(f"mia: {text.interrupted(done, wanted)}")
    return code


def _wanted(setup: Setup, matches: int) -> int:
    """Matches of a pair of a round-robin."""
    return setup.whole_cycles(matches) if setup.seating == "all" else matches


def _print(report: Document, output: str) -> None:
    if output == "table":
        _say(text.report(report))
    else:
        _write(_csv([report]) if output == "csv" else _json(report))


def _say(lines: list[str]) -> None:
    shown = screen()
    for line in lines:
        shown.say(line)


def _write(data: str) -> None:
    if sys.stdout is not None:
        sys.stdout.write(data)


def _json(report: Document) -> str:
    return json.dumps(report, separators=(", ", ": "), allow_nan=False) + "\n"


_COLUMNS = (
    *("seat", "player", "wins", "win_rate", "ci95_low", "ci95_high", "claims", "bluffs"),
    *("bluffs_caught", "challenges", "challenges_won", "matches", "seed", "exact"),
    *("faults", "fault_causes"),
)


def _csv(reports: list[Document]) -> str:
    """A line for each player, with a head; lines end as in a text file."""
    text_ = io.StringIO()
    writer = csv.DictWriter(text_, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for report in reports:
        for player in report["players"]:
            low, high = player["ci95"] or (None, None)
            common = {name: report[name] for name in ("matches", "seed", "exact")}
            faults = [one for one in report["faults"] if one["seat"] == player["seat"]]
            found = {
                "faults": sum(one["count"] for one in faults),
                "fault_causes": ";".join(f"{one['cause']}:{one['count']}" for one in faults),
            }
            writer.writerow({**player, **common, **found, "ci95_low": low, "ci95_high": high})
    return text_.getvalue()
