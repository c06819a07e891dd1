"""What is kept of the matches that were played: a few whole numbers, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.simulate.lockstep.alias_tables import Numbers
from mia_cli.simulate.lockstep.situations import ACCEPTED_BLUFF, CAUGHT, CAUGHT_21, EVENTS, HELD
from mia_cli.simulate.seating import Seating
from mia_cli.simulate.sessions import no_sums


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over matches; adding two is exact, so the order of blocks does not matter.

    ``played[seating]``: matches. ``wins[seating, place]``: by distance from the first leader.
    ``events[roller, answering, event]``: turns between two players (as named), see
    ``situations``. Bluffs and challenges follow from these. ``sessions``: sums over sessions (see
    there), None where no player learns.
    """

    played: Numbers
    wins: Numbers
    events: Numbers
    sessions: Numbers | None = None

    @staticmethod
    def empty(players: int, seatings: int, *, sessions: bool = False) -> Tally:
        """Nothing played yet."""
        return Tally(
            np.zeros(seatings, dtype=np.int64),
            np.zeros((seatings, players), dtype=np.int64),
            np.zeros((players, players, EVENTS), dtype=np.int64),
            no_sums(players) if sessions else None,
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.played + other.played,
            self.wins + other.wins,
            self.events + other.events,
            None
            if self.sessions is None or other.sessions is None
            else self.sessions + other.sessions,
        )

    @property
    def matches(self) -> int:
        """Matches played."""
        return int(self.played.sum())

    @property
    def turns(self) -> int:
        """Claims made."""
        return int(self.events.sum())

    @property
    def rounds(self) -> int:
        """Rounds played: each ends in one challenge."""
        return int(self.events[..., HELD:].sum())

    def claims(self) -> Numbers:
        """[player] claims made."""
        return self._by_roller(range(EVENTS))

    def bluffs(self) -> Numbers:
        """[player] claims above the roll."""
        return self._by_roller(BLUFFS)

    def bluffs_caught(self) -> Numbers:
        """[player] bluffs that were challenged."""
        return self._by_roller((CAUGHT, CAUGHT_21))

    def challenges(self) -> Numbers:
        """[player] claims challenged, those of 21 included."""
        found: Numbers = self.events[..., HELD:].sum(axis=(0, 2))
        return found

    def challenges_won(self) -> Numbers:
        """[player] challenges of a bluff."""
        found: Numbers = self.events[..., [CAUGHT, CAUGHT_21]].sum(axis=(0, 2))
        return found

    def by_distance(self, seatings: Sequence[Seating]) -> tuple[Numbers, Numbers]:
        """[player, distance] matches and wins of each player by distance from the first leader."""
        players = len(self.events)
        played, won = np.zeros((2, players, players), dtype=np.int64)
        for number, seating in enumerate(seatings):
            for place, player in enumerate(seating.by_place):
                played[player, place] += self.played[number]
                won[player, place] += self.wins[number, place]
        return played, won

    def _by_roller(self, events: Sequence[int]) -> Numbers:
        found: Numbers = self.events[..., list(events)].sum(axis=(1, 2))
        return found

    def to_json(self) -> dict[str, object]:
        """The tally as lists of whole numbers."""
        parts = {name: getattr(self, name) for name in ("played", "wins", "events", "sessions")}
        return {name: part.tolist() for name, part in parts.items() if part is not None}

    @staticmethod
    def from_json(
        document: Mapping[str, object], players: int, seatings: int, *, sessions: bool = False
    ) -> Tally:
        """Read what ``to_json`` gave. Raises ValueError for anything else."""
        empty = Tally.empty(players, seatings, sessions=sessions)
        wanted = {"played": empty.played, "wins": empty.wins, "events": empty.events}
        if empty.sessions is not None:
            wanted["sessions"] = empty.sessions
        parts = []
        for name, like in wanted.items():
            part = np.array(document.get(name))
            if part.dtype != np.int64 or part.shape != like.shape or (part < 0).any():
                raise ValueError(name)
            parts.append(part)
        return Tally(*parts)


BLUFFS = (ACCEPTED_BLUFF, CAUGHT, CAUGHT_21)
"""Events of turns whose claim was a bluff."""
