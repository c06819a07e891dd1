"""The course of a match as a few numbers, read from a record's bytes at speed.

A record is read by a short way that checks what the strict reader (``records.record``) and the
rules (``records.replay``) would check, without making their values: the text of every event is
looked up in a table of texts that the strict reader has accepted before, and the events are
followed with tables made by ``rules`` (see ``turns``). Whatever is unusual goes to the strict
reader, which accepts it or says what is wrong. Dice are not recomputed from the seed: that is for
``mia review --verify``.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from mia_cli.records import migrate
from mia_cli.records.files import decode_json
from mia_cli.records.head import HUMAN, read_ruleset, read_seats
from mia_cli.records.record import FINISHED, SCHEMA, UNFINISHED, from_json, to_json
from mia_cli.records.replay import replay
from mia_cli.records.shapes import (
    FINGERPRINT,
    MATCH_ID,
    NOWHERE,
    SEED,
    TEXT,
    TIME,
    one_of,
    or_null,
)
from mia_cli.rules.errors import BadRecord, MiaError
from mia_cli.rules.ruleset import RuleSet
from mia_cli.stats.turns import Odd, Texts, follow

TUTOR, HINTS, TAKE_BACKS = 1, 2, 4
"""Bits of ``Course.aids``."""
_MOST_REMEMBERED = 100_000
_SEPARATORS = (b'},{"event":', b'},\n  {"event": ', b'}, {"event": ')
_EVENTS = re.compile(rb'"events": ?\[\s*\{"event": ?"match_started"(?=,)')


@dataclass(frozen=True, slots=True)
class Course:
    """One match: what all statistics are made of.

    ``created`` in seconds since 1970, ``winner`` 0 while unfinished, ``person`` 0 when only
    programs played, ``players`` the (name, player) of every seat, ``turns`` as in that module.
    """

    id: str
    created: int
    rules: RuleSet
    players: tuple[tuple[str, str], ...]
    person: int
    leader: int
    winner: int
    aids: int
    turns: array[int]


def read_course(data: bytes) -> Course:
    """Read a record. Raises BadRecord, without a file, as the strict reader and replay do."""
    try:
        return _fast(data)
    except (Odd, KeyError, IndexError, TypeError, ValueError, AttributeError, MiaError):
        pass
    except RecursionError:
        raise BadRecord("too_deep") from None
    record = from_json(decode_json(data))
    replayed = replay(_believing(record))
    assert replayed.table.events, "a match has events"
    return _fast(json.dumps(to_json(record), separators=(",", ":")).encode("ascii"))


def _believing(record: Any) -> Any:
    """The record with its dice taken as said, so that only the rules are checked."""
    from dataclasses import replace

    return record if record.status == UNFINISHED else replace(record, dice="as said")


def _fast(data: bytes) -> Course:
    head, started, texts, seed = _cut(data)
    if head["schema"] != SCHEMA:
        head = migrate.upgrade(head)
        if head["schema"] != SCHEMA or head["events"]:
            raise Odd
    MATCH_ID.read(head["id"])
    created = _created(head)
    seats, rule_set = _seats(head["seats"]), _rules(head["ruleset"])
    status, winner = head["status"], head["winner"]
    finished = status == FINISHED
    if started != {key: head[name] for key, name in _HEAD} or seed not in (None, head["seed"]):
        raise Odd
    if (head["ended"] is None) is finished or (winner is None) is finished:
        raise Odd
    person = next((at for at, seat in enumerate(seats, 1) if seat[1] == HUMAN), 0)
    turns, leader = follow(texts, rule_set, len(seats), winner, person)
    return Course(
        id=head["id"],
        created=created,
        rules=rule_set,
        players=seats,
        person=person,
        leader=leader,
        winner=winner or 0,
        aids=aids_of(head.get("aids")),
        turns=turns,
    )


_HEAD = (
    ("match", "id"),
    *((name, name) for name in ("ruleset", "seats", "seed_fingerprint")),
)
"""Fields of ``match_started`` and of the record that say the same."""
_FIELDS = {
    "created": TIME,
    "ended": or_null(TIME),
    "status": one_of(FINISHED, UNFINISHED),
    "version": TEXT,
    "seed": SEED,
    "seed_fingerprint": FINGERPRINT,
    "preset": or_null(TEXT),
    "dice": TEXT,
}
_OPTIONAL = {"preset": None, "dice": "-"}
_DATED: dict[tuple[object, ...], int] = {}


def _created(head: Mapping[str, Any]) -> int:
    """When the match began, in seconds since 1970, once all plain fields were read strictly.

    Logs repeat them from line to line, so they are remembered.
    """
    key = (
        *(head["created"], head["ended"], head["status"], head["version"]),
        *(head["seed"], head["seed_fingerprint"], head.get("preset"), head.get("dice", "-")),
        type(head["seed"]),
    )
    found = _DATED.get(key)
    if found is None:
        for name, kind in _FIELDS.items():
            kind.read({**_OPTIONAL, **head}[name])
        moment = datetime.fromisoformat(head["created"]).astimezone(UTC)
        if len(_DATED) >= _MOST_REMEMBERED // 10:
            _DATED.clear()
        found = _DATED[key] = int(moment.timestamp())
    return found


def _cut(data: bytes) -> tuple[dict[str, Any], object, Texts, object]:
    """The record without its events, ``match_started`` without its name, the texts of the other
    events, and the seed in ``match_over``."""
    found = _EVENTS.search(data)
    if found is None:
        raise Odd
    separator = _separator(data[found.end() :])
    first, *turns = data[found.end() :].split(separator + b'"rolled"')
    started, opened, opening = first.partition(separator)
    last, closed, rest = (turns[-1] if turns else opening).partition(b"}]")
    if not closed:
        last, closed, rest = (turns[-1] if turns else opening).partition(b"}\n ]")
    if not (opened and closed):
        raise Odd
    last, _over, over = last.partition(separator + b'"match_over"')
    if turns:
        turns[-1] = last
    else:
        opening = last
    if over[:1] not in (b"", b",") or started[:1] != b",":
        raise Odd
    # One call for all three: most of its price is paid per call.
    parts = (b"[", data[: found.start()], b'"events":[]', rest, b",{", started[1:], b"},{")
    head, begun, ended = json.loads(b"".join((*parts, over[1:], b"}]")).decode())
    if head["events"]:
        raise Odd
    texts = Texts(separator, opening, turns, _winner_of(ended) if over else None)
    return head, begun, texts, ended.get("seed")


def _separator(events: bytes) -> bytes:
    for separator in _SEPARATORS:
        if separator in events:
            return separator
    raise Odd


def _winner_of(over: Mapping[str, Any]) -> int:
    """The winner in ``match_over``, which holds the seed and so is never the same twice."""
    winner = over["winner"]
    if len(over) != 2 or type(winner) is not int or type(over["seed"]) is bool:
        raise Odd
    return winner


def aids_of(value: object) -> int:
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
