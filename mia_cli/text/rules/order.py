"""The order of the rolls as a drawing: a row for each higher die, then the doubles, then 21."""

from __future__ import annotations

from itertools import groupby

from mia_cli.rules.rolls import MIA, ROLLS, Roll
from mia_cli.text.language.catalogue import _


def order_rows() -> list[tuple[Roll, ...]]:
    """All rolls, low to high, parted into the rows of the drawing."""
    return [tuple(row) for _kind, row in groupby(ROLLS, _kind_of)]


def _kind_of(roll: Roll) -> str:
    return roll.name if roll.name == MIA else "double" if roll.ways == 1 else roll.name[0]


def order_drawing() -> list[str]:
    """The drawing as lines."""
    *ordinary, doubles, mia = (" ".join(roll.name for roll in row) for row in order_rows())
    return [
        *ordinary,
        _("{doubles} (doubles)").format(doubles=doubles),
        _("{mia} (Mia)").format(mia=mia),
    ]
