"""Blocks of matches: what a worker is given, and what comes back.

Two kinds of block players give the same results and logs: a kernel, for players that are tables;
and the engine, match by match, for all players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mia_cli.players.bot.fault import BotFault
from mia_cli.players.registry import all_have_tables, strategies
from mia_cli.rules.events import Accepted, Challenged, Claimed, Event, MatchOver, Revealed, Rolled
from mia_cli.rules.rolls import Roll
from mia_cli.simulate.engine_match import Forfeit, play_match
from mia_cli.simulate.lines import MatchLines
from mia_cli.simulate.lockstep.draws import Draws
from mia_cli.simulate.lockstep.kernel import KernelGame, open_kernel
from mia_cli.simulate.lockstep.library import KernelName
from mia_cli.simulate.lockstep.situations import (
    ACCEPTED_BLUFF,
    ACCEPTED_TRUE,
    CAUGHT,
    CAUGHT_21,
    HELD,
    HELD_21,
)
from mia_cli.simulate.record import line
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.sessions import SessionCounts
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.tally import Tally
from mia_cli.simulate.workers.players import WorkerPlayers

LARGE, SMALL, FEW = 1 << 17, 1 << 6, 1 << 3
"""Matches in a block: of the kernel; of the engine; and where decisions may take long."""

Faults = Mapping[tuple[int, str], int]
"""How many matches a player (as named) lost by a fault of a cause."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault of a program: the match, and the player as named."""

    match: int
    player: int
    fault: BotFault


@dataclass(frozen=True, slots=True)
class Part:
    """What came of the matches ``first`` ... ``first + count - 1``.

    ``faults``: matches that a player lost by a fault. ``log``: a line for each match. ``failure``:
    the first fault; with ``stopped``, it ended the block, and its match does not count.
    ``kernel``: which one played, None for the engine.
    """

    first: int
    count: int
    tally: Tally
    faults: Faults = field(default_factory=dict)
    log: bytes = b""
    failure: Failure | None = None
    stopped: bool = False
    kernel: KernelName | None = None

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


class KernelBlocks:
    """Blocks between players that are tables. Raises NotAllowed("not_exact") for others."""

    def __init__(
        self, setup: Setup, kernel: KernelName | None = None, *, logged: bool = False
    ) -> None:
        players = strategies(setup.players, setup.rules, setup.given)
        game = KernelGame(setup.rules, players, setup.seatings, setup.seed)
        self._kernel = open_kernel(game, kernel)
        self._lines = MatchLines(setup) if logged else None

    def play(self, first: int, count: int) -> Part:
        """Play these matches in lockstep."""
        name = self._kernel.name
        if self._lines is None:
            return Part(first, count, self._kernel.play(first, count), kernel=name)
        tally, traced = self._kernel.trace(first, count)
        return Part(first, count, tally, log=self._lines.lines(first, traced), kernel=name)

    def close(self) -> None:
        """Nothing was started."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a run."""

    events: Sequence[Event]
    forfeits: Sequence[Forfeit]


class EngineBlocks:
    """Blocks through the engine, match by match, with any players.

    What a player learns it forgets at the start of every session of ``setup.session`` matches. A
    block that begins in the middle of a session plays it from its start, without counting.
    With ``stop``, a fault of a program ends the block; otherwise its seat forfeits the match,
    or a life (see Setup).
    """

    def __init__(
        self,
        setup: Setup,
        players: WorkerPlayers,
        *,
        logged: bool = False,
        stop: bool = False,
    ) -> None:
        self._setup, self._players, self._logged, self._stop = setup, players, logged, stop
        self._next: int | None = None
        self._session = SessionCounts(len(setup.players))

    def play(self, first: int, count: int) -> Part:
        """Play these matches one after another."""
        setup, tally = self._setup, empty_tally(self._setup)
        faults: dict[tuple[int, str], int] = {}
        failure: Failure | None = None
        lines: list[bytes] = []
        for match in range(first, first + count):
            try:
                played = self.match(match)
            except BotFault as fault:
                done, player = match - first, self._player(match, fault)
                failure = Failure(match, player, fault.anew())
                return Part(first, done, tally, faults, b"".join(lines), failure, stopped=True)
            place = count_match(tally, setup, match, played.events)
            self._session.add(setup.seating_of(match), place, tally.sessions)
            for forfeit in played.forfeits:
                player = setup.seating_of(match).order[forfeit.seat - 1]
                key = player, forfeit.fault.cause
                faults[key] = faults.get(key, 0) + 1
                failure = failure or Failure(match, player, forfeit.fault)
            if self._logged:
                lines.append(line(setup, match, played.events, played.forfeits))
        return Part(first, count, tally, faults, b"".join(lines), failure)

    def match(self, match: int) -> PlayedMatch:
        """Play a match, after those of its session that come before it. Raises BotFault."""
        place = self._setup.place_in_session(match)
        if place and match != self._next:
            for earlier in range(match - place, match):
                played = self._one(earlier)
                seating = self._setup.seating_of(earlier)
                self._session.add(seating, winning_place(seating, played.events), None)
        return self._one(match)

    def close(self) -> None:
        """End the programs that play."""
        self._players.close()

    def _one(self, match: int) -> PlayedMatch:
        setup, players = self._setup, self._players
        seating = setup.seating_of(match)
        if not setup.place_in_session(match):
            players.start_session()
            self._session = SessionCounts(len(setup.players))
        self._next = None
        players.begin(match, seating)
        forfeits: list[Forfeit] = []
        draws = Draws(setup.seed, match)
        events = play_match(
            setup.rules,
            players.players,
            seating,
            draws,
            None if self._stop else forfeits,
            forgives=setup.forgives,
        )
        players.end(seating, events)
        self._next = match + 1
        return PlayedMatch(events, forfeits)

    def _player(self, match: int, fault: BotFault) -> int:
        """The player, as named, whose fault it is; of an earlier match of the session maybe."""
        seat = fault.fields["seat"]
        assert isinstance(seat, int)
        return self._setup.seating_of(match).order[seat - 1]


def empty_tally(setup: Setup) -> Tally:
    """Nothing played yet of a setup."""
    return Tally.empty(len(setup.players), len(setup.seatings), sessions=setup.session > 1)


def count_match(tally: Tally, setup: Setup, match: int, events: Sequence[Event]) -> int:
    """Add one match of a run to a tally, from its events; returns the place that won.

    A turn that a fault broke off is none: it has no answer.
    """
    number, seating = setup.seating_number(match), setup.seating_of(match)
    tally.played[number] += 1
    # Adding to an array costs more than all the rest: once for turns that are alike.
    for (roller, answering, kind), turns in Counter(_turns(events)).items():
        players = seating.order[roller - 1], seating.order[answering - 1]
        tally.events[(*players, kind)] += turns
    place = winning_place(seating, events)
    tally.wins[number, place] += 1
    return place


def winning_place(seating: Seating, events: Sequence[Event]) -> int:
    """How far from the first leader the winner of a match sits."""
    winner = next(event.winner for event in reversed(events) if isinstance(event, MatchOver))
    return (winner - seating.leader) % len(seating.order)


def _turns(events: Sequence[Event]) -> Iterator[tuple[int, int, int]]:
    """Seats that rolled and answered, and the event as in ``situations``, turn by turn."""
    roll: Roll | None = None
    said: Claimed | None = None
    challenger = 0
    for event in events:
        if isinstance(event, Rolled):
            roll = event.roll
        elif isinstance(event, Claimed):
            said = event
        elif isinstance(event, Accepted) and said and roll:
            true = roll.supports(said.claim)
            yield said.seat, event.seat, ACCEPTED_TRUE if true else ACCEPTED_BLUFF
        elif isinstance(event, Challenged):
            challenger = event.seat
        elif isinstance(event, Revealed):
            plain, at_21 = (HELD, HELD_21) if event.holds else (CAUGHT, CAUGHT_21)
            kind = at_21 if event.claim.must_be_challenged else plain
            yield event.seat, challenger, kind


def open_blocks(
    setup: Setup,
    *,
    logged: bool = False,
    kernel: KernelName | None = None,
    seconds: float | None = None,
    stop: bool = False,
) -> BlockPlayer:
    """The block player for a setup: the kernel where it can be, else the engine.

    ``logged``: with the lines of a log. ``kernel``: None for what is best here. Of programs:
    ``seconds`` is their time for a decision
    (None: the usual), ``stop`` as in EngineBlocks. Raises NotAllowed("no_compiled_kernel"), and
    what WorkerPlayers raises.
    """
    if all_have_tables(setup.players, setup.given):
        return KernelBlocks(setup, kernel, logged=logged)
    return EngineBlocks(setup, WorkerPlayers(setup, seconds), logged=logged, stop=stop)


def block_size(setup: Setup, *, logged: bool) -> int:
    """Matches in a block: whole sessions, and so few that a block takes well below a second.

    Where a decision may take long, a few seconds: nobody knows how long a program thinks.
    """
    usual = SMALL if logged else LARGE
    size = usual if all_have_tables(setup.players, setup.given) else FEW
    return -(-size // setup.session) * setup.session


def cut(
    first: int, end: int, size: int, stops: Sequence[int] = (), origin: int = 0
) -> Iterator[tuple[int, int]]:
    """Blocks ``(first, count)`` of the matches ``first`` ... ``end - 1``.

    They end at multiples of ``size``, counted from ``origin``, and at ``stops``, wherever the run
    started, so that a run that was resumed has the same blocks.
    """
    while first < end:
        after = [stop for stop in stops if stop > first]
        until = min(end, origin + ((first - origin) // size + 1) * size, *after)
        yield first, until - first
        first = until
