"""A match of a run as a full record, schema ``mia.match/1``, with its dice in scheme ``mia-sim/1``.

The same run gives the same bytes whenever it is played, so a record does not say when: its times
are the beginning of 1970. ``match`` and ``simulation`` are further fields, from which the match
can be played again; there, matches count from 1, as lines of a log do.

A match in which a program lost its lives, or one, by a fault is no regular match: the round ends
in its middle. So its events do not fit the rules, and whoever replays the record will say so;
the field ``faults`` tells of it: seat, cause, and the number of the event that follows the fault,
counted as in the list of events, 1 for ``match_started``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from mia_cli import __version__
from mia_cli.engine.seed import fingerprint
from mia_cli.players.names import TABLES_FIELD, tables_of
from mia_cli.records.record import (
    FINISHED,
    FIRST,
    SIMULATED_DICE,
    MatchRecord,
    encode_line,
    to_json,
)
from mia_cli.rules.events import Event, MatchOver
from mia_cli.simulate.bots import seats
from mia_cli.simulate.engine_match import Forfeit
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.setup import Setup

NO_TIME = "1970-01-01T00:00:00Z"


def record(
    setup: Setup, match: int, events: Sequence[Event], forfeits: Sequence[Forfeit] = ()
) -> MatchRecord:
    """The record of a match of a run."""
    winner = next(event.winner for event in reversed(events) if isinstance(event, MatchOver))
    mark = fingerprint(setup.seed)
    return MatchRecord(
        id=match_id(setup.seed, match),
        created=NO_TIME,
        ended=NO_TIME,
        status=FINISHED,
        version=__version__,
        ruleset=setup.rules,
        preset=None,
        seats=seats(setup, setup.seating_of(match)),
        seed=setup.seed,
        seed_fingerprint=mark,
        events=tuple(events),
        winner=winner,
        dice=SIMULATED_DICE,
        extra={
            TABLES_FIELD: tables_of(setup.players),
            "match": match + 1,
            "simulation": {
                "players": list(setup.players),
                "seating": setup.seating,
                "session": setup.session,
                **({"on_fault": "life"} if setup.forgives else {}),
            },
            **_faults(forfeits),
        },
    )


def match_id(seed: int, match: int) -> str:
    """The id of a match of a run with this seed."""
    return f"sim-{fingerprint(seed)[:12]}-{match + 1}"


def _faults(forfeits: Sequence[Forfeit]) -> dict[str, object]:
    found = [
        {"seat": one.seat, "cause": one.fault.cause, "event": FIRST + one.after} for one in forfeits
    ]
    return {"faults": found} if found else {}


def line(
    setup: Setup, match: int, events: Sequence[Event], forfeits: Sequence[Forfeit] = ()
) -> bytes:
    """The record as a line of JSON."""
    return encode_line(record(setup, match, events, forfeits))


def line_check(setup: Setup) -> Callable[[int, bytes], bool]:
    """Tells whether a line, without its end, is the one of a match of this run.

    What happened in the match is not looked at, and any version may have played it.
    """
    known: dict[Seating, dict[str, object]] = {}

    def check(match: int, line: bytes) -> bool:
        seating = setup.seating_of(match)
        if seating not in known:
            known[seating] = _settled(to_json(record(setup, match, (MatchOver(1),))))
        head, _, events = line.partition(b',"events":[')
        _, _, tail = events.rpartition(b'],"winner":')
        try:
            found = {**json.loads(head + b"}"), **json.loads(b'{"winner":' + tail)}
        except (ValueError, TypeError, RecursionError):
            return False
        own = {"id": match_id(setup.seed, match), "match": match + 1}
        return _settled(found) == {**known[seating], **own}

    return check


def _settled(document: dict[str, object]) -> dict[str, object]:
    """What the run settles for a match: all but what happened, and the version."""
    open_ = ("version", "events", "winner", "faults")
    return {name: value for name, value in document.items() if name not in open_}
