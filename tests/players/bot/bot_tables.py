"""Tables at which bots are asked, and the commands of the bots in ``bots/``."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.player import Player
from mia_cli.engine.seed import Stream, fingerprint, first_leader
from mia_cli.players.bot.player import Bot, BotLimits
from mia_cli.players.registry import make
from mia_cli.records.codec import encode_with, match_started
from mia_cli.records.head import Head, Seat
from mia_cli.rules.match import Accept, MakeClaim, Observation, Throw, apply, observation, start
from mia_cli.rules.rolls import parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet

BOTS = Path(__file__).parent / "bots"
PATIENT = BotLimits(decision=20.0)
"""For bots that do not keep anybody waiting, on a machine that may be busy."""
HASTY = BotLimits(decision=0.6, start=0.0)
"""For bots that do."""
HASTY_BUT_SLOW_TO_START = BotLimits(decision=0.6, start=20.0)
"""For bots that do so after a good reply."""
ID = "20300101-0000-aaaaaa"


def nasty(kind: str, argument: str = "") -> str:
    """The command of the bot that goes wrong in this way."""
    words = [sys.executable, "-I", "-S", str(BOTS / "nasty.py"), kind, argument]
    return shlex.join(words)


def open_descriptors() -> int:
    """How many files this process has open."""
    return sum(1 for _ in Path("/dev/fd").iterdir())


def runs(pid: int) -> bool:
    """True while a process runs; one that has ended and waits to be fetched does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:  # gone just now, or a system without these files
        return not Path("/proc/self").exists()
    return state != "Z"


def ends(pid: int, seconds: float = 5.0) -> bool:
    """True when a process ends in this time."""
    until = time.monotonic() + seconds
    while runs(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def truthful(suffix: str) -> str:
    """The command of a bot that the README shows."""
    program = {"py": shlex.quote(sys.executable), "sh": "sh"}[suffix]
    return f"{program} {shlex.quote(str(BOTS / f'truthful.{suffix}'))}"


def head(seats: int, rules: RuleSet, seed: int) -> Head:
    """The head of a match."""
    return Head(
        id=ID,
        ruleset=rules,
        seats=tuple(Seat(seat, f"Name {seat} ♥", "bot:x") for seat in range(1, seats + 1)),
        seed_fingerprint=fingerprint(seed),
    )


def begin(bot: Bot, seat: int = 1, seats: int = 2, seed: int = 1, rules: RuleSet | None = None):
    """Begin a match for a bot; returns the head."""
    of = head(seats, rules or RuleSet(), seed)
    bot.begin(seat, match_started(of), lambda event: encode_with(event, seed))
    return of


def seen_claim(above: str | None = None, roll: str = "31") -> Observation:
    """What seat 1 sees when it has to claim, over a claim of seat 2 or as leader."""
    if above is None:
        match, events = start(RuleSet(), 2, 1)
        actions = [Throw(parse_roll(roll))]
    else:
        match, events = start(RuleSet(), 2, 2)
        over = MakeClaim(parse_claim(above))
        actions = [Throw(parse_roll("66")), over, Accept(), Throw(parse_roll(roll))]
    return _seen(match, events, actions)


def seen_answer(claim: str = "55") -> Observation:
    """What seat 1 sees when it has to answer a claim of seat 2."""
    match, events = start(RuleSet(), 2, 2)
    return _seen(match, events, [Throw(parse_roll("66")), MakeClaim(parse_claim(claim))])


def _seen(match, events, actions) -> Observation:
    events = list(events)
    for action in actions:
        match, caused = apply(match, action)
        events += caused
    return observation(match, 1, events)


def play_match(
    bots: dict[int, Bot], seats: int, seed: int, rules: RuleSet | None = None, level: str = "normal"
) -> Table:
    """A whole match with bots at some seats and a level at the others."""
    rules = rules or RuleSet()
    table = Table(*start(rules, seats, first_leader(seed, seats)))
    players: list[Player] = [make(level, rules)] * seats
    for seat, bot in bots.items():
        begin(bot, seat, seats, seed, rules)
        players[seat - 1] = bot
    for _ in run(table, players, SeededDice(seed), lambda seat: Stream(seed, f"seat {seat}")):
        pass
    for bot in bots.values():
        bot.hear(table.events)
    return table
