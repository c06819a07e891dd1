"""From the options of ``mia play`` to a match that is ready to run, new or resumed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mia_cli import __version__
from mia_cli.cli import streams
from mia_cli.cli.bots import begin_match, read_bots
from mia_cli.cli.lines import LineSource
from mia_cli.cli.play.help_used import FIELD as AIDS
from mia_cli.cli.play.help_used import Adviser, HelpUsed, read_help_used
from mia_cli.cli.play.json_view import JsonView
from mia_cli.cli.play.names import cpu_names, person_name
from mia_cli.cli.play.person import Person
from mia_cli.cli.play.session import (
    MatchSession,
    MatchView,
    Opening,
    RecordSaver,
    utc_text,
    with_help_used,
)
from mia_cli.cli.play.shark import FIELD as MEMORY
from mia_cli.cli.play.shark import begin_sharks, is_at, recall, recall_again
from mia_cli.cli.play.text_view import TextView
from mia_cli.cli.solving import solution_for
from mia_cli.engine.driver import Table
from mia_cli.engine.player import Player
from mia_cli.engine.seed import draw_seed, fingerprint, first_leader, parse_seed
from mia_cli.files.folders import matches_dir
from mia_cli.players import registry
from mia_cli.players.names import TABLES_FIELD, is_bot, tables_of
from mia_cli.presets import TableSettings, resolve
from mia_cli.presets.settings import PRESET
from mia_cli.records.head import HUMAN, Seat
from mia_cli.records.record import UNFINISHED, MatchRecord
from mia_cli.records.replay import replay
from mia_cli.records.store import Damaged, MatchStore, draw_id
from mia_cli.rules.errors import BadRuleSet, CannotRead, MiaError, NotAllowed
from mia_cli.rules.match import start
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.play import opening, prompts
from mia_cli.text.play.seats import SeatNames

if TYPE_CHECKING:
    from mia_cli.records.memory import Remembered

PERSON = 1
"""The person's seat."""


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """The options of ``mia play`` as they were typed."""

    players: str | None = None
    cpus: tuple[str, ...] = ()
    rules: str | None = None
    lives: str | None = None
    penalty_21: str | None = None
    first: str = "random"
    seed: str | None = None
    name: str | None = None
    tutor: bool = False
    as_json: bool = False
    bots: tuple[str, ...] = ()
    bot_time: str | None = None
    no_memory: bool = False


def new_session(
    request: PlayRequest, stray: str | None, environ: Mapping[str, str] = os.environ
) -> tuple[MatchSession, Sequence[Player]]:
    """A new match, its first record kept and its head shown. Raises MiaError for bad options.

    ``stray`` is a word that only --resume could use.
    """
    if stray is not None:
        raise CannotRead("stray_argument", value=stray)
    settings = resolve(
        environ,
        rules=request.rules,
        lives=request.lives,
        penalty_21=request.penalty_21,
        players=request.players,
        cpus=request.cpus,
    )
    cpus = _cpu_players(request, settings.cpus, settings.rules, settings.players)
    store = _store()
    record, table = _new_record(request, settings, store, environ)
    face = _face(record, request.as_json)
    keeper = RecordSaver(store)
    memory = recall(store) if is_at(record) and not request.no_memory else None
    if memory is not None:
        remembered = {MEMORY: [match.id for match in memory]}
        record = replace(record, extra={**record.extra, **remembered})
    record = replace(record, extra=with_help_used(record, HelpUsed(tutor=request.tutor)))
    session, person = _session(record, table, keeper, face, HelpUsed(tutor=request.tutor))
    players = [person, *cpus]
    begin_sharks(players, record, table, memory or ())
    keeper.keep(record)
    chosen = request.rules is not None or environ.get("MIA_RULES")
    face.start(
        Opening(
            record,
            preset=record.preset if chosen else None,
            seed_is_known=request.seed is not None,
            memory=_count(memory),
        )
    )
    face.show(record.events, record)
    begin_match(players, record)
    return session, players


def _session(
    record: MatchRecord, table: Table, keeper: RecordSaver, face: MatchView, aids: HelpUsed
) -> tuple[MatchSession, Person]:
    session = MatchSession(record, table, keeper, face, aids)
    mentor = Adviser(
        record.ruleset,
        len(record.seats),
        tutors=aids.tutor,
        note=session.note,
        shark=is_at(record),
    )
    return session, Person(face, LineSource().read, mentor)


def _count(memory: Sequence[Remembered] | None) -> int | None:
    return None if memory is None else len(memory)


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
        extra={TABLES_FIELD: tables_of(settings.cpus)},
    )
    return record, Table(match, events)


def _leader(text_: str, seed: int, players: int) -> int:
    plain = text_.strip().lower()
    if plain == "random":
        return first_leader(seed, players)
    seats = {str(seat): seat for seat in range(1, players + 1)}
    if plain not in seats:
        raise BadRuleSet("bad_choice", place="--first", value=text_, allowed=("random", *seats))
    return seats[plain]


def resumed_session(
    request: PlayRequest, match_id: str | None
) -> tuple[MatchSession, Sequence[Player]]:
    """The unfinished match with this id, or the latest. Raises MiaError when there is none."""
    _refuse_settings(request)
    store = MatchStore(matches_dir())
    record = store.latest_unfinished(_skip) if match_id is None else store.load(match_id)
    if record is None:
        raise NotAllowed("nothing_to_resume")
    if record.winner is not None:
        raise NotAllowed("match_is_over", id=record.id)
    table = replay(record).table
    seats = _resumed_players(record, request)
    face = _face(record, request.as_json)
    keeper = RecordSaver(store, "all")
    memory = recall_again(store, record) if is_at(record) else None
    aids = read_help_used(record.extra.get(AIDS))
    aids.tutor = aids.tutor or request.tutor
    levels = tables_of(seat.player for seat in record.seats)
    record = replace(record, extra={**with_help_used(record, aids), TABLES_FIELD: levels})
    session, person = _session(record, table, keeper, face, aids)
    players = [person if seat is None else seat for seat in seats]
    begin_sharks(players, record, table, memory or ())
    preset = None if record.preset == PRESET else record.preset
    face.resume(Opening(record, preset=preset, memory=_count(memory)))
    begin_match(players, record)
    return session, players


def _skip(damaged: Damaged) -> None:
    streams.say_error(f"mia: {prompts.skipped(sentence(damaged.error))}")


def _refuse_settings(request: PlayRequest) -> None:
    kept = ("tutor", "as_json", "bots", "bot_time")
    for field in fields(PlayRequest):
        if field.name not in kept and getattr(request, field.name) != field.default:
            option = {"cpus": "--cpu"}.get(field.name, "--" + field.name.replace("_", "-"))
            raise NotAllowed("settled_by_match", option=option)


def _resumed_players(record: MatchRecord, request: PlayRequest) -> list[Player | None]:
    levels = [seat.player for seat in record.seats if seat.player != HUMAN]
    cpus = iter(_cpu_players(request, levels, record.ruleset, len(record.seats)))
    return [None if seat.player == HUMAN else next(cpus) for seat in record.seats]


def _cpu_players(
    request: PlayRequest, levels: Sequence[str], rules: RuleSet, seats: int
) -> list[Player]:
    """A player for each level. What is missing for a bot is said before anything is solved."""
    bots = read_bots(request.bots, request.bot_time)
    for level in filter(is_bot, levels):
        bots.require(level)
    return registry.make_all(levels, rules, seats, solved=solution_for, start_bot=bots.started)


def _face(record: MatchRecord, as_json: bool) -> MatchView:
    person = record.human
    if person is None:
        raise NotAllowed("no_person", id=record.id)
    if as_json:
        return JsonView(person)
    return TextView(
        SeatNames(
            names=tuple(seat.name for seat in record.seats),
            players=tuple(seat.player for seat in record.seats),
            person=person,
            lives=record.ruleset.lives,
        )
    )


def _store() -> MatchStore | None:
    """Where the match will be kept; None, and a warning, when nothing can be kept."""
    try:
        store = MatchStore(matches_dir())
        store.check_writable()
    except MiaError as error:
        streams.say_error(f"mia: {opening.cannot_save(sentence(error))}")
        return None
    return store
