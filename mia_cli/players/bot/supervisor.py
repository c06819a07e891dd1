"""Starts the program of a bot, and sees that nothing of it is left, however its parent ends.

Run as a process of its own between mia and the program: ``supervisor.py CONTROL REPORT COMMAND...``
with two pipes by number. REPORT says why the command could not be run, as an ``errno``, or ends
without a word. CONTROL ends when mia wants the program to end, and when mia is gone, for whatever
reason: killed, or with its terminal. Then, and when the program ends by itself, all that it has
started is ended too. On Linux, processes that lost their parent become children of this one,
whatever session they are in, so that it is known when none is left (prctl(2),
PR_SET_CHILD_SUBREAPER); elsewhere those of the program's group are ended. It ends as the program
did: with its exit status, or by the same signal.

Nothing is imported but the standard library: it starts in milliseconds. The program has stdin,
stdout and stderr of this process for itself.
"""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from time import monotonic

TERM = 0.3
"""Seconds between SIGTERM and SIGKILL."""
AT_MOST = 5.0
"""Seconds for the operating system to end what was killed."""

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_CHILD_SUBREAPER = 1, 4, 36

Prctl = Callable[[int, int], object]


class Children:
    """The program and what it has started. ``status``: of the program, once it has ended."""

    def __init__(self, pid: int, woken: int, control: int) -> None:
        self.pid = pid
        self.status: int | None = None
        self.are_left = True
        self._woken, self._control = woken, control
        self._poll = select.poll()
        self._poll.register(woken, select.POLLIN)
        self._poll.register(control, select.POLLIN)

    def wait(self, seconds: float | None) -> None:
        """Until the program ends, at most so long, or CONTROL does."""
        until = None if seconds is None else monotonic() + seconds
        while self.status is None:
            left = None if until is None else max(0.0, 1000.0 * (until - monotonic()))
            ready = [descriptor for descriptor, _ in self._poll.poll(left)]
            if self._woken in ready:
                os.read(self._woken, 4096)
                self.reap()
            else:
                return

    def reap(self) -> None:
        """Take in who has ended."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == self.pid:
                    self.status = status
                if not pid:
                    return
        except ChildProcessError:
            self.are_left = False

    def end(self) -> None:
        """End them all: the program asked first, everything by force then."""
        self._poll.unregister(self._control)
        if self.status is None:
            self._signal_group(signal.SIGTERM)
            self.wait(TERM)
        until = monotonic() + AT_MOST
        self.reap()
        self._signal_group(signal.SIGKILL)
        while self.are_left and monotonic() < until:
            for pid in _children():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self._poll.poll(5.0)
            self.reap()

    def _signal_group(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def supervise(control: int, report: int, command: list[str]) -> None:
    """Run a command to its end, or to that of ``control``; never returns."""
    prctl = _prctl()
    if prctl:
        prctl(_SET_CHILD_SUBREAPER, 1)
    for descriptor in (control, report):
        os.set_inheritable(descriptor, False)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    pid = os.fork()
    if not pid:
        _become(command, report, prctl)
    os.close(report)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    children = Children(pid, woken, control)
    children.wait(None)
    children.end()
    _end_as(children.status, prctl)


def _become(command: list[str], report: int, prctl: Prctl | None) -> None:
    """Become the program, in a session of its own, which ends when the supervisor is killed."""
    try:
        os.setsid()
        if prctl:
            prctl(_SET_PDEATHSIG, signal.SIGKILL)
        # Python ignores these, and what is ignored stays so in the program.
        for name in ("SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(report, str(error.errno).encode())
    finally:
        os._exit(127)


def _children() -> Iterator[int]:
    """Children of this process, where a system lists them."""
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib takes milliseconds to import
            with contextlib.suppress(OSError, ValueError, IndexError):
                pid = int(name)
                with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
                    # "PID (NAME) STATE PARENT ...", where the name may hold anything.
                    parent = file.read().rpartition(b")")[2].split()[1]
                if int(parent) == os.getpid():
                    yield pid


def _prctl() -> Prctl | None:
    """The system call for processes of Linux."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        call = ctypes.CDLL(None).prctl
        return lambda option, value: call(option, ctypes.c_ulong(value), 0, 0, 0)
    return None


def _end_as(status: int | None, prctl: Prctl | None) -> None:
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if prctl:
            prctl(_SET_DUMPABLE, 0)  # the program may leave a core, once
        with contextlib.suppress(OSError, ValueError):  # SIGKILL has no handler to reset
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if status is not None else 0)


if __name__ == "__main__":
    supervise(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
