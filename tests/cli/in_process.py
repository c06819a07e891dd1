"""Runs a command line in this process: hundreds of them in the time one interpreter needs."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from mia_cli.__main__ import answer_pair
from mia_cli.cli.app import app


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it wrote."""

    code: int | None
    out: str
    err: str


class Terminal(io.TextIOWrapper):
    """A stream that says somebody sits at its other end."""

    def isatty(self) -> bool:
        """True."""
        return True


def full(
    *args: str,
    typed: bytes = b"",
    stdout: type[io.TextIOWrapper] = io.TextIOWrapper,
    encoding: str = "utf-8",
) -> Ended:
    """``mia args`` through the command line library; both streams in one encoding."""

    def run() -> int | None:
        try:
            app(list(args))
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 0
        raise AssertionError("the application always exits")

    return _captured(run, typed, stdout, encoding)


def on_terminal(columns: int, *args: str, **environ: str) -> Ended:
    """``mia args`` where stdout is a terminal that is so many columns wide, without colours."""
    with patch.dict(os.environ, {"COLUMNS": str(columns), "NO_COLOR": "1", **environ}):
        return full(*args, stdout=Terminal)


def hot(*args: str) -> Ended:
    """``mia args`` on the short way alone; code None where it leaves the answer to the library."""
    return _captured(lambda: answer_pair(args, os.environ), b"")


def _captured(
    run: Callable[[], int | None],
    typed: bytes,
    stdout: type[io.TextIOWrapper] = io.TextIOWrapper,
    encoding: str = "utf-8",
) -> Ended:
    out = stdout(io.BytesIO(), encoding, newline="")
    err = io.TextIOWrapper(io.BytesIO(), encoding, newline="")
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(typed), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run()
    finally:
        sys.stdin = before
    return Ended(code, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(stream.encoding)
