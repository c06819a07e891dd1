"""Puts a match together: its players, its view, and the session that plays it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mia_cli.cli.bots import read_bots
from mia_cli.cli.play.help_used import Adviser, HelpUsed
from mia_cli.cli.play.pace import read_pace
from mia_cli.cli.play.person import Person
from mia_cli.cli.play.request import PlayRequest
from mia_cli.cli.play.session import MatchSession, MatchView, RecordSaver
from mia_cli.cli.play.shark import is_at
from mia_cli.cli.play.text_view import TextView
from mia_cli.cli.solving import solution_for
from mia_cli.engine.driver import Table
from mia_cli.engine.player import Player
from mia_cli.players import registry
from mia_cli.players.levels import LevelPlayer
from mia_cli.players.names import is_bot
from mia_cli.records.record import MatchRecord
from mia_cli.rules.errors import NotAllowed
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.play.seats import SeatNames


def session_of(
    record: MatchRecord, table: Table, saver: RecordSaver, view: MatchView, help_used: HelpUsed
) -> tuple[MatchSession, Person]:
    """The session of a match, and the person in it."""
    session = MatchSession(record, table, saver, view, help_used)
    adviser = Adviser(
        record.ruleset,
        len(record.seats),
        tutors=help_used.tutor,
        note=session.note,
        shark=is_at(record),
        players=[seat.player for seat in record.seats],
    )
    return session, Person(view, adviser)


def cpu_players(
    request: PlayRequest, levels: Sequence[str], rules: RuleSet, seats: int
) -> list[Player]:
    """A player for each level. What is missing for a bot is said before anything is solved, and
    what has to be solved is before the match begins."""
    bots = read_bots(request.bots, request.bot_time)
    for level in filter(is_bot, levels):
        bots.require(level)
    players = registry.make_all(levels, rules, seats, solved=solution_for, start_bot=bots.started)
    for player in players:
        if isinstance(player, LevelPlayer):
            player.prepare(seats)
    return players


def view_of(record: MatchRecord, request: PlayRequest) -> MatchView:
    """How the match is shown, as text or as JSON. Raises NotAllowed("no_person"), CannotRead."""
    pace = read_pace(request.pace, os.environ)
    if record.human is None:
        raise NotAllowed("no_person", id=record.id)
    if request.as_json:
        from mia_cli.cli.play.json_view import JsonView

        return JsonView(record.human)
    return TextView(SeatNames.of(record), pace)
