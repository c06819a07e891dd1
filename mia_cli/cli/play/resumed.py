"""A match that was left: gone on with, or thrown away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mia_cli.cli import streams
from mia_cli.cli.bots import begin_match
from mia_cli.cli.play.help_used import FIELD as HELP_FIELD
from mia_cli.cli.play.help_used import read_help_used
from mia_cli.cli.play.request import PlayRequest
from mia_cli.cli.play.seating import cpu_players, session_of, view_of
from mia_cli.cli.play.session import MatchSession, Opening, RecordSaver, with_help_used
from mia_cli.cli.play.shark import begin_sharks, is_at, recall_again
from mia_cli.engine.player import Player
from mia_cli.files.folders import matches_dir
from mia_cli.players.names import TABLES_FIELD, other_tables, tables_of
from mia_cli.presets.settings import PRESET
from mia_cli.records.days import day_named, finished_before
from mia_cli.records.head import HUMAN
from mia_cli.records.record import MatchRecord
from mia_cli.records.replay import CHANGED_FIELD, replay
from mia_cli.records.store import Damaged, MatchStore
from mia_cli.rules.errors import NotAllowed
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.play import prompts


def resumed_session(
    request: PlayRequest, match_id: str | None
) -> tuple[MatchSession, Sequence[Player]]:
    """The unfinished match with this id, or the latest. Raises MiaError when there is none."""
    request.refuse_settings("--resume")
    store = MatchStore(matches_dir())
    record = unfinished(store, match_id)
    table = replay(record).table
    seats = _resumed_players(record, request)
    view = view_of(record, request)
    saver = RecordSaver(store, "all")
    memory = recall_again(store, record) if is_at(record) else None
    help_used = read_help_used(record.extra.get(HELP_FIELD))
    help_used.tutor = help_used.tutor or request.tutor
    levels = tables_of(seat.player for seat in record.seats)
    changed = _changed(record)
    record = replace(
        record,
        extra={
            **with_help_used(record, help_used),
            TABLES_FIELD: levels,
            **({CHANGED_FIELD: changed} if changed else {}),
        },
    )
    session, person = session_of(record, table, saver, view, help_used)
    players = [person if seat is None else seat for seat in seats]
    begin_sharks(players, record, table, memory or ())
    preset = None if record.preset == PRESET else record.preset
    day = day_named(record)
    view.resume(
        Opening(
            record,
            preset=preset,
            memory=None if memory is None else len(memory),
            tries=0 if day is None else finished_before(store, day, record.id),
        )
    )
    begin_match(players, record)
    return session, players


def _changed(record: MatchRecord) -> list[str]:
    """The levels that had other tables in an earlier part of the match than they have now."""
    found, before = record.extra.get(TABLES_FIELD), record.extra.get(CHANGED_FIELD)
    names = [seat.player for seat in record.seats]
    now = set(other_tables(found if isinstance(found, dict) else {}, names))
    return sorted(now | set(before if isinstance(before, list) else ()))


def unfinished(store: MatchStore, match_id: str | None) -> MatchRecord:
    """The unfinished match with this id, or the latest.

    Raises NotAllowed: ``nothing_to_resume``, ``match_is_over`` (id); what ``store.load`` raises.
    """
    record = store.latest_unfinished(_skip) if match_id is None else store.load(match_id)
    if record is None:
        raise NotAllowed("nothing_to_resume")
    if record.winner is not None:
        raise NotAllowed("match_is_over", id=record.id)
    return record


def _skip(damaged: Damaged) -> None:
    streams.say_error(f"mia: {prompts.skipped(sentence(damaged.error))}")


def _resumed_players(record: MatchRecord, request: PlayRequest) -> list[Player | None]:
    levels = [seat.player for seat in record.seats if seat.player != HUMAN]
    cpus = iter(cpu_players(request, levels, record.ruleset, len(record.seats)))
    return [None if seat.player == HUMAN else next(cpus) for seat in record.seats]
