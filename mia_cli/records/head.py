"""Who plays what: the part of a match that is known before its first roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Protocol

from mia_cli.records.shapes import (
    FINGERPRINT,
    MATCH_ID,
    NOWHERE,
    PLAYER,
    SEAT,
    TEXT,
    FieldKind,
    FieldPlace,
    read_object,
)
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet

HUMAN = "human"

_SEAT = {"seat": SEAT, "name": TEXT, "player": PLAYER}


def _one_int_of(values: tuple[int, ...]) -> FieldKind:
    def read(value: object) -> int:
        if type(value) is not int or value not in values:
            raise ValueError
        return value

    return FieldKind(values, read, lambda value: value)


_RULESET = {"lives": _one_int_of(LIVES), "penalty_21": _one_int_of(PENALTIES)}


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table: its number from 1, its name as typed, and who plays it.

    ``player`` is ``"human"``, a level such as ``"hard"``, or ``"bot:NAME"``. Raises
    BadRecord("bad_value") for an empty name or one that is not Unicode text.
    """

    seat: int
    name: str
    player: str

    def __post_init__(self) -> None:
        for key, kind in _SEAT.items():
            FieldPlace(inside=f"seats[{self.seat}]").read(kind, key, getattr(self, key))


class HasHead(Protocol):
    """A match that ``match_started`` can tell of: a record, or a bare Head."""

    @property
    def id(self) -> str:
        """The match's id."""

    @property
    def ruleset(self) -> RuleSet:
        """Its rules."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in order."""

    @property
    def seed_fingerprint(self) -> str:
        """The fingerprint of its seed."""


@dataclass(frozen=True, slots=True)
class Head:
    """Id, rules, seats and fingerprint of the seed, without a record."""

    id: str
    ruleset: RuleSet
    seats: tuple[Seat, ...]
    seed_fingerprint: str


HEAD = ("match", "ruleset", "seats", "seed_fingerprint")
"""Names of the fields of a head in JSON."""


def head_to_json(head: HasHead) -> dict[str, object]:
    """The fields of a head as JSON values, in the order of the contract."""
    return {
        "match": head.id,
        "ruleset": ruleset_to_json(head.ruleset),
        "seats": [asdict(seat) for seat in head.seats],
        "seed_fingerprint": head.seed_fingerprint,
    }


def read_head(value: Mapping[str, object], place: FieldPlace) -> Head:
    """Read the fields of a head (see ``HEAD``) that are known to be there. Raises BadRecord."""
    return Head(
        id=place.read(MATCH_ID, "match", value["match"]),
        ruleset=read_ruleset(value["ruleset"], place),
        seats=read_seats(value["seats"], place),
        seed_fingerprint=place.read(FINGERPRINT, "seed_fingerprint", value["seed_fingerprint"]),
    )


def ruleset_to_json(rules: RuleSet) -> dict[str, object]:
    """``{"lives", "penalty_21"}``."""
    return {"lives": rules.lives, "penalty_21": rules.penalty_21}


def read_ruleset(value: object, place: FieldPlace) -> RuleSet:
    """Read ``{"lives", "penalty_21"}``. Raises BadRecord."""
    return RuleSet(**read_object(value, _RULESET, FieldPlace(place.event, "ruleset")))


def read_seats(value: object, place: FieldPlace) -> tuple[Seat, ...]:
    """Read the list of seats, in order of their numbers. Raises BadRecord."""
    if not isinstance(value, list) or len(value) not in SEATS:
        place.refuse("bad_seats", "seats", allowed=SEATS)
    objects = (
        read_object(item, _SEAT, FieldPlace(place.event, f"seats[{number}]"))
        for number, item in enumerate(value, start=1)
    )
    return require_seats_in_order(tuple(Seat(**found) for found in objects), place)


def require_seats_in_order(
    seats: tuple[Seat, ...], place: FieldPlace = NOWHERE
) -> tuple[Seat, ...]:
    """Check that there are 2 to 6 seats, numbered from 1 in order. Raises BadRecord."""
    if len(seats) not in SEATS:
        place.refuse("bad_seats", "seats", allowed=SEATS)
    for number, seat in enumerate(seats, start=1):
        if seat.seat != number:
            inside = FieldPlace(place.event, f"seats[{number}]")
            inside.refuse("bad_value", "seat", value=seat.seat, allowed=(number,))
    return seats
