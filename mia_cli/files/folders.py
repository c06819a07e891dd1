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
    folder = user_folder(VARIABLE, "user_data_path", environment)
    if folder is None:
        raise Unwritable("no_data_dir", variable=VARIABLE, value=environment.get(VARIABLE))
    return folder


def user_folder(variable: str, kind: str, environment: Mapping[str, str]) -> Path | None:
    """The folder in ``variable``, else the platform's, as platformdirs names its ``kind``.

    Always absolute; None when there is no such place. Nothing is created.
    """
    chosen = environment.get(variable)
    try:
        folder = Path(chosen).expanduser().absolute() if chosen else _platform_folder(kind)
    except (OSError, RuntimeError):  # the working directory is gone; ~ of nobody
        return None
    return folder if folder.is_absolute() else None


def _platform_folder(kind: str) -> Path:
    import platformdirs

    folder: Path = getattr(platformdirs, kind)("mia", appauthor=False)
    return folder


def matches_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the match records. Raises Unwritable like :func:`data_dir`."""
    return data_dir(environment) / MATCHES
