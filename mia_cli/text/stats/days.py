"""The days of ``mia stats --daily`` as a table."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.records.days import Day
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.numbers import day as day_text
from mia_cli.text.language.table import table


def day_lines(days: Sequence[Day]) -> list[str]:
    """One row a day; of a day without a finished try there is none."""
    if not days:
        return [_("No match of a day is finished yet: mia play --daily")]
    rows = [
        (day_text(day.day), _("won") if day.won else _("lost"), str(day.rounds), str(day.tries))
        for day in days
    ]
    won = sum(day.won for day in days)
    told = _("{won} of {days} days won; the first finished try of a day counts.")
    return [
        *table((_("Day"), _("Result"), _("Rounds"), _("Tries")), rows, right=(2, 3)),
        told.format(won=won, days=len(days)),
    ]
