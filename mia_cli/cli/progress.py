"""One line on stderr that says how far something is, and is gone when it has ended."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from mia_cli.cli.screen import is_terminal


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """A function that shows a text in place of the one before; None where nobody watches."""
    stream = sys.stderr
    if not is_terminal(stream):
        yield None
        return
    width = 0

    def show(text: str) -> None:
        nonlocal width
        stream.write(f"\r{text:<{width}}")
        stream.flush()
        width = max(width, len(text))

    try:
        yield show
    finally:
        if width:
            stream.write(f"\r{'':<{width}}\r")
            stream.flush()
