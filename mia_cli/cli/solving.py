"""Gets a solution for a command: from the cache or by solving, with progress on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mia_cli.cli.progress import progress_line
from mia_cli.text.solve.lines import solving

if TYPE_CHECKING:
    from mia_cli.theory import Solution


def solution_for(players: int, lives: int, penalty_21: int) -> Solution:
    """The solution of every table up to this size. Loads NumPy; may take seconds once."""
    from mia_cli.theory.solver import known_solution

    with progress_line() as show:

        def shown(done: int, total: int) -> None:
            if show is not None:
                show(solving(players, done, total))

        return known_solution(players, lives, penalty_21, shown)
