"""``mia simulate``: many matches between CPU players, sampled or exact."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.options import (
    BotOption,
    BotTimeOption,
    ForceOption,
    LivesOption,
    PenaltyOption,
    RulesOption,
)
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia simulate --cpu easy --cpu hard             who wins how often?
  mia simulate --cpu hard --cpu hard --cpu easy --lives 5 -n 1000000
  mia simulate --cpu normal --cpu hard --exact   the same without chance
  mia simulate --cpu normal --cpu hard --until 0.001 --jobs 2
  mia simulate --cpu easy --cpu hard -n 1000000000 --resume run.json
  mia simulate --cpu easy --cpu hard -n 1000000000 --dask tcp://node1:8786
  mia simulate --cpu easy --cpu hard --seed 7 --match 3
  mia simulate -n 200 --cpu bot:mine --cpu hard --bot mine="python3 bot.py"
  mia simulate -n 400 --cpu shark --cpu normal   it learns for 40 matches
  mia simulate --round-robin --cpu easy --cpu normal --cpu hard --cpu expert

Play many matches and count. Leading is worth a lot, so seats and the first lead rotate. The same
seed gives the same results, whatever the number of jobs and however often a run was interrupted."""
)


@app.command(
    "simulate",
    cls=MiaCommand,
    help=HELP,
    short_help=COMMANDS["simulate"],
)
def simulate(  # noqa: PLR0917 - one parameter per option
    matches: Annotated[
        str | None,
        typer.Option(
            "-n",
            "--matches",
            metavar="NUMBER",
            help=N_("How many matches (100000; 1000 where a bot or a shark plays)."),
        ),
    ] = None,
    cpu: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            autocompletion=completion.levels,
            help=N_("{levels} or bot:NAME: once for each of 2 to 6 seats; see mia help levels."),
        ),
    ] = None,
    bot: BotOption = None,
    bot_time: BotTimeOption = None,
    on_fault: Annotated[
        str | None,
        typer.Option(
            "--on-fault",
            metavar="lose|life|stop",
            autocompletion=completion.one_of("lose|life|stop"),
            help=N_("A bot that fails loses that match, or a life; or it stops the run."),
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="1..1000",
            help=N_("Matches for which a shark keeps what it learned (40)."),
        ),
    ] = None,
    rules: RulesOption = None,
    lives: LivesOption = None,
    penalty_21: PenaltyOption = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help=N_("The same seed gives the same matches.")),
    ] = None,
    seating: Annotated[
        str | None,
        typer.Option(
            metavar="rotate|fixed|all",
            autocompletion=completion.one_of("rotate|fixed|all"),
            help=N_(
                "Rotate seats and leaders; or sit as named, the first one leading; "
                "or rotate in whole cycles."
            ),
        ),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help=N_("Compute instead of sampling: by match."))
    ] = False,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="HALF_WIDTH",
            help=N_("Stop when every 95% interval reaches no further to either side; -n caps it."),
        ),
    ] = None,
    jobs: Annotated[
        str | None,
        typer.Option(metavar="1..64", help=N_("Processes that play (one for each processor).")),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help=N_("Play on the workers of a Dask scheduler.")),
    ] = None,
    round_robin: Annotated[
        bool,
        typer.Option("--round-robin", help=N_("Every pair of the players, and ratings.")),
    ] = False,
    log: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=N_("Every match as a line of JSON; *.gz is compressed.")),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(
            metavar="K", help=N_("Tell match K of the run alone; with --json its record.")
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=N_("Keep the run in a file, and go on from it.")),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="table|json|csv",
            autocompletion=completion.one_of("table|json|csv"),
            help=N_("How to print the results."),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=N_("The same as --format json."))] = False,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write the pictures as SVG."))
    ] = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write a page of HTML."))
    ] = None,
    force: ForceOption = False,
) -> int:
    """Read the options, play, print, and return the exit code."""
    from mia_cli.cli.simulate.options import SimulateOptions
    from mia_cli.cli.simulate.run import perform

    options = SimulateOptions(
        matches=matches,
        cpus=tuple(cpu or ()),
        bots=tuple(bot or ()),
        bot_time=bot_time,
        on_fault=on_fault,
        session=session,
        rules=rules,
        lives=lives,
        penalty_21=penalty_21,
        seed=seed,
        seating=seating,
        exact=exact,
        until=until,
        jobs=jobs,
        dask=dask,
        round_robin=round_robin,
        log=log,
        match=match,
        resume=resume,
        format_=format_,
        as_json=as_json,
        svg=svg,
        html=html,
        force=force,
    )
    return perform(options)
