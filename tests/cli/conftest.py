"""What every test of the command line can rely on besides the rest."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def solved_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all workers for what can be made again."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def tables_are_solved_once(
    isolated: Path, solved_once: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes find what others solved. A test about the cache names a folder of its own."""
    del isolated  # forgets the variables of mia first
    monkeypatch.setenv("MIA_CACHE_DIR", str(solved_once))
