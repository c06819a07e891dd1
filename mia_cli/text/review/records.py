"""Records as ``mia review`` lists them, and what it says of one that passed its checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mia_cli.files.documents import Document
from mia_cli.records.many.listing import Listed
from mia_cli.records.record import MatchRecord
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import comma
from mia_cli.text.language.numbers import minute
from mia_cli.text.language.plain import printable, shortened
from mia_cli.text.language.table import Lines, TextTable
from mia_cli.text.matches import rules_text, with_kind


def list_lines(records: Sequence[Listed]) -> Lines:
    """The list of records."""
    head = (_("Match"), _("Created (UTC)"), _("Rules"), _("Players"), _("Result"), _("Help"))
    rows = (
        (
            record.id,
            minute(record.created),
            rules_text(record.lives, record.penalty_21),
            comma().join(with_kind(name, player) for name, player in record.players),
            _result(record.won, printable(record.winner_name)),
            _help_used(record),
        )
        for record in records
    )
    yield TextTable(head, rows, first=(4, 1), wraps=(2, 3, 4, 5))


def _result(won: bool | None, winner: str) -> str:
    """How a match ended: None while it is unfinished."""
    if won is None:
        return _("unfinished")
    return _("you won") if won else _("won by {winner}").format(winner=winner)


def _help_used(record: Listed) -> str:
    words = (
        (record.tutor, _("tutor")),
        (record.hints, _("hints")),
        (record.take_backs, _("take-backs")),
    )
    return comma().join(word for used, word in words if used)


def verified_lines(record: MatchRecord, document: Document) -> Iterator[str]:
    """A record that passed, and what nothing in it can prove."""
    yield _("Match {id}: {events} events follow from the rules.").format(
        id=document["match"], events=document["events"]
    )
    yield _("The seed gives its fingerprint.")
    if document["dice"]:
        yield _("Every roll is the one the seed gives.")
    else:
        yield _("The dice cannot be verified: their scheme “{scheme}” is not known here.").format(
            scheme=shortened(document["scheme"])
        )
    for sentence, seats in (
        (_("Made again from level and seed: the decisions of {players}."), True),
        (_("Taken as said: the decisions of {players}."), False),
    ):
        names = [
            with_kind(seat.name, seat.player)
            for seat in record.seats
            if (seat.seat in document["recomputed"]) is seats
        ]
        if names:
            yield sentence.format(players=comma().join(names))
