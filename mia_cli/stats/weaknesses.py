"""Where a person loses more lives than they win: what to work on, from counts alone.

No solution is asked: an answer to some claims, or a bluff over them, is a weakness where it went
wrong more often than right. What the single decisions cost, ``mia review`` tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from mia_cli.files.documents import Document
from mia_cli.records.many.turns import ACCEPTED, CHALLENGED
from mia_cli.rules.rolls import CLAIMS
from mia_cli.stats.totals import ACCEPTED_BLUFF, ACCEPTED_TRUE, BLUFF, RIGHT, WRONG, Record

BANDS = ((1, 9), (10, 14), (15, 20))
"""Positions of 31 to 54, 61 to 65 and the doubles."""
LEAST = 5
"""Cases below which nothing is said."""


def weaknesses(record: Record) -> list[Document]:
    """The weaknesses of a person, the costliest first.

    ``kind``: ``challenge`` or ``accept`` (of the claims from ``low`` to ``high``) or ``bluff``
    (over them; both null: as the first claim of a round); ``wrong`` of ``times`` cases went wrong;
    ``lives``: how many more that is than went right.
    """
    found = [
        {
            "kind": kind,
            "low": CLAIMS[low - 1].name if low else None,
            "high": CLAIMS[high - 1].name if high else None,
            "wrong": wrong,
            "times": wrong + right,
            "lives": wrong - right,
        }
        for kind, low, high, wrong, right in _balances(record)
        if wrong > right and wrong + right >= LEAST
    ]
    return sorted(found, key=lambda one: -one["lives"])


def _balances(record: Record) -> Iterator[tuple[str, int, int, int, int]]:
    """Kind, lowest and highest claim, and how often it went wrong and right."""
    answers, claims = record.part("answers"), record.part("claims")
    for low, high in BANDS:
        some = answers[low - 1 : high].sum(axis=0).tolist()
        yield "challenge", low, high, some[WRONG], some[RIGHT]
        yield "accept", low, high, some[ACCEPTED_BLUFF], some[ACCEPTED_TRUE]
    for low, high in ((0, 0), *BANDS):
        bluffs = claims[low : high + 1, BLUFF].sum(axis=0).tolist()
        yield "bluff", low, high, bluffs[CHALLENGED], bluffs[ACCEPTED]
