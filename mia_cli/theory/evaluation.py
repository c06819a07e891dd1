"""Exact results of matches between fixed players: no sampling.

Every player is given by tables that do not depend on what happened before. Then rounds are
followed through once (``rounds``), and matches by backward induction over lives: a round ends in
a table with fewer lives in total, so win chances and expected numbers follow from smaller ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from mia_cli.theory.grid import Grid, starting_lives
from mia_cli.theory.rounds import COUNTS, Rounds, play_rounds
from mia_cli.theory.rule_arrays import FORCED, Floats, Ints
from mia_cli.theory.strategies import Strategy, TablesByLives, tabulate


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Expected results of a match, for each seat that may lead first.

    ``wins[leader, seat]``: chance to win. ``rounds[leader]``: expected rounds. The others,
    [leader, seat]: expected numbers by match; a bluff is a claim above the roll, a bluff is
    caught when it is challenged, and that challenge is won. Indices are seat - 1.
    """

    wins: Floats
    rounds: Floats
    claims: Floats
    bluffs: Floats
    bluffs_caught: Floats
    challenges: Floats
    challenges_won: Floats


def evaluate(
    players: Sequence[Strategy], lives: int | Sequence[int], penalty_21: int
) -> Evaluation:
    """Exact results of a match between players that remember nothing.

    ``players`` by seat; ``lives`` at the start, one number for all or one for each seat (0: the
    seat is out). Raises BadRuleSet.
    """
    start = starting_lives(len(players), lives)
    grid = Grid(start, penalty_21)
    tabled = tabulate(players, start)
    alike = all(table.constant for table in tabled)
    known: dict[tuple[int, ...], Rounds] = {}
    expected = _over(grid)
    for living, states in grid.groups():
        if not alike:
            played = play_rounds(*_masses(tabled, living, grid.lives[states]))
        elif living not in known:
            known[living] = play_rounds(*_masses(tabled, living, grid.lives[states[:1]]))
        _fill(expected, grid, living, states, known[living] if alike else played)
    return _result(expected[-1])


def _masses(
    tabled: Sequence[TablesByLives], living: Sequence[int], lives: Ints
) -> tuple[Floats, Floats, Floats]:
    """Arguments of ``play_rounds`` for these lives [B, seats]."""
    shape = (len(lives), len(living), len(FORCED), len(FORCED))
    true, false, challenges = np.empty(shape), np.empty(shape), np.empty(shape)
    for row, place in product(range(len(lives)), range(len(living))):
        order = (*living[place:], *living[:place])
        seen = tuple(int(lives[row, seat]) for seat in order)
        true[row, place], false[row, place], _ = tabled[order[0]](seen)
        challenges[row, place] = tabled[order[1]](seen)[2]
    return true, false, challenges


def _over(grid: Grid) -> Floats:
    """[state, leader, what] with the states filled in where one seat is left.

    What: win chance by seat, rounds, each of COUNTS by seat.
    """
    expected = np.zeros((len(grid.lives), grid.seats, grid.seats + 1 + len(COUNTS) * grid.seats))
    for seat in range(grid.seats):
        expected[grid.living == 1 << seat, :, seat] = 1.0
    return expected


def _fill(
    expected: Floats, grid: Grid, living: Sequence[int], states: Ints, played: Rounds
) -> None:
    """Expectations of these states from one round and the states that follow it."""
    seats = grid.seats
    counts = np.zeros((*played.counts.shape[:3], seats))
    counts[..., list(living)] = played.counts
    for place, leader in enumerate(living):
        here = np.zeros((len(states), expected.shape[2]))
        here[:, seats] = 1.0
        here[:, seats + 1 :] = counts[:, place].reshape(len(counts), -1)
        for (lost, loser), kind in product(enumerate(living), range(2)):
            chance = played.loses[:, place, lost, kind, None]
            here += chance * expected[grid.follow(states, loser, kind)]
        expected[states, leader] = here


def _result(here: Floats) -> Evaluation:
    """The named parts of [leader, what]."""
    seats = len(here)
    counts = here[:, seats + 1 :].reshape(seats, len(COUNTS), seats)
    return Evaluation(
        here[:, :seats], here[:, seats], *(counts[:, which] for which in range(len(COUNTS)))
    )
