"""Tables that fit the width they have: aligned by display width, never broken by a terminal.

What is too wide is made narrower in this order: columns that only adorn go; texts that may wrap
take further rows of their column; the less important columns move to a second table, with the
columns that name a row; and at last every row becomes a block of its own, a line for each cell.
Where nothing limits the width, as in a pipe, nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mia_cli.text.language.line import TIE, Line, plain, styled
from mia_cli.text.language.plain import cut_to, display_width, padded

_GAP = 2
"""Columns between two columns."""
_LEAST = 12
"""Columns that a wrapped text has at least."""

Shown = Line | str
Lines = Iterable["Shown | TextTable"]
"""What a screen shows: lines, and tables that are laid out as wide as it is."""


def laid_out(lines: Lines, width: int | None) -> Iterator[Shown]:
    """The lines, every table as lines of at most ``width`` columns; None: as wide as it is."""
    for line in lines:
        if isinstance(line, TextTable):
            yield from line.lines(width)
        else:
            yield line


def in_rows(line: Shown, width: int) -> Iterator[str]:
    """A line as plain text in rows of at most ``width`` columns, indented as it is."""
    text = line if isinstance(line, str) else plain(line)
    body = text.lstrip(" ")
    indent = text[: len(text) - len(body)]
    for row in _in_rows(body, max(1, width - len(indent))):
        yield indent + row


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()
) -> list[str]:
    """The head and the rows as aligned lines, however wide; ``right`` as in TextTable."""
    return [row for row, _style in TextTable(head, rows, right=right).rows_in(None)]


@dataclass(frozen=True)
class TextTable:
    """A head and rows of cells.

    ``right``: columns that end at one edge, as numbers do. ``keys``: how many columns, from the
    first on, name a row and stand in every table. ``first``: the others that are most important,
    in order; those that are not named follow. ``wraps``: columns whose texts may take several
    rows (not at a TIE). ``adorns``: columns that may go. ``styles``: of each row. ``indent``:
    spaces before all.
    """

    head: Sequence[str]
    cells: Iterable[Sequence[str]]
    right: Sequence[int] = ()
    keys: int = 1
    first: Sequence[int] = ()
    wraps: Sequence[int] = ()
    adorns: Sequence[int] = ()
    styles: Sequence[str] = ()
    indent: int = 0

    @cached_property
    def rows(self) -> list[list[str]]:
        """All rows, the head first."""
        return [list(self.head), *(list(row) for row in self.cells)]

    @cached_property
    def _natural(self) -> list[int]:
        return [max(map(display_width, column)) for column in zip(*self.rows, strict=True)]

    @cached_property
    def _longest_words(self) -> list[int]:
        """The widest part of each head that is never cut."""
        return [max(map(display_width, _in_rows(head, 1, cut=False))) for head in self.head]

    @cached_property
    def _without_heads(self) -> list[int]:
        """What each column needs where its head takes as many rows as it can."""
        columns = zip(*self.rows[1:], strict=True)
        cells = [max(map(display_width, column)) for column in columns] or [0] * len(self.head)
        return [max(pair) for pair in zip(cells, self._longest_words, strict=True)]

    def lines(self, width: int | None) -> Iterator[Shown]:
        """The table in lines of at most ``width`` columns, where that is at all possible."""
        for text, style in self.rows_in(width):
            yield styled(text, style) if style else text

    def rows_in(self, width: int | None) -> Iterator[tuple[str, str]]:
        """Lines and their styles."""
        room = None if width is None else max(1, width - self.indent)
        before = " " * self.indent
        for text, style in self._laid_out(room):
            yield (before + text).rstrip().replace(TIE, " "), style

    def _laid_out(self, room: int | None) -> Iterator[tuple[str, str]]:
        every = range(len(self.head))
        if room is None:
            yield from self._aligned(every, self._natural)
            return
        plain = [at for at in every if at not in self.adorns]
        for some in (every, plain):
            widths = self._widths(some, room)
            if widths:
                yield from self._aligned(some, widths)
                return
        parts = self._parts(plain, room)
        if parts is None:
            yield from self._blocks(plain, room)
            return
        for number, some in enumerate(parts):
            if number:
                yield "", ""
            yield from self._aligned(some, self._widths(some, room) or self._natural)

    def _widths(self, some: Sequence[int], room: int) -> list[int] | None:
        """The widths of some columns where they fit, by number of all; None where they do not.

        First heads take further rows, then texts that may; each time the widest gives way.
        """
        widths = list(self._natural)
        over = sum(widths[at] for at in some) + _GAP * (len(some) - 1) - room
        texts = [max(_LEAST, head) for head in self._longest_words]
        wraps = [at for at in some if at in self.wraps]
        for able, least in ((some, self._without_heads), (wraps, texts)):
            while over > 0 and (wide := [at for at in able if widths[at] > least[at]]):
                widths[max(wide, key=widths.__getitem__)] -= 1
                over -= 1
        return None if over > 0 else widths

    def _parts(self, some: Sequence[int], room: int) -> tuple[list[int], list[int]] | None:
        """The columns of a first and of a second table; None where two are not enough."""
        keys = list(some[: self.keys])
        others = [at for at in some if at not in keys]
        ordered = sorted(others, key=lambda at: self._rank(at, others))
        chosen: list[int] = []
        for at in ordered:
            if self._widths([*keys, *chosen, at], room) is None:
                break
            chosen.append(at)
        one = [*keys, *sorted(chosen)]
        two = [*keys, *(at for at in others if at not in chosen)]
        return (one, two) if chosen and self._widths(two, room) else None

    def _rank(self, column: int, others: Sequence[int]) -> tuple[int, int]:
        named = list(self.first)
        return (named.index(column) if column in named else len(named), others.index(column))

    def _aligned(self, some: Sequence[int], widths: Sequence[int]) -> Iterator[tuple[str, str]]:
        for number, row in enumerate(self.rows):
            cells = [_in_rows(row[at], widths[at]) for at in some]
            most = max(map(len, cells))
            # A head stands right above its column.
            above = [most - len(cell) if number == 0 else 0 for cell in cells]
            for line in range(most):
                texts = (
                    cell[line - skipped] if 0 <= line - skipped < len(cell) else ""
                    for cell, skipped in zip(cells, above, strict=True)
                )
                filled = (
                    padded(text, widths[at], right=at in self.right)
                    for at, text in zip(some, texts, strict=True)
                )
                yield (" " * _GAP).join(filled).rstrip(), self._style(number)

    def _blocks(self, some: Sequence[int], room: int) -> Iterator[tuple[str, str]]:
        """A block for each row: what names it, and below it a line for each other cell."""
        keys, others = some[: self.keys], some[self.keys :]
        heads = self.rows[0]
        widest = max((display_width(heads[at]) for at in others), default=0)
        for number, row in enumerate(self.rows[1:], start=1):
            if number > 1:
                yield "", ""
            style = self._style(number)
            named = (" " * _GAP).join(filter(None, (row[at] for at in keys)))
            for text in _in_rows(named, room):
                yield text, style
            for at in filter(row.__getitem__, others):
                start = " " * _GAP + padded(heads[at], widest) + " " * _GAP
                if room - display_width(start) < _LEAST:
                    for text in _in_rows(heads[at], max(1, room - _GAP)):
                        yield " " * _GAP + text, style
                    start = " " * 2 * _GAP
                for text in _in_rows(row[at], max(1, room - display_width(start))):
                    yield start + text, style
                    start = " " * display_width(start)

    def _style(self, number: int) -> str:
        return self.styles[number - 1] if number and self.styles else ""


def _in_rows(text: str, width: int, *, cut: bool = True) -> list[str]:
    """A text in rows of this width; what is wider than a row is cut there, unless it may not be."""
    if display_width(text) <= width:
        return [text]
    from mia_cli.text.language.wrap import wrapped

    rows: list[str] = []
    for row in wrapped("", text, width):
        left = row
        while cut and display_width(left) > width:
            rows.append(cut_to(left, width) or left[:1])
            left = left[len(rows[-1]) :]
        rows.append(left)
    return rows
