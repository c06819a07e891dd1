"""How readable a person is: the object ``readable`` of ``mia stats --readable --json``.

Fields: ``matches`` used, the latest ``latest.MOST`` of ``finished`` ones with a person; ``least``:
how many it takes; ``claims``, ``shown`` and ``answers`` heard in them; ``table`` of the figure:
``players`` 2, ``lives``, ``penalty_21``, those played most. ``win_chance`` and ``ci95`` of an
opponent who learned from these matches (see ``reading``), null when there are too few.
``verdict``: ``readable`` when the interval lies above 1/2, ``not_told`` when not, ``too_few``.
``habits``: see ``habits.Habit``; ``low`` and ``high`` are names of claims, null for the start of
a round. ``parts``: the same figure learned from each part of the matches alone, oldest first,
parts of equal size; ``change`` from the first to the last: ``harder`` or ``easier`` to read, or
``not_told``; null without parts.

Matches at any table feed the one model: what is done over a standing claim with a roll, and the
answers to claims, are taken not to depend on seats and lives, as the shark takes them. The solved
player, one of the habits it imagines, is looked up at the lives and penalty of each moment.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import numpy as np

from mia_cli.files.documents import Document
from mia_cli.records.many.columns import Batch
from mia_cli.rules.rolls import CLAIMS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.stats.latest import LEAST
from mia_cli.stats.readable.exploit import PairTables
from mia_cli.stats.readable.habits import Habit, costly
from mia_cli.stats.readable.public_actions import public_actions, slices
from mia_cli.stats.readable.reading import (
    Figure,
    Solutions,
    compared_actions,
    read,
    solved_play,
)
from mia_cli.theory.intervals import Z95

_LEAST_PART, _PARTS = 40, 4


def readable(latest: Batch, finished: int, solutions: Solutions) -> Document:
    """The object. ``latest``: finished matches with a person, oldest first, at most MOST."""
    number = len(latest.heads)
    found: Document = {"matches": number, "finished": finished, "least": LEAST}
    found |= {"claims": 0, "shown": 0, "answers": 0, "table": None, "win_chance": None}
    found |= {"ci95": None, "verdict": "too_few", "habits": [], "parts": [], "change": None}
    if number < LEAST:
        return found
    rules = _usual(latest)
    solved = solved_play(solutions(rules.penalty_21), rules.lives)
    known = compared_actions(public_actions(latest), solutions)
    reading = read(known, rules, solved)
    told = reading.figure.interval[0] > 0.5
    found["table"] = {"players": 2, "lives": rules.lives, "penalty_21": rules.penalty_21}
    found |= {"claims": len(known.claims.match), "answers": len(known.answers.match)}
    found |= {"shown": int((known.claims.roll >= 0).sum()), **_figure(reading.figure)}
    found["verdict"] = "readable" if told else "not_told"
    found["habits"] = [_habit(habit) for habit in costly(known, reading, solved)] if told else []
    return found | _over_time(latest, rules, solved, solutions)


def _usual(latest: Batch) -> RuleSet:
    """The rules played most; of several the latest."""
    played = list(
        zip(latest.heads["lives"].tolist(), latest.heads["penalty"].tolist(), strict=True)
    )
    counts = Counter(reversed(played))
    return RuleSet(*max(counts, key=counts.__getitem__))


def _figure(figure: Figure) -> Document:
    value = min(max(figure.value, 0.0), 1.0)
    return {"win_chance": value, "ci95": list(figure.interval)}


def _habit(habit: Habit) -> Document:
    def name(position: int) -> str | None:
        return CLAIMS[position - 1].name if position else None

    return {
        "kind": habit.kind,
        "low": name(habit.low),
        "high": name(habit.high),
        "occasions": habit.of,
        "yours": habit.yours,
        "solved": habit.solved,
        "points": habit.points,
    }


def _over_time(latest: Batch, rules: RuleSet, solved: PairTables, solutions: Solutions) -> Document:
    """The figure of each part of the matches alone."""
    parts = min(_PARTS, len(latest.heads) // _LEAST_PART)
    if parts < 2:
        return {"parts": [], "change": None}
    some = list(slices(latest, parts))
    figures = [
        read(compared_actions(public_actions(part), solutions), rules, solved).figure
        for part in some
    ]
    fall = figures[0].value - figures[-1].value
    luck = Z95 * float(np.hypot(figures[0].error, figures[-1].error))
    change = "not_told" if abs(fall) <= luck else "harder" if fall > 0.0 else "easier"
    rows = [
        {"matches": len(part.heads), **_span(part), **_figure(figure)}
        for part, figure in zip(some, figures, strict=True)
    ]
    return {"parts": rows, "change": change}


def _span(part: Batch) -> Document:
    first, last = (
        datetime.fromtimestamp(int(created), UTC).date().isoformat()
        for created in part.heads["created"][[0, -1]]
    )
    return {"since": first, "until": last}
