"""One line on stderr that says how far something is, and is gone when it has ended."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from mia_cli.cli.screen import is_terminal
from mia_cli.text.language.plain import cut_to, display_width


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
        # What is wider than the terminal would go on in a line of its own, and stay there.
        text = cut_to(text, _columns(stream) - 1)
        used = display_width(text)
        stream.write(f"\r{text}{' ' * (width - used)}")
        stream.flush()
        width = used

    try:
        yield show
    finally:
        if width:
            stream.write(f"\r{' ' * width}\r")
            stream.flush()


def _columns(stream: TextIO) -> int:
    """How wide the terminal is now; where it does not say, as wide as most are."""
    with contextlib.suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80
