"""The options of ``mia stats``, read and checked before a record is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from mia_cli.cli.outputs import named_outputs, read_format
from mia_cli.rules.errors import CannotRead, NotAllowed

if TYPE_CHECKING:
    from mia_cli.files.outputs import OutputFile
    from mia_cli.stats.choice import Choice
    from mia_cli.stats.report import StatsRequest

TURNS_OPTION = "--turns"


@dataclass(frozen=True, slots=True)
class StatsOptions:
    """The options as they were typed."""

    files: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    rules: str | None = None
    cpu: str | None = None
    without_aids: bool = False
    by: str | None = None
    readable: bool = False
    format_: str | None = None
    as_json: bool = False
    svg: str | None = None
    html: str | None = None
    turns: str | None = None
    export: str | None = None
    import_: str | None = None
    force: bool = False
    full: bool = False
    no_pager: bool = False
    daily: bool = False


def refuse_contradictions(options: StatsOptions) -> None:
    """Raise NotAllowed("not_together") for options of which each asks for something else."""
    counted = {
        "FILE": options.files,
        "--since": options.since,
        "--until": options.until,
        "--rules": options.rules,
        "--cpu": options.cpu,
        "--by": options.by,
        "--format": options.format_,
        "--svg": options.svg,
        "--html": options.html,
        TURNS_OPTION: options.turns,
        "--without-aids": options.without_aids,
        "--json": options.as_json,
        "--readable": options.readable,
        "--full": options.full,
    }
    given = [name for name, value in counted.items() if value]
    moved = {"--export": options.export, "--import": options.import_}
    moves = [name for name, value in moved.items() if value is not None]
    if moves and (given or len(moves) > 1):
        other = given[0] if given else moves[1]
        raise NotAllowed("not_together", option=moves[0], other=other)
    others = [name for name in (*given, *moves) if name != "--json"]
    if options.daily and others:
        raise NotAllowed("not_together", option="--daily", other=others[0])
    if options.readable and options.by is not None:
        raise NotAllowed("not_together", option="--readable", other="--by")


def read(options: StatsOptions) -> tuple[StatsRequest, str, dict[str, OutputFile]]:
    """What to count, how to print it, and the files to write it to. Raises MiaError."""
    from mia_cli.files.outputs import PAGE, PICTURE, TURNS
    from mia_cli.stats.gather import STDIN
    from mia_cli.stats.report import StatsRequest

    format_ = read_format(options.format_, options.as_json)
    asked = options.format_ and f"--format {options.format_}"
    outputs = named_outputs(
        {
            "--svg": (options.svg, PICTURE),
            "--html": (options.html, PAGE),
            TURNS_OPTION: (options.turns, TURNS),
        },
        force=options.force,
        printed="--json" if options.as_json else asked,
    )
    sources = [name if name == STDIN else Path(name) for name in options.files]
    return StatsRequest(sources, _choice(options)), format_, outputs


def _choice(options: StatsOptions) -> Choice:
    from mia_cli import presets
    from mia_cli.presets.settings import levels
    from mia_cli.records.many.turn_rows import form_of
    from mia_cli.stats.choice import BYS, Choice, read_day
    from mia_cli.stats.latest import MOST

    since, until, rules, cpu = options.since, options.until, options.rules, options.cpu
    by = next((known for known in BYS if known == options.by), None)
    if options.by is not None and by is None:
        raise CannotRead("bad_choice", value=options.by, place="--by", allowed=BYS)
    now = datetime.now(UTC)
    return Choice(
        since=None if since is None else read_day(since, "--since", now, last=False),
        until=None if until is None else read_day(until, "--until", now, last=True),
        rules=None if rules is None else presets.load(rules, os.environ, place="--rules").rules,
        cpu=None if cpu is None else levels("--cpu", [cpu])[0],
        without_aids=options.without_aids,
        by=by,
        latest=MOST if options.readable else 0,
        turns=None if options.turns is None else form_of(options.turns),
    )
