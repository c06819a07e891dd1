"""Does what ``mia simulate`` was asked for, and prints it."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mia_cli.cli import outcome, streams
from mia_cli.cli.progress import progress_line
from mia_cli.cli.screen import screen
from mia_cli.cli.simulate_options import Job
from mia_cli.cli.solving import progress as solving
from mia_cli.engine.seed import fingerprint
from mia_cli.records.files import encode_json, make_folder
from mia_cli.records.folders import data_dir
from mia_cli.rules.errors import MiaError
from mia_cli.simulate import record
from mia_cli.simulate.blocks import block_size, open_blocks, table_players
from mia_cli.simulate.crew import Alone, Crew, Processes, cores
from mia_cli.simulate.engine import play_match
from mia_cli.simulate.exact import exact
from mia_cli.simulate.log import Log
from mia_cli.simulate.report import computed, sampled
from mia_cli.simulate.roundrobin import cross, pair_setups
from mia_cli.simulate.run import Result, run
from mia_cli.simulate.saved import State, new_state, save
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.tabled import tables
from mia_cli.simulate.words import Words
from mia_cli.text import simulate as text
from mia_cli.text.errors import sentence

if TYPE_CHECKING:
    from mia_cli.simulate.cluster import Cluster

Report = Mapping[str, Any]
FOLDER = "simulations"
_SHOW_EVERY = 0.2


def perform(job: Job) -> int:
    """Do the job and return the exit code."""
    if job.dask is None:
        return _perform(job)
    from mia_cli.simulate.cluster import Cluster

    with Cluster(job.dask, _tell_of_loss) as cluster:
        return _perform(job, cluster)


def _perform(job: Job, cluster: Cluster | None = None) -> int:
    if job.match is not None:
        return _show_match(job.state.setup, job.match)
    if job.round_robin:
        return _round_robin(job, cluster)
    if job.exact:
        _print(_computed(job.state.setup), job.output)
        return outcome.DONE
    result = _played(job.state, job.jobs, job.keep, cluster)
    _print(sampled(result), job.output)
    return _leave(result, job.keep)


def _show_match(setup: Setup, match: int) -> int:
    """Print one match of a run as a record."""
    from mia_cli.records.record import to_json

    _solve(setup)
    number = setup.first + match - 1
    players = table_players(setup)()
    events = play_match(setup.rules, players, setup.seating_of(number), Words(setup.seed, number))
    _write(encode_json(to_json(record.record(setup, number, events))).decode())
    return outcome.DONE


def _computed(setup: Setup) -> Report:
    started = time.monotonic()
    _solve(setup)
    found = exact(setup)
    return computed(setup, found, time.monotonic() - started)


def _solve(setup: Setup) -> None:
    with solving(len(setup.players)) as shown:
        tables(setup.players, setup.rules, shown)


def _played(state: State, jobs: int | None, keep: Path | None, cluster: Cluster | None) -> Result:
    """Play a run, its files opened first: what cannot be written is not found out at the end."""
    log = Log(Path(state.log), state.log_bytes) if state.log else None
    try:
        if keep:
            save(state, keep)
        _solve(state.setup)
        with _progress(state) as seen:
            return run(state, _crew(state, jobs, cluster), keep=keep, log=log, seen=seen)
    finally:
        if log:
            log.close()


def _crew(state: State, jobs: int | None, cluster: Cluster | None) -> Crew:
    is_logged = state.log is not None
    make = partial(open_blocks, state.setup, record.line if is_logged else None)
    if cluster:
        return cluster.crew(make)
    size = block_size(state.setup, logged=is_logged)
    blocks = -(-(state.matches - state.done) // size)
    workers = min(cores() if jobs is None else jobs, blocks)
    if workers <= 1:
        return Alone(make)
    # Forked workers find what this leaves in the caches of the process.
    make().close()
    return Processes(make, workers, _tell_of_death)


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


def _leave(result: Result, keep: Path | None) -> int:
    """The exit code; where the run was stopped, also how to go on."""
    if not result.stopped:
        return outcome.DONE
    state = result.state
    sys.stdout.flush()
    if result.loss:
        streams.say_error(f"mia: {sentence(result.loss)}")
    streams.say_error(f"mia: {text.interrupted(state.done, state.matches)}")
    try:
        path = keep or _kept(state)
    except MiaError as error:
        streams.say_error(f"mia: {text.cannot_keep(sentence(error))}")
    else:
        command = shlex.join(("mia", "simulate", "--resume", str(path)))
        streams.say_error(f"mia: {text.how_to_resume(command)}")
    return _code(result)


def _code(result: Result) -> int:
    if result.loss:
        return outcome.INTERNAL
    return outcome.INTERRUPTED if result.stopped else outcome.DONE


def _kept(state: State) -> Path:
    """Keep a run that was stopped without --resume among the program's data. Raises Unwritable."""
    folder = data_dir() / FOLDER
    make_folder(folder)
    name = f"{fingerprint(state.setup.seed)[:12]}-{time.time_ns()}.json"
    save(replace(state, log=state.log and str(Path(state.log).absolute())), folder / name)
    return folder / name


def _round_robin(job: Job, cluster: Cluster | None) -> int:
    state = job.state
    shared = state.setup
    setups = pair_setups(shared.rules, job.round_robin, shared.seed, shared.seating)
    reports: list[Report] = []
    code = outcome.DONE
    for setup in setups:
        if job.exact:
            reports.append(_computed(setup))
            continue
        pair = new_state(setup, state.matches, state.until, None)
        found = _played(pair, job.jobs, None, cluster)
        reports.append(sampled(found))
        code = _code(found)
        if found.loss:
            streams.say_error(f"mia: {sentence(found.loss)}")
        if found.stopped:
            break
    table = cross(setups, job.round_robin, [dict(one) for one in reports], is_exact=job.exact)
    if job.output == "table":
        _say(text.round_robin(table))
    else:
        _write(_csv(reports) if job.output == "csv" else _json(table))
    return code


def _print(report: Report, output: str) -> None:
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


def _json(report: Report) -> str:
    return json.dumps(report, separators=(", ", ": "), allow_nan=False) + "\n"


_COLUMNS = (
    *("seat", "player", "wins", "win_rate", "ci95_low", "ci95_high", "claims", "bluffs"),
    *("bluffs_caught", "challenges", "challenges_won", "matches", "seed", "exact"),
)


def _csv(reports: list[Report]) -> str:
    """A line for each player, with a head; lines end as in a text file."""
    text_ = io.StringIO()
    writer = csv.DictWriter(text_, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for report in reports:
        for player in report["players"]:
            low, high = player["ci95"] or (None, None)
            common = {name: report[name] for name in ("matches", "seed", "exact")}
            writer.writerow({**player, **common, "ci95_low": low, "ci95_high": high})
    return text_.getvalue()
