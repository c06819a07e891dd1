"""One match of a run, told as a match is, with all dice shown."""

from __future__ import annotations

from mia_cli.records.record import MatchRecord
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import styled
from mia_cli.text.language.table import Lines
from mia_cli.text.matches import rules_text
from mia_cli.text.play.narrate import Narrator
from mia_cli.text.play.seats import SeatNames, seat_lines


def match_lines(record: MatchRecord, number: int) -> Lines:
    """The match with its number in the run: who plays, and everything that happens."""
    rules, seats = record.ruleset, record.seats
    text = _("Match {number} of the run with seed {seed}: {rules}.").format(
        number=number, seed=record.seed, rules=rules_text(rules.lives, rules.penalty_21)
    )
    yield styled(text, "strong")
    seating = SeatNames.of(record)
    yield from seat_lines(seating, (rules.lives,) * len(seats))
    yield from Narrator(seating, all_dice=True).tell_all(record.events)
