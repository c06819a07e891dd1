"""Ctrl-C that ends a wait for the person at once.

Python looks at signals between its own instructions. One that comes after the last of them and
before the system call that waits is seen when that call returns: with the next line. A hook of
``readline`` loses one altogether, because exceptions of hooks are dropped. So a timer interrupts
the wait now and then, and what was missed is raised then.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_EVERY = 0.2
"""Seconds after which a missed Ctrl-C is noticed."""


@contextmanager
def interruptible() -> Iterator[None]:
    """While waiting for a line. Raises KeyboardInterrupt.

    Ctrl-C means what it meant before. Nothing changes where the timer is in use or there is none.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or not _has_timer():
        yield
        return
    meant, missed = before, False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal missed
        # Where both came, the timer has its turn now: later it would find an exception under way.
        signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
        signal.raise_signal(signal.SIGALRM)
        missed = True
        meant(number, frame)
        missed = False

    def look_again(*_signal: object) -> None:
        if missed:
            raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, look_again)
    signal.signal(signal.SIGINT, interrupt)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        # Each looks for signals first: none comes when its handler is gone.
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _has_timer() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    )
