"""Does what ``mia simulate`` was asked for: one call, what it found printed, the exit code."""

from __future__ import annotations

import contextlib
import shlex
import signal
import time
from collections.abc import Iterator, Mapping

from mia_cli.cli import outcome, outputs, streams
from mia_cli.cli.bots import fault_lines
from mia_cli.cli.progress import progress_line
from mia_cli.cli.simulate.options import SimulateOptions, given_again, outputs_of, read
from mia_cli.cli.solving import solution_for
from mia_cli.files.documents import Document
from mia_cli.files.outputs import OutputFile
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
from mia_cli.text.simulate.match import match_lines
from mia_cli.text.simulate.page import page, picture

_SHOW_EVERY = 0.2


def perform(options: SimulateOptions) -> int:
    """Do what the options ask for and return the exit code."""
    format_ = outputs.read_format(options.format_, options.as_json)
    files, is_file = outputs_of(options)
    request = read(options)
    with contextlib.closing(request.keep) if request.keep else contextlib.nullcontext():
        if request.match is not None:
            return _one_match(request, request.match, format_)
        found = conduct(request, _watcher())
        _write(found.document, files)
        if not is_file:
            lines = simulate_lines(found.document, outputs.signs())
            outputs.show(found.document, lines, format_, csv_rows)
        return _leave(found, request, given_again(options))


def _write(document: Document, files: Mapping[str, OutputFile]) -> None:
    for option, file in files.items():
        text = picture(document) if option == "--svg" else page(document)
        file.write(text.encode("utf-8", "replace"))


def _one_match(request: RunRequest, number: int, format_: str) -> int:
    record, faults = conduct_match(request, _watcher())
    if record is not None and format_ == outputs.JSON:
        outputs.write(encode_json(to_json(record)).decode())
    elif record is not None:
        outputs.say(match_lines(record, number))
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
    """Show how far a run is, and keep what is finished whatever asks it to end."""
    with _progress(state) as seen, _ended_by_signals(state):
        yield seen


@contextlib.contextmanager
def _ended_by_signals(state: State) -> Iterator[None]:
    """While programs play, which takes long, other ways to be asked to end are Ctrl-C too."""

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
