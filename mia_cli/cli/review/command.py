"""``mia review``: one match, decision by decision; the list of records; checks of a record."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mia_cli.cli.app import MiaCommand, app
from mia_cli.text.language.catalogue import N_

if TYPE_CHECKING:
    from mia_cli.records.record import MatchRecord
    from mia_cli.records.store import MatchStore
    from mia_cli.review.decisions import Decision, Review, SeatReview

SCHEMA = "mia.review/1"

HELP = N_(
    """Examples:

\b
  mia review                      the last finished match
  mia review k7f3q2               the match whose id begins or ends so
  mia review log.jsonl --match 42
  mia review --list
  mia review --verify k7f3q2      rules, seed and dice of a record

Review a finished match: what was known at every decision, what the equilibrium would do, the
chance of winning lost, and luck apart from skill. What only hindsight shows stands apart."""
)


@app.command(
    "review", cls=MiaCommand, help=HELP, short_help=N_("Review a match, decision by decision.")
)
def review(
    match: Annotated[
        str | None,
        typer.Argument(metavar="[ID|FILE]", help=N_("A match, part of its id, a file, or -.")),
    ] = None,
    within: Annotated[
        str | None, typer.Option("--match", metavar="ID", help=N_("One match of a file of many."))
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help=N_("List all records, the newest first."))
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help=N_("Check rules, seed and dice of the record."))
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help=N_("JSON instead of text."))] = False,
) -> int:
    """Read the options and do one of three things."""
    from mia_cli.rules.errors import CannotRead, NotAllowed

    if listed and verify:
        raise NotAllowed("not_together", option="--list", other="--verify")
    if listed and match is not None:
        raise CannotRead("no_place_beside", value=match, option="--list")
    if listed:
        return _list(as_json)
    record = _load(match, within, unfinished=verify)
    return _verify(record, as_json) if verify else _review(record, as_json)


def _load(text: str | None, within: str | None, *, unfinished: bool) -> MatchRecord:
    from mia_cli.files.folders import matches_dir
    from mia_cli.records.many.source import find_record
    from mia_cli.records.store import MatchStore
    from mia_cli.rules.errors import NotAllowed, Unwritable

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
    return _latest(store, unfinished) if text is None else store.load(text)


def _is_file(text: str) -> bool:
    return (
        any(sign in text for sign in (os.sep, "/", ".")) or Path(text).is_file() or not text.strip()
    )


def _latest(store: MatchStore, unfinished: bool) -> MatchRecord:
    """The newest record, or the newest finished one; damaged ones on the way are told of."""
    from mia_cli.cli import streams
    from mia_cli.rules.errors import MiaError, NotAllowed
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.play.prompts import skipped

    for match_id in reversed(store.ids()):
        try:
            found = store.load(match_id)
        except MiaError as error:
            streams.say_error(f"mia: {skipped(sentence(error))}")
            continue
        if unfinished or found.winner is not None:
            return found
    raise NotAllowed("nothing_to_review")


def _review(record: MatchRecord, as_json: bool) -> int:
    from mia_cli.cli.screen import screen
    from mia_cli.cli.solving import solution_for
    from mia_cli.review.decisions import review as reviewed
    from mia_cli.text.review import review_lines

    found = reviewed(record, solution_for)
    if as_json:
        _dump(review_json(found))
        return 0
    out = screen()
    for line in review_lines(found):
        out.say(line)
    return 0


def _dump(document: object) -> None:
    import json

    typer.echo(json.dumps(document))


def review_json(found: Review) -> dict[str, object]:
    """The review as JSON: decisions in the order they were made, players with the person first."""
    record = found.record
    return {
        "schema": SCHEMA,
        "match": record.id,
        "created": record.created,
        "ruleset": {"lives": record.ruleset.lives, "penalty_21": record.ruleset.penalty_21},
        "winner": record.winner,
        "yardstick": "unbeatable" if len(record.seats) == 2 else "equilibrium",
        "players": [_player(record, player) for player in found.players],
        "decisions": [_decision(decision) for decision in found.decisions],
    }


def _player(record: MatchRecord, player: SeatReview) -> dict[str, object]:
    seat = record.seats[player.seat - 1]
    return {
        "seat": player.seat,
        "name": seat.name,
        "player": seat.player,
        "level": player.level,
        "win_at_start": player.start,
        "win_at_end": player.end,
        "parts": dict(player.parts),
        "win_lost": player.lost,
        "verdicts": player.verdicts(),
        "hindsight_win_lost": player.hindsight_lost,
    }


def _decision(decision: Decision) -> dict[str, object]:
    from mia_cli.cli.advice_json import action_name, advice_json

    match, hindsight, habit = decision.match, decision.hindsight, decision.punishment
    known: dict[str, object] = {
        "lives": list(match.lives),
        "above": None if match.above is None else match.above.name,
    }
    if decision.kind == "claim":
        known["roll"] = None if match.roll is None else match.roll.name
    else:
        known["claim"] = None if match.claim is None else match.claim.name
    return {
        "event": decision.event,
        "round": match.round,
        "seat": decision.seat,
        "known": known,
        "played": action_name(decision.action),
        **advice_json(decision.advice, decision.kind),
        "win_lost": decision.lost,
        "verdict": decision.verdict,
        "forced": decision.is_forced,
        "hindsight": None
        if hindsight is None
        else {"roll": hindsight.roll, "holds": hindsight.holds, "win_lost": hindsight.lost},
        "habit": None
        if habit is None
        else {
            "seat": habit.seat,
            "level": habit.level,
            "better": action_name(habit.action),
            "gain": habit.gain,
            "holds" if decision.kind == "answer" else "challenged": habit.habit,
        },
    }


def _verify(record: MatchRecord, as_json: bool) -> int:
    from mia_cli.records.replay import replay
    from mia_cli.text.review import verified

    checked = replay(record)
    events = len(record.events) + 1
    if as_json:
        _dump(
            {
                "schema": "mia.verify/1",
                "match": record.id,
                "status": record.status,
                "events": events,
                "rules": True,
                "seed_fingerprint": True,
                "dice": checked.dice_checked,
                "scheme": record.dice,
            }
        )
        return 0
    for line in verified(record.id, events, checked.dice_checked, record.dice):
        typer.echo(line)
    return 0


def _list(as_json: bool) -> int:
    from mia_cli.cli import streams
    from mia_cli.files.folders import cache_dir, matches_dir
    from mia_cli.records.many.index import read_folder
    from mia_cli.records.many.listing import listed
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.play.prompts import skipped
    from mia_cli.text.review import aids, record_table, result, rules_text

    found = read_folder(matches_dir(), cache_dir())
    for problem in found.problems:
        streams.say_error(f"mia: {skipped(sentence(problem.error))}")
    matches = listed(found)
    if as_json:
        _dump(
            {
                "schema": "mia.matches/1",
                "matches": [item.as_json() for item in matches],
                "skipped": [problem.place for problem in found.problems],
            }
        )
        return 0
    from mia_cli.text.language.line import comma
    from mia_cli.text.language.numbers import minute
    from mia_cli.text.language.plain import printable
    from mia_cli.text.stats.tables import with_kind

    rows = [
        (
            item.id,
            minute(item.created),
            rules_text(item.lives, item.penalty_21),
            comma().join(with_kind(name, player) for name, player in item.players),
            result(item.won, printable(item.winner_name)),
            aids(item.tutor, item.hints, item.take_backs),
        )
        for item in matches
    ]
    for line in record_table(rows):
        typer.echo(line)
    return 0
