"""Gets a solution for a command: from the cache or by solving, with progress on a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mia_cli.cli.progress import progress_line
from mia_cli.text.solve import solving

if TYPE_CHECKING:
    from mia_cli.theory import Solution
    from mia_cli.theory.induction import OnProgress


def solution_for(players: int, lives: int, penalty_21: int) -> Solution:
    """The solution of every table up to this size. Loads NumPy; may take seconds once."""
    from mia_cli.theory import solve
    from mia_cli.theory.cache import cache_folder

    with progress(players) as shown:
        return solve(players, lives, penalty_21, cache_dir=cache_folder(), progress=shown)


@contextlib.contextmanager
def progress(players: int) -> Iterator[OnProgress | None]:
    """A line on stderr while something is solved; nothing where nobody watches."""
    with progress_line() as show:
        if show is None:
            yield None
        else:
            yield lambda done, total: show(solving(players, done, total))
