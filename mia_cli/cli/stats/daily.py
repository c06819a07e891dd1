"""``mia stats --daily``: the days whose match was played to its end."""

from __future__ import annotations

from collections.abc import Iterator

from mia_cli.cli import outcome, outputs
from mia_cli.files.documents import Document
from mia_cli.files.folders import cache_dir, matches_dir
from mia_cli.records.days import LEVELS, RULES, SCHEMA, days
from mia_cli.records.many.index import read_folder
from mia_cli.records.many.listing import Listed, listed
from mia_cli.records.record import MatchRecord
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import MiaError
from mia_cli.text.stats.days import day_lines


def list_days(*, as_json: bool) -> int:
    """Print the days, the latest first, and return the exit code. Raises Unwritable."""
    store = MatchStore(matches_dir())
    found = days(_read(store))
    if as_json:
        document: Document = {"schema": SCHEMA, "days": [day.as_json() for day in found]}
        outputs.write_json(document)
    else:
        outputs.say(day_lines(found))
    return outcome.DONE


def _read(store: MatchStore) -> Iterator[MatchRecord]:
    """The records of matches at the table of the day; the index tells which these are."""
    for match in listed(read_folder(store.folder, cache_dir())):
        if _is_at_the_table(match):
            try:
                yield store.read(match.id)
            except MiaError as error:
                outputs.tell_skipped(error)


def _is_at_the_table(match: Listed) -> bool:
    levels = tuple(player for _name, player in match.players[1:])
    settled = (match.lives, match.penalty_21) == (RULES.lives, RULES.penalty_21)
    return settled and levels == LEVELS and match.winner is not None
