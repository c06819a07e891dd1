"""Counts what ``mia stats`` was asked for: one call, what it found printed, the exit code."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mia_cli.cli import outcome, outputs
from mia_cli.cli.solving import solution_for
from mia_cli.cli.stats.options import TURNS_OPTION, StatsOptions, read
from mia_cli.files.documents import Document
from mia_cli.files.outputs import OutputFile
from mia_cli.records.many.turn_rows import head_of
from mia_cli.stats.choice import Choice
from mia_cli.stats.gather import Gathered, WriteTurns
from mia_cli.stats.report import report
from mia_cli.stats.summary import csv_rows
from mia_cli.text.stats.lines import stats_lines
from mia_cli.text.stats.records import forfeited_count, skipped_count

_NAMED = 20
"""Skipped records that are named on stderr."""


def perform(options: StatsOptions) -> int:
    """Count what the options ask for, tell it, and return the exit code."""
    request, format_, files = read(options)
    if format_ == outputs.TABLE and request.choice.by is None:  # the screen is by level
        request = replace(request, choice=replace(request.choice, by="cpu"))
    stdin = getattr(sys.stdin, "buffer", None)
    with _turns(files.get(TURNS_OPTION), request.choice) as write:
        document, found = report(request, stdin=stdin, solved=solution_for, write_turns=write)
    _tell_skipped(found)
    if document is not None:
        _write(document, files)
        if not any(file.is_stdout for file in files.values()):
            if format_ == outputs.JSON:
                document["problems"] = outputs.english_problems(found.problems)
            _show(document, options, format_, [file.name for file in files.values()])
    return outcome.FILES if found.empty else outcome.DONE


def _show(document: Document, options: StatsOptions, format_: str, written: list[str]) -> None:
    """The document as it is wanted; for a person who asked for files, just which were written."""
    if format_ != outputs.TABLE:
        outputs.show(document, (), format_, csv_rows)
    elif written and not options.full:
        outputs.say_written(written)
    else:
        lines = stats_lines(document, outputs.signs(), full=options.full)
        outputs.say_paged(lines, paged=options.full and not options.no_pager)


@contextlib.contextmanager
def _turns(file: OutputFile | None, choice: Choice) -> Iterator[WriteTurns]:
    """What writes rows of turns as they come, their head first."""
    if file is None or choice.turns is None:
        yield len
        return
    with file.opened() as opened:
        opened.write(head_of(choice.turns))
        yield opened.write


def _tell_skipped(found: Gathered) -> None:
    for problem in found.problems[:_NAMED]:
        outputs.tell_skipped(problem.error)
    if found.skipped > min(_NAMED, len(found.problems)):
        outputs.warn(skipped_count(found.skipped))
    if found.forfeited:
        outputs.warn(forfeited_count(found.forfeited))


def _write(document: Document, files: Mapping[str, OutputFile]) -> None:
    if not files:
        return
    from mia_cli.text.stats.page import page, picture

    for option, make in (("--svg", picture), ("--html", page)):
        if option in files:
            files[option].write(make(document).encode("utf-8", "replace"))
