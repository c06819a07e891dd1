"""The names of players: what may be said of a CPU seat, in options, presets and records.

Loads no solver and makes no player; ``registry`` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mia_cli.players.habits import HABITS

EXPERT = "expert"
"""The level that plays the equilibrium."""
SHARK = "shark"
"""The level that learns."""
FIXED = (*HABITS, EXPERT)
"""Levels that play by the same tables whatever happened before."""
LEVELS = (*FIXED, SHARK)
"""Levels of CPU players, weakest first."""
TABLES = {**{level: habits.version for level, habits in HABITS.items()}, EXPERT: 2, SHARK: 2}
"""The version of each level's tables: raised when the level plays differently anywhere."""
TABLES_FIELD = "levels"
"""The field of records, runs and reports that says with which tables levels played."""
BOT = "bot:"
"""What stands before the name of a program that plays."""
CPU_WORDS = (*LEVELS, "bot:NAME")
"""What may be said about a CPU seat, as a message lists it."""

_BOT_NAME = re.compile(r"bot:[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


def is_level(text: object) -> bool:
    """True for a level of LEVELS and for ``bot:NAME``."""
    return isinstance(text, str) and (text in LEVELS or _BOT_NAME.fullmatch(text) is not None)


def tables_of(players: Iterable[str]) -> dict[str, int]:
    """The present versions of the levels among these players, weakest first."""
    named = set(players)
    return {level: version for level, version in TABLES.items() if level in named}


def other_tables(found: Mapping[str, int], players: Iterable[str]) -> dict[str, int]:
    """The levels among these players that played with other tables than the present ones.

    ``found``: the field of a record or run, empty where it has none; a level that is not in it
    played with its first tables. Returns those versions.
    """
    played = {level: found.get(level, 1) for level in tables_of(players)}
    return {level: version for level, version in played.items() if version != TABLES[level]}


def is_bot(level: str) -> bool:
    """True for ``bot:NAME``."""
    return level.startswith(BOT)


def learn(players: Sequence[str]) -> bool:
    """True when one of them learns from match to match."""
    return SHARK in players


def needs_solution(players: Sequence[str], seats: int) -> bool:
    """True when one of them plays by the solution of a table with so many seats.

    With two seats levels of habits do not: see ``levels``.
    """
    return any(name in {EXPERT, SHARK} or (name in HABITS and seats > 2) for name in players)
