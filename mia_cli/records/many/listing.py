"""The records of a folder as a list, the newest first, from the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mia_cli.files.documents import Document
from mia_cli.records.many.columns import PlayerKey
from mia_cli.records.many.index import Found
from mia_cli.records.many.quick_head import HINTS, TAKE_BACKS, TUTOR


@dataclass(frozen=True, slots=True)
class Listed:
    """One record. ``won``: whether the person did, None while unfinished."""

    id: str
    created: str
    lives: int
    penalty_21: int
    players: tuple[PlayerKey, ...]
    winner: int | None
    won: bool | None
    tutor: bool
    hints: bool
    take_backs: bool

    @property
    def winner_name(self) -> str:
        """The name of the seat that won, empty while unfinished."""
        return "" if self.winner is None else self.players[self.winner - 1][0]

    def as_json(self) -> dict[str, object]:
        """One object of the list."""
        return {
            "id": self.id,
            "created": self.created,
            "status": "unfinished" if self.winner is None else "finished",
            "ruleset": {"lives": self.lives, "penalty_21": self.penalty_21},
            "seats": [
                {"seat": seat, "name": name, "player": player}
                for seat, (name, player) in enumerate(self.players, 1)
            ],
            "winner": self.winner,
            "aids": {"tutor": self.tutor, "hints": self.hints, "take_backs": self.take_backs},
        }


def listed(found: Found) -> list[Listed]:
    """All records of a folder, by when they were created, the newest first."""
    rows = zip(found.batch.heads.tolist(), found.files, strict=True)
    matches = [_listed(head, name, found.batch.players) for head, name in rows]
    return sorted(matches, key=lambda item: (item.created, item.id), reverse=True)


def list_document(matches: Sequence[Listed], found: Found) -> Document:
    """The list as JSON, ``mia.matches/1``, and the files that hold no record."""
    return {
        "schema": "mia.matches/1",
        "matches": [item.as_json() for item in matches],
        "skipped": [problem.place for problem in found.problems],
    }


def _listed(head: tuple[object, ...], name: str, known: object) -> Listed:
    created, lives, penalty, seats, person, _leader, winner, used, _spare, players, _ = head
    assert isinstance(known, (list, tuple))
    assert isinstance(created, int) and isinstance(used, int) and isinstance(winner, int)
    assert isinstance(lives, int) and isinstance(penalty, int) and isinstance(seats, int)
    numbers = list(players)[:seats]  # type: ignore[call-overload]
    return Listed(
        id=name.removesuffix(".json"),
        created=datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        lives=lives,
        penalty_21=penalty,
        players=tuple(known[number] for number in numbers),
        winner=winner or None,
        won=winner == person if winner else None,
        tutor=bool(used & TUTOR),
        hints=bool(used & HINTS),
        take_backs=bool(used & TAKE_BACKS),
    )
