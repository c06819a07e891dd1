"""What every test can rely on: the same cases each time, and nobody's home, settings or locale."""

import os
from collections.abc import Iterator
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests may take longer before they count as endless."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(_LONGEST))


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of its own, folders for data and configuration in it, and a plain environment.

    Subprocesses inherit it. Returns the home.
    """
    for name in list(os.environ):
        if name.startswith(_FOREIGN) or name in _FOREIGN_NAMES:
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home", numbered=True)
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
