"""What a kernel is: it plays blocks of matches between players that are tables.

There are two, with the same results: ``compiled_kernel`` where it was built, and ``numpy_kernel``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep.alias_tables import Numbers, Words
from mia_cli.simulate.lockstep.library import COMPILED, KernelName, chosen_kernel, load
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.tally import Tally
from mia_cli.theory.strategies import Strategy

OUTCOME_SHIFT = 16
"""Where the outcome of the dice stands in a traced turn."""


@dataclass(frozen=True, slots=True)
class TracedTurns:
    """The turns of some matches, match after match.

    ``turns[turn]``: ``outcome << 16 | code * 2 + challenged``, outcomes as in ``draws``, codes as
    in ``alias_tables``; a claim of 21 is challenged whatever it says. ``ends[match]``: how many
    turns there are up to the end of a match.
    """

    turns: Words
    ends: Numbers


@dataclass(frozen=True, slots=True)
class KernelGame:
    """What a kernel plays: ``players`` in the order in which they are named, ``seatings`` of the
    run. What happens in a match follows from these and from its number."""

    rules: RuleSet
    players: Sequence[Strategy]
    seatings: Sequence[Seating]
    seed: int


class Kernel(Protocol):
    """Plays matches of a game; keeps the tables of the players from block to block."""

    name: KernelName

    def play(self, first: int, count: int) -> Tally:
        """Play the matches ``first`` ... ``first + count - 1`` of the run."""
        ...

    def trace(self, first: int, count: int) -> tuple[Tally, TracedTurns]:
        """Play these matches, and keep every turn."""
        ...


def open_kernel(game: KernelGame, name: KernelName | None = None) -> Kernel:
    """The kernel with this name, else the best one here.

    Raises NotAllowed("no_compiled_kernel").
    """
    library = load() if chosen_kernel(name) == COMPILED else None
    if library is None:
        from mia_cli.simulate.lockstep.numpy_kernel import NumpyKernel

        return NumpyKernel(game)
    from mia_cli.simulate.lockstep.compiled_kernel import CompiledKernel

    return CompiledKernel(library, game)


def played_by_seating(first: int, count: int, seatings: int) -> Numbers:
    """[seating] how many of the matches ``first`` ... ``first + count - 1`` have a seating."""
    after = (np.arange(seatings) - first) % seatings
    return (count - after + seatings - 1) // seatings
