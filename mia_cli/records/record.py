"""A match record, schema ``mia.match/1``: the value, and its JSON form.

While a match is unfinished, its file holds no roll of a seat that is not the person's, except
where a challenge revealed it; they are recomputed from the seed when the record is read. The file
of a finished match holds everything. In memory a record is always complete.

Reading errors are BadRecord: ``not_a_record``; ``newer_schema`` and ``unknown_schema`` (value,
allowed); ``missing_field`` (field); ``bad_value`` (field, value, allowed); ``not_an_object``,
``unknown_field``, ``bad_seats`` inside rules and seats; ``head_differs`` (event, field, expected,
found) where ``match_started`` and the record's own fields disagree; ``contradicts_status`` (field,
value, status) where only one of status, end and winner says that the match is over;
``unknown_dice`` (field, value, allowed) for an unfinished match with other dice; ``no_events``; and
those of ``codec``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mia_cli.engine.seed import roll_number
from mia_cli.files.failures import in_file
from mia_cli.files.reading import read_bytes
from mia_cli.files.strict_json import decode_json, encode_json
from mia_cli.records.codec import (
    decode,
    decode_match_started,
    encode_with,
    match_started,
)
from mia_cli.records.head import (
    HEAD,
    HUMAN,
    Head,
    Seat,
    head_to_json,
    read_ruleset,
    read_seats,
    require_seats_in_order,
)
from mia_cli.records.migrate import upgrade
from mia_cli.records.shapes import (
    FINGERPRINT,
    LIST,
    MATCH_ID,
    NOWHERE,
    SEAT,
    SEED,
    TEXT,
    TIME,
    one_of,
    or_null,
    quotable,
    seed_to_json,
)
from mia_cli.rules.errors import BadRecord, MiaError
from mia_cli.rules.events import Event, Rolled
from mia_cli.rules.ruleset import RuleSet

SCHEMA = "mia.match/1"
DICE = "mia-dice/1"
"""The documented way from seed to dice, see ``engine.seed``."""
SIMULATED_DICE = "mia-sim/1"
"""The way of matches of a simulation, see ``simulate.lockstep.draws``: they count in their run."""
FINISHED = "finished"
UNFINISHED = "unfinished"
FIRST = 2
"""Number of the first event in memory: in a file, ``match_started`` comes before it as 1."""

_SIMPLE = {
    "id": MATCH_ID,
    "created": TIME,
    "ended": or_null(TIME),
    "status": one_of(FINISHED, UNFINISHED),
    "version": TEXT,
    "preset": or_null(TEXT),
    "seed": SEED,
    "seed_fingerprint": FINGERPRINT,
    "dice": TEXT,
    "winner": or_null(SEAT),
}
_OPTIONAL = {"preset": None, "dice": DICE}
_OTHER = ("schema", "ruleset", "seats", "events")
_NEWER = re.compile(r"mia\.match/(?:[2-9]|[1-9][0-9]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match as it is kept.

    Times are UTC in ISO 8601 and end in Z. ``version`` is the program's. ``preset`` is the name of
    the preset, or None. ``events`` are all events from the first ``RoundStarted`` on, every roll
    included; the first leader is in it. ``ended`` and ``winner`` are None until the match is over.
    ``extra`` are further fields of the file, kept as they are. Raises BadRecord.
    """

    id: str
    created: str
    ended: str | None
    status: str
    version: str
    ruleset: RuleSet
    preset: str | None
    seats: tuple[Seat, ...]
    # Neither seed nor events turn up in tracebacks: they tell the hidden dice.
    seed: int = field(repr=False)
    seed_fingerprint: str
    events: tuple[Event, ...] = field(repr=False)
    winner: int | None = None
    dice: str = DICE
    extra: Mapping[str, object] = field(default_factory=dict, repr=False, hash=False)

    def __post_init__(self) -> None:
        for key, kind in _SIMPLE.items():
            NOWHERE.read(kind, key, getattr(self, key))
        require_seats_in_order(self.seats)
        for key in self.extra:
            if key in _SIMPLE or key in _OTHER:
                raise BadRecord("unknown_field", field=f"extra.{key}", allowed=())
        _require_outcome(self)
        _require_events(self)

    @property
    def human(self) -> int | None:
        """The person's seat, None when only programs played."""
        return next((seat.seat for seat in self.seats if seat.player == HUMAN), None)


def _require_events(record: MatchRecord) -> None:
    if not record.events:
        raise BadRecord("no_events")
    for number, event in enumerate(record.events, start=FIRST):
        if isinstance(event, Rolled) and event.roll is None:
            raise BadRecord("event_missing_field", event=number, field="roll")
    if record.status == UNFINISHED and record.dice != DICE:
        raise BadRecord("unknown_dice", field="dice", value=record.dice, allowed=(DICE,))


def _require_outcome(record: MatchRecord) -> None:
    """Status, end and winner must say the same; whether it is true is for ``replay`` to tell."""
    for key in ("ended", "winner"):
        value = getattr(record, key)
        if (value is None) != (record.status == UNFINISHED):
            raise BadRecord("contradicts_status", field=key, value=value, status=record.status)


def to_json(record: MatchRecord) -> dict[str, object]:
    """The file's JSON object: without hidden rolls while the match is unfinished."""
    head = head_to_json(record)
    shown = [encode_with(as_kept(record, event), record.seed) for event in record.events]
    return {
        "schema": SCHEMA,
        "id": record.id,
        "created": record.created,
        "ended": record.ended,
        "status": record.status,
        "version": record.version,
        "ruleset": head["ruleset"],
        "preset": record.preset,
        "seats": head["seats"],
        "seed": seed_to_json(record.seed),
        "seed_fingerprint": record.seed_fingerprint,
        "dice": record.dice,
        "events": [match_started(record), *shown],
        "winner": record.winner,
        **record.extra,
    }


def as_kept(record: MatchRecord, event: Event) -> Event:
    """The event as the file may hold it: hidden rolls are None until the match is finished."""
    return event if record.status == FINISHED else hidden(record.seats, event)


def hidden(seats: tuple[Seat, ...], event: Event) -> Event:
    """The event without its roll, when that is not the person's own."""
    if not isinstance(event, Rolled) or _is_human(seats, event.seat):
        return event
    return replace(event, roll=None)


def _is_human(seats: tuple[Seat, ...], number: int) -> bool:
    return any(seat.seat == number and seat.player == HUMAN for seat in seats)


def from_json(document: object) -> MatchRecord:
    """Read a record from its JSON object. Raises BadRecord."""
    if not isinstance(document, dict):
        raise BadRecord("not_a_record")
    document = upgrade(document)
    _require_schema(document.get("schema"))
    known = {**_OPTIONAL, **document}
    for key in (*_SIMPLE, *_OTHER):
        if key not in known:
            raise BadRecord("missing_field", field=key)
    simple = {key: NOWHERE.read(kind, key, known[key]) for key, kind in _SIMPLE.items()}
    head = Head(
        id=simple["id"],
        ruleset=read_ruleset(known["ruleset"], NOWHERE),
        seats=read_seats(known["seats"], NOWHERE),
        seed_fingerprint=simple["seed_fingerprint"],
    )
    return MatchRecord(
        **simple,
        ruleset=head.ruleset,
        seats=head.seats,
        events=_read_events(known["events"], head, simple),
        extra={key: value for key, value in document.items() if key not in (*_SIMPLE, *_OTHER)},
    )


def _require_schema(schema: object) -> None:
    if schema != SCHEMA:
        is_newer = isinstance(schema, str) and _NEWER.fullmatch(schema)
        code = "newer_schema" if is_newer else "unknown_schema"
        raise BadRecord(code, value=quotable(schema), allowed=(SCHEMA,))


def _read_events(values: object, head: Head, simple: Mapping[str, Any]) -> tuple[Event, ...]:
    items = NOWHERE.read(LIST, "events", values)
    if len(items) < FIRST:
        raise BadRecord("no_events")
    _require_same(head_to_json(head), head_to_json(decode_match_started(items[0])))
    seed = simple["seed"]
    events = [decode(item, number, seed) for number, item in enumerate(items[1:], start=FIRST)]
    if simple["status"] == UNFINISHED and simple["dice"] == DICE:
        return _restored(events, head.seats, seed)
    return tuple(events)


def _require_same(expected: Mapping[str, object], found: Mapping[str, object]) -> None:
    for key in HEAD:
        if expected[key] != found[key]:
            raise BadRecord(
                "head_differs", event=1, field=key, expected=expected[key], found=found[key]
            )


def _restored(events: Sequence[Event], seats: tuple[Seat, ...], seed: int) -> tuple[Event, ...]:
    """The events with the hidden rolls recomputed; the person's own must be there."""
    restored, rolls = [], 0
    for event in events:
        if isinstance(event, Rolled):
            if event.roll is None and not _is_human(seats, event.seat):
                event = replace(event, roll=roll_number(seed, rolls))  # noqa: PLW2901
            rolls += 1
        restored.append(event)
    return tuple(restored)


def encode_record(record: MatchRecord) -> bytes:
    """The bytes of a record's file."""
    return encode_json(to_json(record))


def encode_line(record: MatchRecord) -> bytes:
    """A record as one line of JSON, as files of many records have it."""
    return compact(to_json(record)) + b"\n"


def compact(document: Mapping[str, object]) -> bytes:
    """A JSON object as it stands in a line."""
    return json.dumps(document, separators=(",", ":")).encode("ascii")


def decode_record(data: bytes, file: Path | str) -> MatchRecord:
    """Read a record from the bytes of ``file``. Raises BadRecord, always with ``file``."""
    try:
        return from_json(decode_json(data))
    except MiaError as error:
        raise in_file(error, file) from None


def read_record(path: Path) -> MatchRecord:
    """Read a record from a file anywhere. Raises BadRecord and Unwritable."""
    try:
        data = read_bytes(path)
    except BadRecord as error:
        raise in_file(error, path) from None
    return decode_record(data, path)
