"""``mia simulate`` with what it prints as text: as a process of its own, or here."""

import subprocess
from typing import Any

from tests.cli.in_process import full
from tests.cli.machine import MIA, environment


def simulate(*args: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run it to its end; ``options`` of subprocess.run change how."""
    return subprocess.run(
        (*MIA, "simulate", *args),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        **{"env": environment(), **options},
    )


def simulate_here(*args: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """The same in this process, which saves a second; where more processes play, outside."""
    if options or "--jobs" in args:
        return simulate(*args, **options)
    ended = full("simulate", *args, "--jobs", "1")
    assert ended.code is not None
    return subprocess.CompletedProcess(args, ended.code, ended.out, ended.err)
