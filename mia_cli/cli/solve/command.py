"""``mia solve``: the solution of a table, of one decision, and the ceilings of the levels."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.options import PENALTY_VALUES, SEATS_VALUES, ForceOption
from mia_cli.rules.ruleset import LIVES
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia solve                             two seats, 3 lives: values, opening
  mia solve --players 4 --lives 5 --penalty-21 2
  mia solve --at 3,1 --claim 55         accept or challenge?
  mia solve --at 3,1 --claim 55 --roll 33   what to claim over 55 with 33?
  mia solve --ceiling normal            what normal loses at most, and by what
  mia solve --html best.html            the best play as a page for a wall
  mia solve --all --json                every table

Show the best play of Mia. With two seats nobody can beat it; with more, no seat that leaves it
alone wins more."""
)


@app.command(
    "solve",
    cls=MiaCommand,
    help=HELP,
    short_help=COMMANDS["solve"],
)
def solve(  # noqa: PLR0917 - one parameter per option
    players: Annotated[
        str | None,
        typer.Option(
            metavar=SEATS_VALUES,
            autocompletion=completion.one_of(SEATS_VALUES),
            help=N_("Seats at the table (2)."),
        ),
    ] = None,
    lives: Annotated[
        str | None, typer.Option(metavar=f"1..{LIVES[-1]}", help=N_("Lives of every seat (3)."))
    ] = None,
    penalty_21: Annotated[
        str | None,
        typer.Option(
            "--penalty-21",
            metavar=PENALTY_VALUES,
            autocompletion=completion.one_of(PENALTY_VALUES),
            help=N_("Lives lost over a claim of 21 (1)."),
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=N_("Every table."))] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="LIVES",
            help=N_("One decision: lives from the seat to act, in playing order: 3,1,2."),
        ),
    ] = None,
    claim: Annotated[
        str | None,
        typer.Option(
            metavar="CLAIM",
            autocompletion=completion.rolls,
            help=N_("With --at: the standing claim."),
        ),
    ] = None,
    above: Annotated[
        str | None,
        typer.Option(
            metavar="CLAIM",
            autocompletion=completion.rolls,
            help=N_("With --at and --claim: the claim that stood before it."),
        ),
    ] = None,
    roll: Annotated[
        str | None,
        typer.Option(
            metavar="ROLL",
            autocompletion=completion.rolls,
            help=N_("With --at: the roll, and the decision is a claim."),
        ),
    ] = None,
    ceiling: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            autocompletion=completion.levels,
            help=N_("The best response against a level."),
        ),
    ] = None,
    efg: Annotated[
        bool,
        typer.Option(
            "--efg", help=N_("With --at, lives from the roller: that stage as a Gambit game.")
        ),
    ] = False,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Also write a page of HTML."))
    ] = None,
    force: ForceOption = False,
    as_json: Annotated[bool, typer.Option("--json", help=N_("JSON instead of text."))] = False,
) -> int:
    """Read the options, solve, and show one of five things."""
    from mia_cli.cli.solve.options import read

    request = read(
        players=players,
        lives=lives,
        penalty_21=penalty_21,
        everything=everything,
        at=at,
        claim=claim,
        above=above,
        roll=roll,
        ceiling=ceiling,
        efg=efg,
        html=html,
        force=force,
        as_json=as_json,
    )
    # Not before the options are known to be right: this loads the solver.
    from mia_cli.cli.solve.run import perform

    return perform(request, as_json=as_json)
