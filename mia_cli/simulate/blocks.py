"""Blocks of matches: what a worker is given, and what comes back.

Two kinds of block players give the same results: the kernel, for players that are tables; and the
engine, match by match, for all players, and where every match is to be logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mia_cli.engine.player import Player
from mia_cli.rules.events import Accepted, Claimed, Event, MatchOver, Revealed, Rolled
from mia_cli.rules.rolls import Roll
from mia_cli.simulate.engine import TablePlayer, play_match
from mia_cli.simulate.kernel import Kernel
from mia_cli.simulate.pool import Pool
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.situations import (
    ACCEPTED_BLUFF,
    ACCEPTED_TRUE,
    CAUGHT,
    CAUGHT_21,
    HELD,
    HELD_21,
)
from mia_cli.simulate.tabled import LEVELS, Progress, tables
from mia_cli.simulate.tally import Tally
from mia_cli.simulate.words import Words

LARGE, SMALL = 1 << 17, 1 << 6
"""Matches in a block of the kernel, and in one of the engine."""

Faults = Mapping[tuple[int, str], int]
"""How often a player (as named) failed for a cause."""


@dataclass(frozen=True, slots=True)
class Part:
    """What came of the matches ``first`` ... ``first + count - 1``. ``log``: a line for each."""

    first: int
    count: int
    tally: Tally
    faults: Faults = field(default_factory=dict)
    log: bytes = b""

    @property
    def end(self) -> int:
        """The match after the last one."""
        return self.first + self.count


class BlockPlayer(Protocol):
    """Plays blocks; made once in each worker."""

    def play(self, first: int, count: int) -> Part:
        """Play these matches to their ends."""
        ...

    def close(self) -> None:
        """End what was started, such as programs that play."""
        ...


MakeBlockPlayer = Callable[[], BlockPlayer]
MakePlayers = Callable[[], Sequence[Player]]
"""Makes the players as named, without memory: called at the start of every session."""
Write = Callable[[Setup, int, Sequence[Event]], bytes]
"""The line of the log for a match: setup, number of the match, its events."""


class KernelBlocks:
    """Blocks between players that are tables."""

    def __init__(self, setup: Setup, progress: Progress | None = None) -> None:
        players = tables(setup.players, setup.rules, progress)
        if players is None:
            raise ValueError("not all players are tables")
        self._kernel = Kernel(setup.rules, players, setup.seatings, setup.seed)

    def play(self, first: int, count: int) -> Part:
        """Play these matches in lockstep."""
        return Part(first, count, self._kernel.play(first, count))

    def close(self) -> None:
        """Nothing was started."""


class EngineBlocks:
    """Blocks through the engine, match by match, with any players.

    ``make`` gives the players; they are made anew for every session of ``setup.session`` matches,
    so blocks must hold whole sessions. A player may have a method ``match_over(events, seat)`` to
    learn from a match; it is given what its seat may know.
    """

    def __init__(self, setup: Setup, make: MakePlayers, write: Write | None = None) -> None:
        self._setup, self._make, self._write = setup, make, write

    def play(self, first: int, count: int) -> Part:
        """Play these matches one after another."""
        setup = self._setup
        tally = Tally.empty(len(setup.players), len(setup.seatings))
        lines = []
        players: Sequence[Player] = ()
        for match in range(first, first + count):
            if not players or match % setup.session == 0:
                players = self._make()
            seating = setup.seating_of(match)
            events = play_match(setup.rules, players, seating, Words(setup.seed, match))
            count_match(tally, match % len(setup.seatings), seating, events)
            if self._write:
                lines.append(self._write(setup, match, events))
        return Part(first, count, tally, {}, b"".join(lines))

    def close(self) -> None:
        """Nothing was started."""


def table_players(setup: Setup) -> MakePlayers:
    """Players of a setup whose players are all tables, for ``EngineBlocks``."""
    found = tables(setup.players, setup.rules)
    if found is None:
        raise ValueError("not all players are tables")
    distinct = list(dict.fromkeys(setup.players))
    pool = Pool([found[setup.players.index(name)] for name in distinct])
    players = [TablePlayer(pool, distinct.index(name)) for name in setup.players]
    return lambda: players


def count_match(tally: Tally, number: int, seating: Seating, events: Sequence[Event]) -> None:
    """Add one match to a tally, from its events; ``number`` of its seating."""
    tally.played[number] += 1
    seats = len(seating.order)
    for roller, answering, kind in _turns(events):
        players = seating.order[roller - 1], seating.order[answering - 1]
        tally.events[(*players, kind)] += 1
    for event in reversed(events):
        if isinstance(event, MatchOver):
            tally.wins[number, (event.winner - seating.leader) % seats] += 1
            return


def _turns(events: Sequence[Event]) -> Iterator[tuple[int, int, int]]:
    """Seats that rolled and answered, and the event as in ``situations``, turn by turn."""
    roll: Roll | None = None
    said: Claimed | None = None
    for before, event in zip((None, *events), events, strict=False):
        match event:
            case Rolled():
                roll = event.roll
            case Claimed():
                said = event
            case Accepted(seat) if said and roll:
                true = roll.supports(said.claim)
                yield said.seat, seat, ACCEPTED_TRUE if true else ACCEPTED_BLUFF
            case Revealed(seat, _, claim, holds):
                # The one who challenged spoke just before.
                plain, at_21 = (HELD, HELD_21) if holds else (CAUGHT, CAUGHT_21)
                kind = at_21 if claim.must_be_challenged else plain
                yield seat, getattr(before, "seat", 0), kind


def open_blocks(
    setup: Setup, write: Write | None = None, progress: Progress | None = None
) -> BlockPlayer:
    """The block player for a setup: the kernel where it can be, else the engine."""
    if write is None:
        return KernelBlocks(setup, progress)
    tables(setup.players, setup.rules, progress)
    return EngineBlocks(setup, table_players(setup), write)


def block_size(setup: Setup, *, logged: bool) -> int:
    """Matches in a block: whole sessions, and so few that a block takes well below a second."""
    is_fast = not logged and all(name in LEVELS for name in setup.players)
    size = LARGE if is_fast else SMALL
    return -(-size // setup.session) * setup.session


def cut(first: int, end: int, size: int, stops: Sequence[int] = ()) -> Iterator[tuple[int, int]]:
    """Blocks ``(first, count)`` of the matches ``first`` ... ``end - 1``.

    They end at multiples of ``size`` and at ``stops``, wherever the run started, so that a run
    that was resumed has the same blocks.
    """
    while first < end:
        after = [stop for stop in stops if stop > first]
        until = min(end, (first // size + 1) * size, *after)
        yield first, until - first
        first = until
