"""``mia stats``: what match records tell; records out to one file, and in."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.options import ForceOption, NoPagerOption
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia stats                            your matches, on one screen
  mia stats --full                     all figures
  mia stats --by cpu --since 2026-11
  mia stats --without-aids --html play.html
  mia stats --readable                 and how well others can read you
  mia stats log.jsonl.gz --json        a log of mia simulate
  mia stats log.jsonl --turns t.csv    each turn as a row
  mia stats --export all.jsonl         your records as one file (see --import)

What match records tell: how you fare, claim, challenge and roll. Without a file: your matches.
Tutorial and practice never count."""
)


@app.command("stats", cls=MiaCommand, help=HELP, short_help=COMMANDS["stats"])
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
        typer.Option(
            metavar="NAME|FILE",
            autocompletion=completion.presets,
            help=N_("Only matches with the rules of this preset."),
        ),
    ] = None,
    cpu: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            autocompletion=completion.levels,
            help=N_("Only matches against this level."),
        ),
    ] = None,
    without_aids: Annotated[
        bool,
        typer.Option("--without-aids", help=N_("Leave out matches with hints or the tutor.")),
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="ruleset|cpu|month",
            autocompletion=completion.one_of("ruleset|cpu|month"),
            help=N_("Group the matches."),
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help=N_("All figures and pictures."))] = False,
    readable: Annotated[
        bool, typer.Option("--readable", help=N_("Also tell how well others can read you."))
    ] = False,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="table|json|csv",
            autocompletion=completion.one_of("table|json|csv"),
            help=N_("How to print."),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=N_("Same as --format json."))] = False,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write the pictures as SVG."))
    ] = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write a page of HTML."))
    ] = None,
    turns: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help=N_("Also write one row a turn: CSV, or JSON lines by its name.")
        ),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="FILE", help=N_("Write all your records to one file.")),
    ] = None,
    import_: Annotated[
        str | None,
        typer.Option("--import", metavar="FILE", help=N_("Take records of a file into yours.")),
    ] = None,
    daily: Annotated[
        bool, typer.Option("--daily", help=N_("The matches of the day, day by day."))
    ] = False,
    force: ForceOption = False,
    no_pager: NoPagerOption = False,
) -> int:
    """Read the options and count, export or import."""
    from mia_cli.cli.stats.options import StatsOptions, refuse_contradictions

    options = StatsOptions(
        files=tuple(files or ()),
        since=since,
        until=until,
        rules=rules,
        cpu=cpu,
        without_aids=without_aids,
        by=by,
        readable=readable,
        format_=format_,
        as_json=as_json,
        svg=svg,
        html=html,
        turns=turns,
        export=export,
        import_=import_,
        force=force,
        full=full,
        no_pager=no_pager,
        daily=daily,
    )
    refuse_contradictions(options)
    if daily:
        from mia_cli.cli.stats.daily import list_days

        return list_days(as_json=as_json)
    if export is not None:
        from mia_cli.cli.stats.transfer import export_to

        return export_to(export, force=force)
    if import_ is not None:
        from mia_cli.cli.stats.transfer import import_from

        return import_from(import_)
    from mia_cli.cli.stats.run import perform

    return perform(options)
