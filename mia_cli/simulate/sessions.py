"""What is kept of sessions: sums that tell how alike the matches of one session are.

A player that learns plays the matches of a session better and better, so they are not independent:
a session is one draw. For the variance over sessions it is enough to know, for every count of wins
of interest, sums over sessions of squares and products (see ``intervals.session_effect``). They
grow match by match, so a session that is cut by the end of a block, or of a run that goes on
later, gives the same sums as a whole one.
"""

from __future__ import annotations

import numpy as np

from mia_cli.simulate.lockstep.alias_tables import Numbers
from mia_cli.simulate.seating import Seating

SUMS = 4
"""By session, with w wins in n matches: how many have any (n > 0), and sums of w * w, w * n and
n * n."""


def rows(players: int) -> int:
    """How many counts are kept: by player and distance, by player, and of the first leader."""
    return players * players + players + 1


def row_of_distance(players: int, player: int, distance: int) -> int:
    """The row of a player's matches at a distance from the first leader."""
    return player * players + distance


def row_of_player(players: int, player: int) -> int:
    """The row of all matches of a player."""
    return players * players + player


def row_of_leader(players: int) -> int:
    """The row of the matches that the first leader won."""
    return players * players + players


def no_sums(players: int) -> Numbers:
    """[SUMS, rows] nothing played yet."""
    return np.zeros((SUMS, rows(players)), dtype=np.int64)


class SessionCounts:
    """The session that is being played: matches and wins so far, row by row."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._matches = [0] * rows(players)
        self._wins = [0] * rows(players)

    def add(self, seating: Seating, place: int, sums: Numbers | None) -> None:
        """Take in a match won at ``place``; ``sums`` grow by what it adds, where it is counted."""
        players, order = self._players, seating.by_place
        self._count(row_of_leader(players), place == 0, sums)
        for distance, player in enumerate(order):
            won = distance == place
            self._count(row_of_distance(players, player, distance), won, sums)
            self._count(row_of_player(players, player), won, sums)

    def _count(self, row: int, won: bool, sums: Numbers | None) -> None:
        matches, wins = self._matches[row], self._wins[row]
        self._matches[row], self._wins[row] = matches + 1, wins + won
        if sums is not None:
            sums[:, row] += (
                matches == 0,
                (2 * wins + 1) * won,
                wins + won * (matches + 1),
                2 * matches + 1,
            )
