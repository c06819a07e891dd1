"""Programs as players of a run: started once in a worker, told every match, and given up in time.

A program hears the events of a match as its seat may know them, and its number in the run. It hears
neither the seed nor its fingerprint, not even when a match is over: all matches of a run follow
from the one seed, and a short seed could be found from its fingerprint.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from mia_cli.players.bot.command import arguments
from mia_cli.players.bot.fault import BotFault, Broken, bot_fault
from mia_cli.players.bot.player import Bot, BotDecision, BotLimits
from mia_cli.records.codec import MATCH_OVER, encode, match_started
from mia_cli.records.head import Head, Seat
from mia_cli.rules.events import Event
from mia_cli.rules.match import Answer, Observation
from mia_cli.rules.rolls import Claim
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.setup import Setup

BARREN_STARTS = 20
"""A program is given up when its first so many starts failed without a single good reply, all for
the same cause; one that has ever worked never is, lest causes depend on which worker plays which
matches;"""
SILENT_STARTS = 3
"""or after so many starts in a row without a good reply where a time limit ran out,"""
SILENT_MATCHES = 20
"""or so many matches in a row, of whatever program, that a time limit ended."""
SILENT = ("timeout", "half_line", "closed")
"""Causes that cost a time limit."""

_NEVER = 1 << 60


def require_program(name: str, command: str) -> None:
    """Look whether there is a program to start, without starting it.

    Raises BotFault("bot_failed_to_start"), CannotRead for the command.
    """
    path = arguments(name, command)[0]
    if shutil.which(path) is None:
        reason = os.strerror(errno.EACCES if os.path.exists(path) else errno.ENOENT)  # noqa: PTH110
        raise bot_fault(Broken("failed_to_start", path=path, detail=reason), name, None, ())


class Program:
    """A program at work, match after match, as a player. Raises CannotRead for its command.

    When it fails, the seat loses that match, and the program is started again for the next one; if
    ``forgiving``, it is asked again in the same one.
    Once it is given up, it fails in every match for the same cause, and is not started.
    """

    def __init__(
        self, name: str, command: str, seconds: float | None, *, forgiving: bool = False
    ) -> None:
        limits = BotLimits(fruitless=_NEVER, faults=_NEVER, forgiving=forgiving)
        if seconds is not None:
            limits = replace(limits, decision=seconds)
        self._bot = Bot(name, command, limits)
        self._has_replied = self._has_worked = False
        self._last_cause = ""
        self._failed = False
        self._barren = self._silent_starts = self._silent_matches = 0
        self._given_up: BotFault | None = None

    def start(self) -> None:
        """Start the program. Raises BotFault when that is not possible."""
        self._bot.start()

    def begin(self, seat: int, started: Mapping[str, object]) -> None:
        """A match begins. A program that cannot be started fails at its first decision."""
        self._failed = False
        if self._given_up is None:
            self._bot.begin(seat, started, told)
            with contextlib.suppress(BotFault):
                self.start()

    def end(self, events: Sequence[Event]) -> None:
        """A match is over."""
        if not self._failed:
            self._silent_matches = 0
        if self._given_up is None:
            self._bot.hear(events)

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Ask for a claim. Raises BotFault."""
        return self._asked(self._bot.claim, seen, uniform)

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Ask to accept or challenge. Raises BotFault."""
        return self._asked(self._bot.answer, seen, uniform)

    def close(self) -> None:
        """Tell the last events and end the program."""
        self._bot.close()

    def _asked(
        self, ask: Callable[[Observation, float], BotDecision], seen: Observation, uniform: float
    ) -> BotDecision:
        known = self._given_up
        if known is not None:
            raise known.anew(seat=seen.seat)
        try:
            decision = ask(seen, uniform)
        except BotFault as fault:
            self._count(fault)
            raise
        self._has_replied = self._has_worked = True
        return decision

    def _count(self, fault: BotFault) -> None:
        """Take in a fault."""
        silent, replied = fault.cause in SILENT, self._has_replied
        self._failed, self._has_replied = True, False
        self._barren = self._barren + 1 if fault.cause == self._last_cause else 1
        self._last_cause = fault.cause
        self._silent_starts = self._silent_starts + 1 if silent and not replied else 0
        self._silent_matches = self._silent_matches + 1 if silent else 0
        if (
            (self._barren >= BARREN_STARTS and not self._has_worked)
            or self._silent_starts >= SILENT_STARTS
            or self._silent_matches >= SILENT_MATCHES
        ):
            self._given_up = fault.anew()


def opening(setup: Setup, match: int, seating: Seating) -> Mapping[str, object]:
    """The ``match_started`` of a match of a run, as bots are told it: without any trace of the
    seed."""
    return {**_opening(setup, seating), "match": f"sim-{match - setup.first + 1}"}


@lru_cache(maxsize=720)
def _opening(setup: Setup, seating: Seating) -> Mapping[str, object]:
    head = Head(id="", ruleset=setup.rules, seats=seats(setup, seating), seed_fingerprint="")
    return {**match_started(head), "seed_fingerprint": None}


def told(event: Event) -> Mapping[str, object]:
    """An event as bots are told it: without the seed at the end."""
    found = encode(event)
    return {**found, "seed": None} if found["event"] == MATCH_OVER else found


def seats(setup: Setup, seating: Seating) -> tuple[Seat, ...]:
    """The seats of a match with their players, each with its number as named."""
    return tuple(
        Seat(seat, f"{setup.players[player]} {player + 1}", setup.players[player])
        for seat, player in enumerate(seating.order, start=1)
    )
