"""A match as a few numbers, read from a record's bytes at speed.

A record is read by a short way that checks what the strict reader (``records.record``) and the
rules (``records.replay``) would check, without making their values: the text of every event is
looked up in a table of texts that the strict reader has accepted before, and the events are
followed with tables made by ``rules`` (see ``turns``). Whatever is unusual goes to the strict
reader, which accepts it or says what is wrong. The seed is held against its fingerprint, and dice
of ``mia-dice/1`` against the seed; those of a simulation are for ``mia review --verify``.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mia_cli.engine.seed import roll_number
from mia_cli.files.strict_json import decode_json
from mia_cli.records.many.quick_head import HeadBytes, QuickHead, quick_head
from mia_cli.records.many.turns import (
    SHIFTS,
    WIDTHS,
    EncodedMatch,
    Odd,
    PackedTurns,
    Texts,
    follow,
)
from mia_cli.records.record import (
    encode_line,
    from_json,
)
from mia_cli.records.replay import replay, require_known_dice
from mia_cli.rules.errors import MiaError
from mia_cli.rules.ruleset import RuleSet

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
    four bytes each, the lowest first; ``help_used`` as in ``quick_head``.
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
        require_known_dice(record)
        replay(record)
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
            head = quick_head(HeadBytes(cut.before, cut.started, cut.over, cut.after))
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
            if of_one is not None and _has_right_dice(one.head, of_one):
                found[one.at] = _summary(one, of_one.tobytes())
    return found


def _has_right_dice(head: QuickHead, turns: PackedTurns) -> bool:
    """Whether all rolls that are told are those of the seed, as far as that can be said here."""
    if head.seed is None:
        return True
    told = (turns >> SHIFTS["roll"] & (1 << WIDTHS["roll"]) - 1).tolist()
    return all(
        roll in (0, roll_number(head.seed, number).position) for number, roll in enumerate(told)
    )


class _Told(NamedTuple):
    """A record that was read but not followed through: its place among them, and what it says."""

    at: int
    head: QuickHead
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


def _encoded(cut: _Cut, head: QuickHead, texts: Texts) -> EncodedMatch:
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
