"""The ceiling of a player: the most that any opponent can win against it.

One seat answers best to fixed players in all others. Its win chance follows by backward induction
over lives and standing claims with a maximum at each of its own decisions. The bound holds
against every strategy, also one that remembers: fixed players give it nothing to learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.theory.grid import Grid, starting_lives
from mia_cli.theory.rule_arrays import CHANCES, FORCED, LEGAL, SUPPORTS, Floats, Ints
from mia_cli.theory.strategies import Masses, Strategy, TablesByLives, tabulate


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Win chance of a best response: when it leads first, when others do, and the mean.

    ``by_leader[place]``: the seat ``place`` after the best response leads first.
    """

    mean: float
    by_leader: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """How far the mean is above an equal share of the matches."""
        return self.mean - 1.0 / len(self.by_leader)


def ceiling(player: Strategy, players: int = 2, lives: int = 3, penalty_21: int = 1) -> Ceiling:
    """Win chance of one seat's best response when ``player`` holds every other seat.

    The mean is over who leads first. Raises BadRuleSet.
    """
    start = starting_lives(players, lives)
    values = best_response([None, *[player] * (players - 1)], start, penalty_21)
    return Ceiling(float(values.mean()), tuple(float(value) for value in values))


def best_response(
    players: Sequence[Strategy | None], lives: int | Sequence[int], penalty_21: int
) -> Floats:
    """[leader] win chance of the one seat that is None, answering best to the other players.

    ``lives`` as in ``evaluate``. Raises BadRuleSet.
    """
    start = starting_lives(len(players), lives)
    grid = Grid(start, penalty_21)
    seat = players.index(None)
    others = tabulate([player for player in players if player is not None], start)
    alike = all(table.constant for table in others)
    tabled: list[TablesByLives | None] = [*others[:seat], None, *others[seat:]]
    known: dict[tuple[int, ...], list[list[Masses]]] = {}
    response = _Response(grid, seat)
    for living, states in grid.groups():
        if seat not in living:
            continue
        if not alike or living not in known:
            some = states[:1] if alike else states
            known[living] = [
                [_masses(tabled, living, place, row, seat) for row in grid.lives[some]]
                for place in range(len(living))
            ]
        response.fill(living, states, known[living])
    return response.value[0, :, -1].copy()


def _masses(
    tabled: Sequence[TablesByLives | None],
    living: Sequence[int],
    place: int,
    lives: Ints,
    seat: int,
) -> Masses:
    """True claims, false claims and challenges when the seat at ``place`` rolls."""
    order = (*living[place:], *living[:place])
    seen = tuple(int(lives[other]) for other in order)
    nothing = np.zeros(LEGAL.shape)
    roller, answering = tabled[order[0]], tabled[order[1]]
    true, false = (nothing, nothing) if roller is None else roller(seen)[:2]
    return true, false, nothing if answering is None else answering(seen)[2]


class _Response:
    """``value[standing, roller, state]``: win chance of the seat that answers best."""

    def __init__(self, grid: Grid, seat: int) -> None:
        self._grid = grid
        self._seat = seat
        self.value = np.zeros((len(LEGAL), grid.seats, len(grid.lives)))
        self.value[:, :, grid.living == 1 << seat] = 1.0

    def fill(self, living: Sequence[int], states: Ints, masses: Sequence[Sequence[Masses]]) -> None:
        """Values of these states for every roller, from the highest standing claim down."""
        tables = [np.stack([np.stack(one) for one in rows], axis=-1) for rows in masses]
        answering = (*living[1:], living[0])
        ends = {loser: self._ends(states, loser) for loser in living}
        for standing in reversed(range(len(LEGAL))):
            for place, (roller, other) in enumerate(zip(living, answering, strict=True)):
                # 21 cannot be accepted; its entry is never used.
                accepted = np.zeros((len(FORCED) - standing, len(states)))
                accepted[:-1] = self.value[standing + 1 :, other, states]
                worth = (ends[other][standing:], ends[roller][standing:], accepted)
                true, false, doubt = tables[place][:, standing, standing:]
                if roller == self._seat:
                    here = _best_claim(standing, doubt, worth)
                elif other == self._seat:
                    here = _best_answer(standing, true, false, worth)
                else:
                    here = _expected(true, false, doubt, worth)
                self.value[standing, roller, states] = here

    def _ends(self, states: Ints, loser: int) -> Floats:
        """[21 claims, states] values of the rounds that follow when ``loser`` loses one."""
        kinds: list[Floats] = []
        for kind in range(2):
            follow, leader = self._grid.follow(states, loser, kind)
            kinds.append(self.value[0, leader, follow])
        return np.where(FORCED[:, None], kinds[1], kinds[0])


def _expected(true: Floats, false: Floats, doubt: Floats, worth: Masses) -> Floats:
    """Value when two other seats claim and answer. ``worth``: if held, caught, accepted."""
    held, caught, accepted = worth
    challenged = doubt * (true * held + false * caught)
    total: Floats = (challenged + (1.0 - doubt) * (true + false) * accepted).sum(axis=0)
    return total


def _best_claim(standing: int, doubt: Floats, worth: Masses) -> Floats:
    """Value of the best claim for each roll, averaged over rolls."""
    held, caught, accepted = worth
    true = doubt * held + (1.0 - doubt) * accepted
    false = doubt * caught + (1.0 - doubt) * accepted
    best = np.where(SUPPORTS[:, standing:, None], true, false).max(axis=1)
    total: Floats = np.einsum("r,rs->s", CHANCES, best)
    return total


def _best_answer(standing: int, true: Floats, false: Floats, worth: Masses) -> Floats:
    """Value of the better answer to each claim, by how often the claim is made."""
    held, caught, accepted = worth
    challenge = true * held + false * caught
    accept = np.where(FORCED[standing:, None], -np.inf, (true + false) * accepted)
    total: Floats = np.maximum(challenge, accept).sum(axis=0)
    return total
