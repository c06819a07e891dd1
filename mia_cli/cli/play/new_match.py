"""From the options of ``mia play`` to a new match that is ready to run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from mia_cli import __version__
from mia_cli.cli import streams
from mia_cli.cli.bots import begin_match
from mia_cli.cli.play.help_used import HelpUsed
from mia_cli.cli.play.names import cpu_names, person_name
from mia_cli.cli.play.request import RANDOM, PlayRequest, first_seat
from mia_cli.cli.play.seating import cpu_players, session_of, view_of
from mia_cli.cli.play.session import (
    MatchSession,
    Opening,
    RecordSaver,
    utc_text,
    with_help_used,
)
from mia_cli.cli.play.shark import FIELD as MEMORY
from mia_cli.cli.play.shark import begin_sharks, is_at, recall
from mia_cli.engine.driver import Table
from mia_cli.engine.player import Player
from mia_cli.engine.seed import draw_seed, fingerprint, first_leader, parse_seed
from mia_cli.files.folders import matches_dir
from mia_cli.players.names import TABLES_FIELD, tables_of
from mia_cli.presets import TableSettings
from mia_cli.records.days import FIELD as DAY
from mia_cli.records.head import HUMAN, Seat
from mia_cli.records.record import UNFINISHED, MatchRecord
from mia_cli.records.store import MatchStore, draw_id
from mia_cli.rules.errors import MiaError
from mia_cli.rules.match import start
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.play import opening

PERSON = 1
"""The person's seat."""


def new_session(
    request: PlayRequest, environ: Mapping[str, str] = os.environ
) -> tuple[MatchSession, Sequence[Player]]:
    """A new match, its first record kept and its head shown. Raises MiaError for bad options."""
    settings = request.settings(environ)
    cpus = cpu_players(request, settings.cpus, settings.rules, settings.players)
    store = _store()
    record, table = _new_record(request, settings, store, environ)
    view = view_of(record, request)
    saver = RecordSaver(store)
    memory = recall(store) if is_at(record) and not request.no_memory else None
    if memory is not None:
        remembered = {MEMORY: [match.id for match in memory]}
        record = replace(record, extra={**record.extra, **remembered})
    record = replace(record, extra=with_help_used(record, HelpUsed(tutor=request.tutor)))
    session, person = session_of(record, table, saver, view, HelpUsed(tutor=request.tutor))
    players = [person, *cpus]
    begin_sharks(players, record, table, memory or ())
    waiting = None if store is None else store.waiting()
    saver.keep(record)
    chosen = request.day is None and (request.rules is not None or environ.get("MIA_RULES"))
    view.start(
        Opening(
            record,
            preset=record.preset if chosen else None,
            seed_is_known=request.seed is not None and request.day is None,
            memory=None if memory is None else len(memory),
            waiting=waiting,
            tries=request.tries,
        )
    )
    view.show(record.events, record)
    begin_match(players, record, seed_is_secret=request.seed is None)
    return session, players


def same_table(request: PlayRequest, record: MatchRecord) -> PlayRequest:
    """Another match with the seats and rules of this one, and dice of its own."""
    rules = record.ruleset
    return replace(
        request,
        players=str(len(record.seats)),
        cpus=tuple(seat.player for seat in record.seats if seat.player != HUMAN),
        lives=str(rules.lives),
        penalty_21=str(rules.penalty_21),
        name=next(seat.name for seat in record.seats if seat.player == HUMAN),
        seed=None,
        day=None,
    )


def _new_record(
    request: PlayRequest,
    settings: TableSettings,
    store: MatchStore | None,
    environ: Mapping[str, str],
) -> tuple[MatchRecord, Table]:
    name = person_name(request.name, environ)
    seed = draw_seed() if request.seed is None else parse_seed(request.seed)
    leader = _leader(request.first, seed, settings.players)
    match, events = start(settings.rules, settings.players, leader)
    seats = [Seat(PERSON, name, HUMAN)]
    for cpu_name, level in zip(cpu_names(name, seed), settings.cpus, strict=False):
        seats.append(Seat(len(seats) + 1, cpu_name, level))
    now = datetime.now(UTC)
    record = MatchRecord(
        id=store.new_id(now) if store else draw_id(now),
        created=utc_text(now),
        ended=None,
        status=UNFINISHED,
        version=__version__,
        ruleset=settings.rules,
        preset=settings.preset,
        seats=tuple(seats),
        seed=seed,
        seed_fingerprint=fingerprint(seed),
        events=events,
        winner=None,
        extra={
            TABLES_FIELD: tables_of(settings.cpus),
            **({} if request.day is None else {DAY: request.day}),
        },
    )
    return record, Table(match, events)


def _leader(text_: str, seed: int, players: int) -> int:
    chosen = first_seat(text_, players)
    return first_leader(seed, players) if chosen == RANDOM else int(chosen)


def _store() -> MatchStore | None:
    """Where the match will be kept; None, and a warning, when nothing can be kept."""
    try:
        store = MatchStore(matches_dir())
        store.check_writable()
    except MiaError as error:
        streams.say_error(f"mia: {opening.cannot_save(sentence(error))}")
        return None
    return store
