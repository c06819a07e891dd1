"""Reads what a person or a program types, line by line, whatever its encoding."""

from __future__ import annotations

import sys

_MARK = b"\xef\xbb\xbf"
"""A byte-order mark, which some programs write at the start of a text."""
_LONGEST, _MOST_SKIPPED = 4096, 1 << 24


class LineSource:
    """Standard input as lines of text."""

    def __init__(self) -> None:
        self._begun = False

    def read(self) -> str | None:
        """The next line without its end, or None at the end of input.

        A line is cut at 4096 bytes; one that does not end, as of an endless device, ends the
        input. An accent typed in an old encoding still counts.
        """
        from mia_cli.cli.interrupts import interruptible

        with interruptible():
            data = _next_line()
        if data is None:
            return None
        if not self._begun:
            data, self._begun = data.removeprefix(_MARK), True
        return text_of(data.rstrip(b"\r\n"))


def text_of(data: bytes) -> str:
    """Bytes as text: UTF-8, or Windows-1252 where they are none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _next_line() -> bytes | None:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return None
    try:
        data: bytes = stream.readline(_LONGEST)
        rest, skipped = data, 0
        while rest and not rest.endswith(b"\n") and len(rest) == _LONGEST:
            rest = stream.readline(_LONGEST)
            skipped += len(rest)
            if skipped > _MOST_SKIPPED:
                return None
    except (OSError, ValueError):
        # Input that is closed or cannot be read has ended.
        return None
    return data or None
