"""``mia play``: a match at the shell, as text or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mia_cli.cli import completion
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.options import (
    BotOption,
    BotTimeOption,
    LivesOption,
    PenaltyOption,
    PlayersOption,
    RulesOption,
)
from mia_cli.text.language.catalogue import N_

if TYPE_CHECKING:
    from mia_cli.cli.play.request import PlayRequest
    from mia_cli.cli.play.session import MatchSession
    from mia_cli.engine.player import Player

HELP = N_(
    """Examples:

\b
  mia play                                two CPU players, 3 lives each
  mia play --players 2 --cpu hard         against one strong player
  mia play --players 4 --cpu easy --cpu normal --cpu hard
  mia play --rules mia-two --seed 7       a preset, and dice that come again
  mia play --resume                       go on with the last unfinished match
  mia play --discard                      throw it away
  mia play --daily                        today's match, the same for all
  mia play --choose                       asks what the table shall be

Play a match of Mia, line by line. Every action is saved at once: leave whenever you like."""
)


_NAMING = ("--resume", "--discard")


class PlayCommand(MiaCommand):
    """``--resume=ID`` is read as ``--resume ID``: the flag, and the id as the argument; and so is
    ``--discard=ID``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Split the one word into two, then parse as usual."""
        words: list[str] = []
        for word in args:
            name, equals, value = word.partition("=")
            words.extend((name, value) if equals and name in _NAMING else (word,))
        return super().parse_args(ctx, words)


@app.command(cls=PlayCommand, help=HELP, short_help=COMMANDS["play"])
def play(  # noqa: PLR0917 - one parameter per option
    match_id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            autocompletion=completion.matches,
            help=N_("With --resume or --discard: the match, or part of its id."),
        ),
    ] = None,
    players: PlayersOption = None,
    cpu: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            autocompletion=completion.levels,
            help=N_(
                "{levels} or bot:NAME: once for all CPU seats, or for each; see mia help levels."
            ),
        ),
    ] = None,
    rules: RulesOption = None,
    lives: LivesOption = None,
    penalty_21: PenaltyOption = None,
    first: Annotated[
        str,
        typer.Option(
            metavar="random|SEAT",
            autocompletion=completion.one_of("random|SEAT"),
            help=N_("Who leads the first round (random); you are seat 1."),
            show_default=False,
        ),
    ] = "random",
    seed: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help=N_("The same seed gives the same dice.")),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="TEXT", help=N_("Your name in the record (MIA_NAME)."))
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help=N_("Go on with an unfinished match."))
    ] = False,
    discard: Annotated[
        bool, typer.Option("--discard", help=N_("Throw an unfinished match away."))
    ] = False,
    force: Annotated[bool, typer.Option("--force", help=N_("With --discard: do not ask."))] = False,
    daily: Annotated[
        bool, typer.Option("--daily", help=N_("The match of the day (UTC): one table for all."))
    ] = False,
    choose: Annotated[
        bool, typer.Option("--choose", help=N_("Ask for the table and the rules first."))
    ] = False,
    pace: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS", help=N_("Pause before what others do (MIA_PACE; terminals only).")
        ),
    ] = None,
    tutor: Annotated[
        bool, typer.Option("--tutor", help=N_("Comment on costly decisions before they count."))
    ] = False,
    bot: BotOption = None,
    bot_time: BotTimeOption = None,
    no_memory: Annotated[
        bool,
        typer.Option(
            "--no-memory",
            help=N_("A shark starts without your earlier matches; others never know them."),
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help=N_("One event per line, for programs."))
    ] = False,
) -> int:
    """Build the request, play it, and return the exit code."""
    from mia_cli.cli.play.request import PlayRequest

    request = PlayRequest(
        players=players,
        cpus=tuple(cpu or ()),
        rules=rules,
        lives=lives,
        penalty_21=penalty_21,
        first=first,
        seed=seed,
        name=name,
        tutor=tutor,
        as_json=as_json,
        bots=tuple(bot or ()),
        bot_time=bot_time,
        no_memory=no_memory,
        pace=pace,
    )
    modes = {"--resume": resume, "--discard": discard, "--daily": daily, "--choose": choose}
    _check_together(match_id, [option for option, given in modes.items() if given], force=force)
    if discard:
        from mia_cli.cli.play.discard import throw_away

        return throw_away(request, match_id, force=force)
    if choose:
        chosen = _chosen(request)
        if isinstance(chosen, int):
            return chosen
        request = chosen
    from mia_cli.cli import outcome, streams

    try:
        session, seats = _session(request, match_id, resume=resume, daily=daily)
        code = session.play(seats)
        while session.wants_another():
            from mia_cli.cli.play.new_match import new_session, same_table

            session, seats = new_session(same_table(request, session.record))
            code = session.play(seats)
    except BrokenPipeError:  # nobody reads even the head of a match
        streams.silence()
        return outcome.UNFINISHED
    return code


def _session(
    request: PlayRequest, match_id: str | None, *, resume: bool, daily: bool
) -> tuple[MatchSession, Sequence[Player]]:
    """The match to play, which has told how it stands. Raises MiaError."""
    if resume:
        from mia_cli.cli.play.resumed import resumed_session

        return resumed_session(request, match_id)
    if daily:
        from mia_cli.cli.play.daily import daily_session

        return daily_session(request)
    from mia_cli.cli.play.new_match import new_session

    return new_session(request)


def _chosen(request: PlayRequest) -> PlayRequest | int:
    """The request with what was chosen, or the exit code when nothing was."""
    from mia_cli.cli import outcome
    from mia_cli.cli.play.choose import NothingChosen, choose
    from mia_cli.cli.screen import screen
    from mia_cli.text.play.choosing import nothing_begun

    try:
        return choose(request)
    except NothingChosen as left:
        screen().say(nothing_begun())
        return outcome.UNFINISHED if left.ended else outcome.DONE


def _check_together(match_id: str | None, modes: Sequence[str], *, force: bool) -> None:
    from mia_cli.rules.errors import CannotRead, NotAllowed

    if len(modes) > 1:
        raise NotAllowed("not_together", option=modes[0], other=modes[1])
    if force and "--discard" not in modes:
        raise NotAllowed("needs_option", option="--force", other="--discard")
    if match_id is not None and not set(modes) & set(_NAMING):
        raise CannotRead("stray_argument", value=match_id)
