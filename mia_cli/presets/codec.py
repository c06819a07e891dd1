"""TOML text to a Preset and back, strictly: every value that is not exactly right is a problem."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mia_cli.players.names import CPU_WORDS, is_level
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet

PLAYERS = 3
"""Seats at a table for which nothing else is said."""
KEYS = ("lives", "penalty_21", "players", "cpu", "description")
"""The keys of a preset; the first two are required."""
REQUIRED = {"lives": LIVES, "penalty_21": PENALTIES}
LONGEST_DESCRIPTION = 200
"""Characters of a description."""

_MOST_DOTS = LONGEST_DESCRIPTION + 50
"""Dots in a line: a description may consist of them."""
_KEY = re.compile(r"""\s*\[*\s*(?:"([^"]*)"|'([^']*)'|([^\s=.\]"']+))\s*(?:[=.\]]|$)""")
_NUMBERS = {**REQUIRED, "players": SEATS}


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set with a name, and what it says about the table (None: nothing).

    ``cpus`` is one level for every CPU seat, or one each. ``path`` is the file it was read from.
    """

    name: str
    rules: RuleSet
    players: int | None = None
    cpus: tuple[str, ...] | None = None
    description: str = ""
    path: Path | None = None


def decode(data: bytes, name: str, path: Path) -> Preset | tuple[BadRuleSet, ...]:
    """The preset in the bytes of a file, or all its problems in the order of the file's keys.

    The codes: ``preset_not_utf8``, ``preset_empty``, ``preset_not_toml`` (reason),
    ``preset_unknown_key`` and ``preset_misspelt_key`` (key, nearest), ``preset_table`` (key),
    ``preset_value`` (key, value, allowed), ``preset_missing_key``, ``preset_description``,
    ``preset_cpu_count``, ``preset_cpu_many``; each with path and spot (``":3"`` for line 3,
    ``":3:7"`` for its column 7, or empty).
    """
    from tomllib import TOMLDecodeError, loads

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return (BadRuleSet("preset_not_utf8", path=path),)
    if "\0" in text:  # UTF-16 without a byte-order mark is valid UTF-8
        return (BadRuleSet("preset_not_utf8", path=path),)
    if not text.strip():
        return (BadRuleSet("preset_empty", path=path, allowed=tuple(REQUIRED)),)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MOST_DOTS:  # a dotted key takes time by the square of its parts
            return (BadRuleSet("preset_too_deep", path=path, spot=f":{number}"),)
    try:
        table = loads(text)
    except (TOMLDecodeError, RecursionError, ValueError) as error:
        reason, spot = _parted(str(error), text)
        return (BadRuleSet("preset_not_toml", path=path, spot=spot, reason=reason),)
    problems = tuple(_problems(table, text, path))
    return problems or _preset(table, name, path)


def _parted(said: str, text: str) -> tuple[str, str]:
    """What the TOML reader says, and where: ``":3:7"`` for line 3, column 7."""
    found = re.fullmatch(
        r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", said, re.DOTALL
    )
    if found is None:
        return said, ""
    reason, line, column = found.groups()
    return reason, f":{text.count(chr(10)) + 1}" if line is None else f":{line}:{column}"


def _preset(table: Mapping[str, Any], name: str, path: Path) -> Preset:
    cpu = table.get("cpu")
    return Preset(
        name=name,
        rules=RuleSet(lives=table["lives"], penalty_21=table["penalty_21"]),
        players=table.get("players"),
        cpus=None if cpu is None else (cpu,) if isinstance(cpu, str) else tuple(cpu),
        description=table.get("description", ""),
        path=path,
    )


def _problems(table: Mapping[str, Any], text: str, path: Path) -> Iterator[BadRuleSet]:
    spots = _spots(text)
    for key, value in table.items():
        where = {"path": path, "spot": spots.get(key, ""), "key": key}
        if key not in KEYS:
            yield _unknown(key, value, where)
        elif key in _NUMBERS:
            if not _is_one_of(value, _NUMBERS[key]):
                yield _bad_value(value, _NUMBERS[key], where)
        elif key == "cpu":
            yield from _cpu_problems(value, table.get("players"), where)
        elif not _is_description(value):
            yield BadRuleSet(
                "preset_description", **where, value=_spelt(value), longest=LONGEST_DESCRIPTION
            )
    for key, allowed in REQUIRED.items():
        if key not in table:
            yield BadRuleSet("preset_missing_key", path=path, key=key, allowed=allowed)


def _unknown(key: str, value: object, where: Mapping[str, object]) -> BadRuleSet:
    from difflib import get_close_matches

    if isinstance(value, dict) and any(inner in KEYS for inner in value):
        return BadRuleSet("preset_table", **where)
    near = get_close_matches(key.lower(), KEYS, n=1)
    if near:
        return BadRuleSet("preset_misspelt_key", **where, nearest=near[0], allowed=KEYS)
    return BadRuleSet("preset_unknown_key", **where, allowed=KEYS)


def _cpu_problems(
    value: object, players: object, where: Mapping[str, object]
) -> Iterator[BadRuleSet]:
    levels = value if isinstance(value, list) else [value]
    bad = [level for level in levels if not is_level(level)]
    for level in bad:
        yield _bad_value(level, CPU_WORDS, where)
    if not levels:
        yield _bad_value(value, CPU_WORDS, where)
    if len(levels) <= 1:
        return
    if players is None and len(levels) + 1 not in SEATS:
        yield BadRuleSet("preset_cpu_many", **where, given=len(levels), most=SEATS[-1] - 1)
    if isinstance(players, int) and _is_one_of(players, SEATS) and len(levels) != players - 1:
        yield BadRuleSet(
            "preset_cpu_count", **where, given=len(levels), players=players, needed=players - 1
        )


def _bad_value(
    value: object, allowed: tuple[object, ...], where: Mapping[str, object]
) -> BadRuleSet:
    return BadRuleSet("preset_value", **where, value=_spelt(value), allowed=allowed)


def _is_one_of(value: object, allowed: tuple[int, ...]) -> bool:
    # bool is an int to isinstance, and 3.0 == 3: neither is a number of lives.
    return type(value) is int and value in allowed


def _is_description(value: object) -> bool:
    if not isinstance(value, str) or len(value) > LONGEST_DESCRIPTION:
        return False
    return len(value.splitlines()) <= 1


def _spelt(value: object) -> str:
    """A value as TOML spells it, near enough for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_spelt, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_spelt(inner)}" for key, inner in value.items()) + "}"
    return str(value)


def _spots(text: str) -> dict[str, str]:
    """``":3"`` for a key that stands in line 3, unless it is spelt in an unusual way."""
    spots: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        found = _KEY.match(line)
        if found:
            spots.setdefault(next(filter(None, found.groups()), ""), f":{number}")
    return spots


def encode(preset: Preset) -> str:
    """The preset as the text of a TOML file, keys in the order of KEYS."""
    import tomli_w

    table: dict[str, object] = {
        "lives": preset.rules.lives,
        "penalty_21": preset.rules.penalty_21,
    }
    if preset.players is not None:
        table["players"] = preset.players
    if preset.cpus is not None:
        table["cpu"] = preset.cpus[0] if len(preset.cpus) == 1 else list(preset.cpus)
    if preset.description:
        table["description"] = preset.description
    return tomli_w.dumps(table)
