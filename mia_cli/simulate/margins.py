"""Intervals and their widths for the counts of a tally, with or without sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mia_cli.simulate.intervals import (
    design_effect,
    session_effect,
    session_interval,
    win_interval,
)
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.sessions import row_of_distance, row_of_leader, row_of_player
from mia_cli.simulate.tally import Tally
from mia_cli.theory.intervals import Interval


@dataclass(frozen=True, slots=True)
class Margin:
    """A rate of wins. ``wins`` and ``matches`` by stratum; ``sums`` over sessions, or None."""

    wins: Sequence[int]
    matches: Sequence[int]
    sums: Sequence[int] | None

    @property
    def interval(self) -> Interval | None:
        """The interval of 95 % for the rate; None when there are no matches."""
        if self.sums is None:
            return win_interval(self.wins, self.matches)
        return session_interval(self.wins, self.matches, self.sums)

    @property
    def effect(self) -> float | None:
        """Variance of the rate by that of as many like, independent trials; None without any."""
        if not sum(self.matches):
            return None
        effect = design_effect(self.wins, self.matches)
        if self.sums is None:
            return effect
        return max(effect, session_effect(sum(self.wins), sum(self.matches), self.sums))


class Margins:
    """The margins of a tally."""

    def __init__(self, tally: Tally, seatings: Sequence[Seating]) -> None:
        self._sums = tally.sessions
        self.players = len(tally.events)
        played, won = tally.by_distance(seatings)
        self.played: list[list[int]] = played.tolist()
        self.won: list[list[int]] = won.tolist()

    def of_player(self, player: int) -> Margin:
        """All matches of a player; strata are the distances from the first leader."""
        row = row_of_player(self.players, player)
        return Margin(self.won[player], self.played[player], self._row(row))

    def of_distance(self, player: int, distance: int) -> Margin:
        """The matches of a player at a distance from the first leader."""
        row = row_of_distance(self.players, player, distance)
        one = slice(distance, distance + 1)
        return Margin(self.won[player][one], self.played[player][one], self._row(row))

    def of_leader(self) -> Margin:
        """The matches that the first leader won, out of all."""
        won = sum(row[0] for row in self.won)
        played = sum(row[0] for row in self.played)
        return Margin([won], [played], self._row(row_of_leader(self.players)))

    def _row(self, row: int) -> list[int] | None:
        return None if self._sums is None else self._sums[:, row].tolist()


def widest(tally: Tally, seatings: Sequence[Seating]) -> float:
    """Half the width of the widest interval of a player's win rate; 1 when nothing was played."""
    margins = Margins(tally, seatings)
    found = [margins.of_player(player).interval for player in range(margins.players)]
    return max(1.0 if one is None else (one[1] - one[0]) / 2.0 for one in found)
