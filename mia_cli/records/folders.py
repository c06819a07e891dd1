"""Where the program keeps its data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mia_cli.rules.errors import Unwritable

VARIABLE = "MIA_DATA_DIR"
MATCHES = "matches"


def data_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """MIA_DATA_DIR, else the platform's folder for a user's data; always an absolute path.

    A relative MIA_DATA_DIR counts from the working directory. Nothing is created. Raises
    Unwritable("no_data_dir") (variable, value) when there is no such place: a user without a home.
    """
    chosen = environment.get(VARIABLE)
    try:
        folder = Path(chosen).expanduser().absolute() if chosen else _platform_folder()
    except (OSError, RuntimeError):  # the working directory is gone; ~ of nobody
        folder = Path()
    if not folder.is_absolute():
        raise Unwritable("no_data_dir", variable=VARIABLE, value=chosen)
    return folder


def _platform_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("mia", appauthor=False)


def matches_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the match records. Raises Unwritable like :func:`data_dir`."""
    return data_dir(environment) / MATCHES
