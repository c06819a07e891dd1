"""Runs the installed program or the checkout as a user would, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MIA = (sys.executable, "-m", "mia_cli")


def run(
    *args: str, typed: str | bytes = b"", env: Mapping[str, str] | None = None, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """``mia args`` with ``typed`` on its standard input; never waits for ever."""
    data = typed.encode() if isinstance(typed, str) else typed
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [*MIA, *args],
        input=data,
        capture_output=True,
        env=environment(env),
        timeout=60,
        check=False,
        **more,
    )


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of the test with the checkout on the path, and some changes."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **(changes or {})}


def json_lines(output: bytes) -> list[dict[str, object]]:
    """One object per line, every line."""
    return [json.loads(line) for line in output.decode().splitlines()]


def only_record(data_dir: Path) -> dict[str, object]:
    """The one match record in a data folder."""
    (path,) = (data_dir / "matches").glob("*.json")
    found: dict[str, object] = json.loads(path.read_text("utf-8"))
    return found


def typed_lines(lines: Sequence[str]) -> str:
    """Lines as they are typed."""
    return "".join(f"{line}\n" for line in lines)
