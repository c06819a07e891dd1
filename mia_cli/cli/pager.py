"""Shows what is longer than the screen in a pager, as git does: PAGER, else less, else more."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from mia_cli.cli import streams
from mia_cli.cli.screen import RichScreen, is_terminal, screen, wants_color
from mia_cli.text.language.line import Line

_LESS = "FRX"
"""Leave at once where all fits, show colours, leave the text on the screen; as git sets it."""
_NOT_STARTED = (126, 127)
"""What a shell says of a command that it cannot run or does not find."""


def show(lines: Iterable[Line | str], *, paged: bool = True) -> None:
    """Print ``lines``, through the pager where a terminal is too short for them.

    Never in a pipe, on a dumb terminal, or where PAGER is empty or ``cat``.
    """
    told = list(lines)
    command = _pager(os.environ) if paged and _is_watched() else ""
    if command:
        text = _rendered(told, color=_takes_color(command, os.environ))
        if text.count("\n") >= shutil.get_terminal_size().lines and _read_in(command, text):
            return
    out = screen()
    for line in told:
        out.say(line)


def _is_watched() -> bool:
    return is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"


def _pager(environ: Mapping[str, str]) -> str:
    """The command to page with; empty for none."""
    chosen = environ.get("PAGER")
    if chosen is None:
        return next(filter(shutil.which, ("less", "more")), "")
    return "" if chosen.strip() in ("", "cat") else chosen


def _takes_color(command: str, environ: Mapping[str, str]) -> bool:
    """True where escapes come out as colours: in a ``less`` that was not told otherwise."""
    if Path(command.split(maxsplit=1)[0]).name != "less" or not wants_color(sys.stdout, environ):
        return False
    return "R" in environ.get("LESS", _LESS)


class _Rendering(io.StringIO):
    """Takes lines as the terminal would show them."""

    def isatty(self) -> bool:
        return True


def _rendered(lines: Iterable[Line | str], *, color: bool) -> str:
    """The lines in the rows of the terminal."""
    taken = _Rendering()
    out = RichScreen(taken, color=color)
    for line in lines:
        out.say(line)
    return taken.getvalue()


def _read_in(command: str, text: str) -> bool:
    """Let the person read ``text`` in the pager; False when the pager could not be started.

    PAGER may have options and pipes, so it is run by the shell.
    """
    import subprocess

    streams.flush()
    environ = {"LESS": _LESS, "LV": "-c", **os.environ}
    pager = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=environ)
    assert pager.stdin is not None
    # Ctrl-C at the pager is the pager's: it must not end before the person leaves it.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with contextlib.suppress(OSError):  # left before the end
            pager.stdin.write(streams.spelt(text).encode(streams.encoding()))
        with contextlib.suppress(OSError):
            pager.stdin.close()
        return pager.wait() not in _NOT_STARTED
    finally:
        signal.signal(signal.SIGINT, before)
