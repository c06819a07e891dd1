"""Presets: rule sets with a name and table defaults, kept as flat TOML files.

``codec`` turns TOML text into a Preset, or into every problem it has; ``folders`` finds, reads and
writes the files; ``settings`` settles option, environment, preset and built-in values into one.
"""

from mia_cli.presets.codec import PLAYERS, Preset
from mia_cli.presets.folders import (
    Entry,
    load,
    load_named,
    shipped,
    users,
    users_folder,
    write,
)
from mia_cli.presets.settings import CPU, PRESET, TableSettings, ValueSource, resolve

__all__ = [
    "CPU",
    "PLAYERS",
    "PRESET",
    "Entry",
    "Preset",
    "TableSettings",
    "ValueSource",
    "load",
    "load_named",
    "resolve",
    "shipped",
    "users",
    "users_folder",
    "write",
]
