"""``mia play --discard``: throws an unfinished match away, after a question."""

from __future__ import annotations

from mia_cli.cli import outcome, outputs
from mia_cli.cli.dialog import Dialog
from mia_cli.cli.play.json_view import SCHEMA
from mia_cli.cli.play.request import PlayRequest
from mia_cli.cli.play.resumed import unfinished
from mia_cli.files.folders import matches_dir
from mia_cli.records.record import MatchRecord
from mia_cli.records.replay import replay
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import NotAllowed
from mia_cli.text.language.words import yes_or_no
from mia_cli.text.play import ending
from mia_cli.text.play.seats import SeatNames, lives_line


def throw_away(request: PlayRequest, match_id: str | None, *, force: bool) -> int:
    """Delete an unfinished match, the latest without an id; returns the exit code.

    It asks first unless ``force`` is set; without a yes the match stays, and the code is that of
    an unfinished match. Raises MiaError; a finished match is never touched.
    """
    request.refuse_settings("--discard")
    if request.as_json and not force:
        raise NotAllowed("needs_option", option="--json", other="--force")
    store = MatchStore(matches_dir())
    record = unfinished(store, match_id)
    dialog = Dialog()
    if not force and not _is_sure(dialog, record):
        dialog.say(ending.not_discarded(record.id))
        return outcome.UNFINISHED
    store.discard(record)
    if request.as_json:
        event = {"schema": SCHEMA, "event": "discarded", "match": record.id}
        outputs.write_json(event)
    else:
        dialog.say(ending.discarded(record.id))
    return outcome.DONE


def _is_sure(dialog: Dialog, record: MatchRecord) -> bool:
    match = replay(record).table.match
    lives = lives_line(SeatNames.of(record), match.lives)
    question = ending.discard_question(record.id, match.round, lives)
    while (typed := dialog.hear(question)) is not None:
        answer = yes_or_no(typed)
        if answer is not None:
            return answer
    return False
