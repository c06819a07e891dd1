"""The Typer application: its commands, and the frame they all run in.

No ``from __future__ import annotations`` here and in the commands: Typer would have to compile
every annotation at every start.
"""

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from mia_cli import __version__
from mia_cli.cli import completion, outcome, outputs, streams
from mia_cli.cli.screen import columns, is_terminal, set_color
from mia_cli.rules.errors import CannotRead, MiaError
from mia_cli.text.language import catalogue
from mia_cli.text.language.catalogue import LANGUAGES, N_, translate
from mia_cli.text.usage import HELP_WIDTH, LIBRARY_WIDTH, localised_help

_EVERYWHERE = ("--lang", "--color")
COMMANDS = {
    "play": N_("Play a match against CPU players."),
    "tutorial": N_("Learn the game by playing."),
    "practice": N_("Train decisions, your own mistakes first."),
    "simulate": N_("Many matches between CPU players: who wins how often?"),
    "rank": N_("The order of the rolls; does a roll support a claim?"),
    "review": N_("Review a match, decision by decision."),
    "rules": N_("The rules to read; rule presets: list, show, new, check."),
    "solve": N_("The best play: what to claim and when to challenge."),
    "stats": N_("How you play, from your matches."),
    "help": N_("Help on a topic or a command."),
}
"""The commands as help lists them, with their short helps. Each is a folder; its ``command`` is
imported when it is asked for, and not to be listed."""


class MiaCommand(TyperCommand):
    """A command whose help is in the language in use."""

    def get_help(self, ctx: Any) -> str:
        """The help text, translated."""
        _localise(self)
        return _told(super().get_help(ctx))


class MiaSubGroup(TyperGroup):
    """A command that has commands of its own, whose help is in the language in use."""

    def get_help(self, ctx: Any) -> str:
        """The help text, translated."""
        _localise(self)
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                _localise(command)
        return _told(super().get_help(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command to run. Raises CannotRead("no_command")."""
        names = self.list_commands(ctx)
        if not args[0].startswith("-") and args[0] not in names:
            raise CannotRead("no_command", value=args[0], allowed=tuple(names))
        return super().resolve_command(ctx, args)


class MiaGroup(MiaSubGroup):
    """The top of the command tree: sets the language and the exit code for all of it."""

    def get_help(self, ctx: Any) -> str:
        """The help text, translated; no command is imported for it."""
        with self._listed_alone():
            return super().get_help(ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The names of commands, and options; no command is imported for it."""
        with self._listed_alone():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _listed_alone(self) -> Iterator[None]:
        """For the time of a list, commands that have a short help and nothing else."""
        built = self.commands
        self.commands = {
            name: TyperCommand(name, short_help=translate(text)) for name, text in COMMANDS.items()
        }
        try:
            yield
        finally:
            self.commands = built

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, imported or not."""
        return [*COMMANDS, *(name for name in super().list_commands(ctx) if name not in COMMANDS)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, or None; imports its module, and no other command's."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            import_module(f"mia_cli.cli.{cmd_name}.command")
            for name, command in _registered().items():
                self.commands.setdefault(name, command)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command to run; from here on, what it leaves behind is collected."""
        found = super().resolve_command(ctx, args)
        gc.freeze()
        gc.enable()
        return found

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a closed pipe must not become the library's own exit code."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            streams.silence()
            return outcome.DONE

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line ``args`` and exit with the code of the contract."""
        streams.prepare()
        words = list(sys.argv[1:] if args is None else args)

        def run() -> Any:
            rest, chosen = _spoken(words)
            set_color(chosen.get("--color"))
            with (
                completion.answering(rest) as completes,
                streams.library_spelt() if completes else nullcontext(),
            ):
                return super(MiaGroup, self).main(
                    rest or ["--help"], "mia", complete_var, False, windows_expand_args, **extra
                )

        code = outcome.guarded(run, _command_of(words))
        sys.exit(code)


def _spoken(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """As split_everywhere, and speak the language that was chosen."""
    encoding = streams.encoding()
    try:
        rest, chosen = split_everywhere(words)
        catalogue.use(catalogue.choose(chosen.get("--lang"), os.environ, encoding))
    except MiaError:
        catalogue.use(catalogue.fall_back(os.environ, encoding))
        raise
    return rest, chosen


def split_everywhere(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Take the options that every command understands out of ``words``, wherever they stand."""
    rest: list[str] = []
    chosen: dict[str, str] = {}
    waiting = ""
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if waiting:
            chosen[waiting], waiting = word, ""
        elif word == "--":
            return [*rest, *words[index:]], chosen
        elif name in _EVERYWHERE:
            if equals:
                chosen[name] = value
            else:
                waiting = name
        else:
            rest.append(word)
    if waiting:
        raise CannotRead("needs_value", place=waiting)
    return rest, chosen


def _told(text: str) -> str:
    """A help text as it is printed: in the language in use, and as wide as a terminal is."""
    width = columns() if is_terminal(sys.stdout) else HELP_WIDTH
    return streams.spelt(localised_help(text, width))


def _localise(command: Any) -> None:
    from mia_cli.players.names import LEVELS
    from mia_cli.text.language.line import comma

    for name in ("help", "epilog", "short_help"):
        text = getattr(command, name, None)
        if text:
            setattr(command, name, translate(text))
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = translate(parameter.help).replace("{levels}", comma().join(LEVELS))


def _registered() -> dict[str, Any]:
    """What the modules imported so far have added to ``app``, as the library's commands."""
    command = typer.main.get_command(app)
    return dict(command.commands) if isinstance(command, TyperGroup) else {}


def _command_of(words: Sequence[str]) -> str:
    first = next((word for word in words if not word.startswith("-")), "")
    return f"mia {first}" if first in COMMANDS else "mia"


app = typer.Typer(
    name="mia",
    cls=MiaGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": LIBRARY_WIDTH,
    },
    help=N_(
        """Examples:

\b
  mia play                     a match against two CPU players
  mia play --cpu hard --lives 5
  mia rank                     the 21 rolls, low to high
  mia rank 55 44               does a roll of 55 support a claim of 44?
  mia rules                    the rules to read
  mia solve                    the best play
  mia tutorial                 learn it by playing
  mia simulate --cpu easy --cpu hard

Mia (Mäxchen, Meyer): two hidden dice, one claim, believe it or not."""
    ),
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from mia_cli.simulate.lockstep.library import chosen_kernel, named_kernel

        outputs.write(f"mia {__version__} (kernel {chosen_kernel(named_kernel())})\n")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help=N_("Show the version and exit."),
        ),
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(LANGUAGES),
            autocompletion=completion.one_of("|".join(LANGUAGES)),
            help=N_("Language (anywhere on the line; MIA_LANG)."),
        ),
    ] = None,
    color: Annotated[
        str | None,
        typer.Option(
            metavar="auto|always|never",
            autocompletion=completion.one_of("auto|always|never"),
            help=N_("Colour (anywhere on the line; MIA_COLOR)."),
        ),
    ] = None,
) -> None:
    """Take the options that stand before a command; --lang and --color were read already."""
    del version, lang, color
