"""``mia tutorial``: learn the game by playing."""

from __future__ import annotations

from typing import Annotated

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.options import RulesOption
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia tutorial                   begin, or go on where you left
  mia tutorial --list            the lessons, and which are done
  mia tutorial --lesson 3        one lesson
  mia tutorial --rules mia-two   by the rules you will play with

Learn Mia by playing, in eight short lessons. Your place is kept after every step."""
)


@app.command(cls=MiaCommand, help=HELP, short_help=COMMANDS["tutorial"])
def tutorial(  # noqa: PLR0917 - one parameter per option
    show_list: Annotated[
        bool, typer.Option("--list", help=N_("Show the lessons and which are done."))
    ] = False,
    lesson: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            autocompletion=completion.lessons,
            help=N_("Take this lesson, by number or id."),
        ),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help=N_("Forget what was done and begin again."))
    ] = False,
    rules: RulesOption = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER", help=N_("Dice of the matches in the last lesson, the same each time.")
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=N_("With --list: as JSON."))] = False,
) -> int:
    """Check the options, then list the lessons or take them; returns the exit code."""
    from mia_cli.cli.tutorial.start import TutorialRequest, list_lessons, take_lessons

    request = TutorialRequest(
        show_list=show_list, lesson=lesson, restart=restart, rules=rules, seed=seed, as_json=as_json
    )
    request.check()
    return list_lessons(request) if show_list else take_lessons(request)
