"""Options that several commands share, with one name and one help text each."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS
from mia_cli.text.language.catalogue import N_

LIVES_VALUES, PENALTY_VALUES = "|".join(map(str, LIVES)), "|".join(map(str, PENALTIES))
SEATS_VALUES = f"{SEATS[0]}..{SEATS[-1]}"
"""What the rule set allows, as help writes it."""

RulesOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        autocompletion=completion.presets,
        help=N_("A rule preset; see mia rules list."),
    ),
]
LivesOption = Annotated[
    str | None,
    typer.Option(
        metavar=LIVES_VALUES,
        autocompletion=completion.one_of(LIVES_VALUES),
        help=N_("Lives of every seat."),
    ),
]
PenaltyOption = Annotated[
    str | None,
    typer.Option(
        "--penalty-21",
        metavar=PENALTY_VALUES,
        autocompletion=completion.one_of(PENALTY_VALUES),
        help=N_("Lives lost over a claim of 21."),
    ),
]
PlayersOption = Annotated[
    str | None,
    typer.Option(
        metavar=SEATS_VALUES,
        autocompletion=completion.one_of(SEATS_VALUES),
        help=N_("Seats at the table, you included."),
    ),
]
NoPagerOption = Annotated[
    bool, typer.Option("--no-pager", help=N_("Never use a pager (PAGER) on a terminal."))
]
BotOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=COMMAND", help=N_("A program that plays, for --cpu bot:NAME; repeatable.")
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help=N_("Also replace a file that mia did not write."))
]
BotTimeOption = Annotated[
    str | None,
    typer.Option("--bot-time", metavar="SECONDS", help=N_("A bot's time per decision (1).")),
]
