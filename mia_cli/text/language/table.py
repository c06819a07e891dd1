"""Tables as lines of text: aligned by display width, never cut to the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mia_cli.text.language.plain import display_width, padded


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()
) -> list[str]:
    """The head and the rows as aligned lines; columns listed in ``right`` end at one edge."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(_fill(row, widths, right)).rstrip() for row in cells]


def _fill(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> Iterable[str]:
    for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield padded(cell, width, right=index in right)
