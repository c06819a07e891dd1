"""How fast a match is told on a terminal: the pauses before what the others do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mia_cli.rules.errors import CannotRead
from mia_cli.rules.events import Challenged, Claimed, Event

PACE = 0.35
"""Seconds before something that another seat does."""
_MOST = 10
_REVEAL = 2.5
"""How many times longer the dice stay under the cup after a challenge."""
_SECONDS = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,6})?|\.[0-9]{1,6}", re.ASCII)


def read_pace(option: str | None, environ: Mapping[str, str]) -> float:
    """Seconds: ``--pace``, then MIA_PACE, then the usual. Raises CannotRead("bad_pace")."""
    for place, given in (("--pace", option), ("MIA_PACE", environ.get("MIA_PACE") or None)):
        if given is not None:
            plain = given.strip()
            if not _SECONDS.fullmatch(plain) or float(plain) > _MOST:
                raise CannotRead("bad_pace", value=given, place=place, most=_MOST)
            return float(plain)
    return PACE


def wait_before(events: Iterable[Event], person: int | None) -> float:
    """The pause before the events of one action, in units of the pace.

    It follows from what everybody sees, never from dice.
    """
    for event in events:
        if isinstance(event, Challenged):
            return _REVEAL
        # That a seat accepts is told with the claim it makes then.
        if isinstance(event, Claimed) and event.seat != person:
            return 1.0
    return 0.0
