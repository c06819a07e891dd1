"""A match of a run as a full record, schema ``mia.match/1``, with its dice in scheme ``mia-sim/1``.

The same run gives the same bytes whenever it is played, so a record does not say when: its times
are the beginning of 1970. ``match`` and ``simulation`` are further fields, from which the match
can be played again; there, matches count from 1, as lines of a log do.
"""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli import __version__
from mia_cli.engine.seed import fingerprint
from mia_cli.records.head import Seat
from mia_cli.records.record import FINISHED, MatchRecord, encode_line
from mia_cli.rules.events import Event, MatchOver
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.words import SCHEME

NO_TIME = "1970-01-01T00:00:00Z"


def record(setup: Setup, match: int, events: Sequence[Event]) -> MatchRecord:
    """The record of a match of a run."""
    order = setup.seating_of(match).order
    winner = next(event.winner for event in reversed(events) if isinstance(event, MatchOver))
    mark = fingerprint(setup.seed)
    return MatchRecord(
        id=f"sim-{mark[:12]}-{match + 1}",
        created=NO_TIME,
        ended=NO_TIME,
        status=FINISHED,
        version=__version__,
        ruleset=setup.rules,
        preset=None,
        seats=tuple(
            Seat(seat, f"{setup.players[player]} {player + 1}", setup.players[player])
            for seat, player in enumerate(order, start=1)
        ),
        seed=setup.seed,
        seed_fingerprint=mark,
        events=tuple(events),
        winner=winner,
        dice=SCHEME,
        extra={
            "match": match + 1,
            "simulation": {
                "players": list(setup.players),
                "seating": setup.seating,
                "session": setup.session,
            },
        },
    )


def line(setup: Setup, match: int, events: Sequence[Event]) -> bytes:
    """The record as a line of JSON."""
    return encode_line(record(setup, match, events))
