"""Gets a solution for a command: from the cache or by solving, with progress on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mia_cli.cli.progress import progress_line

if TYPE_CHECKING:
    from mia_cli.theory import Solution
    from mia_cli.theory.induction import OnProgress


def solution_for(players: int, lives: int, penalty_21: int) -> Solution:
    """The solution of every table up to this size. Loads NumPy; may take seconds once."""
    from mia_cli.theory.solver import known_solution

    with _shown(players) as shown:
        return known_solution(players, lives, penalty_21, shown)


def proven_solution_for(players: int, lives: int, penalty_21: int) -> tuple[Solution, float]:
    """The same, with the most that any seat can gain at any of these tables."""
    from mia_cli.files.folders import cache_dir
    from mia_cli.theory.solver import proven_solution

    with _shown(players) as shown:
        return proven_solution(players, lives, penalty_21, cache_dir=cache_dir(), progress=shown)


@contextmanager
def _shown(players: int) -> Iterator[OnProgress]:
    with progress_line() as show:

        def shown(done: int, total: int) -> None:
            if show is not None:
                from mia_cli.text.solve.lines import solving

                show(solving(players, done, total))

        yield shown
