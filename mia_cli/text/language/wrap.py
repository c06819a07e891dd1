"""Text cut into lines of a width, wide characters counted as two columns.

``fitted`` brings finished help texts back into their width: the command line library counts
characters, so that its lines of Japanese are up to twice as wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mia_cli.text.language.plain import display_width

_ROW = re.compile(r"( {2,4}\S.*?\S {2,})\S")
"""An option, a command or an example, and the gap before its text."""
_AFTER_WIDE_STOP = re.compile(r"(?<=[。、]) (?=\S)")
"""A space where two lines of a paragraph met; these signs have room of their own."""
_COMMAND = "mia "
"""Begins an example, which has lines of its own."""
_LEAST, _DEEPER = 20, 4
"""Columns that a text has at least beside its head, and how much deeper it stands below it."""
_NEVER_FIRST = "、。，．」』）！？：；ー…)]}.,"
_NEVER_LAST = "「『（([{"


def fitted(text: str, width: int) -> str:
    """``text`` with every line that is wider than ``width`` wrapped, with those that follow it."""
    lines = _AFTER_WIDE_STOP.sub("", text).split("\n")
    done: list[str] = []
    while lines:
        line = lines.pop(0)
        if display_width(line) > width:
            found = _ROW.match(line)
            indent = found.end() - 1 if found else len(line) - len(line.lstrip())
            while lines and _goes_on(lines[0], indent):
                line = _together(line, lines.pop(0).strip())
            done += _in_lines(line[:indent], line[indent:], width)
        else:
            done.append(line)
    return "\n".join(done)


def _in_lines(head: str, text: str, width: int) -> Iterator[str]:
    """``wrapped``; on a narrow screen a text stands below its head, where more of it fits."""
    if width - display_width(head) < _LEAST and head.strip():
        start = len(head) - len(head.lstrip())
        yield from wrapped(" " * start, head.strip(), width)
        head = " " * (start + _DEEPER)
    yield from wrapped(head, text, width)


def _goes_on(line: str, indent: int) -> bool:
    """True for the rest of a paragraph: text that starts just at ``indent``."""
    starts_there = bool(line.strip()) and len(line) - len(line.lstrip()) == indent
    return starts_there and not _ROW.match(line) and not line.lstrip().startswith(_COMMAND)


def _together(first: str, second: str) -> str:
    """Two pieces that were cut apart at a space, or between wide characters."""
    return first + ("" if _is_wide(first[-1]) or _is_wide(second[0]) else " ") + second


def wrapped(head: str, text: str, width: int) -> Iterator[str]:
    """Lines of at most ``width`` columns: ``head`` and the start of ``text``, the rest below it.

    Words and figures are not cut: one that is wider than its line has it alone.
    """
    room = width - display_width(head)
    line = ""
    for piece in _pieces(text):
        if line and display_width(line + piece.rstrip()) > room:
            yield head + line.rstrip()
            head, line = " " * display_width(head), ""
        line += piece
    yield head + line.rstrip()


def _pieces(text: str) -> list[str]:
    """What must not be cut: words with the spaces after them, wide characters with their signs."""
    pieces: list[str] = []
    for character in text:
        if pieces and _clings(pieces[-1][-1], character):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _clings(before: str, after: str) -> bool:
    if after in _NEVER_FIRST or before in _NEVER_LAST or after == " ":
        return True
    return before != " " and not _is_wide(before) and not _is_wide(after)


def _is_wide(character: str) -> bool:
    return display_width(character) == 2
