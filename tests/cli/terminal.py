"""The program on a pseudo-terminal of some size, as a person has it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping

from tests.cli.machine import MIA, environment

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x07|\r")
_LINE_END = re.compile(r"\r*\n")
PATIENCE = 30.0


class OnTerminal:
    """``mia words`` with a terminal as all three streams; ``seen`` is all that was printed."""

    def __init__(
        self, *words: str, columns: int = 80, env: Mapping[str, str] | None = None
    ) -> None:
        self._ours, theirs = pty.openpty()
        self.resize(columns)
        self.process = subprocess.Popen(
            [*MIA, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment({"MIA_PACE": "0", **(env or {})}),
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - no threads here
        )
        os.close(theirs)
        self.seen = ""
        self._from = 0

    def resize(self, columns: int) -> None:
        """Give the terminal another width."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    @property
    def plain(self) -> str:
        """All that was printed, without control sequences."""
        return _CONTROL.sub("", self.seen)

    @property
    def rows(self) -> list[str]:
        """All rows, with everything that was written over in them as rows of its own, last first:
        a carriage return goes back to where the row begins."""
        return [
            _CONTROL.sub("", part)
            for row in _LINE_END.split(self.seen)
            for part in reversed(row.split("\r"))
        ]

    def type(self, text: str) -> None:
        """Send these keys."""
        os.write(self._ours, text.encode())

    def until(self, pattern: str) -> str:
        """Wait until something new on the screen matches, and return what is new up to there."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.plain[self._from :])):
            assert time.monotonic() < deadline, f"no {pattern!r} in {self.plain[self._from :]!r}"
            if not self._read(0.2):
                break
        assert found, f"ended without {pattern!r}: {self.plain[self._from :]!r}"
        begin = self._from
        self._from += found.end()
        return self.plain[begin : self._from]

    def end(self) -> int:
        """Read to the end, and return the exit code."""
        while self._read(PATIENCE):
            pass
        os.close(self._ours)
        return self.process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        """Read what there is; False at the end."""
        if select.select([self._ours], [], [], seconds)[0]:
            try:
                data = os.read(self._ours, 65536)
            except OSError:
                return False
            self.seen += data.decode(errors="replace")
            return bool(data)
        return self.process.poll() is None


def _take_terminal() -> None:
    """Make the pseudo-terminal the one whose Ctrl-C interrupts the program."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
