"""``mia stats --export`` and ``--import``: records out to one file, and in."""

from __future__ import annotations

import sys
from pathlib import Path

from mia_cli.cli import outcome, outputs
from mia_cli.files.folders import matches_dir
from mia_cli.files.outputs import RECORDS, STDOUT, OutputFile
from mia_cli.records.many.stream import Problem
from mia_cli.records.many.transfer import export_records, import_records
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import Unwritable
from mia_cli.text.stats import records as text


def export_to(name: str, *, force: bool) -> int:
    """Write all records, and return the exit code."""
    output = OutputFile(name, RECORDS, force=force)
    number = export_records(
        MatchStore(matches_dir()), output, lambda damaged: outputs.tell_skipped(damaged.error)
    )
    if not output.is_stdout:
        outputs.say([text.exported(number, name)])
    return outcome.DONE


def import_from(name: str) -> int:
    """Take in the records of a file, and return the exit code: FILES where none was taken."""
    problems: list[Problem] = []

    def tell(problem: Problem) -> None:
        problems.append(problem)
        outputs.tell_skipped(problem.error)

    source = getattr(sys.stdin, "buffer", None) if name == STDOUT else Path(name)
    if source is None:
        raise Unwritable("input_closed")
    done = import_records(
        MatchStore(matches_dir()),
        source,
        name,
        on_problem=tell,
        on_differing=lambda match_id: outputs.warn(text.id_taken(match_id)),
    )
    outputs.say([text.imported(done.new, done.longer, done.same, done.differing)])
    taken = done.new + done.longer + done.same
    return outcome.FILES if problems and not taken else outcome.DONE
