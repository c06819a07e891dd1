"""Where results go: what is printed, in one of three formats, and the files that options name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mia_cli.rules.errors import CannotRead, MiaError, NotAllowed

if TYPE_CHECKING:
    from mia_cli.files.documents import Document
    from mia_cli.files.outputs import OutputFile, OutputKind
    from mia_cli.records.many.stream import Problem
    from mia_cli.text.language.table import Lines
    from mia_cli.text.pictures import Signs

TABLE, JSON, CSV = FORMATS = ("table", "json", "csv")
Told = tuple["Document", "Lines"]
"""What was found, for a program, and for a person as lines."""
CsvRows = Callable[["Document"], Iterable[Sequence[object]]]
"""The lines of CSV that a document gives, the head first."""


def read_format(text: str | None, as_json: bool) -> str:
    """One of FORMATS from ``--format`` and ``--json``. Raises CannotRead, NotAllowed."""
    if text is None:
        return JSON if as_json else TABLE
    plain = text.strip().lower()
    if plain not in FORMATS:
        raise CannotRead("bad_choice", value=text, place="--format", allowed=FORMATS)
    if as_json and plain != JSON:
        raise NotAllowed("not_together", option="--json", other=f"--format {plain}")
    return plain


def show(
    document: Document,
    lines: Lines,
    format_: str,
    csv_rows: CsvRows | None = None,
) -> None:
    """Print a document as JSON or CSV, or ``lines`` for a person, which are made only then."""
    if format_ == JSON:
        write_json(document)
    elif format_ == CSV and csv_rows is not None:
        write_csv(csv_rows(document))
    else:
        say(lines)


def say_paged(lines: Lines, *, paged: bool) -> None:
    """``say``, through the pager on a terminal that is too short, unless it is not wanted."""
    from mia_cli.cli import pager
    from mia_cli.cli.screen import columns, is_terminal
    from mia_cli.text.language.table import laid_out

    if is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb":
        pager.show(laid_out(lines, columns()), paged=paged)
    else:
        say(lines)


def say_written(names: Iterable[str]) -> None:
    """Say which files were written, one line each."""
    from mia_cli.text.language.catalogue import _
    from mia_cli.text.language.plain import printable

    say([_("Written: {file}").format(file=printable(name)) for name in names])


def say(lines: Lines, *, plainly: bool = False) -> None:
    """Print lines for a person; on a terminal none is wider than it is, in a pipe none is cut.

    ``plainly``: without colours, for commands that cannot afford to load what makes them.
    """
    from mia_cli.cli.screen import PlainScreen, columns, is_terminal, screen
    from mia_cli.text.language.table import in_rows, laid_out

    shown = PlainScreen(sys.stdout) if plainly else screen()
    width = columns() if is_terminal(sys.stdout) else None
    for line in laid_out(lines, width):
        if width is None or not isinstance(shown, PlainScreen):
            shown.say(line)
            continue
        for row in in_rows(line, width):
            shown.say(row)


def signs() -> Signs:
    """What pictures are drawn with on standard output; narrower on a narrow terminal."""
    from mia_cli.cli.screen import columns, is_terminal
    from mia_cli.cli.streams import can_show
    from mia_cli.text.pictures import ASCII, BLOCKS, MAP_WIDTH

    found = BLOCKS if can_show(BLOCKS.shades + BLOCKS.mark) else ASCII
    if not can_show(found.steps):
        found = replace(found, steps="")
    narrow = is_terminal(sys.stdout) and columns() < MAP_WIDTH
    return replace(found, cell=1) if narrow else found


def write_json(document: Document) -> None:
    """Print a document as one line of JSON."""
    import json

    write(json.dumps(document, allow_nan=False) + "\n")


def write_csv(rows: Iterable[Sequence[object]]) -> None:
    """Print lines of CSV; they end as in a text file, and texts from outside are harmless."""
    import csv

    from mia_cli.text.language.plain import printable

    if sys.stdout is not None:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        for row in rows:
            writer.writerow([printable(cell) if isinstance(cell, str) else cell for cell in row])


def write(text: str) -> None:
    """Print a text as it is, where there is anything to print to."""
    if sys.stdout is not None:
        sys.stdout.write(text)


def warn(sentence: str) -> None:
    """One line on stderr, which says who speaks."""
    from mia_cli.cli.streams import say_error

    say_error(f"mia: {sentence}")


def tell_skipped(error: MiaError) -> None:
    """Say on stderr what is wrong with a record that was passed over."""
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.play.prompts import skipped

    warn(skipped(sentence(error)))


def english_problems(problems: Iterable[Problem]) -> list[Document]:
    """Problems of records as JSON, whatever the language."""
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.language.catalogue import speaking

    with speaking("en"):
        return [{"file": problem.place, "error": sentence(problem.error)} for problem in problems]


def named_outputs(
    named: Mapping[str, tuple[str | None, OutputKind]],
    *,
    force: bool,
    printed: str | None = None,
) -> dict[str, OutputFile]:
    """The outputs that were given, by their options.

    ``printed``: an option that asks for other JSON or CSV on standard output. Raises
    NotAllowed("not_together") where two would share it, and as OutputFile does.
    """
    from mia_cli.files.outputs import OutputFile

    take_stdout({option: name for option, (name, _kind) in named.items()}, printed)
    return {
        option: OutputFile(name, kind, force=force)
        for option, (name, kind) in named.items()
        if name is not None
    }


def take_stdout(names: Mapping[str, str | None], printed: str | None = None) -> bool:
    """Whether one of the outputs is standard output: then nothing else is printed there.

    Raises NotAllowed("not_together") as above, and where two outputs are one file.
    """
    from mia_cli.files.outputs import STDOUT

    given = {option: name for option, name in names.items() if name is not None}
    there = [f"{option} {STDOUT}" for option, name in given.items() if name == STDOUT]
    there += [printed] if printed and there else []
    if len(there) > 1:
        raise NotAllowed("not_together", option=there[0], other=there[1])
    places: dict[str, str] = {}
    for option, name in given.items():
        place = os.path.realpath(name)
        first = places.setdefault(place, option)
        # A device or a pipe takes any number of things.
        if first != option and (Path(place).is_file() or not os.path.lexists(place)):
            raise NotAllowed("not_together", option=f"{first} {name}", other=f"{option} {name}")
    return bool(there)
