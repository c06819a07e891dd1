"""The players of a run in one worker: tables, programs and players that learn, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mia_cli.engine.player import Player
from mia_cli.players.bot.command import command_of
from mia_cli.players.registry import has_tables, make, strategy
from mia_cli.rules.events import Event, seen_by
from mia_cli.simulate.bots import Program, opening
from mia_cli.simulate.engine_match import TablePlayer
from mia_cli.simulate.lockstep.alias_tables import Pool
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.setup import Setup

if TYPE_CHECKING:
    from mia_cli.players.shark import Shark


class WorkerPlayers:
    """The players as named. Every program is started; every learning player learns on its own.

    Raises BotFault for a program that cannot be started, BadRuleSet for a bot without a command.
    """

    def __init__(self, setup: Setup, seconds: float | None = None) -> None:
        self._setup = setup
        seats = len(setup.players)
        known = {name: setup.given.get(name, name) for name in setup.players}
        distinct = [name for name, player in known.items() if has_tables(player)]
        self._pool = Pool([strategy(known[name], setup.rules, seats) for name in distinct])
        commands = dict(setup.commands)

        def start_bot(name: str) -> Player:
            return Program(*command_of(name, commands), seconds, forgiving=setup.forgives)

        def player(name: str) -> Player:
            if name in distinct:
                return TablePlayer(self._pool, distinct.index(name))
            return make(known[name], setup.rules, seats, start_bot=start_bot)

        self.players: Sequence[Player] = tuple(map(player, setup.players))
        self._programs = {
            at: one for at, one in enumerate(self.players) if isinstance(one, Program)
        }
        self._sharks = self._learning()
        try:
            for program in self._programs.values():
                program.start()
        except BaseException:
            self.close()
            raise

    def _learning(self) -> dict[int, Shark]:
        """The sharks by place; where all have tables or are programs, none is looked for."""
        known = (TablePlayer, Program)
        others = {at: one for at, one in enumerate(self.players) if not isinstance(one, known)}
        if not others:
            return {}
        from mia_cli.players.shark import Shark

        return {at: one for at, one in others.items() if isinstance(one, Shark)}

    def start_session(self) -> None:
        """Let players that learn forget what they learned."""
        for shark in self._sharks.values():
            shark.forget()

    def begin(self, match: int, seating: Seating) -> None:
        """Tell the programs that a match begins."""
        if self._pool.is_full:
            self._pool.clear()
        if self._programs:
            started = opening(self._setup, match, seating)
            for at, program in self._programs.items():
                program.begin(seating.order.index(at) + 1, started)

    def end(self, seating: Seating, events: Sequence[Event]) -> None:
        """Tell programs and learning players how a match went, as their seats may know it."""
        for program in self._programs.values():
            program.end(events)
        for at, shark in self._sharks.items():
            seat = seating.order.index(at) + 1
            shark.end_match([seen_by(event, seat) for event in events])

    def close(self) -> None:
        """End every program, whatever happens."""
        try:
            for program in self._programs.values():
                program.close()
        finally:
            for program in self._programs.values():
                program.close()
