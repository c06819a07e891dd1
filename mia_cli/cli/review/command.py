"""``mia review``: one match, decision by decision; the list of records; checks of a record."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia review                      the last finished match
  mia review k7f3q2               the match whose id begins or ends so
  mia review log.jsonl --match 42
  mia review --worst 3            three decisions with reasons, then all
  mia review --list
  mia review --verify k7f3q2      rules, seed and dice of a record

Review a finished match: what was known at every decision, what the best play was, the
chance of winning lost, and luck apart from skill. What only hindsight shows stands apart."""
)


@app.command("review", cls=MiaCommand, help=HELP, short_help=COMMANDS["review"])
def review(  # noqa: PLR0917 - one parameter per option
    match: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID|FILE]",
            autocompletion=completion.matches,
            help=N_("A match, part of its id, a file, or -."),
        ),
    ] = None,
    within: Annotated[
        str | None, typer.Option("--match", metavar="ID", help=N_("One match of a file of many."))
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help=N_("List all records, the newest first."))
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help=N_("Check rules, seed and dice of the record."))
    ] = False,
    worst: Annotated[
        str | None,
        typer.Option(
            metavar="N", help=N_("So many decisions with reasons, the dearest first (5).")
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=N_("JSON instead of text."))] = False,
) -> int:
    """Read the options and do one of three things."""
    from mia_cli.cli.review.options import ReviewOptions
    from mia_cli.cli.review.run import perform

    return perform(ReviewOptions(match, within, listed, verify, worst, as_json))
