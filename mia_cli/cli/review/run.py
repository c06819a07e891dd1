"""Does what ``mia review`` was asked for: one call, what it found printed, the exit code."""

from __future__ import annotations

from mia_cli.cli import outcome, outputs, streams
from mia_cli.cli.outputs import Told
from mia_cli.cli.review.options import ReviewOptions, find, how_many, refuse_contradictions
from mia_cli.cli.solving import solution_for
from mia_cli.files.folders import cache_dir, matches_dir
from mia_cli.records.many.index import read_folder
from mia_cli.records.many.listing import list_document, listed
from mia_cli.records.record import MatchRecord
from mia_cli.records.replay import replay
from mia_cli.review.decisions import review
from mia_cli.review.report import review_document, verify_document
from mia_cli.text.review.annotated import CURVE, PLAIN_CURVE
from mia_cli.text.review.lines import WORST, review_lines
from mia_cli.text.review.records import list_lines, verified_lines


def perform(options: ReviewOptions) -> int:
    """Do one of three things, print it, and return the exit code."""
    refuse_contradictions(options)
    if options.listed:
        document, lines = _list()
    else:
        record = find(options)
        document, lines = _verify(record) if options.verify else _review(record, options)
    outputs.show(document, lines, outputs.read_format(None, options.as_json))
    # Dice of a scheme that nobody knows: what the record says can be neither right nor wrong.
    return outcome.FILES if options.verify and not document["dice"] else outcome.DONE


def _review(record: MatchRecord, options: ReviewOptions) -> Told:
    most = how_many(options, WORST)
    found = review(record, solution_for)
    curve = CURVE if streams.can_show(CURVE) else PLAIN_CURVE
    return review_document(found), review_lines(found, most, curve)


def _verify(record: MatchRecord) -> Told:
    from mia_cli.review.recompute import recomputed_seats, require_same_events
    from mia_cli.simulate.recompute import events_of_run, simulated_dice

    checked = replay(record, simulated_dice(record))
    recomputed = recomputed_seats(record, solution_for)
    events = events_of_run(record)
    if events is not None:
        require_same_events(record, events)
        recomputed = tuple(seat.seat for seat in record.seats)
    document = verify_document(record, checked, recomputed)
    return document, verified_lines(record, document)


def _list() -> Told:
    found = read_folder(matches_dir(), cache_dir())
    for problem in found.problems:
        outputs.tell_skipped(problem.error)
    matches = listed(found)
    return list_document(matches, found), list_lines(matches)
