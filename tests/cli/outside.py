"""``mia simulate`` as a process of its own, with what it prints as text."""

import subprocess
from typing import Any

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
