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

_EVERY = 0.2
"""Seconds after which a missed Ctrl-C is noticed."""


@contextmanager
def interruptible() -> Iterator[None]:
    """While waiting for a line. Raises KeyboardInterrupt.

    Nothing changes where Ctrl-C or the timer mean something else, or there is no such timer.
    """
    if not _is_ours():
        yield
        return
    missed = False

    def interrupt(*_signal: object) -> None:
        nonlocal missed
        missed = True
        raise KeyboardInterrupt

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
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _is_ours() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    )
