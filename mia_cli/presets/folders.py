"""Where presets are: the folder that ships, the user's folder, and any file."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mia_cli.files.failures import os_failure
from mia_cli.files.folders import CONFIG, config_dir
from mia_cli.files.reading import read_bytes
from mia_cli.presets.codec import Preset, decode, encode
from mia_cli.rules.errors import BadRecord, BadRuleSet, MiaError, Unwritable

SUFFIX = ".toml"
LARGEST_FILE = 1 << 14
"""Bytes of a preset file; a real one has a few hundred."""

LONGEST_NAME = 40
"""Characters of a preset's name."""

_NAME = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{LONGEST_NAME - 1}}}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a folder of presets: the preset in it, or its problems."""

    name: str
    path: Path
    preset: Preset | None
    problems: tuple[MiaError, ...] = ()


def shipped_folder() -> Path:
    """The folder of the presets that ship.

    In the package where it was installed from a wheel, beside it in a checkout (an editable
    install runs from there).
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / "rulesets"
    return inside if inside.is_dir() else package.parent / "rulesets"


def users_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of the user's presets, which may not exist; None where there is no home."""
    folder = config_dir(environ)
    return None if folder is None else folder / "rulesets"


def shipped() -> tuple[Entry, ...]:
    """The presets that ship, by name. Raises Unwritable when the installation lacks them."""
    return _entries(shipped_folder())


def users(environ: Mapping[str, str] = os.environ) -> tuple[Entry, ...]:
    """The user's presets, by name, damaged ones included.

    A name that ships is reserved: a file with it is listed with that problem. Raises Unwritable
    when the folder exists and cannot be read.
    """
    folder = users_folder(environ)
    if folder is None or not _exists(folder):
        return ()
    reserved = shipped_names()
    return tuple(_checked(entry, reserved) for entry in _entries(folder))


def shipped_names() -> tuple[str, ...]:
    """The names that ship, without reading the files."""
    return tuple(path.stem for path in _files(shipped_folder()))


def is_file_name(text: str) -> bool:
    """True when ``text`` names a file: it has a path separator or ends in ``.toml``."""
    separators = {"/", os.sep, os.altsep or os.sep}
    return any(sign in text for sign in separators) or text.lower().endswith(SUFFIX)


def load(
    name_or_file: str, environ: Mapping[str, str] = os.environ, *, place: str = "--rules"
) -> Preset:
    """The preset of a name, or in a file. ``place`` says in a message who asked for it.

    Raises BadRuleSet: ``preset_unknown`` (value, place, allowed), ``preset_no_file``,
    ``preset_is_folder`` or the first problem of the file; Unwritable: ``cannot_read``.
    """
    return load_file(find(name_or_file, environ, place=place))


def load_named(
    name: str, environ: Mapping[str, str] = os.environ, *, place: str = "--rules"
) -> Preset:
    """A shipped preset, or one of the user's folder. Raises what ``load`` raises."""
    return load_file(find_named(name, environ, place=place))


def find(
    name_or_file: str, environ: Mapping[str, str] = os.environ, *, place: str = "--rules"
) -> Path:
    """The file that a preset's name or a path stands for. Raises ``preset_unknown``."""
    if is_file_name(name_or_file):
        return Path(name_or_file)
    return find_named(name_or_file, environ, place=place)


def find_named(
    name: str, environ: Mapping[str, str] = os.environ, *, place: str = "--rules"
) -> Path:
    """The file of a named preset. Raises BadRuleSet("preset_unknown")."""
    if _NAME.fullmatch(name):
        if name in shipped_names():
            return shipped_folder() / f"{name}{SUFFIX}"
        folder = users_folder(environ)
        path = None if folder is None else folder / f"{name}{SUFFIX}"
        if path is not None and _exists(path):
            return path
    raise BadRuleSet("preset_unknown", value=name, place=place, allowed=_known_names(environ))


def load_file(path: Path) -> Preset:
    """The preset in a file.

    Raises BadRuleSet with the first problem of its content, or Unwritable ``cannot_read``.
    """
    found = read(path)
    if isinstance(found, Preset):
        return found
    raise found[0]


def read(path: Path) -> Preset | tuple[MiaError, ...]:
    """The preset in a file, or every problem of it: its content's, or that it cannot be read."""
    try:
        data = read_bytes(path, LARGEST_FILE)
    except Unwritable as error:
        is_missing = error.fields["reason"] in ("ENOENT", "ENOTDIR")
        return (BadRuleSet("preset_no_file", path=path) if is_missing else error,)
    except BadRecord as error:
        if error.code == "too_large":
            return (BadRuleSet("preset_too_large", path=path, largest=LARGEST_FILE),)
        code = "preset_is_folder" if path.is_dir() else "preset_not_a_file"
        return (BadRuleSet(code, path=path),)
    return decode(data, path.stem, path)


def write(
    preset: Preset, environ: Mapping[str, str] = os.environ, *, overwrite: bool = False
) -> Path:
    """Write a preset to the user's folder, whole or not at all, and return its path.

    Raises BadRuleSet: ``preset_name``, ``preset_reserved``, ``preset_exists``, or what the file
    would be refused for when read; Unwritable: ``no_config_folder``, ``cannot_write``.
    """
    from mia_cli.files.outputs import FORCE, PRESET, OutputFile
    from mia_cli.files.writing import SHARED, SHARED_FOLDER, make_folder, write_atomically

    problem = name_problem(preset.name, shipped_names())
    if problem is not None:
        raise problem
    folder = users_folder(environ)
    if folder is None:
        raise Unwritable("no_config_folder", place=CONFIG)
    path = folder / f"{preset.name}{SUFFIX}"
    data = encode(preset).encode()

    def require_new() -> None:
        if _exists(path):
            raise BadRuleSet("preset_exists", path=path, option=FORCE)

    found = decode(data, preset.name, path)
    if not isinstance(found, Preset):
        raise found[0]
    make_folder(folder, SHARED_FOLDER)
    if overwrite:
        OutputFile(str(path), PRESET, force=True).write(data)
    else:
        write_atomically(path, data, require_new, mode=SHARED)
    return path


def _entries(folder: Path) -> tuple[Entry, ...]:
    return tuple(map(_entry, _files(folder)))


def _files(folder: Path) -> list[Path]:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - iterdir hides why a folder cannot be read
    except OSError as error:
        raise os_failure("cannot_read", folder, error) from error
    return sorted(
        folder / name for name in names if name.endswith(SUFFIX) and not name.startswith(".")
    )


def _entry(path: Path) -> Entry:
    found = read(path)
    if isinstance(found, Preset):
        return Entry(path.stem, path, found)
    return Entry(path.stem, path, None, found)


def _checked(entry: Entry, reserved: tuple[str, ...]) -> Entry:
    problem = name_problem(entry.name, reserved)
    if problem is None:
        return entry
    return Entry(entry.name, entry.path, None, (problem, *entry.problems))


def name_problem(name: str, reserved: tuple[str, ...]) -> BadRuleSet | None:
    """What is wrong with a name for a user's preset: ``preset_name``, ``preset_reserved``."""
    if not _NAME.fullmatch(name):
        return BadRuleSet("preset_name", value=name, longest=LONGEST_NAME)
    return BadRuleSet("preset_reserved", value=name) if name in reserved else None


def _known_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    names = shipped_names()
    with contextlib.suppress(Unwritable):
        names = (*names, *(entry.name for entry in users(environ) if entry.preset))
    return names


def _exists(path: Path) -> bool:
    # Path.exists raises for a parent that may not be searched; that is for the reader to say.
    return os.path.lexists(path)
