"""The names of players: what may be said of a CPU seat, in options, presets and records.

Loads no solver and makes no player; ``registry`` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mia_cli.players.habits import HABITS

EXPERT = "expert"
"""The level that plays the equilibrium."""
SHARK = "shark"
"""The level that learns."""
FIXED = (*HABITS, EXPERT)
"""Levels that play by the same tables whatever happened before."""
LEVELS = (*FIXED, SHARK)
"""Levels of CPU players, weakest first."""
SOLVED = (EXPERT, SHARK)
"""Levels that need the solution of their table."""
BOT = "bot:"
"""What stands before the name of a program that plays."""
CPU_WORDS = (*LEVELS, "bot:NAME")
"""What may be said about a CPU seat, as a message lists it."""

_BOT_NAME = re.compile(r"bot:[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


def is_level(text: object) -> bool:
    """True for a level of LEVELS and for ``bot:NAME``."""
    return isinstance(text, str) and (text in LEVELS or _BOT_NAME.fullmatch(text) is not None)


def is_bot(level: str) -> bool:
    """True for ``bot:NAME``."""
    return level.startswith(BOT)


def are_tables(players: Sequence[str]) -> bool:
    """True when the kernel and exact evaluation can play them all."""
    return all(name in FIXED for name in players)


def learn(players: Sequence[str]) -> bool:
    """True when one of them learns from match to match."""
    return SHARK in players
