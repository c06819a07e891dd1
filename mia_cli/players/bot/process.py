"""One running program behind a bot: started, asked with a deadline, and ended for certain.

The program runs in a session of its own, so that Ctrl-C reaches it through us alone, and its
children can be ended with it. Its stdout and stderr are read while we wait for a reply, without
threads; what it writes beyond a reply is never kept. Needs a system with ``poll`` on pipes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import weakref
from collections.abc import Sequence
from math import ceil
from time import monotonic
from typing import IO

from mia_cli.players.bot.fault import Broken
from mia_cli.players.bot.messages import quoted

MOST = 16384
"""Bytes of output to one request; more is a flood."""
KEPT = 4096
"""Bytes of stderr that are kept, the last ones."""
LINES = 5
"""Lines of stderr that a fault quotes, each of at most LONGEST_LINE characters."""
LONGEST_LINE = 200

_CHUNK = 65536
_MAY_BE_FLOOD = ("unasked", "not_json", "bad_reply", "illegal_claim", "illegal_answer")
_SETTLING = 0.05
"""Seconds to tell a single stray line from a flood, and a program that ends from one that stays."""
_TERM = 0.3
"""Seconds between SIGTERM and SIGKILL."""
_AT_MOST = 5.0
"""Seconds for the operating system to end what was killed."""


class BotProcess:
    """A program that answers one line at a time. Raises Broken("failed_to_start")."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._popen = _started(arguments)
        self._owner = os.getpid()
        self._finalizer = weakref.finalize(self, _end, self._popen, self._owner)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in _pipes(self._popen))
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._buffer = bytearray()
        self._received = 0
        self._said = bytearray()
        self._at_end = False
        self.has_answered = False
        """Whether a reply was good; for the one who asks to set."""

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._popen.pid

    @property
    def is_ours(self) -> bool:
        """False in a process that was forked from the one that started the program."""
        return os.getpid() == self._owner

    def ask(self, lines: bytes, seconds: float) -> bytes:
        """Send whole lines and return the one line of the reply.

        Raises Broken: unasked, exited, closed, timeout, half_line, flood.
        """
        deadline = monotonic() + seconds
        self._received = 0
        self._take(0.0)
        self._refuse_unasked()
        if self._at_end:
            raise self._gone("stdout")
        self._send(lines, deadline, seconds)
        line = self._reply(deadline, seconds)
        self._refuse_unasked()
        return line

    def tell(self, lines: bytes, seconds: float) -> None:
        """Send lines that need no reply, if the program still reads."""
        with contextlib.suppress(Broken):
            self._send(lines, monotonic() + seconds, seconds)

    def settled(self, broken: Broken) -> Broken:
        """``broken``, or a flood where that is what the program really does."""
        if broken.cause not in _MAY_BE_FLOOD:
            return broken
        deadline = monotonic() + _SETTLING
        while self._received <= MOST and not self._at_end:
            left = deadline - monotonic()
            if left <= 0.0:
                return broken
            self._take(left)
        return _flood() if self._received > MOST else broken

    def stop(self, patience: float) -> None:
        """End the program and its children, by itself within ``patience`` seconds or by force."""
        if self.is_ours:
            _kill(self._popen, patience)
            self._last_words()
            self._finalizer.detach()
            _close(self._popen)
        else:
            self._finalizer()

    def stderr_lines(self) -> tuple[str, ...]:
        """The last lines on stderr, raw text, oldest first."""
        lines = self._said.decode("utf-8", "replace").splitlines()
        return tuple(line[:LONGEST_LINE] for line in lines if line.strip())[-LINES:]

    def _send(self, lines: bytes, deadline: float, seconds: float) -> None:
        rest = memoryview(lines)
        while True:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                pass
            except OSError:
                raise self._gone("stdin") from None
            if not rest:
                return
            left = deadline - monotonic()
            if left <= 0.0:
                raise self._silent(seconds)
            self._poll.register(self._stdin, select.POLLOUT)
            try:
                self._take(left)
            finally:
                self._poll.unregister(self._stdin)
            if self._received > MOST:
                raise _flood()

    def _reply(self, deadline: float, seconds: float) -> bytes:
        while True:
            if self._received > MOST:
                raise _flood()
            line = self._line()
            if line is not None:
                return line
            if self._at_end:
                raise self._gone("stdout")
            left = deadline - monotonic()
            if left <= 0.0:
                raise self._silent(seconds)
            self._take(left)

    def _line(self) -> bytes | None:
        """The next line that is not blank."""
        while True:
            line, newline, rest = self._buffer.partition(b"\n")
            if not newline:
                return None
            self._buffer = rest
            if line.strip():
                return bytes(line)

    def _take(self, seconds: float) -> None:
        """Wait for output, at most so long, and take what has come."""
        for descriptor, _events in self._poll.poll(ceil(1000.0 * seconds)):
            if descriptor == self._stdout:
                data = self._read(descriptor)
                self._buffer += data or b""
                self._received += len(data or b"")
                self._at_end = self._at_end or data == b""
            elif descriptor == self._stderr:
                self._keep(self._read(descriptor) or b"")

    def _read(self, descriptor: int) -> bytes | None:
        """What is there; nothing at its end, which is then no longer watched; None for not yet."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._poll.unregister(descriptor)
        return data

    def _keep(self, data: bytes) -> None:
        self._said += data
        del self._said[:-KEPT]

    def _last_words(self) -> None:
        """What an ended program left on stderr; a bounded part, should a stray child go on."""
        for _chunk in range(16):
            try:
                data = os.read(self._stderr, _CHUNK)
            except OSError:
                return
            if not data:
                return
            self._keep(data)

    def _refuse_unasked(self) -> None:
        if self._buffer.strip():
            raise Broken("unasked", value=quoted(self._buffer))
        self._buffer.clear()

    def _silent(self, seconds: float) -> Broken:
        """Why there was no reply in time."""
        if self._buffer.strip():
            return Broken("half_line", value=quoted(self._buffer))
        code = self._popen.poll()  # a child may hold the pipe open after the program has ended
        return Broken("timeout", seconds=seconds) if code is None else _exited(code)

    def _gone(self, stream: str) -> Broken:
        """Why a pipe is closed."""
        if self._buffer.strip():
            return Broken("half_line", value=quoted(self._buffer))
        try:
            return _exited(self._popen.wait(4 * _SETTLING))
        except subprocess.TimeoutExpired:
            return Broken("closed", stream=stream)


def _started(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    if not hasattr(select, "poll"):
        raise Broken("failed_to_start", path=arguments[0], detail=os.strerror(errno.ENOSYS))
    try:
        return subprocess.Popen(
            arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # the latter for a null byte among the arguments
        detail = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise Broken("failed_to_start", path=arguments[0], detail=detail) from None


def _pipes(popen: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert popen.stdin is not None
    assert popen.stdout is not None
    assert popen.stderr is not None
    return popen.stdin, popen.stdout, popen.stderr


def _flood() -> Broken:
    return Broken("flood", limit=MOST)


def _exited(code: int) -> Broken:
    if code >= 0:
        return Broken("exited", status=str(code))
    try:
        return Broken("exited", status=signal.Signals(-code).name)
    except ValueError:
        return Broken("exited", status=str(code))


def _end(popen: subprocess.Popen[bytes], owner: int) -> None:
    """End the program, where it is ours, and close our ends of its pipes."""
    if os.getpid() == owner:
        _kill(popen, 0.0)
    elif popen.returncode is None:
        popen.returncode = 0  # the child of our parent: not ours to wait for
    _close(popen)


def _close(popen: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(popen):
        with contextlib.suppress(OSError):
            pipe.close()


def _kill(popen: subprocess.Popen[bytes], patience: float) -> None:
    """End a program and what it has started."""
    _pipes(popen)[0].close()
    if not _ends_within(popen, patience):
        _signal(popen, signal.SIGTERM)
        _ends_within(popen, _TERM)
    # For a program that ignores SIGTERM, and for the children of one that has ended.
    _signal(popen, signal.SIGKILL)
    _ends_within(popen, _AT_MOST)


def _ends_within(popen: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        popen.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _signal(popen: subprocess.Popen[bytes], number: int) -> None:
    """Signal the whole group: its number is the program's."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, number)
