"""Events as JSON objects and back: alike in records, in ``mia play --json`` and for bots.

Errors are BadRecord with the number of the event in its list, 1 for ``match_started``:
``unknown_event`` (event, value, allowed); ``event_not_an_object`` (event, value);
``event_missing_field`` (event, field); ``event_unknown_field`` (event, field, allowed);
``event_bad_value`` (event, field, value, allowed); ``event_bad_seats`` (event, field, allowed);
``seed_differs`` (event).
"""

from __future__ import annotations

from collections.abc import Mapping

from mia_cli.records.head import HEAD, HasHead, Head, head_to_json, read_head
from mia_cli.records.shapes import (
    ALL_LIVES,
    CLAIM,
    FLAG,
    ROLL,
    SEAT,
    SEED,
    WHOLE,
    FieldKind,
    FieldPlace,
    quotable,
    read_object,
    seed_to_json,
)
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    Event,
    LivesLost,
    MatchOver,
    Out,
    Revealed,
    Rolled,
    RoundStarted,
)

MATCH_STARTED = "match_started"
MATCH_OVER = "match_over"

_SHAPES: Mapping[str, tuple[type[Event], Mapping[str, FieldKind]]] = {
    "round_started": (RoundStarted, {"round": WHOLE, "leader": SEAT, "lives": ALL_LIVES}),
    "rolled": (Rolled, {"seat": SEAT, "roll": ROLL}),
    "claimed": (Claimed, {"seat": SEAT, "claim": CLAIM}),
    "accepted": (Accepted, {"seat": SEAT}),
    "challenged": (Challenged, {"seat": SEAT}),
    "revealed": (Revealed, {"seat": SEAT, "roll": ROLL, "claim": CLAIM, "holds": FLAG}),
    "lives_lost": (LivesLost, {"seat": SEAT, "lost": WHOLE, "lives": ALL_LIVES}),
    "out": (Out, {"seat": SEAT}),
    MATCH_OVER: (MatchOver, {"winner": SEAT}),
}
_NAMES = {kind: name for name, (kind, _) in _SHAPES.items()}
EVENTS = (MATCH_STARTED, *_SHAPES)
"""Names of all events."""


def encode(event: Event) -> dict[str, object]:
    """The JSON object of an event; a roll that is None is left out.

    The seed belongs into ``match_over`` and an event does not know it: use :func:`match_over`, or
    :func:`encode_with` for any event.
    """
    name = _NAMES[type(event)]
    values = ((key, kind, getattr(event, key)) for key, kind in _SHAPES[name][1].items())
    return {
        "event": name,
        **{key: kind.write(value) for key, kind, value in values if value is not None},
    }


def match_started(head: HasHead) -> dict[str, object]:
    """The first event of every match: id, rules, seats, fingerprint of the seed."""
    return {"event": MATCH_STARTED, **head_to_json(head)}


def match_over(event: MatchOver, seed: int) -> dict[str, object]:
    """The last event of a match: its winner and its seed, for all to check the dice with."""
    return {**encode(event), "seed": seed_to_json(seed)}


def encode_with(event: Event, seed: int) -> dict[str, object]:
    """The JSON object of any event; ``match_over`` carries the seed."""
    return match_over(event, seed) if isinstance(event, MatchOver) else encode(event)


def decode(value: object, number: int, seed: int | None = None) -> Event:
    """Read the event with this number in its list (``match_started`` is 1). Raises BadRecord.

    ``rolled`` may lack its roll, which is then None. With ``seed``, that of ``match_over`` must
    be the same.
    """
    name = _name(value, number)
    if name not in _SHAPES:
        _unknown(name, number, tuple(_SHAPES))
    kind, kinds = _SHAPES[name]
    is_over, is_rolled = name == MATCH_OVER, name == "rolled"
    expected = {"event": _EVENT, **kinds, **({"seed": SEED} if is_over else {})}
    found = read_object(value, expected, FieldPlace(number), ("roll",) if is_rolled else ())
    del found["event"]
    if is_over and found.pop("seed") != seed and seed is not None:
        raise BadRecord("seed_differs", event=number)
    if is_rolled:
        found.setdefault("roll", None)
    return kind(**found)


def decode_match_started(value: object, number: int = 1) -> Head:
    """Read the first event. Raises BadRecord."""
    name = _name(value, number)
    if name != MATCH_STARTED:
        _unknown(name, number, (MATCH_STARTED,))
    expected = {"event": _EVENT, **dict.fromkeys(HEAD, _ANYTHING)}
    return read_head(read_object(value, expected, FieldPlace(number)), FieldPlace(number))


def _keep(value: object) -> object:
    return value


_ANYTHING = FieldKind("", _keep, _keep)
_EVENT = FieldKind(EVENTS, _keep, _keep)


def _name(value: object, number: int) -> str:
    if not isinstance(value, dict):
        FieldPlace(number).refuse("not_an_object", value=quotable(value))
    if "event" not in value:
        FieldPlace(number).refuse("missing_field", "event")
    name = value["event"]
    if not isinstance(name, str):
        _unknown(name, number, EVENTS)
    return str(name)


def _unknown(name: object, number: int, allowed: tuple[str, ...]) -> None:
    raise BadRecord("unknown_event", event=number, value=quotable(name), allowed=allowed)
