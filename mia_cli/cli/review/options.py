"""The options of ``mia review``, and the record that they name."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from mia_cli.cli import outputs
from mia_cli.files.folders import matches_dir
from mia_cli.records.many.source import find_record
from mia_cli.records.record import MatchRecord
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import CannotRead, MiaError, NotAllowed, Unwritable

_MOST = 9999


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """The options as they were typed: an id, a file or ``-``; one ``within`` a file of many."""

    match: str | None = None
    within: str | None = None
    listed: bool = False
    verify: bool = False
    worst: str | None = None
    as_json: bool = False


def refuse_contradictions(options: ReviewOptions) -> None:
    """Raise NotAllowed or CannotRead for options that do not go together."""
    if options.listed and options.verify:
        raise NotAllowed("not_together", option="--list", other="--verify")
    if options.listed and options.match is not None:
        raise CannotRead("no_place_beside", value=options.match, option="--list")


def how_many(options: ReviewOptions, usual: int) -> int:
    """How many decisions ``--worst`` asks for. Raises CannotRead."""
    if options.worst is None:
        return usual
    plain = options.worst.strip()
    if not (plain.isascii() and plain.isdecimal() and len(plain) <= len(str(_MOST))):
        raise CannotRead(
            "bad_choice", value=plain, place="--worst", allowed=("0", "...", str(_MOST))
        )
    return int(plain)


def find(options: ReviewOptions) -> MatchRecord:
    """The record asked for; without a name the newest, for a review the newest finished one.

    Raises NotAllowed("nothing_to_review"), and what is wrong with the name, file or record.
    """
    text, within = options.match, options.within
    if text == "-":
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise Unwritable("input_closed")
        return find_record(stream, "-", within)
    if text is not None and _is_file(text):
        return find_record(Path(text), text, within)
    if within is not None:
        raise NotAllowed("needs_option", option="--match", other="FILE")
    store = MatchStore(matches_dir())
    return _latest(store, options.verify) if text is None else store.load(text)


def _is_file(text: str) -> bool:
    return (
        any(sign in text for sign in (os.sep, "/", ".")) or Path(text).is_file() or not text.strip()
    )


def _latest(store: MatchStore, unfinished: bool) -> MatchRecord:
    """The newest record, or the newest finished one; damaged ones on the way are told of."""
    for match_id in reversed(store.ids()):
        try:
            found = store.load(match_id)
        except MiaError as error:
            outputs.tell_skipped(error)
            continue
        if unfinished or found.winner is not None:
            return found
    raise NotAllowed("nothing_to_review")
