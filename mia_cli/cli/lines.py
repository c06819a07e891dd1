"""Reads what a person or a program types, line by line, whatever its encoding."""

from __future__ import annotations

import sys

_LONGEST, _MOST_SKIPPED = 4096, 1 << 24


class LineSource:
    """Standard input as lines of text."""

    def read(self) -> str | None:
        """The next line without its end, or None at the end of input.

        A line is cut at 4096 bytes; one that does not end, as of an endless device, ends the
        input. Text that is not UTF-8 is read as Windows-1252, so that an accent typed in an old
        encoding still counts.
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
