"""The user's folders: data, configuration, cache. Each variable is read alike."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mia_cli.rules.errors import Unwritable

DATA, CONFIG, CACHE = "MIA_DATA_DIR", "MIA_CONFIG_DIR", "MIA_CACHE_DIR"
MATCHES = "matches"


def data_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """MIA_DATA_DIR, else the platform's folder for a user's data; always an absolute path.

    A relative one counts from the working directory, ``~`` is the user's home. Nothing is created.
    Raises Unwritable("no_data_dir") (variable, value) where there is no such place: a user without
    a home.
    """
    folder = _user_folder(DATA, "user_data_path", environment)
    if folder is None:
        raise Unwritable("no_data_dir", variable=DATA, value=environment.get(DATA))
    return folder


def matches_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the match records. Raises Unwritable like :func:`data_dir`."""
    return data_dir(environment) / MATCHES


def config_dir(environment: Mapping[str, str] = os.environ) -> Path | None:
    """MIA_CONFIG_DIR, else the platform's folder for configuration; None where there is none."""
    return _user_folder(CONFIG, "user_config_path", environment)


def cache_dir(environment: Mapping[str, str] = os.environ) -> Path | None:
    """MIA_CACHE_DIR, else the platform's folder for what can be made again; None without one."""
    return _user_folder(CACHE, "user_cache_path", environment)


def _user_folder(variable: str, kind: str, environment: Mapping[str, str]) -> Path | None:
    """The folder in ``variable``, else the platform's, as platformdirs names its ``kind``."""
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
