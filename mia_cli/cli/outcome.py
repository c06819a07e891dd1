"""Exit codes: what every way a command can end means to the shell."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from mia_cli.cli import streams
from mia_cli.rules.errors import BadRecord, MiaError, Unwritable
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.plain import with_both_ends
from mia_cli.text.usage import usage_sentence

DONE = 0
NO = 1
USAGE = 2
UNFINISHED = 3
FILES = 4
INTERNAL = 70
INTERRUPTED = 130
_LONGEST_PATH = 1000


def guarded(action: Callable[[], object], command: str) -> int:
    """Run ``action`` and return the exit code; whatever goes wrong is said in one line.

    ``action`` returns an exit code, or anything else for DONE.
    """
    result: object = DONE
    try:
        result = action()
        _flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BaseException as error:
        code = ended_by(error, command)
        # What was left is still left when nobody reads the last words about it.
        return UNFINISHED if result == UNFINISHED and code == DONE else code
    return result if isinstance(result, int) else DONE


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def ended_by(error: BaseException, command: str) -> int:
    """The exit code for what ended ``command``, after saying it in one line where it is due."""
    if _is_closed_pipe(error):
        streams.silence()
        return DONE
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else DONE
    if isinstance(error, MiaError):
        streams.say_error(f"mia: {sentence(error)}")
        return FILES if isinstance(error, (Unwritable, BadRecord)) else USAGE
    if _is_usage_error(error):
        message = error.format_message()  # type: ignore[attr-defined]
        streams.say_error(f"mia: {usage_sentence(message, command)}")
        return USAGE
    if isinstance(error, OSError):
        streams.say_error(f"mia: {_os_sentence(error)}")
        streams.silence()
        return FILES
    report_internal(error)
    return INTERNAL


def _is_closed_pipe(error: BaseException) -> bool:
    # The command line library turns a closed pipe into SystemExit(1) while it prints help.
    if isinstance(error, SystemExit):
        return isinstance(error.__context__, OSError) and error.__context__.errno == errno.EPIPE
    return isinstance(error, BrokenPipeError)


def _is_usage_error(error: BaseException) -> bool:
    # The library's base class has no public name in every version this package allows.
    return callable(getattr(error, "format_message", None)) and hasattr(error, "exit_code")


def _os_sentence(error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    if error.filename is None:
        return _("Output could not be written: {reason}.").format(reason=reason)
    return _("{path}: {reason}.").format(
        path=with_both_ends(str(error.filename), _LONGEST_PATH), reason=reason
    )


def report_internal(error: BaseException) -> None:
    """Where an internal error happened, without values: hidden dice may be among them."""
    streams.say_error(
        _("mia: internal error ({kind}); please report these lines:").format(
            kind=type(error).__name__
        )
    )
    for frame in traceback.extract_tb(error.__traceback__)[-6:]:
        streams.say_error(f"  {Path(frame.filename).name}:{frame.lineno} {frame.name}")
