"""The keyboard of a terminal: lines with editing and history, and pauses that can be cut short.

What is typed during a pause is not lost: an empty line ends the pause, and those that follow until
the next question; everything else is kept for the questions to come, pasted lines too.

Importing it needs ``readline`` and ``termios``, which not every system has.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import readline
import select
import signal
import sys
import termios
import time
from collections import deque
from functools import cache
from typing import Any

from mia_cli.cli.interrupts import interruptible
from mia_cli.cli.lines import text_of

_LINE_END = re.compile(rb"\r\n|\r|\n")
_KEYS = re.compile(rb"\x1b(?:\[[0-9;?]*[@-~]|O[@-~])")
"""What arrows and other keys without a sign of their own send."""
_ESCAPES = re.compile(r"(\x1b\[[0-9;]*m)")
_AT_ONCE = 4096

Modes = list[Any]
"""How the terminal treats what is typed, see ``termios``."""


@cache
def keyboard() -> Keyboard:
    """The one there is: what was typed ahead in one conversation is there in the next."""
    return Keyboard()


class Keyboard:
    """Reads from the terminal itself, never through a buffer that would hide typed lines."""

    def __init__(self) -> None:
        self._kept: deque[bytes] = deque()
        self._begun = b""
        self._has_ended = False
        self._skips = False
        self._prompt = ""
        self._editing: Modes | None = None
        """The modes of the terminal while a line is edited."""
        self._shown: Modes | None = None
        """Its modes when it shows what is typed, while it does not."""
        # Pasted lines are lines, not one line with signs in it.
        readline.parse_and_bind("set enable-bracketed-paste off")
        readline.set_startup_hook(self._begin)
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="surrogateescape")
        signal.signal(signal.SIGCONT, self._go_on)
        atexit.register(self._unhush)

    def typed_ahead(self) -> str | None:
        """The next line that was typed before it was asked for; None without any."""
        self._skips = self._has_ended
        self._unhush()
        if not self._kept:
            return None
        line = text_of(self._kept.popleft())
        readline.add_history(line)
        return line

    def read(self, prompt: str) -> str | None:
        """The next line, or None at the end of the input. Raises KeyboardInterrupt."""
        if self._has_ended:
            sys.stdout.write(prompt)
            return None
        self._prompt = prompt
        try:
            with interruptible():
                line = input(_ESCAPES.sub("\x01\\1\x02", prompt))
        except EOFError:
            return None
        finally:
            self._editing = None
        return text_of(line.encode(sys.stdin.encoding, "surrogateescape"))

    def _begin(self) -> None:
        """A line is about to be edited; it begins with what was typed of it already."""
        self._editing = _modes()
        if self._begun:
            readline.insert_text(text_of(self._begun))
            self._begun = b""

    def pause(self, seconds: float) -> None:
        """Wait, unless an empty line was typed since the last question, or the input has ended."""
        sys.stdout.flush()
        self._hush()
        ends = time.monotonic() + seconds
        while not self._skips and (left := ends - time.monotonic()) > 0:
            if select.select([0], [], [], left)[0]:
                self._take(os.read(0, _AT_ONCE))

    def _take(self, data: bytes) -> None:
        if not data:
            self._has_ended = self._skips = True
            return
        *lines, self._begun = _LINE_END.split(_KEYS.sub(b"", self._begun + data))
        for line in lines:
            if line.strip():
                self._kept.append(line)
            else:
                self._skips = True

    def _hush(self) -> None:
        """Do not show what is typed in the middle of what is told, but at its question."""
        if self._shown is None and (shown := _modes()) is not None:
            self._shown = shown
            _set([*shown[:3], shown[3] & ~termios.ECHO, *shown[4:]])

    def _unhush(self) -> None:
        if self._shown is not None:
            _set(self._shown)
            self._shown = None

    def _go_on(self, *_signal: object) -> None:
        """After Ctrl-Z and ``fg``: the shell has set the terminal as the shell wants it."""
        if self._editing is not None:
            _set(self._editing)
            again = f"\r{self._prompt}{readline.get_line_buffer()}"
            # Not through the stream: the signal may have come while something was written there.
            with contextlib.suppress(OSError):
                os.write(1, again.encode(sys.stdout.encoding, sys.stdout.errors or "replace"))
        elif self._shown is not None:
            self._shown = None
            self._hush()


def _modes() -> Modes | None:
    """The modes of the terminal; None where it has gone."""
    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None


def _set(modes: Modes) -> None:
    with contextlib.suppress(termios.error):
        termios.tcsetattr(0, termios.TCSANOW, modes)
