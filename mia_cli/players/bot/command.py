"""Bots as they are named on a command line: ``NAME=COMMAND``, ``bot:NAME`` and a time limit."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from mia_cli.players.names import BOT, is_level
from mia_cli.rules.errors import BadRuleSet, CannotRead

LONGEST_TIME = 3600.0
"""Seconds a bot may be given for a decision."""


def bot_commands(texts: Iterable[str]) -> dict[str, str]:
    """Commands by name from texts like ``mine=python3 bot.py``.

    Raises CannotRead: ``bad_bot`` (value) without ``=``, ``bad_bot_name`` (value),
    ``bad_bot_command`` (bot, value), ``bot_twice`` (bot).
    """
    commands: dict[str, str] = {}
    for text in texts:
        name, equals, command = text.partition("=")
        name = name.strip()
        if not equals:
            raise CannotRead("bad_bot", value=text)
        if not is_level(BOT + name):
            raise CannotRead("bad_bot_name", value=name)
        arguments(name, command)
        if name in commands:
            raise CannotRead("bot_twice", bot=name)
        commands[name] = command
    return commands


def arguments(name: str, command: str) -> tuple[str, ...]:
    """The words of a command, split as a POSIX shell quotes, with no shell.

    Raises CannotRead("bad_bot_command") for no words, an empty program or an open quote.
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError:
        words = ()
    if not words or not words[0]:
        raise CannotRead("bad_bot_command", bot=name, value=command)
    return words


def command_of(level: str, commands: Mapping[str, str]) -> tuple[str, str]:
    """Name and command of ``bot:NAME``. Raises BadRuleSet("bot_undefined")."""
    name = level.removeprefix(BOT)
    if name not in commands:
        raise BadRuleSet("bot_undefined", bot=name)
    return name, commands[name]


def bot_time(text: str) -> float:
    """Seconds for a decision, above 0 and at most LONGEST_TIME. Raises CannotRead."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= LONGEST_TIME:  # nan is neither
        raise CannotRead("bad_bot_time", value=text, longest=int(LONGEST_TIME))
    return seconds
