"""Gets a solution for a command: from the cache or by solving, with progress on a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mia_cli.cli.screen import is_terminal
from mia_cli.text.solve import solving

if TYPE_CHECKING:
    from mia_cli.theory import Solution
    from mia_cli.theory.induction import Progress


def solution_for(players: int, lives: int, penalty_21: int) -> Solution:
    """The solution of every table up to this size. Loads NumPy; may take seconds once."""
    from mia_cli.theory import solve
    from mia_cli.theory.cache import cache_folder

    with progress(players) as shown:
        return solve(players, lives, penalty_21, cache_dir=cache_folder(), progress=shown)


@contextlib.contextmanager
def progress(players: int) -> Iterator[Progress | None]:
    """A line on stderr while something is solved; nothing where nobody watches."""
    stream = sys.stderr
    if not is_terminal(stream):
        yield None
        return
    width = 0

    def show(done: int, total: int) -> None:
        nonlocal width
        text = solving(players, done, total)
        stream.write(f"\r{text:<{width}}")
        stream.flush()
        width = max(width, len(text))

    try:
        yield show
    finally:
        stream.write(f"\r{'':<{width}}\r" if width else "")
        stream.flush()
