"""What every test can rely on: the same cases each time, and nobody's home, settings or locale."""

import gc
import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from mia_cli.text.language import catalogue

settings.register_profile("same-each-time", derandomize=True, database=None, deadline=None)
settings.load_profile("same-each-time")

_FOREIGN = ("MIA_", "XDG_", "LC_", "_MIA_")
_FOREIGN_NAMES = (
    *("LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"),
    *("LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "TERMINAL_WIDTH"),
    *("PYTHONIOENCODING", "PYTHONUTF8", "PYTHONUNBUFFERED", "PYTHONWARNINGS"),
)


_LONGEST = 900
"""Seconds for a test that is marked slow."""

_MEMORY = Path("/dev/shm")
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 1 << 30:
    # A match is saved after every action, down to the disk: where files are in memory, half of the
    # suite waits for nothing. What reaches the disk is proved by system calls (tests/harness).
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


def pytest_collection_finish() -> None:
    """Thousands of tests stay until the end: no garbage collection has to look at them again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests may take longer before they count as endless."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(_LONGEST))


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that do not exist yet."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]) -> Path:
    """A home of its own, folders for data and configuration in it, and a plain environment.

    Subprocesses inherit it. Returns the home.
    """
    for name in list(os.environ):
        if name.startswith(_FOREIGN) or name in _FOREIGN_NAMES:
            monkeypatch.delenv(name)
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("MIA_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("MIA_CONFIG_DIR", str(home / "config"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    return home


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Every test starts in English; a test that speaks French leaves nothing behind."""
    catalogue.use("en")
    yield
    catalogue.use("en")
