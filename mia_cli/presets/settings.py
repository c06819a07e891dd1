"""One set of values for a table: option, then environment, then preset, then built-in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mia_cli.players.names import CPU_WORDS, is_level
from mia_cli.presets.codec import PLAYERS
from mia_cli.presets.folders import load
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet

PRESET = "standard"
"""The preset for which nothing else is said."""
CPU = "normal"
"""The level of CPU seats for which nothing else is said."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table plays by. ``cpus`` has one level per CPU seat, ``players`` - 1 of them.

    ``preset`` is the name of the preset in use, also where an option replaced some of its values.
    """

    preset: str
    rules: RuleSet
    players: int
    cpus: tuple[str, ...]


def resolve(  # noqa: PLR0913 - one keyword per value
    environ: Mapping[str, str],
    *,
    rules: str | None,
    lives: str | None,
    penalty_21: str | None,
    players: str | None,
    cpus: Sequence[str],
) -> TableSettings:
    """Settle the values of a table; options are the text as typed, None or empty if not given.

    An empty variable counts as not set; ``MIA_CPU`` lists levels with commas. Raises BadRuleSet:
    ``bad_choice`` (value, place, allowed), ``cpu_count`` (place, given, players, needed),
    and what ``load`` raises for the preset.
    """
    place, name = _first(environ, "--rules", "MIA_RULES", rules) or ("", PRESET)
    preset = load(name, environ, place=place)
    chosen_lives = _number(environ, "--lives", "MIA_LIVES", lives, LIVES)
    chosen_penalty = _number(environ, "--penalty-21", "MIA_PENALTY_21", penalty_21, PENALTIES)
    chosen_players = _number(environ, "--players", "MIA_PLAYERS", players, SEATS)
    place, named = _named_levels(environ, cpus)
    seats = chosen_players or seats_named(named) or preset.players or seats_named(preset.cpus or ())
    if not named:
        place, named = f"{preset.path or preset.name}: cpu", preset.cpus or (CPU,)
    seats = seats or PLAYERS
    return TableSettings(
        preset=preset.name,
        rules=RuleSet(
            lives=chosen_lives or preset.rules.lives,
            penalty_21=chosen_penalty or preset.rules.penalty_21,
        ),
        players=seats,
        cpus=one_each(place, named, seats),
    )


def _first(
    environ: Mapping[str, str], option: str, variable: str, given: str | None
) -> tuple[str, str] | None:
    """Where a value comes from, and the value: the option, or the variable, or nowhere."""
    if given is not None:
        return option, given
    value = environ.get(variable)
    return (variable, value) if value else None


def _number(
    environ: Mapping[str, str],
    option: str,
    variable: str,
    given: str | None,
    allowed: tuple[int, ...],
) -> int | None:
    found = _first(environ, option, variable, given)
    if found is None:
        return None
    place, text = found
    return number(place, text, allowed)


def number(place: str, text: str, allowed: tuple[int, ...]) -> int:
    """One of a few numbers as typed; raises BadRuleSet("bad_choice") naming ``place``."""
    for value in allowed:
        if text.strip() == str(value):
            return value
    raise BadRuleSet("bad_choice", value=text, place=place, allowed=allowed)


def _named_levels(environ: Mapping[str, str], given: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    if given:
        return "--cpu", levels("--cpu", given)
    variable = environ.get("MIA_CPU")
    return "MIA_CPU", levels("MIA_CPU", variable.split(",")) if variable else ()


def seats_named(given: Sequence[str]) -> int | None:
    """The seats at a table whose opponents are named one by one; None for one level or none."""
    seats = len(given) + 1
    return seats if len(given) > 1 and seats in SEATS else None


def one_each(place: str, given: tuple[str, ...], players: int) -> tuple[str, ...]:
    """A level for each CPU seat, from one for all or one each.

    Raises BadRuleSet("cpu_count") naming ``place`` for any other number of levels.
    """
    needed = players - 1
    if len(given) == 1:
        return given * needed
    if len(given) != needed:
        raise BadRuleSet("cpu_count", place=place, given=len(given), players=players, needed=needed)
    return given


def levels(place: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Levels as typed; raises BadRuleSet("bad_choice") naming ``place``."""
    return tuple(_level(place, text) for text in texts)


def _level(place: str, text: str) -> str:
    """A level as it is named; the case of ``EASY`` does not matter, that of a bot's name does."""
    plain = text.strip()
    for level in (plain, plain.lower()):
        if is_level(level):
            return level
    raise BadRuleSet("bad_choice", value=text, place=place, allowed=CPU_WORDS)
