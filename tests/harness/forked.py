"""Runs ``mia`` in forks of a process that has imported it: a hundredth of a second, not a half."""

import atexit
import contextlib
import importlib
import os
import pkgutil
import runpy
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import mia_cli


def import_everything() -> None:
    """All of the program but its entry, and what needs packages that may not be here."""
    for module in pkgutil.walk_packages(mia_cli.__path__, "mia_cli."):
        if not module.name.startswith("mia_cli.bridges") and "._" not in module.name:
            importlib.import_module(module.name)


class Forked:
    """A ``mia`` that runs, in a session of its own, from and to files in a folder."""

    def __init__(
        self,
        words: Sequence[str],
        typed: str,
        environ: Mapping[str, str],
        folder: Path,
        prepare: Callable[[], None],
    ) -> None:
        files = self._out, self._err, typed_file = folder / "out", folder / "err", folder / "typed"
        for file in files:
            file.write_text(typed, "utf-8") if file is typed_file else file.write_text("")
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            _be_mia(words, environ, (typed_file, self._out, self._err), prepare)
        self._code: int | None = None

    def ended(self, seconds: float) -> int | None:
        """Its exit code (-9: killed), or None where it still runs after so long."""
        end = time.monotonic() + seconds
        while self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                return None
            else:
                time.sleep(0.001)
        return self._code

    def kill(self) -> None:
        """End it, and what it has started, in a way that it cannot notice."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.ended(60.0)

    def told(self) -> tuple[str, str]:
        """What it has written to stdout and stderr."""
        out, err = (p.read_text("utf-8", "replace") for p in (self._out, self._err))
        return out, err


def _be_mia(
    words: Sequence[str],
    environ: Mapping[str, str],
    files: tuple[Path, Path, Path],
    prepare: Callable[[], None],
) -> None:
    """Never returns: what is on the stack belongs to the process that was forked."""
    code: object = 1
    try:
        os.setsid()
        flags = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_TRUNC] * 2)
        for number, (file, flag) in enumerate(zip(files, flags, strict=True)):
            os.dup2(os.open(file, flag, 0o600), number)
        os.environ.clear()
        os.environ.update(environ)
        sys.argv = ["mia", *words]
        prepare()
        runpy.run_module("mia_cli", run_name="__main__")
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code if isinstance(code, int) else 1)
