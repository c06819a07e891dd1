"""``mia stats``: what match records tell; records out to one file, and in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mia_cli.cli.app import MiaCommand, app
from mia_cli.cli.options import ForceOption
from mia_cli.text.language.catalogue import N_

if TYPE_CHECKING:
    from mia_cli.files.outputs import OutputFile
    from mia_cli.records.many.stream import Problem
    from mia_cli.rules.ruleset import RuleSet
    from mia_cli.stats.choice import Choice
    from mia_cli.stats.gather import Gathered
    from mia_cli.stats.totals import Totals
    from mia_cli.theory import Solution

FORMATS = ("table", "json", "csv")
_NAMED = 20
"""Skipped records that are named on stderr."""

HELP = N_(
    """Examples:

\b
  mia stats                            your matches
  mia stats --by cpu --since 2026-11
  mia stats --without-aids --html play.html
  mia stats --readable                 and how well others can read you
  mia stats log.jsonl.gz --json        a log of mia simulate
  mia stats --export all.jsonl         your records as one file (see --import)

What match records tell: how you fare, claim, challenge and roll. Without a file: your matches.
Tutorial and practice never count."""
)


@app.command("stats", cls=MiaCommand, help=HELP, short_help=N_("How you play, from your matches."))
def stats(  # noqa: PLR0917 - one parameter per option
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...|-]", help=N_("Records, logs, folders of records, or -.")),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DAY", help=N_("From this day on: 2026-11-30, or 30d."))
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DAY", help=N_("Up to and with this day or month (UTC)."))
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help=N_("Only matches with the rules of this preset.")),
    ] = None,
    cpu: Annotated[
        str | None, typer.Option(metavar="LEVEL", help=N_("Only matches against this level."))
    ] = None,
    without_aids: Annotated[
        bool,
        typer.Option("--without-aids", help=N_("Leave out matches with hints or the tutor.")),
    ] = False,
    by: Annotated[
        str | None, typer.Option(metavar="ruleset|cpu|month", help=N_("Group the matches."))
    ] = None,
    readable: Annotated[
        bool, typer.Option("--readable", help=N_("Also tell how well others can read you."))
    ] = False,
    format_: Annotated[
        str | None, typer.Option("--format", metavar="table|json|csv", help=N_("How to print."))
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=N_("Same as --format json."))] = False,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write the pictures as SVG."))
    ] = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write a page of HTML."))
    ] = None,
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="FILE", help=N_("Write all your records to one file.")),
    ] = None,
    import_: Annotated[
        str | None,
        typer.Option("--import", metavar="FILE", help=N_("Take records of a file into yours.")),
    ] = None,
    force: ForceOption = False,
) -> int:
    """Read the options and count, export or import."""
    from mia_cli.rules.errors import NotAllowed

    others = {"FILE": files, "--since": since, "--until": until, "--rules": rules, "--cpu": cpu}
    others |= {"--by": by, "--format": format_, "--svg": svg, "--html": html}
    given = [name for name, value in others.items() if value]
    given += ["--without-aids"] * without_aids + ["--json"] * as_json
    given += ["--readable"] * readable
    for option, value in (("--export", export), ("--import", import_)):
        if value is not None and (given or (export is not None and import_ is not None)):
            other = given[0] if given else "--import" if option == "--export" else "--export"
            raise NotAllowed("not_together", option=option, other=other)
    if export is not None:
        return _export(export, force)
    if import_ is not None:
        return _import(import_)
    if readable and by is not None:
        raise NotAllowed("not_together", option="--readable", other="--by")
    shown = _format(format_, as_json)
    printed = "--json" if as_json else None if format_ is None else f"--format {format_}"
    outputs = _outputs(svg, html, force, printed)
    choice = _choice(since, until, rules, cpu, without_aids, by)
    if readable:
        choice = _keeping(choice)
    return _stats(files or [], choice, shown, outputs)


def _outputs(
    svg: str | None, html: str | None, force: bool, printed: str | None
) -> dict[str, OutputFile]:
    if svg is None and html is None:
        return {}
    from mia_cli.cli.outputs import named_outputs
    from mia_cli.files.outputs import PAGE, PICTURE

    named = {"--svg": (svg, PICTURE), "--html": (html, PAGE)}
    return named_outputs(named, force=force, printed=printed)


def _format(text: str | None, as_json: bool) -> str:
    from mia_cli.rules.errors import CannotRead, NotAllowed

    if text is None:
        return "json" if as_json else "table"
    if text not in FORMATS:
        raise CannotRead("bad_choice", value=text, place="--format", allowed=FORMATS)
    if as_json and text != "json":
        raise NotAllowed("not_together", option="--json", other=f"--format {text}")
    return text


def _choice(  # noqa: PLR0917 - one parameter per option
    since: str | None,
    until: str | None,
    rules: str | None,
    cpu: str | None,
    without_aids: bool,
    by: str | None,
) -> Choice:
    from datetime import UTC, datetime

    from mia_cli.presets.settings import levels
    from mia_cli.rules.errors import CannotRead
    from mia_cli.stats.choice import BYS, Choice, read_day

    chosen = next((known for known in BYS if known == by), None)
    if by is not None and chosen is None:
        raise CannotRead("bad_choice", value=by, place="--by", allowed=BYS)
    now = datetime.now(UTC)
    return Choice(
        since=None if since is None else read_day(since, "--since", now, last=False),
        until=None if until is None else read_day(until, "--until", now, last=True),
        rules=None if rules is None else _rules(rules),
        cpu=None if cpu is None else levels("--cpu", [cpu])[0],
        without_aids=without_aids,
        by=chosen,
    )


def _keeping(choice: Choice) -> Choice:
    """The same choice; what is needed to tell how readable somebody is comes along."""
    from dataclasses import replace

    from mia_cli.stats.latest import MOST

    return replace(choice, latest=MOST)


def _rules(text: str) -> RuleSet:
    from mia_cli import presets

    return presets.load(text, os.environ, place="--rules").rules


def _stats(
    files: Sequence[str], choice: Choice, shown: str, outputs: Mapping[str, OutputFile]
) -> int:
    from mia_cli.cli import outcome
    from mia_cli.stats.summary import summary

    found = _gather(files, choice)
    _tell_skipped(found)
    code = outcome.FILES if found.empty else outcome.DONE
    if found.empty and not found.grouped.all.matches.sum():
        return code
    values = _Values(found.grouped.all)
    document = summary(found, values, choice.by)
    if choice.latest:
        document["readable"] = _readable(found, document, values)
    _write(document, outputs)
    if any(output.is_stdout for output in outputs.values()):
        return code
    if shown == "json":
        _dump(document, found.problems)
    elif shown == "csv":
        _csv(document)
    else:
        _table(document)
    return code


def _readable(found: Gathered, document: dict[str, Any], values: _Values) -> dict[str, Any]:
    from mia_cli.rules.errors import NotAllowed
    from mia_cli.stats.readable.report import readable

    if document["matches"] and not document["with_person"]:
        raise NotAllowed("no_person_matches", option="--readable")
    return readable(found.grouped.latest.batch, _finished(document), values.solution)


def _finished(document: dict[str, Any]) -> int:
    """Finished matches with a person."""
    return sum(int(document[name]["finished"]) for name in ("without_aids", "with_aids"))


def _gather(files: Sequence[str], choice: Choice) -> Gathered:
    from mia_cli.files.folders import cache_dir, matches_dir
    from mia_cli.rules.errors import CannotRead
    from mia_cli.stats.gather import STDIN, gather

    if list(files).count(STDIN) > 1:
        raise CannotRead("no_place_beside", value=STDIN, option=STDIN)
    sources: list[Path | str] = [name if name == STDIN else Path(name) for name in files]
    if not files:
        folder = matches_dir()
        sources = [folder] if os.path.lexists(folder) else []
    stdin = getattr(sys.stdin, "buffer", None)
    return gather(sources, choice, cache=cache_dir(), stdin=stdin)


class _Values:
    """Chances of the places at a table; one solution for all tables of one penalty."""

    def __init__(self, totals: Totals) -> None:
        spots = [spot for record in totals.players.values() for spot in record.spots]
        self._largest = {
            penalty: tuple(max(spot[at] for spot in spots if spot[2] == penalty) for at in (0, 1))
            for penalty in {spot[2] for spot in spots}
        }
        self._known: dict[tuple[int, int, int], list[float]] = {}
        self._solved: dict[int, Solution] = {}

    def __call__(self, seats: int, lives: int, penalty_21: int) -> list[float]:
        key = (seats, lives, penalty_21)
        if key not in self._known:
            solution = self.solution(penalty_21)
            self._known[key] = solution.values((lives,) * seats).tolist()
        return self._known[key]

    def solution(self, penalty_21: int) -> Solution:
        """The solution of the largest table with this penalty."""
        from mia_cli.cli.solving import solution_for

        if penalty_21 not in self._solved:
            seats, lives = self._largest[penalty_21]
            self._solved[penalty_21] = solution_for(seats, lives, penalty_21)
        return self._solved[penalty_21]


def _tell_skipped(found: Gathered) -> None:
    from mia_cli.cli import streams
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.play.prompts import skipped
    from mia_cli.text.stats.records import forfeited_count, skipped_count

    for problem in found.problems[:_NAMED]:
        streams.say_error(f"mia: {skipped(sentence(problem.error))}")
    if found.skipped > min(_NAMED, len(found.problems)):
        streams.say_error(f"mia: {skipped_count(found.skipped)}")
    if found.forfeited:
        streams.say_error(f"mia: {forfeited_count(found.forfeited)}")


def _write(document: dict[str, Any], outputs: Mapping[str, OutputFile]) -> None:
    if not outputs:
        return
    from mia_cli.text.stats.page import page, picture

    for option, output in outputs.items():
        text = picture(document) if option == "--svg" else page(document)
        output.write(text.encode("utf-8", "replace"))


def _dump(document: dict[str, Any], problems: Sequence[Problem]) -> None:
    import json

    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.language.catalogue import speaking

    with speaking("en"):
        document["problems"] = [
            {"file": problem.place, "error": sentence(problem.error)} for problem in problems
        ]
    typer.echo(json.dumps(document))


def _csv(document: dict[str, Any]) -> None:
    import csv

    from mia_cli.stats.summary import csv_rows
    from mia_cli.text.language.plain import printable

    if sys.stdout is None:
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for row in csv_rows(document):
        writer.writerow([printable(cell) if isinstance(cell, str) else cell for cell in row])


def _table(document: dict[str, Any]) -> None:
    from dataclasses import replace

    from mia_cli.cli.screen import screen
    from mia_cli.cli.streams import can_show
    from mia_cli.stats.latest import LEAST
    from mia_cli.text import pictures
    from mia_cli.text.stats.readable import pointer, readable_lines
    from mia_cli.text.stats.tables import stats_lines

    signs = pictures.BLOCKS if can_show(pictures.BLOCKS.shades + "│") else pictures.ASCII
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) < 2 * 21 + 6:
        signs = replace(signs, cell=1)
    out = screen()
    asked = "readable" in document
    more = "" if asked or _finished(document) < LEAST else pointer()
    for line in stats_lines(document, signs, more):
        out.say(line)
    if asked:
        for line in readable_lines(document["readable"]):
            out.say(line)


def _export(text: str, force: bool) -> int:
    from mia_cli.cli import streams
    from mia_cli.files.folders import matches_dir
    from mia_cli.files.outputs import RECORDS, OutputFile
    from mia_cli.records.many.transfer import export_records
    from mia_cli.records.store import Damaged, MatchStore
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.play.prompts import skipped
    from mia_cli.text.stats import records as words

    def tell(damaged: Damaged) -> None:
        streams.say_error(f"mia: {skipped(sentence(damaged.error))}")

    output = OutputFile(text, RECORDS, force=force)
    number = export_records(MatchStore(matches_dir()), output, tell)
    if not output.is_stdout:
        typer.echo(words.exported(number, text))
    return 0


def _import(text: str) -> int:
    from mia_cli.cli import outcome, streams
    from mia_cli.files.folders import matches_dir
    from mia_cli.records.many.transfer import import_records
    from mia_cli.records.store import MatchStore
    from mia_cli.rules.errors import Unwritable
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.play.prompts import skipped
    from mia_cli.text.stats import records as words

    problems = 0

    def tell(problem: Problem) -> None:
        nonlocal problems
        problems += 1
        streams.say_error(f"mia: {skipped(sentence(problem.error))}")

    def differs(match_id: str) -> None:
        streams.say_error(f"mia: {words.id_taken(match_id)}")

    source = getattr(sys.stdin, "buffer", None) if text == "-" else Path(text)
    if source is None:
        raise Unwritable("input_closed")
    done = import_records(
        MatchStore(matches_dir()), source, text, on_problem=tell, on_differing=differs
    )
    typer.echo(words.imported(done.new, done.longer, done.same, done.differing))
    taken = done.new + done.longer + done.same
    return outcome.FILES if (problems and not taken) else outcome.DONE
