"""Programs as opponents of the person: from ``--bot`` to players, and what is said of faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mia_cli.engine.player import Player
from mia_cli.players.bot.command import bot_commands, bot_time, command_of
from mia_cli.players.bot.fault import BotFault
from mia_cli.players.names import is_bot
from mia_cli.records.record import MatchRecord
from mia_cli.rules.events import Event
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.plain import printable

if TYPE_CHECKING:
    from mia_cli.players.bot.player import Bot


@dataclass(frozen=True, slots=True)
class Bots:
    """Commands by the names of bots, and seconds per decision (None: the usual)."""

    commands: Mapping[str, str]
    seconds: float | None = None

    def require(self, level: str) -> tuple[str, str]:
        """Name and command of ``bot:NAME``. Raises BadRuleSet("bot_undefined")."""
        return command_of(level, self.commands)

    def started(self, level: str) -> Player:
        """The bot ``bot:NAME``, its program running. Raises BadRuleSet, CannotRead, BotFault."""
        from mia_cli.players.bot.player import Bot, BotLimits

        limits = BotLimits() if self.seconds is None else BotLimits(decision=self.seconds)
        bot = Bot(*self.require(level), limits)
        bot.start()
        return bot


def read_bots(texts: Sequence[str], seconds: str | None) -> Bots:
    """The bots of ``--bot`` and ``--bot-time`` as typed. Raises CannotRead."""
    return Bots(bot_commands(texts), None if seconds is None else bot_time(seconds))


def begin_match(
    players: Sequence[Player], record: MatchRecord, *, seed_is_secret: bool = False
) -> None:
    """Tell the bots the match and their seats; events follow with their first decisions.

    They hear the seed's fingerprint only where the seed was drawn just now (``seed_is_secret``):
    one that somebody has typed or heard of before could be found from it, by trying.
    """
    from mia_cli.records.codec import encode_with, match_started

    def encode(event: Event) -> Mapping[str, object]:
        return encode_with(event, record.seed)

    started = match_started(record)
    if not seed_is_secret:
        started = {**started, "seed_fingerprint": None}
    for seat, bot in _bots(players, record):
        bot.begin(seat, started, encode)


def close_bots(players: Sequence[Player], record: MatchRecord, events: Sequence[Event]) -> None:
    """Tell the bots how it went on and end them."""
    for _seat, bot in _bots(players, record):
        bot.hear(events)
        bot.close()


def _bots(players: Sequence[Player], record: MatchRecord) -> Iterator[tuple[int, Bot]]:
    for seat, player in zip(record.seats, players, strict=True):
        if is_bot(seat.player):
            from mia_cli.players.bot.player import Bot

            assert isinstance(player, Bot)
            yield seat.seat, player


def fault_lines(fault: BotFault) -> list[str]:
    """What to say on stderr: the fault, and the last words of the program."""
    said = [f"  {printable(line)}" for line in fault.stderr]
    return [f"mia: {sentence(fault)}", *said]
