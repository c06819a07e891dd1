"""``mia rules``: the rules to read; the presets, what is in them, new ones, files checked."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from mia_cli import presets
from mia_cli.cli import completion, outcome, outputs, streams
from mia_cli.cli.app import COMMANDS, MiaCommand, MiaSubGroup, app
from mia_cli.cli.options import (
    LIVES_VALUES,
    PENALTY_VALUES,
    ForceOption,
    LivesOption,
    NoPagerOption,
    PenaltyOption,
    PlayersOption,
    RulesOption,
)
from mia_cli.cli.rules.page import RulesRequest, show_rules
from mia_cli.cli.screen import PlainScreen
from mia_cli.presets import folders, settings
from mia_cli.rules.errors import BadRuleSet, NotAllowed, Unwritable
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.catalogue import N_
from mia_cli.text.rules import presets as text

SCHEMA = "mia.ruleset/1"
LIST_SCHEMA = "mia.rulesets/1"

rules_app = typer.Typer(
    cls=MiaSubGroup,
    help=N_(
        """Examples:

\b
  mia rules                         the rules that a match would have now
  mia rules --lives 5 --penalty-21 2
  mia rules --html rules.html       one sheet of A4, to print
  mia rules list                    the presets there are
  mia rules show mia-two            one of them, as a file
  mia rules new duel --lives 2 --players 2 --cpu hard
  mia rules check duel.toml         every problem of a file

Without a command: the rules to read. A preset sets the lives and what a claim of 21
costs, and may set the number of players and the levels of the CPU players. mia play
--rules NAME, or MIA_RULES, plays by it."""
    ),
    short_help=COMMANDS["rules"],
    invoke_without_command=True,
    rich_markup_mode=None,
)
app.add_typer(rules_app, name="rules")

AsJson = Annotated[bool, typer.Option("--json", help=N_("Answer in JSON."))]


@rules_app.callback()
def page(  # noqa: PLR0917 - one parameter per option
    context: typer.Context,
    rules: RulesOption = None,
    lives: LivesOption = None,
    penalty_21: PenaltyOption = None,
    players: PlayersOption = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Write a sheet to print instead."))
    ] = None,
    force: ForceOption = False,
    no_pager: NoPagerOption = False,
    as_json: AsJson = False,
) -> int:
    """Show the rules where no command follows, and refuse these options where one does."""
    if context.invoked_subcommand is None:
        request = RulesRequest(
            rules=rules,
            lives=lives,
            penalty_21=penalty_21,
            players=players,
            html=html,
            as_json=as_json,
            no_pager=no_pager,
            force=force,
        )
        return show_rules(request)
    given = {"--rules": rules, "--lives": lives, "--penalty-21": penalty_21, "--players": players}
    options = [option for option, value in given.items() if value is not None]
    options += ["--html"] * (html is not None) + ["--json"] * as_json + ["--no-pager"] * no_pager
    options += ["--force"] * force
    if options:
        raise NotAllowed("not_together", option=options[0], other=context.invoked_subcommand)
    return outcome.DONE


@rules_app.command("list", cls=MiaCommand, help=N_("List the presets: those that ship, and yours."))
def list_presets(as_json: AsJson = False) -> int:
    """List every preset; a damaged file of the user is listed with what is wrong."""
    shipped = presets.shipped()
    try:
        users = presets.users(os.environ)
    except Unwritable as error:
        streams.say_error(text.problem_line(error))
        users = ()
    if as_json:
        listed = [*(_json(entry, "shipped") for entry in shipped)]
        listed += [_json(entry, "user") for entry in users]
        _say([_dumped({"schema": LIST_SCHEMA, "rulesets": listed})])
    else:
        outputs.say(text.preset_table(shipped, users), plainly=True)
    return outcome.DONE


@rules_app.command(
    "show",
    cls=MiaCommand,
    help=N_(
        """Examples:

\b
  mia rules show long
  mia rules show long > my.toml     a copy to change; mia play --rules my.toml

Show a preset as the text of a file that can be used as one."""
    ),
    short_help=N_("Show a preset as a file."),
)
def show(
    preset: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            autocompletion=completion.presets,
            help=N_("A preset's name, or a file (*.toml)."),
        ),
    ],
    as_json: AsJson = False,
) -> int:
    """Show one preset."""
    found = presets.load(preset, os.environ, place="show")
    ships = found.path is not None and found.path.parent == folders.shipped_folder()
    if as_json:
        source = "shipped" if ships else "file" if folders.is_file_name(preset) else "user"
        fields = _fields(found, source)
        _say([_dumped({"schema": SCHEMA, **fields})])
    else:
        _say(text.preset_file(found, ships=ships))
    return outcome.DONE


@rules_app.command(
    "new",
    cls=MiaCommand,
    help=N_(
        """Examples:

\b
  mia rules new duel --lives 2 --players 2 --cpu hard
  mia rules new crowd --players 4 --cpu easy --cpu normal --cpu hard

Write a preset to your folder, under a name that mia play --rules understands. What is
not given is as in the preset standard, or left to mia play."""
    ),
    short_help=N_("Write a preset of your own."),
)
def new(  # noqa: PLR0917 - one parameter per option
    name: Annotated[
        str, typer.Argument(metavar="NAME", help=N_("Small letters, digits and -; up to 40."))
    ],
    lives: Annotated[
        str,
        typer.Option(
            metavar=LIVES_VALUES,
            autocompletion=completion.one_of(LIVES_VALUES),
            help=N_("Lives of every seat (3)."),
            show_default=False,
        ),
    ] = "3",
    penalty_21: Annotated[
        str,
        typer.Option(
            "--penalty-21",
            metavar=PENALTY_VALUES,
            autocompletion=completion.one_of(PENALTY_VALUES),
            help=N_("Lives lost over a claim of 21 (1)."),
            show_default=False,
        ),
    ] = "1",
    players: PlayersOption = None,
    cpu: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            autocompletion=completion.levels,
            help=N_(
                "{levels} or bot:NAME: once for all CPU seats, or once for each; "
                "see mia help levels."
            ),
        ),
    ] = None,
    description: Annotated[str, typer.Option(metavar="TEXT", help=N_("One line about it."))] = "",
    force: Annotated[
        bool, typer.Option("--force", help=N_("Replace a preset of yours with this name."))
    ] = False,
) -> int:
    """Write a preset, and say where it is."""
    rule_set = RuleSet(
        lives=settings.number("--lives", lives, LIVES),
        penalty_21=settings.number("--penalty-21", penalty_21, PENALTIES),
    )
    seats = None if players is None else settings.number("--players", players, SEATS)
    levels = settings.levels("--cpu", cpu or ()) or None
    if levels:
        table = seats or settings.seats_named(levels) or presets.PLAYERS
        settings.one_each("--cpu", levels, table)
    preset = presets.Preset(name, rule_set, seats, levels, description)
    _say(text.written(presets.write(preset, os.environ, overwrite=force), name))
    return outcome.DONE


@rules_app.command(
    "check",
    cls=MiaCommand,
    help=N_(
        """Examples:

\b
  mia rules check my.toml
  mia rules check *.toml

Read files as presets and say of each that it is fine, or everything that is wrong with
it. Exit codes: 0 all are fine; 2 a file is no preset; 4 a file cannot be read."""
    ),
    short_help=N_("Check files: every problem of each."),
)
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help=N_("Files, or names of presets."))
    ],
) -> int:
    """Check files; problems go to stderr, each with its file and key."""
    codes = {_check(file) for file in files}
    return min(codes - {outcome.DONE}, default=outcome.DONE)


def _check(file: str) -> int:
    try:
        path = Path(file) if os.path.lexists(file) else folders.find(file, place="check")
    except BadRuleSet as error:
        streams.say_error(text.problem_line(error))
        return outcome.USAGE
    found = folders.read(path)
    if isinstance(found, presets.Preset):
        _say([text.is_fine(path, found)])
        return outcome.DONE
    for problem in found:
        streams.say_error(text.problem_line(problem))
    return outcome.FILES if isinstance(found[0], Unwritable) else outcome.USAGE


def _json(entry: presets.Entry, source: str) -> dict[str, Any]:
    if entry.preset is not None:
        return _fields(entry.preset, source)
    from mia_cli.text.language.catalogue import speaking

    with speaking("en"):
        errors = [sentence(problem) for problem in entry.problems]
    return {"name": entry.name, "source": source, "path": str(entry.path), "errors": errors}


def _fields(preset: presets.Preset, source: str) -> dict[str, Any]:
    return {
        "name": preset.name,
        "source": source,
        "path": None if preset.path is None else str(preset.path),
        "lives": preset.rules.lives,
        "penalty_21": preset.rules.penalty_21,
        "players": preset.players,
        "cpu": None if preset.cpus is None else list(preset.cpus),
        "description": preset.description,
    }


def _dumped(fields: dict[str, Any]) -> str:
    from json import dumps

    return dumps(fields, separators=(",", ":"))


def _say(lines: Iterable[str]) -> None:
    screen = PlainScreen(sys.stdout)
    for line in lines:
        screen.say(line)
