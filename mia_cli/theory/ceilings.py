"""The ceiling of a player: the most that any opponent can win against it."""

from __future__ import annotations

from dataclasses import dataclass

from mia_cli.theory.best_response import best_response_values
from mia_cli.theory.grid import starting_lives
from mia_cli.theory.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Win chance of a best response: the mean over who leads first, and by who does.

    ``by_leader[place]``: the seat ``place`` after the best response leads first.
    """

    value: float
    by_leader: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """How far the value is above an equal share of the matches.

        At two seats, where the equal share is the value of the game, this is what the field calls
        so, and half of the NashConv of two such players.
        """
        return self.value - 1.0 / len(self.by_leader)


def ceiling(player: Strategy, players: int = 2, lives: int = 3, penalty_21: int = 1) -> Ceiling:
    """Win chance of one seat's best response when ``player`` holds every other seat.

    The mean is over who leads first. Raises BadRuleSet.
    """
    start = starting_lives(players, lives)
    values = best_response_values([None, *[player] * (players - 1)], start, penalty_21)
    return Ceiling(float(values.mean()), tuple(float(value) for value in values))
