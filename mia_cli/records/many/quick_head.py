"""All of a record but its events, read at speed and as strictly as ``records.record`` reads it.

In a log it repeats from line to line but for the id and the number of the match, and is then
looked up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from mia_cli.engine.seed import fingerprint
from mia_cli.files.strict_json import decode_json
from mia_cli.records import migrate
from mia_cli.records.head import HUMAN, read_ruleset, read_seats
from mia_cli.records.many.turns import Odd
from mia_cli.records.record import DICE, FINISHED, SCHEMA, SIMULATED_DICE, UNFINISHED
from mia_cli.records.shapes import (
    FINGERPRINT,
    MATCH_ID,
    NOWHERE,
    SEAT,
    SEED,
    TEXT,
    TIME,
    one_of,
    or_null,
)
from mia_cli.rules.ruleset import RuleSet

TUTOR, HINTS, TAKE_BACKS = 1, 2, 4
"""Bits of ``QuickHead.help_used``."""
_MOST_REMEMBERED = 100_000


class QuickHead(NamedTuple):
    """All of a record but its events; the seed where its dice are those of ``mia-dice/1``."""

    id: str
    created: int
    rules: RuleSet
    players: tuple[tuple[str, str], ...]
    person: int
    winner: int | None
    help_used: int
    seed: int | None


_ID = re.compile(rb'"id": ?"([0-9a-z][0-9a-z-]{0,63})"')
_SAME_ID = re.compile(rb', ?"match": ?"([0-9a-z-]+)"')
_NUMBER = re.compile(rb'"match": ?[0-9]{1,15}')
_HEADS: dict[tuple[bytes, ...], QuickHead] = {}
_MOST_HEADS = 1000


class HeadBytes(NamedTuple):
    """What stands before the events of a record, in ``match_started`` and ``match_over`` behind
    their names, and after the events."""

    before: bytes
    started: bytes
    over: bytes
    after: bytes


def quick_head(data: HeadBytes) -> QuickHead:
    """Read a head. Raises Odd, MiaError, or what Python raises for values of another kind."""
    found, same = _ID.search(data.before), _SAME_ID.match(data.started)
    if found is None or same is None or found[1] != same[1]:
        raise Odd
    key = (
        data.before[: found.start(1)],
        data.before[found.end(1) :],
        data.started[same.end(1) :],
        data.over,
        _NUMBER.sub(b"", data.after, 1),
    )
    head = _HEADS.get(key)
    match_id = found[1].decode("ascii")
    if head is not None:
        return head._replace(id=match_id)
    head = _parsed(data)
    if head.id == match_id:
        if len(_HEADS) >= _MOST_HEADS:
            _HEADS.clear()
        _HEADS[key] = head
    return head


def _parsed(data: HeadBytes) -> QuickHead:
    # One call for all three: most of its price is paid per call.
    parts = (b"[", data.before, b'"events":[]', data.after, b",{", data.started[1:], b"},{")
    read: Any = decode_json(b"".join((*parts, data.over[1:], b"}]")))
    head, started, ended = read
    if head["schema"] != SCHEMA:
        head = migrate.upgrade(head)
    if head["schema"] != SCHEMA or head["events"]:
        raise Odd
    said = {name: kind.read({**_OPTIONAL, **head}[name]) for name, kind in _FIELDS.items()}
    seats, rule_set = _seats(head["seats"]), _rules(head["ruleset"])
    finished, winner = head["status"] == FINISHED, head["winner"]
    # As text: to Python, 1 and 1.0 and true are the same.
    if _spelt(started) != _spelt({key: head[name] for key, name in _HEAD}):
        raise Odd
    if _spelt(ended.get("seed", head["seed"])) != _spelt(head["seed"]):
        raise Odd
    if (head["ended"] is None) is finished or (winner is None) is finished:
        raise Odd
    if winner != (_winner_of(ended) if data.over else None):
        raise Odd
    person = next((at for at, seat in enumerate(seats, 1) if seat[1] == HUMAN), 0)
    simulated = said["dice"] == SIMULATED_DICE and finished and not person
    if said["seed_fingerprint"] != fingerprint(said["seed"]):
        raise Odd
    if said["dice"] != DICE and not simulated:
        raise Odd
    return QuickHead(
        id=head["id"],
        created=int(datetime.fromisoformat(head["created"]).astimezone(UTC).timestamp()),
        rules=rule_set,
        players=seats,
        person=person,
        winner=winner,
        help_used=_help_bits(head.get("aids")),
        seed=None if simulated else said["seed"],
    )


_HEAD = (
    ("match", "id"),
    *((name, name) for name in ("ruleset", "seats", "seed_fingerprint")),
)
"""Fields of ``match_started`` and of the record that say the same."""
_FIELDS = {
    "id": MATCH_ID,
    "created": TIME,
    "ended": or_null(TIME),
    "status": one_of(FINISHED, UNFINISHED),
    "version": TEXT,
    "seed": SEED,
    "seed_fingerprint": FINGERPRINT,
    "preset": or_null(TEXT),
    "dice": TEXT,
    "winner": or_null(SEAT),
}
_OPTIONAL = {"preset": None, "dice": DICE}


def _winner_of(over: Mapping[str, Any]) -> int:
    """The winner in ``match_over``, which holds the seed and so is never the same twice."""
    winner = over["winner"]
    if over.keys() != {"winner", "seed"} or type(winner) is not int:
        raise Odd
    return winner


_spelt = json.JSONEncoder(sort_keys=True).encode


def _help_bits(value: object) -> int:
    """What helped the person, as bits; anything unreadable counts as nothing."""
    if not isinstance(value, dict):
        return 0
    return (
        (TUTOR if value.get("tutor") is True else 0)
        | (HINTS if value.get("hints") else 0)
        | (TAKE_BACKS if value.get("take_backs") else 0)
    )


class _Seats(dict[tuple[tuple[str, str], ...], bool]):
    """Lists of players that the strict reader has accepted."""

    def __missing__(self, key: tuple[tuple[str, str], ...]) -> bool:
        listed = [
            {"seat": at, "name": name, "player": player} for at, (name, player) in enumerate(key, 1)
        ]
        read_seats(listed, NOWHERE)
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[key] = True
        return True


_KNOWN_SEATS = _Seats()


def _seats(value: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    for at, seat in enumerate(value, 1):
        if seat["seat"] != at or type(seat["seat"]) is not int or len(seat) != 3:
            raise Odd
    key = tuple([(seat["name"], seat["player"]) for seat in value])
    _KNOWN_SEATS[key]
    return key


def _rules(value: Mapping[str, Any]) -> RuleSet:
    lives, penalty = value["lives"], value["penalty_21"]
    if type(lives) is not int or type(penalty) is not int or len(value) != 2:
        raise Odd
    return _rule_set(lives, penalty)


@lru_cache
def _rule_set(lives: int, penalty: int) -> RuleSet:
    return read_ruleset({"lives": lives, "penalty_21": penalty}, NOWHERE)
