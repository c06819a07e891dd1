"""Reads what a person or a program types, line by line, whatever its encoding."""

from __future__ import annotations

import sys

_LONGEST = 4096


class LineSource:
    """Standard input as lines of text."""

    def read(self) -> str | None:
        """The next line without its end, or None at the end of input.

        A line is cut at 4096 bytes. Text that is not UTF-8 is read as Windows-1252, so that an
        accent typed in an old encoding still counts.
        """
        data = _next_line()
        if data is None:
            return None
        text = data.rstrip(b"\r\n")
        try:
            return text.decode("utf-8")
        except UnicodeDecodeError:
            return text.decode("cp1252", errors="replace")


def _next_line() -> bytes | None:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return None
    try:
        data: bytes = stream.readline(_LONGEST)
        rest = data
        while rest and not rest.endswith(b"\n") and len(rest) == _LONGEST:
            rest = stream.readline(_LONGEST)
    except (OSError, ValueError):
        # Input that is closed or cannot be read has ended.
        return None
    return data or None
