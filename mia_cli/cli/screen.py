"""Prints lines: as plain text, or with Rich where a terminal can show colour and needs wrapping."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, TextIO

from mia_cli.rules.errors import CannotRead
from mia_cli.text.language.line import TIE, Line, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

COLORS = ("auto", "always", "never")
_RICH_STYLES = {
    "you": "bold cyan",
    "seat": "bold",
    "claim": "yellow",
    "lives": "red",
    "good": "green",
    "bad": "red",
    "quiet": "dim",
    "strong": "bold",
}

_DEEPEST = 4
"""Spaces before a line that its further rows have too; more of them belong to a table."""
_ANSWER = 4
"""Columns behind a prompt for what is typed."""
_NO_BREAK = {0x00A0: "\ue000", 0x202F: "\ue001"}
"""No-break spaces, at which Rich would wrap, and private characters for the time of wrapping."""
_TIED = str.maketrans({chr(space): sign for space, sign in _NO_BREAK.items()})
_UNTIED = str.maketrans({TIE: " ", **{sign: chr(space) for space, sign in _NO_BREAK.items()}})


class _Choice:
    color = "auto"


def set_color(option: str | None) -> None:
    """Take ``--color``, then ``MIA_COLOR``, then auto. Raises CannotRead("bad_choice")."""
    for place, value in (("--color", option), ("MIA_COLOR", os.environ.get("MIA_COLOR") or None)):
        if value is not None:
            if value not in COLORS:
                raise CannotRead("bad_choice", value=value, place=place, allowed=COLORS)
            _Choice.color = value
            return
    _Choice.color = "auto"


def wants_color(stream: TextIO | None, environ: Mapping[str, str]) -> bool:
    """True when escape sequences may be written to ``stream``."""
    if _Choice.color != "auto":
        return _Choice.color == "always"
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """True when somebody sits at the other end."""
    return stream is not None and stream.isatty()


def columns() -> int:
    """Columns of the terminal, or those in COLUMNS; 80 where neither tells."""
    import shutil

    return shutil.get_terminal_size().columns


class Screen(Protocol):
    """Where a person reads."""

    def say(self, line: Line | str = "") -> None:
        """Print one line."""
        ...

    def ask(self, line: Line | str) -> None:
        """Print a prompt, without a line end, at once."""
        ...

    def last_row(self, line: Line | str) -> str:
        """Print a prompt but for its last row, and return that as it is written."""
        ...


class PlainScreen:
    """Text without escapes, one line as one line."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def say(self, line: Line | str = "") -> None:
        """Print one line."""
        if self._stream is not None:
            self._stream.write(_text(line) + "\n")

    def ask(self, line: Line | str) -> None:
        """Print a prompt and flush."""
        if self._stream is not None:
            self._stream.write(_text(line))
            self._stream.flush()

    def last_row(self, line: Line | str) -> str:
        """The prompt: it is one row."""
        return _text(line)


class RichScreen:
    """Styles as colours; lines wrap at words on a terminal and nowhere else."""

    def __init__(self, stream: TextIO, *, color: bool) -> None:
        self._stream = stream
        self._console = _console(stream, color)
        self._wraps = is_terminal(stream)

    def say(self, line: Line | str = "") -> None:
        """Print one line."""
        self._console.print(self._but_last(line), soft_wrap=True, highlight=False)

    def ask(self, line: Line | str) -> None:
        """Print a prompt and flush."""
        self._stream.write(self.last_row(line))
        self._stream.flush()

    def last_row(self, line: Line | str) -> str:
        """Print a prompt but for its last row, and return that with its colours."""
        last = self._but_last(line, _ANSWER)
        with self._console.capture() as written:
            self._console.print(last, end="", soft_wrap=True, highlight=False)
        return written.get()

    def _but_last(self, line: Line | str, room: int = 0) -> Text:
        """Print all rows of a line but the last, and return that one; columns are left free."""
        *rows, last = self._rows(line, room)
        for row in rows:
            row.rstrip()
            self._console.print(row, soft_wrap=True, highlight=False)
        return last

    def _rows(self, line: Line | str, room: int) -> list[Text]:
        """Rows of the terminal, cut at spaces that may be cut at, indented as the first is."""
        from rich.text import Text

        text = Text(end="")
        for piece, style in ((line, ""),) if isinstance(line, str) else line:
            text.append(piece, _RICH_STYLES.get(style, ""))
        rows = [text]
        if self._wraps:
            text.plain = text.plain.translate(_TIED)
            indent = len(text.plain) - len(text.plain.lstrip(" "))
            indent = indent if indent <= _DEEPEST else 0
            _space, body = text.divide([indent])
            width = max(1, columns() - indent - room)
            wrapped = body.wrap(self._console, width)
            rows = [Text(" " * indent, end="").append_text(row) for row in wrapped]
            # Where a row is full, the space that stood behind it is gone: an answer needs it.
            if room and body.plain.endswith(" ") and not rows[-1].plain.endswith(" "):
                rows[-1].append(" ")
        for row in rows:
            row.plain = row.plain.translate(_UNTIED)
        return rows


def _console(stream: TextIO, color: bool) -> Console:
    from rich.console import Console

    return Console(
        file=stream,
        color_system="auto" if color else None,
        force_terminal=color or None,
        no_color=not color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False if color else None,
    )


def screen() -> Screen:
    """The screen for stdout: Rich on a terminal, or where colour is forced."""
    color = wants_color(sys.stdout, os.environ)
    if color or is_terminal(sys.stdout):
        return RichScreen(sys.stdout, color=color)
    return PlainScreen(sys.stdout)


def _text(line: Line | str) -> str:
    return line if isinstance(line, str) else plain(line)
