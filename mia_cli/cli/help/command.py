"""``mia help``: a topic, or the help of a command."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mia_cli.cli import completion, outcome
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.text.language.catalogue import N_

HELP = N_(
    """Examples:

\b
  mia help              the topics and the commands
  mia help rules        how Mia is played
  mia help levels       the CPU players
  mia help bots         programs of your own as players
  mia help simulate     the same as mia simulate --help

Help on a topic or a command."""
)
TOPICS = ("rules", "levels", "bots")


@app.command("help", cls=MiaCommand, help=HELP, short_help=COMMANDS["help"])
def help_(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TOPIC|COMMAND]",
            autocompletion=completion.topics,
            help=N_("What it is about."),
        ),
    ] = None,
) -> int:
    """Show a topic, which comes before a command of its name, or the help of a command."""
    from mia_cli.cli.screen import screen
    from mia_cli.text import help as text

    match words or []:
        case []:
            shown = text.topics()
        case ["levels"]:
            shown = text.levels()
        case ["bots"]:
            shown = text.bots()
        case ["rules"]:
            return _run(ctx, ["rules"])
        case path:
            return _run(ctx, [*_known(path), "--help"])
    out = screen()
    for line in shown:
        out.say(line)
    return outcome.DONE if words else _run(ctx, ["--help"])


def _known(path: list[str]) -> list[str]:
    """The command that the words name. Raises CannotRead("no_help")."""
    from mia_cli.rules.errors import CannotRead

    if path[0] not in COMMANDS:
        raise CannotRead(
            "no_help", value=path[0], allowed=tuple(dict.fromkeys((*TOPICS, *COMMANDS)))
        )
    return path


def _run(ctx: typer.Context, words: list[str]) -> int:
    """Another command line, in place of this one; returns its exit code."""
    assert ctx.parent is not None
    group: Any = ctx.parent.command
    code = TyperGroup.main(group, words, "mia", standalone_mode=False)
    return code if isinstance(code, int) else outcome.DONE
