"""Does what ``mia simulate`` was asked for: one call, what it found printed, the exit code."""

from __future__ import annotations

import contextlib
import shlex
import signal
import time
from collections.abc import Iterator

from mia_cli.cli import outcome, outputs, streams
from mia_cli.cli.bots import fault_lines
from mia_cli.cli.progress import progress_line
from mia_cli.cli.simulate.options import SimulateOptions, given_again, read, writes_to_stdout
from mia_cli.cli.solving import solution_for
from mia_cli.files.strict_json import encode_json
from mia_cli.players.bot.fault import BotFault
from mia_cli.records.record import to_json
from mia_cli.rules.errors import MiaError
from mia_cli.simulate.conduct import Conducted, RunWatcher, conduct, conduct_match
from mia_cli.simulate.report import csv_rows
from mia_cli.simulate.request import RunRequest
from mia_cli.simulate.run import OnState, RunResult
from mia_cli.simulate.saved import State, set_aside
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.simulate import progress as text
from mia_cli.text.simulate.lines import simulate_lines

_SHOW_EVERY = 0.2


def perform(options: SimulateOptions) -> int:
    """Do what the options ask for and return the exit code."""
    format_ = outputs.read_format(options.format_, options.as_json)
    is_silent = writes_to_stdout(options)
    request = read(options)
    with contextlib.closing(request.keep) if request.keep else contextlib.nullcontext():
        if request.match is not None:
            return _one_match(request)
        found = conduct(request, _watcher())
        if not is_silent:
            outputs.show(found.document, simulate_lines(found.document), format_, csv_rows)
        return _leave(found, request, given_again(options))


def _one_match(request: RunRequest) -> int:
    record, faults = conduct_match(request, _watcher())
    if record is not None:
        outputs.write(encode_json(to_json(record)).decode())
    for fault in faults:
        _tell_of(fault)
    return outcome.UNFINISHED if record is None else outcome.DONE


def _watcher() -> RunWatcher:
    return RunWatcher(
        solved=solution_for,
        playing=_playing,
        worker_died=lambda match: outputs.warn(text.worker_replaced(match + 1)),
        worker_gone=lambda address: outputs.warn(text.worker_gone(address)),
    )


@contextlib.contextmanager
def _playing(state: State) -> Iterator[OnState]:
    """Show how far a run is, and end its programs whatever ends this one."""
    with _progress(state) as seen, _ended_by_signals(state):
        yield seen


@contextlib.contextmanager
def _ended_by_signals(state: State) -> Iterator[None]:
    """While programs play, other ways to be asked to end are Ctrl-C too: none is left behind."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    names = ("SIGTERM", "SIGHUP") if state.setup.commands else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextlib.contextmanager
def _progress(state: State) -> Iterator[OnState]:
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


def _leave(found: Conducted, request: RunRequest, again: tuple[str, ...]) -> int:
    """The exit code, after saying what went wrong; where a run was stopped, also how to go on."""
    streams.flush()
    for result in found.runs:
        _tell_of_problems(result)
    if not found.stopped:
        return outcome.DONE
    last = found.runs[-1]
    outputs.warn(text.interrupted(found.done, found.wanted))
    if not request.round_robin:
        _tell_how_to_go_on(last.state, request, again)
    return _code(last)


def _tell_how_to_go_on(state: State, request: RunRequest, again: tuple[str, ...]) -> None:
    try:
        keep = request.keep
        path = keep.name if keep and keep.is_kept else set_aside(state)
    except MiaError as error:
        outputs.warn(text.cannot_keep(sentence(error)))
        return
    command = shlex.join(("mia", "simulate", "--resume", path, *again))
    outputs.warn(text.how_to_resume(command))


def _tell_of_problems(result: RunResult) -> None:
    """The first fault of a program, and the loss of those who played."""
    failure = result.failure
    if failure:
        number = failure.match - result.state.setup.first + 1
        outputs.warn(text.first_fault(number))
        _tell_of(failure.fault)
    if result.loss:
        outputs.warn(sentence(result.loss))


def _tell_of(fault: BotFault) -> None:
    for line in fault_lines(fault):
        streams.say_error(line)


def _code(result: RunResult) -> int:
    if result.loss:
        return outcome.INTERNAL
    return outcome.UNFINISHED if result.failed else outcome.INTERRUPTED
