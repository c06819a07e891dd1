"""A program as a player: the protocol ``mia.bot/1`` on its stdin and stdout.

One Bot is one seat, and runs one process for it: the same program at two seats runs twice, and
each copy knows what its own seat may know. A process plays many matches in a row. For a match,
and for a run of matches in a worker::

    with Bot("mine", "python3 bot.py") as bot:
        bot.begin(seat, match_started(head), encode)  # at the start of every match
        ...                                           # bot.claim(seen, u), bot.answer(seen, u)
        bot.hear(table.events)                        # after the last event of the match

``encode`` gives the JSON object of an event (``records.codec.encode_with``); what it writes into
``match_over`` is told to the bot, so a runner must not put in a seed from which dice to come
follow. Events reach the bot with the next request, in one write: those of ``seen.history`` beyond
what was sent before, those of ``hear`` after masking for the seat. So a match that is resumed is
told from its beginning, and ``hear`` is needed only for what follows a seat's last decision.

A fault ends the process. It is raised again for every further decision of that match; the next
``begin`` allows a new start, until the bot is given up (see Limits): then every match begins with
that fault, and nothing is started. A Bot that is pickled, or that a forked worker inherits, is a
player without a process and starts its own. Without ``close`` the process is ended when the Bot
is collected or the interpreter ends; workers that end by ``os._exit`` have to close.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mia_cli.players.bot import messages
from mia_cli.players.bot.command import arguments
from mia_cli.players.bot.fault import WRONG_REPLIES, BotFault, Broken, bot_fault
from mia_cli.players.bot.messages import Encode
from mia_cli.players.bot.process import BotProcess
from mia_cli.rules.events import Event
from mia_cli.rules.match import Answer, Observation
from mia_cli.rules.rolls import Claim

BotDecision = TypeVar("BotDecision", Claim, Answer)

_FAREWELL = 0.2
"""Seconds to hear the last events, and again to end by itself, when a bot is closed."""


@dataclass(frozen=True, slots=True)
class BotLimits:
    """How long a bot may think, and how often it is started again.

    ``decision``: seconds for a reply; ``start``: seconds more for the first reply of a process.
    ``forgiving``: after a fault it is asked again in the same match, and a wrong reply, which is a
    whole line, does not end the process.
    A bot is given up after ``fruitless`` starts in a row without any good reply, or after
    ``faults`` matches in a row that ended with a fault.
    """

    decision: float = 1.0
    start: float = 2.0
    fruitless: int = 3
    faults: int = 20
    forgiving: bool = False


DEFAULT_LIMITS = BotLimits()


class Bot:
    """Plays one seat by asking a program. ``name`` is the NAME of ``bot:NAME``.

    Raises CannotRead("bad_bot_command") for a command that is none. What the program does wrong
    is raised as BotFault by ``start``, ``claim`` and ``answer``.
    """

    def __init__(self, name: str, command: str, limits: BotLimits = DEFAULT_LIMITS) -> None:
        self.name = name
        self._command = command
        self._arguments = arguments(name, command)
        self._limits = limits
        self._process: BotProcess | None = None
        self._seat: int | None = None
        self._encode: Encode | None = None
        self._opening: list[str] = []
        self._pending: list[str] = []
        self._heard = 0
        self._fault: BotFault | None = None
        self._faults_in_row = 0
        self._fruitless = 0

    @property
    def is_given_up(self) -> bool:
        """True once no further start is tried."""
        limits = self._limits
        return self._fruitless >= limits.fruitless or self._faults_in_row >= limits.faults

    def start(self) -> None:
        """Start the program now instead of at its first decision. Raises BotFault."""
        self._raise_known_fault()
        try:
            self._running()
        except Broken as broken:
            raise self._failed(broken) from None

    def begin(self, seat: int, started: Mapping[str, object], encode: Encode) -> None:
        """A match begins: ``started`` is its ``match_started`` event as a JSON object."""
        if self._fault is None:
            self._faults_in_row = 0
        elif not self.is_given_up:
            self._fault = None
        self._seat, self._encode = seat, encode
        self._opening = messages.opening(seat, started)
        self._heard = 0
        # A process that is running may still have to hear how the last match ended.
        self._pending = [*(self._pending if self._process else ()), *self._opening]

    def hear(self, history: Sequence[Event]) -> None:
        """All events of the match so far, masked or not; what is new goes with the next request."""
        if self._process is None:
            return  # a process that starts later is told everything
        seat, encode = self._match()
        self._pending += [
            messages.event_line(event, seat, encode) for event in history[self._heard :]
        ]
        self._heard = len(history)

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Ask for a claim. Raises BotFault."""
        del uniform
        return self._ask(seen, lambda line: messages.read_claim(line, seen.above))

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Ask to accept or challenge, also where the rules leave no choice. Raises BotFault."""
        del uniform
        claim = seen.claim
        if claim is None:
            raise AssertionError("an answer was asked of a seat that heard no claim")
        return self._ask(seen, lambda line: messages.read_answer(line, claim))

    def close(self) -> None:
        """Tell the last events and end the program; harmless when repeated."""
        process, lines = self._process, self._pending
        try:
            if process is not None and process.is_ours and lines:
                process.tell(_joined(lines), _FAREWELL)
        finally:
            self._drop(_FAREWELL)

    def __enter__(self) -> Bot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        return Bot, (self.name, self._command, self._limits)

    def __repr__(self) -> str:
        return f"Bot({self.name!r}, {self._command!r})"

    def _ask(self, seen: Observation, read: Callable[[bytes], BotDecision]) -> BotDecision:
        if self._limits.forgiving and not self.is_given_up:
            self._fault = None
        self._raise_known_fault()
        try:
            process = self._running()
            self.hear(seen.history)
            lines = _joined([*self._pending, messages.request(seen)])
            self._pending.clear()
            decision = read(process.ask(lines, self._seconds(process)))
        except Broken as broken:
            raise self._failed(broken) from None
        except BaseException:
            # Ctrl-C: the reply to come would be taken for that to the next request.
            self._drop(0.0)
            raise
        process.has_answered = True
        return decision

    def _seconds(self, process: BotProcess) -> float:
        limits = self._limits
        return limits.decision + (0.0 if process.has_answered else limits.start)

    def _running(self) -> BotProcess:
        """The process, started if need be; a new one has heard nothing of the match yet."""
        if self._process is not None and not self._process.is_ours:
            self._drop(0.0)
        if self._process is None:
            self._process = BotProcess(self._arguments)
        return self._process

    def _drop(self, patience: float) -> None:
        """End the process; the next one will be told the match from its beginning."""
        process, self._process = self._process, None
        self._pending = list(self._opening)
        self._heard = 0
        if process is not None:
            process.stop(patience)

    def _failed(self, broken: Broken) -> BotFault:
        """The fault to raise, after ending the process, where it is of no more use."""
        process = self._process
        stderr: tuple[str, ...] = ()
        has_answered = False
        if process is not None:
            has_answered = process.has_answered
            if not (self._limits.forgiving and broken.cause in WRONG_REPLIES):
                self._drop(0.0)
            stderr = process.stderr_lines()
        self._faults_in_row += 1
        self._fruitless = 0 if has_answered else self._fruitless + 1
        self._fault = bot_fault(broken, self.name, self._seat, stderr)
        return self._fault.anew()

    def _raise_known_fault(self) -> None:
        if self._fault is not None:
            raise self._fault.anew(seat=self._seat)

    def _match(self) -> tuple[int, Encode]:
        if self._seat is None or self._encode is None:
            raise AssertionError("a bot was asked before its match began")
        return self._seat, self._encode


def _joined(lines: Sequence[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
