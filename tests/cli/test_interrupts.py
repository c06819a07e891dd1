"""Ctrl-C ends a wait at once, even one that Python or readline has missed."""

import contextlib
import os
import signal
import threading
import time

import pytest

from mia_cli.cli.interrupts import interruptible

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
    pytest.mark.timeout(60, method="thread"),  # the other method takes the timer that this is about
]


@pytest.fixture
def silent():
    """The end of a pipe from which nothing ever comes."""
    ours, theirs = os.pipe()
    yield ours
    os.close(ours)
    os.close(theirs)


def test_an_interrupt_that_was_swallowed_comes_again(silent):
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interruptible():
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        os.read(silent, 1)
    assert time.monotonic() - before < 5


def test_a_wait_without_an_interrupt_goes_on_and_leaves_nothing_behind(silent):
    ours, theirs = os.pipe()
    timer = threading.Timer(0.7, os.write, (theirs, b"x"))
    timer.start()
    with interruptible():
        assert os.read(ours, 1) == b"x", "the timer has interrupted this some three times"
    timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    os.close(ours)
    os.close(theirs)


def test_who_ignores_ctrl_c_goes_on_ignoring_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible():
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
