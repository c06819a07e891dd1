"""One running program behind a bot: started, asked with a deadline, and ended for certain.

The program runs under a supervisor (see there), in a session of its own, so that Ctrl-C reaches it
through us alone and nothing that it starts outlives it or us. Its stdout and stderr are read while
we wait for a reply, without threads; what it writes beyond a reply is never kept.

What it said is judged by its lines alone: the first is the reply to the first request, the second
to the second, whenever they came. So the same lines give the same faults, however busy the machine
is. Needs a system with ``poll`` on pipes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from time import monotonic
from typing import IO

from mia_cli.players.bot import supervisor
from mia_cli.players.bot.fault import Broken
from mia_cli.players.bot.messages import quoted

MOST = 16384
"""Bytes of output without a line that says anything; more is a flood."""
KEPT = 4096
"""Bytes of stderr that are kept, the last ones."""
LINES = 5
"""Lines of stderr that a fault quotes, each of at most LONGEST_LINE characters."""
LONGEST_LINE = 200
OURS = ("MIA_", "_MIA_")
"""Beginnings of the variables that a program does not get: where records are, for example."""

_CHUNK = 4096
_MARK = b"\xef\xbb\xbf"
_ENDING = 1.0
"""Seconds for a program that has closed its stdout to end; one that does not has closed it."""
_AT_MOST = supervisor.TERM + supervisor.AT_MOST + 1.0
"""Seconds for the supervisor to end everything."""


class BotProcess:
    """A program that answers one line at a time. Raises Broken("failed_to_start")."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._popen, self._control = _started(arguments)
        self._owner = os.getpid()
        self._finalizer = weakref.finalize(self, _end, self._popen, self._control, self._owner)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in _pipes(self._popen))
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._buffer = b""
        self._begun = False
        self._said = bytearray()
        self._is_deaf = self._at_end = False
        self.has_answered = False
        """Whether a reply was good; for the one who asks to set."""

    @property
    def is_ours(self) -> bool:
        """False in a process that was forked from the one that started the program."""
        return os.getpid() == self._owner

    def ask(self, lines: bytes, seconds: float) -> bytes:
        """Send whole lines and return the one line of the reply.

        Raises Broken: exited, closed, timeout, half_line, flood.
        """
        deadline = monotonic() + seconds
        self._send(lines, deadline, seconds)
        blank = 0
        while True:
            self._begin()
            line, newline, rest = self._buffer.partition(b"\n")
            if newline:
                self._buffer = rest
                if line.strip():
                    return line
                blank += len(line) + 1
            elif not self._at_end:
                left = deadline - monotonic()
                if left <= 0.0:
                    raise self._silent(seconds)
                self._take(left)
            else:
                raise self._gone()
            if blank > MOST or (len(self._buffer) > MOST and b"\n" not in self._buffer):
                raise _flood()

    def _begin(self) -> None:
        """Drop the byte-order mark that some programs write before all they say."""
        if not self._begun and (len(self._buffer) >= len(_MARK) or b"\n" in self._buffer):
            self._buffer, self._begun = self._buffer.removeprefix(_MARK), True

    def tell(self, lines: bytes, seconds: float) -> None:
        """Send lines that need no reply, if the program still reads."""
        with contextlib.suppress(Broken):
            self._send(lines, monotonic() + seconds, seconds)

    def stop(self, patience: float) -> None:
        """End the program and its children, by itself within ``patience`` seconds or by force."""
        if self.is_ours:
            _kill(self._popen, self._control, patience)
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
        """Write all, unless nobody reads any more: what was said before may be the reply."""
        rest = lines
        while rest and not self._is_deaf:
            try:
                rest = rest[os.write(self._stdin, rest) :]
                continue
            except BlockingIOError:
                pass
            except OSError:
                self._is_deaf = True
                return
            left = deadline - monotonic()
            if left <= 0.0:
                raise self._silent(seconds)
            self._poll.register(self._stdin, select.POLLOUT)
            try:
                self._take(left)
            finally:
                self._poll.unregister(self._stdin)
            if len(self._buffer) > MOST:
                raise _flood()

    def _take(self, seconds: float) -> None:
        """Wait for output, at most so long, and take what has come."""
        for descriptor, _events in self._poll.poll(1000.0 * seconds):
            if descriptor == self._stdout:
                data = self._read(descriptor)
                self._buffer += data or b""
                self._at_end = data == b""
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
        for _chunk in range(256):
            try:
                data = os.read(self._stderr, _CHUNK)
            except OSError:
                return
            if not data:
                return
            self._keep(data)

    def _silent(self, seconds: float) -> Broken:
        """Why there was no reply in time."""
        if self._buffer.strip():
            return Broken("half_line", value=quoted(self._buffer))
        code = self._popen.poll()  # a child may hold the pipe open after the program has ended
        if code is not None:
            return _exited(code)
        return Broken("closed", stream="stdin") if self._has_no_reader() else _late(seconds)

    def _has_no_reader(self) -> bool:
        """Whether the program has closed its stdin, which a write to it may not have met."""
        poll = select.poll()
        poll.register(self._stdin, 0)
        return bool(poll.poll(0))

    def _gone(self) -> Broken:
        """Why stdout is at its end."""
        if self._buffer.strip():
            return Broken("half_line", value=quoted(self._buffer))
        try:
            return _exited(self._popen.wait(_ENDING))
        except subprocess.TimeoutExpired:
            return Broken("closed", stream="stdout")


def _started(arguments: Sequence[str]) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """The supervisor of a running program, and the pipe whose end ends both."""
    if not hasattr(select, "poll"):
        raise Broken("failed_to_start", path=arguments[0], detail=os.strerror(errno.ENOSYS))
    environment = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
    theirs, ours = _pipe()
    report, theirs_too = _pipe()
    given = theirs, theirs_too
    # Files, which can be closed again without harm.
    control, said = open(ours, "wb", 0), open(report, "rb")  # noqa: PTH123, SIM115
    try:
        popen = subprocess.Popen(
            (sys.executable, "-I", "-S", supervisor.__file__, *map(str, given), *arguments),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=given,
            env=environment,
        )
    except (OSError, ValueError) as error:  # the latter for a null byte among the arguments
        control.close()
        said.close()
        detail = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise Broken("failed_to_start", path=arguments[0], detail=detail) from None
    finally:
        for descriptor in given:
            os.close(descriptor)
    with said:
        failed = said.read()  # which ends when the program runs
    if failed:
        _kill(popen, control, 0.0)
        _close(popen)
        detail = os.strerror(int(failed))
        raise Broken("failed_to_start", path=arguments[0], detail=detail)
    return popen, control


def _pipe() -> tuple[int, int]:
    """The ends of a pipe; where standard streams are closed, not by the numbers of these."""
    import fcntl

    ends = os.pipe()
    if min(ends) > 2:
        return ends
    read, write = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3) for end in ends)
    for end in ends:
        os.close(end)
    return read, write


def _pipes(popen: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert popen.stdin is not None
    assert popen.stdout is not None
    assert popen.stderr is not None
    return popen.stdin, popen.stdout, popen.stderr


def _flood() -> Broken:
    return Broken("flood", limit=MOST)


def _late(seconds: float) -> Broken:
    return Broken("timeout", seconds=seconds)


def _exited(code: int) -> Broken:
    if code >= 0:
        return Broken("exited", status=str(code))
    try:
        return Broken("exited", status=signal.Signals(-code).name)
    except ValueError:
        return Broken("exited", status=str(code))


def _end(popen: subprocess.Popen[bytes], control: IO[bytes], owner: int) -> None:
    """End the program, where it is ours, and close our ends of its pipes."""
    if os.getpid() == owner:
        _kill(popen, control, 0.0)
    else:
        control.close()
        if popen.returncode is None:
            popen.returncode = 0  # the child of our parent: not ours to wait for
    _close(popen)


def _close(popen: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(popen):
        with contextlib.suppress(OSError):
            pipe.close()


def _kill(popen: subprocess.Popen[bytes], control: IO[bytes], patience: float) -> None:
    """End a program and what it has started."""
    _pipes(popen)[0].close()
    if patience:
        _ends_within(popen, patience)
    control.close()
    if not _ends_within(popen, _AT_MOST):
        popen.kill()  # stopped by its program, perhaps; which ends with it
        _ends_within(popen, _AT_MOST)


def _ends_within(popen: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        popen.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
