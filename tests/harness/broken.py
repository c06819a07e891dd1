"""What is made of a program in the harness: it saves often, waits little, may have a defect."""

import os
import signal
import sys


def prepare(plant: str, fault: dict[str, str]) -> None:
    """Before ``mia`` runs. ``plant``: a defect that the harness must find; ``fault``: as in
    ``faults.c``, for what Python tells of itself before it does it."""
    from mia_cli.files import locks
    from mia_cli.simulate import blocks, run

    run.SAVE_EVERY = 0.0
    blocks.SMALL = 10
    locks._TRIES = 10
    _plant(plant)
    if fault:
        _watch(fault)


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


def _watch(fault):
    calls = [0]

    def hook(event, arguments):
        if event not in ("open", "os.rename", "os.remove", "os.truncate", "os.mkdir"):
            return
        if not str(arguments[0]).startswith(fault["FAULT_FOLDER"]):
            return
        if event == "open" and arguments[1] in ("r", "rb"):
            return
        calls[0] += 1
        if calls[0] == int(fault["FAULT_AT"]):
            os.close(os.open(fault["FAULT_MARK"], os.O_CREAT | os.O_WRONLY))
            do = int(fault["FAULT_DO"])
            if do in (0, 1000):
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(abs(do), os.strerror(abs(do)))

    sys.addaudithook(hook)
