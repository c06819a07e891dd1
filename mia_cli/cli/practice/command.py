"""``mia practice``: decisions to train, from one's own matches and from the solution."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.options import LivesOption, PenaltyOption, PlayersOption, RulesOption
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia practice                      ten decisions, your own mistakes among them
  mia practice -n 3 --kind answer_double
  mia practice --from k7f3q2        the decisions of one match
  mia practice --list               what is due, and how well each kind stands

Train decisions: from your own matches, and from positions of the best play by the rules in use.
What you answer wrong comes back after one day, then three, then seven. Kept with the tutorial,
apart from matches and statistics."""
)


@app.command(cls=MiaCommand, help=HELP, short_help=COMMANDS["practice"])
def practice(  # noqa: PLR0917 - one parameter per option
    number: Annotated[
        str | None, typer.Option("-n", "--number", metavar="N", help=N_("How many questions (10)."))
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="MATCH",
            autocompletion=completion.matches,
            help=N_("Only decisions of this match."),
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            autocompletion=completion.kinds,
            help=N_("Only this kind; --list names them."),
        ),
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help=N_("Show what is due and how each kind stands."))
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help=N_("Forget all answers and begin again."))
    ] = False,
    rules: RulesOption = None,
    lives: LivesOption = None,
    penalty_21: PenaltyOption = None,
    players: PlayersOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=N_("Questions and verdicts as lines of JSON."))
    ] = False,
) -> int:
    """Check the options, then list or ask; returns the exit code."""
    from mia_cli.cli.practice.drill import PracticeRequest, drill, list_cards

    request = PracticeRequest(
        number=number,
        match=from_,
        kind=kind,
        restart=restart,
        rules=rules,
        lives=lives,
        penalty_21=penalty_21,
        players=players,
        as_json=as_json,
    )
    return list_cards(request) if show_list else drill(request)
