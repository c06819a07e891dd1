"""Entry point of ``mia`` and ``python -m mia_cli``.

``mia rank 55 44`` is asked in loops by scripts, so it is answered here, in little more time than
Python itself needs to start. Everything else, and whatever is unusual about that question, goes
to the command line library. Modules are imported where they are needed, ``__future__`` included.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

_WAITS = sys.platform != "win32"
_PATIENCE = 0.002
"""Seconds between two looks at whether an import is under way."""


def main() -> int:
    """Run the command line in ``sys.argv`` and return the exit code of the contract."""
    try:
        # The module behind ``signal``, which would be paid for by ``mia rank``.
        import _signal  # type: ignore[import-not-found]

        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _interrupted)
        try:
            return _run()
        finally:
            if _signal.getsignal(_signal.SIGINT) is _interrupted:
                _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # the rest is Python's own end
                if _WAITS:
                    _signal.setitimer(_signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return 130


def _interrupted(number: int, frame: "FrameType | None") -> None:
    """Ctrl-C, which waits until no import is under way: those print what they cannot raise."""
    import _signal

    above = frame
    while above is not None:
        if above.f_code.co_filename.startswith("<frozen importlib") and _WAITS:
            _signal.signal(_signal.SIGALRM, _interrupted)
            _signal.setitimer(_signal.ITIMER_REAL, _PATIENCE)
            return
        above = above.f_back
    _signal.default_int_handler(_signal.SIGINT, frame)


def _run() -> int:
    import gc
    from os import environ

    # Nothing that is imported is garbage, and nothing need be searched for it before the end.
    gc.disable()
    try:
        code = answer_pair(sys.argv[1:], environ)
        if code is None:
            from mia_cli.cli.app import app

            app()
            raise AssertionError("the command line library exits with the code it was given")
    finally:
        gc.freeze()
        gc.enable()
    return code


def answer_pair(words: "Sequence[str]", environ: "Mapping[str, str]") -> int | None:
    """Answer ``rank ROLL CLAIM``, with or without ``-q``, and return the exit code.

    None, and nothing is printed, for every other command line: errors, options, a bad language.
    """
    if not words or words[0] != "rank" or not 3 <= len(words) <= 4:
        return None
    pair = [word for word in words[1:] if word != "-q"]
    if len(pair) != 2 or environ.get("MIA_COLOR") or environ.get("_MIA_COMPLETE"):
        return None
    quiet = len(words) == 4
    from mia_cli.rules.errors import MiaError
    from mia_cli.rules.rolls import parse_claim, parse_roll
    from mia_cli.text.language import catalogue

    try:
        roll, claim = parse_roll(pair[0]), parse_claim(pair[1])
        catalogue.use(catalogue.choose(None, environ))
    except MiaError:
        return None
    if not quiet:
        from mia_cli.text.rank import verdict

        line = verdict(roll, claim)
        try:
            line.encode(getattr(sys.stdout, "encoding", "utf-8"))
        except UnicodeError:
            return None  # the library's way spells what the stream lacks
        failed = _print(line)
        if failed is not None:
            return failed
    return 0 if roll.supports(claim) else 1


def _print(line: str) -> int | None:
    """Print a line; the exit code where that failed, after saying so."""
    if sys.stdout is None:
        return None
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError as error:
        from mia_cli.cli.outcome import ended_by

        return ended_by(error, "mia rank")
    return None


if __name__ == "__main__":
    sys.exit(main())
