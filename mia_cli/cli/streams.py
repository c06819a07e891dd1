"""Standard streams that never fail on a character and never complain about a closed pipe."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from functools import partial

_HANDLER = "mia-plain-spelling"
_FALLBACK = "ascii"
_LETTERS = "Mia".ljust(100, ".")
"""What a stream must be able to write: there are encodings that cannot."""


def prepare() -> None:
    """Let stdout and stderr spell characters their encoding lacks in ones that it has."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if can_write(_LETTERS, stream.encoding) else _FALLBACK
            stream.reconfigure(encoding=encoding, errors=_handler(encoding))


def _handler(encoding: str) -> str:
    """The name of an error handler for one encoding.

    The error does not tell it: all code pages of 8 bits call themselves "charmap" there.
    """
    name = f"{_HANDLER}-{encoding}"
    codecs.register_error(name, partial(_spell, encoding))
    return name


def _spell(encoding: str, error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from mia_cli.text.language.plain import plain_spelling

    return plain_spelling(error.object[error.start : error.end], encoding), error.end


def spelt(text: str) -> str:
    """``text`` in characters that stdout has, for a writer that goes round ``prepare``.

    The command line library writes UTF-8 to a stream that says it is ASCII.
    """
    return text.encode(encoding(), _handler(encoding())).decode(encoding())


@contextlib.contextmanager
def library_spelt() -> Iterator[None]:
    """While the command line library prints by itself: spells all of it."""
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told):
            yield
    finally:
        if sys.stdout is not None:
            sys.stdout.write(told.getvalue())


def encoding() -> str:
    """The encoding of stdout."""
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def can_show(text: str) -> bool:
    """True when stdout has every character of ``text``."""
    return can_write(text, getattr(sys.stdout, "encoding", None) or _FALLBACK)


def can_write(text: str, encoding: str) -> bool:
    """True when ``encoding`` has every character of ``text``."""
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def silence() -> None:
    """After a closed pipe: send what is left in the buffers nowhere, so that exit is silent."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            descriptor = stream.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)


def flush() -> None:
    """Send what was printed on stdout, where there is one."""
    if sys.stdout is not None:
        sys.stdout.flush()


def say_error(text: str) -> None:
    """One line on stderr; a closed or missing stderr is nobody's problem."""
    if sys.stderr is None:  # print would turn to stdout
        return
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr)  # noqa: T201
