"""The lines of ``mia.bot/1``: what a bot is told and asked, and how its replies are read.

One JSON object a line, in ASCII and without spaces, so that a bot without a JSON library can find
its way with patterns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

from mia_cli.players.bot.fault import Broken
from mia_cli.rules.events import Event, seen_by
from mia_cli.rules.match import Accept, Answer, Challenge, Observation, legal_answers
from mia_cli.rules.rolls import Claim, Roll, claims_above

SCHEMA = "mia.bot/1"
_LONGEST_QUOTE = 200

_compact = json.JSONEncoder(separators=(",", ":")).encode

_ANSWERS: Mapping[str, Answer] = {"accept": Accept(), "challenge": Challenge()}
_ACTIONS = tuple(_compact({"action": word}) for word in _ANSWERS)

Encode = Callable[[Event], Mapping[str, object]]
"""The JSON object of an event, as in records (``records.codec.encode_with``)."""

# The same few hundred lines come again and again, match after match: each is made or read once.


def opening(seat: int, started: Mapping[str, object]) -> list[str]:
    """The first lines of a match: the rules and the bot's seat, and ``match_started`` itself."""
    head = {"type": "match", "schema": SCHEMA, "seat": seat, "ruleset": started["ruleset"]}
    return [_compact(head), _compact({"type": "event", **started})]


def event_line(event: Event, seat: int, encode: Encode) -> str:
    """An event as ``seat`` may know it."""
    return _line(seen_by(event, seat), encode)


@lru_cache(maxsize=4096)
def _line(event: Event, encode: Encode) -> str:
    return _compact({"type": "event", **encode(event)})


def request(seen: Observation) -> str:
    """The question to the seat that decides."""
    is_claim = seen.decision == "claim"
    subject = seen.roll if is_claim else seen.claim
    return _request(is_claim, _name(subject), _name(seen.above), seen.lives, seen.seat)


@lru_cache(maxsize=4096)
def _request(
    is_claim: bool, subject: str | None, above: str | None, lives: tuple[int, ...], seat: int
) -> str:
    asked = {"type": "claim", "roll": subject} if is_claim else {"type": "answer", "claim": subject}
    return _compact({**asked, "above": above, "lives": lives, "seat": seat})


def _name(value: Roll | Claim | None) -> str | None:
    return None if value is None else value.name


@lru_cache(maxsize=256)
def read_claim(line: bytes, above: Claim | None) -> Claim:
    """The claim in a reply; the 21 names are the only spellings.

    Raises Broken: not_json, bad_reply, illegal_claim.
    """
    legal = _legal(above)
    said = _field(line, "claim", ('{"claim":"55"}',))
    if said not in legal:
        raise Broken("illegal_claim", value=said, allowed=tuple(legal))
    return legal[said]


@cache
def _legal(above: Claim | None) -> Mapping[str, Claim]:
    return {claim.name: claim for claim in claims_above(above)}


@lru_cache(maxsize=256)
def read_answer(line: bytes, claim: Claim) -> Answer:
    """Accept or challenge. Raises Broken: not_json, bad_reply, illegal_answer."""
    said = _field(line, "action", _ACTIONS)
    if said not in _ANSWERS:
        raise Broken("bad_reply", value=quoted(line), allowed=_ACTIONS)
    if _ANSWERS[said] not in legal_answers(claim):
        raise Broken("illegal_answer", claim=claim.name)
    return _ANSWERS[said]


def _field(line: bytes, key: str, shapes: Sequence[str]) -> str:
    """The text a reply has under ``key``; further keys do not matter."""
    try:
        # Decoded here: the library would also guess at UTF-16 and UTF-32.
        reply = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Broken("not_json", value=quoted(line)) from None
    said = reply.get(key) if isinstance(reply, dict) else None
    if not isinstance(said, str):
        raise Broken("bad_reply", value=quoted(line), allowed=shapes)
    return said


def quoted(data: bytes | bytearray) -> str:
    """The start of a bot's output as raw text, whatever its bytes."""
    return data[: 4 * _LONGEST_QUOTE].decode("utf-8", "replace").strip()[:_LONGEST_QUOTE]
