"""A review, and a record that was checked, as JSON: the documents of ``mia review --json``."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.files.documents import Document
from mia_cli.records.head import ruleset_to_json
from mia_cli.records.record import MatchRecord
from mia_cli.records.replay import Replay
from mia_cli.review.decisions import Decision, Review, SeatReview
from mia_cli.theory.advice_json import action_name, advice_json


def review_document(found: Review) -> Document:
    """A review, ``mia.review/1``: decisions as they were made, players with the person first."""
    record = found.record
    return {
        "schema": "mia.review/1",
        "match": record.id,
        "created": record.created,
        "ruleset": ruleset_to_json(record.ruleset),
        "winner": record.winner,
        "yardstick": "unbeatable" if len(record.seats) == 2 else "equilibrium",
        "players": [_player(record, player) for player in found.players],
        "decisions": [_decision(decision) for decision in found.decisions],
    }


def _player(record: MatchRecord, player: SeatReview) -> Document:
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


def _decision(decision: Decision) -> Document:
    match, hindsight, habit = decision.match, decision.hindsight, decision.punishment
    known: Document = {
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


def verify_document(
    record: MatchRecord, checked: Replay, recomputed: Sequence[int] = ()
) -> Document:
    """What was checked of a record that holds, ``mia.verify/1``.

    ``recomputed``: the seats whose decisions were made again and are the same.
    """
    return {
        "schema": "mia.verify/1",
        "match": record.id,
        "status": record.status,
        "events": len(record.events) + 1,
        "rules": True,
        "seed_fingerprint": True,
        "dice": checked.dice_checked,
        "scheme": record.dice,
        "recomputed": list(recomputed),
    }
