"""Runs inside every program of the harness: saves come often; a planted defect; faults without C.

HARNESS_PLANT: a defect that the harness must find. HARNESS_PYTHON: the faults of ``faults.c`` for
what Python tells of itself before it does it, where there is no compiler.
"""

import os
import signal
import sys


def _plant(name):
    if name == "not atomic":
        import contextlib

        from mia_cli.files import writing

        @contextlib.contextmanager
        def replacing(path, **_):
            with open(path, "wb", buffering=0) as file:  # noqa: PTH123
                yield file

        writing.replacing = replacing
    elif name == "log cut in the middle":
        from mia_cli.simulate import log

        log.RunLog.flush = lambda self: self._file.flush() or self._file.truncate(self._length - 9)


def _watch():
    folder, do, at = (os.environ[f"FAULT_{name}"] for name in ("FOLDER", "DO", "AT"))
    calls = [0]

    def hook(event, arguments):
        if event not in ("open", "os.rename", "os.remove", "os.truncate", "os.mkdir"):
            return
        if not str(arguments[0]).startswith(folder):
            return
        if event == "open" and arguments[1] in ("r", "rb"):
            return
        calls[0] += 1
        if calls[0] == int(at):
            os.close(os.open(os.environ["FAULT_MARK"], os.O_CREAT | os.O_WRONLY))
            if int(do) in (0, 1000):
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(abs(int(do)), os.strerror(abs(int(do))))

    sys.addaudithook(hook)


if "HARNESS_HOME" in os.environ:
    from mia_cli.simulate import run

    run.SAVE_EVERY = 0.01
    _plant(os.environ.get("HARNESS_PLANT"))
    if "HARNESS_PYTHON" in os.environ and "FAULT_AT" in os.environ:
        _watch()
