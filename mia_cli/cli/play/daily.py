"""``mia play --daily``: the match of the day, gone on with where it was left."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from mia_cli.cli.play.new_match import new_session
from mia_cli.cli.play.request import PlayRequest
from mia_cli.cli.play.resumed import resumed_session
from mia_cli.cli.play.session import MatchSession
from mia_cli.engine.player import Player
from mia_cli.files.folders import matches_dir
from mia_cli.records import days
from mia_cli.records.record import FINISHED
from mia_cli.records.store import MatchStore


def daily_session(request: PlayRequest) -> tuple[MatchSession, Sequence[Player]]:
    """The match of today (UTC): the unfinished try, or a new one. Raises MiaError."""
    request.refuse_table("--daily")
    day = days.day_of(datetime.now(UTC))
    tries = days.tries_of(MatchStore(matches_dir()), day)
    left = [record for record in tries if record.status != FINISHED]
    if left:
        return resumed_session(replace(request, name=None), left[-1].id)
    table = replace(
        request,
        players=str(len(days.LEVELS) + 1),
        cpus=days.LEVELS,
        lives=str(days.RULES.lives),
        penalty_21=str(days.RULES.penalty_21),
        seed=str(days.seed_of(day)),
        day=day,
        tries=len(tries),
    )
    # The day is the same for everybody: of the surroundings only the name counts.
    named = {name: value for name, value in os.environ.items() if name == "MIA_NAME"}
    return new_session(table, named)
