"""A match as a few numbers, read from a record's bytes at speed.

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
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from mia_cli.files.strict_json import decode_json
from mia_cli.records import migrate
from mia_cli.records.head import HUMAN, read_ruleset, read_seats
from mia_cli.records.many.turns import EncodedMatch, Odd, Texts, follow
from mia_cli.records.record import FINISHED, SCHEMA, UNFINISHED, encode_line, from_json
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
from mia_cli.rules.errors import MiaError
from mia_cli.rules.ruleset import RuleSet

TUTOR, HINTS, TAKE_BACKS = 1, 2, 4
"""Bits of ``MatchSummary.help_used``."""
_MOST_REMEMBERED = 100_000
_TEXTS = {
    separator: Texts(separator)
    for separator in (b'},{"event":', b'},\n  {"event": ', b'}, {"event": ')
}
"""By what stands between two events: in logs, in files of records, and as Python writes JSON."""
_EVENTS = re.compile(rb'"events": ?\[\s*\{"event": ?"match_started"(?=,)')
_UNUSUAL = (
    *(Odd, MiaError, KeyError, IndexError, TypeError, ValueError, AttributeError),
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One match: what all statistics are made of.

    ``created`` in seconds since 1970, ``winner`` 0 while unfinished, ``person`` 0 when only
    programs played, ``players`` the (name, player) of every seat, ``turns`` as in that module,
    four bytes each, the lowest first.
    """

    id: str
    created: int
    rules: RuleSet
    players: tuple[tuple[str, str], ...]
    person: int
    leader: int
    winner: int
    help_used: int
    turns: bytes

    def codes(self) -> list[int]:
        """The turns as numbers."""
        return [code for (code,) in struct.iter_unpack("<I", self.turns)]


def read_summary(data: bytes) -> MatchSummary:
    """Read a record. Raises BadRecord, without a file, as the strict reader and replay do."""
    found = read_summaries([data])[0]
    if isinstance(found, MiaError):
        raise found
    return found


def read_summaries(records: Sequence[bytes]) -> list[MatchSummary | MiaError]:
    """Read many records, in a fraction of the time; for a bad one, what ``read_summary`` raises."""
    found: list[MatchSummary | MiaError] = []
    for data, summary in zip(records, _quickly(records), strict=True):
        found.append(summary or _strictly(data))
    return found


def _strictly(data: bytes) -> MatchSummary | MiaError:
    try:
        record = from_json(decode_json(data))
        # Only the rules are checked: the dice are taken as said.
        replay(record if record.status == UNFINISHED else replace(record, dice="as said"))
        plain = encode_line(record).rstrip(b"\n")
    except MiaError as error:
        return error
    summary = _quickly([plain])[0]
    assert summary is not None, "what the strict reader and the rules take, the quick one takes"
    return summary


def _quickly(records: Sequence[bytes]) -> list[MatchSummary | None]:
    """Read what is as usual, and nothing else."""
    found: list[MatchSummary | None] = [None] * len(records)
    told: dict[bytes, list[_Told]] = {}
    for texts in _TEXTS.values():
        if texts.is_full:
            texts.clear()
    for at, data in enumerate(records):
        try:
            cut = _cut(data)
            head = _head(cut)
            texts = _TEXTS[cut.separator]
            encoded = _encoded(cut, head, texts)
            leader = texts.first_leader(cut.opening, encoded.seats, head.rules.lives)
        except _UNUSUAL:
            continue
        told.setdefault(cut.separator, []).append(_Told(at, head, encoded, leader))
    for separator, some in told.items():
        matches, leaders = [one.encoded for one in some], [one.leader for one in some]
        turns = follow(_TEXTS[separator], matches, leaders)
        for one, of_one in zip(some, turns, strict=True):
            if of_one is not None:
                found[one.at] = _summary(one, of_one.tobytes())
    return found


class _Told(NamedTuple):
    """A record that was read but not followed through: its place among them, and what it says."""

    at: int
    head: _Head
    encoded: EncodedMatch
    leader: int


def _summary(told: _Told, turns: bytes) -> MatchSummary:
    head = told.head
    return MatchSummary(
        id=head.id,
        created=head.created,
        rules=head.rules,
        players=head.players,
        person=head.person,
        leader=told.leader,
        winner=head.winner or 0,
        help_used=head.help_used,
        turns=turns,
    )


class _Cut(NamedTuple):
    """A record in pieces: what stands before its events, ``match_started`` and ``match_over``
    without their names, what stands after its events; the opening, and for each round its turns,
    with the texts between one round and the next."""

    before: bytes
    started: bytes
    separator: bytes
    opening: bytes
    rounds: list[list[bytes]]
    ends: list[bytes]
    over: bytes
    after: bytes


def _encoded(cut: _Cut, head: _Head, texts: Texts) -> EncodedMatch:
    """The events by numbers of texts."""
    rounds = cut.rounds
    if cut.over:
        if rounds.pop():
            raise Odd
    elif head.winner is not None:
        raise Odd
    known = texts.turns.__getitem__
    turns = [number for round_ in rounds for number in map(known, round_)]
    return EncodedMatch(
        turns,
        list(map(len, rounds)),
        list(map(texts.ends.__getitem__, cut.ends)),
        cut.opening,
        head.rules,
        len(head.players),
        head.winner or 0,
        head.person,
    )


class _Head(NamedTuple):
    """All of a record but its events."""

    id: str
    created: int
    rules: RuleSet
    players: tuple[tuple[str, str], ...]
    person: int
    winner: int | None
    help_used: int


_ID = re.compile(rb'"id": ?"([0-9a-z][0-9a-z-]{0,63})"')
_SAME_ID = re.compile(rb', ?"match": ?"([0-9a-z-]+)"')
_NUMBER = re.compile(rb'"match": ?[0-9]{1,15}')
_HEADS: dict[tuple[bytes, ...], _Head] = {}
_MOST_HEADS = 1000


def _head(cut: _Cut) -> _Head:
    """The head, read strictly; in a log it repeats from line to line but for the id, and for the
    number of the match in its run, and is then looked up."""
    found, same = _ID.search(cut.before), _SAME_ID.match(cut.started)
    if found is None or same is None or found[1] != same[1]:
        raise Odd
    key = (
        cut.before[: found.start(1)],
        cut.before[found.end(1) :],
        cut.started[same.end(1) :],
        cut.over,
        _NUMBER.sub(b"", cut.after, 1),
    )
    head = _HEADS.get(key)
    match_id = found[1].decode("ascii")
    if head is not None:
        return head._replace(id=match_id)
    head = _parsed(cut)
    if head.id == match_id:
        if len(_HEADS) >= _MOST_HEADS:
            _HEADS.clear()
        _HEADS[key] = head
    return head


def _parsed(cut: _Cut) -> _Head:
    # One call for all three: most of its price is paid per call.
    parts = (b"[", cut.before, b'"events":[]', cut.after, b",{", cut.started[1:], b"},{")
    head, started, ended = json.loads(b"".join((*parts, cut.over[1:], b"}]")).decode())
    if head["schema"] != SCHEMA:
        head = migrate.upgrade(head)
    if head["schema"] != SCHEMA or head["events"]:
        raise Odd
    for name, kind in _FIELDS.items():
        kind.read({**_OPTIONAL, **head}[name])
    seats, rule_set = _seats(head["seats"]), _rules(head["ruleset"])
    finished, winner = head["status"] == FINISHED, head["winner"]
    if started != {key: head[name] for key, name in _HEAD}:
        raise Odd
    if ended.get("seed", head["seed"]) != head["seed"]:
        raise Odd
    if (head["ended"] is None) is finished or (winner is None) is finished:
        raise Odd
    if winner != (_winner_of(ended) if cut.over else None):
        raise Odd
    return _Head(
        id=head["id"],
        created=int(datetime.fromisoformat(head["created"]).astimezone(UTC).timestamp()),
        rules=rule_set,
        players=seats,
        person=next((at for at, seat in enumerate(seats, 1) if seat[1] == HUMAN), 0),
        winner=winner,
        help_used=_help_bits(head.get("aids")),
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
}
_OPTIONAL = {"preset": None, "dice": "-"}


def _cut(data: bytes) -> _Cut:
    found = _EVENTS.search(data)
    if found is None:
        raise Odd
    events = data[found.end() :]
    texts = _TEXTS[_separator(events)]
    first, *later = events.split(texts.lost)
    top, *opening_round = first.split(texts.rolled)
    started, opened, opening = top.partition(texts.separator)
    rounds, ends = [opening_round], []
    for text in later:
        end, *turns = text.split(texts.rolled)
        ends.append(end)
        rounds.append(turns)
    # The last text of all also holds what comes after the events.
    last = rounds[-1][-1] if rounds[-1] else ends[-1] if ends else opening
    text, closed, after = last.partition(b"}]")
    if not closed:
        text, closed, after = last.partition(b"}\n ]")
    text, _name, over = text.partition(texts.over)
    if rounds[-1]:
        rounds[-1][-1] = text
    elif ends:
        ends[-1] = text
    else:
        opening = text
    if not (opened and closed) or over[:1] not in (b"", b",") or started[:1] != b",":
        raise Odd
    return _Cut(data[: found.start()], started, texts.separator, opening, rounds, ends, over, after)


def _separator(events: bytes) -> bytes:
    for separator in _TEXTS:
        if separator in events:
            return separator
    raise Odd


def _winner_of(over: Mapping[str, Any]) -> int:
    """The winner in ``match_over``, which holds the seed and so is never the same twice."""
    winner = over["winner"]
    if len(over) != 2 or type(winner) is not int or type(over["seed"]) is bool:
        raise Odd
    return winner


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
