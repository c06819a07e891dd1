"""One set of values for a table: option, then environment, then preset, then built-in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

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
class ValueSource:
    """Where a value of a table comes from.

    ``name`` is the option, the variable, or the preset that has it: one that was chosen by the
    option or variable ``chosen_by``, or the built-in one. None where no preset has a say.
    """

    kind: Literal["option", "variable", "preset", "built-in"]
    name: str | None = None
    chosen_by: str | None = None


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table plays by. ``cpus`` has one level per CPU seat, ``players`` - 1 of them.

    ``preset`` is the name of the preset in use, also where an option replaced some of its values.
    ``sources`` tells where ``lives``, ``penalty_21`` and ``players`` come from.
    """

    preset: str
    rules: RuleSet
    players: int
    cpus: tuple[str, ...]
    sources: Mapping[str, ValueSource] = field(default_factory=dict, compare=False)


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
    asked = _first(environ, "--rules", "MIA_RULES", rules)
    by, name = (asked[0].name or "", asked[1]) if asked else ("", PRESET)
    preset = load(name, environ, place=by)
    of_preset = (
        ValueSource("preset", preset.name, by) if asked else ValueSource("built-in", preset.name)
    )
    lives_found = _number(environ, "--lives", "MIA_LIVES", lives, LIVES)
    penalty_found = _number(environ, "--penalty-21", "MIA_PENALTY_21", penalty_21, PENALTIES)
    seats_found = _number(environ, "--players", "MIA_PLAYERS", players, SEATS)
    place, named = _named_levels(environ, cpus)
    seats, seats_from = (
        seats_found
        or _value(seats_named(named), _source(place))
        or _value(preset.players or seats_named(preset.cpus or ()), of_preset)
        or (PLAYERS, ValueSource("built-in"))
    )
    if not named:
        place, named = f"{preset.path or preset.name}: cpu", preset.cpus or (CPU,)
    chosen_lives, lives_from = lives_found or (preset.rules.lives, of_preset)
    chosen_penalty, penalty_from = penalty_found or (preset.rules.penalty_21, of_preset)
    return TableSettings(
        preset=preset.name,
        rules=RuleSet(lives=chosen_lives, penalty_21=chosen_penalty),
        players=seats,
        cpus=one_each(place, named, seats),
        sources={"lives": lives_from, "penalty_21": penalty_from, "players": seats_from},
    )


def _source(place: str) -> ValueSource:
    return ValueSource("option" if place.startswith("--") else "variable", place)


def _value(found: int | None, source: ValueSource) -> tuple[int, ValueSource] | None:
    return None if found is None else (found, source)


def _first(
    environ: Mapping[str, str], option: str, variable: str, given: str | None
) -> tuple[ValueSource, str] | None:
    """Where a value comes from, and the value: the option, or the variable, or nowhere."""
    if given is not None:
        return _source(option), given
    value = environ.get(variable)
    return (_source(variable), value) if value else None


def _number(
    environ: Mapping[str, str],
    option: str,
    variable: str,
    given: str | None,
    allowed: tuple[int, ...],
) -> tuple[int, ValueSource] | None:
    found = _first(environ, option, variable, given)
    if found is None:
        return None
    source, text = found
    return number(source.name or "", text, allowed), source


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
