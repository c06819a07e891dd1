"""Sentences of ``mia rules``: presets as a table, as a file, and checked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mia_cli.presets.codec import Preset, encode
from mia_cli.presets.folders import Entry
from mia_cli.rules.errors import MiaError
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.catalogue import _, translate
from mia_cli.text.language.line import comma, space
from mia_cli.text.language.plain import printable
from mia_cli.text.language.table import Lines, TextTable

_NOTHING = "-"


def preset_table(shipped: Iterable[Entry], users: Iterable[Entry]) -> Lines:
    """Presets with what they set; files that are none follow, each with all that is wrong."""
    rows = [
        *(_row(entry.preset, ships=True) for entry in shipped if entry.preset),
        *(_row(entry.preset, ships=False) for entry in users if entry.preset),
    ]
    head = (
        _("Preset"),
        _("Lives"),
        _("21 costs"),
        _("Players"),
        _("CPU"),
        _("Source"),
        _("Description"),
    )
    damaged = (entry for entry in (*shipped, *users) if not entry.preset)
    return [TextTable(head, rows, right=(1, 2, 3), wraps=(4, 6)), *map(_damaged, damaged)]


def _row(preset: Preset, *, ships: bool) -> tuple[str, ...]:
    return (
        preset.name,
        str(preset.rules.lives),
        str(preset.rules.penalty_21),
        _NOTHING if preset.players is None else str(preset.players),
        _NOTHING if preset.cpus is None else comma().join(preset.cpus),
        _("mia") if ships else _("own"),
        description(preset, ships=ships),
    )


def description(preset: Preset, *, ships: bool) -> str:
    """What the file says about itself; of presets that ship, in the language in use."""
    return translate(preset.description) if ships else printable(preset.description)


def _damaged(entry: Entry) -> str:
    problems = space().join(map(sentence, entry.problems))
    return _("{name} cannot be used. {problems}").format(
        name=printable(entry.name), problems=problems
    )


def preset_file(preset: Preset, *, ships: bool) -> list[str]:
    """A preset as the lines of a file that could be used as one."""
    if ships:
        origin = _("# Preset {name}, which ships with mia").format(name=preset.name)
    else:
        origin = _("# Preset from {path}").format(path=printable(str(preset.path)))
    return [origin, *map(printable, encode(preset).splitlines())]


def written(path: Path, name: str) -> list[str]:
    """Where a new preset is, and how to play with it."""
    return [
        printable(str(path)),
        _("Play with it: {command}").format(command=f"mia play --rules {name}"),
    ]


def is_fine(path: Path, preset: Preset) -> str:
    """A file that was checked and has no problem."""
    return _("{path}: fine ({lives} lives, 21 costs {penalty}).").format(
        path=printable(str(path)), lives=preset.rules.lives, penalty=preset.rules.penalty_21
    )


def problem_line(problem: MiaError) -> str:
    """One problem of a file that was checked."""
    return f"mia: {sentence(problem)}"
