"""Matches played with random legal actions, as records; and what the tests of records share."""

import random
from collections.abc import Sequence
from pathlib import Path

from mia_cli.engine.driver import SeededDice, Table
from mia_cli.engine.seed import fingerprint
from mia_cli.records.head import Seat
from mia_cli.records.record import MatchRecord
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import MatchOver
from mia_cli.rules.match import Challenge, Throw, legal_actions, start
from mia_cli.rules.ruleset import RuleSet

CREATED = "2026-11-30T03:32:05Z"
ENDED = "2026-11-30T03:47:59Z"
ID = "20261130-0332-k7f3q2"
NAMES = ("You", "Ada", "Bo", "Zoë", "[red]x[/red]", "日本 \u202e\x1b[31m\n")
LEVELS = ("easy", "normal", "hard", "expert", "bot:my bot", "shark")
BIG_SEED = 3**200


def random_action(table, rng):
    """A throw of the seeded dice is made by the caller; this is a player's legal action."""
    actions = legal_actions(table.match)
    if isinstance(actions[-1], Challenge):
        return rng.choice((*actions, *actions, actions[0]))
    return rng.choice(actions[:6])  # the lowest ones: rounds of some length


def steps(seed, seats, rules, leader, rng):
    """The table after every action of one match, its start included."""
    table = Table(*start(rules, seats, leader))
    dice = SeededDice(seed)
    yield table
    while table.match.phase != "over":
        is_roll = table.match.phase == "roll"
        table.step(Throw(dice(table.rolls)) if is_roll else random_action(table, rng))
        yield table


def record_of(events, seed, rules, human=1, match_id=ID):
    """The record of a match with these events."""
    winner = events[-1].winner if isinstance(events[-1], MatchOver) else None
    return MatchRecord(
        id=match_id,
        created=CREATED,
        ended=None if winner is None else ENDED,
        status="unfinished" if winner is None else "finished",
        version="0.1.0",
        ruleset=rules,
        preset="standard",
        seats=tuple(
            Seat(seat, NAMES[seat - 1], "human" if seat == human else LEVELS[seat - 1])
            for seat in range(1, len(events[0].lives) + 1)
        ),
        seed=seed,
        seed_fingerprint=fingerprint(seed),
        events=tuple(events),
        winner=winner,
    )


class History(Sequence):
    """The records of one match after every action, the last one finished; made when asked for."""

    def __init__(self, events, lengths, make):
        self._events, self._lengths, self._make = events, lengths, make

    def __len__(self):
        return len(self._lengths)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return History(self._events, self._lengths[at], self._make)
        return self._make(self._events[: self._lengths[at]])

    def some(self):
        """About eight of them, the finished one included."""
        return [*self[:: max(1, len(self) // 8)], self[-1]]


def history(*, seed=7, seats=3, lives=2, penalty=1, leader=1, human=1, choices=1, match_id=ID):
    """A match with its rules, its seed, and random but repeatable choices of its players."""
    rules, lengths = RuleSet(lives, penalty), []
    for table in steps(seed, seats, rules, leader, random.Random(choices)):
        lengths.append(len(table.events))
    return History(
        tuple(table.events), lengths, lambda events: record_of(events, seed, rules, human, match_id)
    )


def caught(action):
    """The MiaError that ``action`` raises; the test fails when it raises none."""
    try:
        result = action()
    except MiaError as error:
        return error
    raise AssertionError(f"nothing was raised, the result is {result!r}")


def files_in(folder: Path):
    """Names of everything in a folder, hidden files included."""
    return sorted(path.name for path in folder.iterdir())
