"""A Dask scheduler and its workers as real processes of this machine, on loopback alone."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.machine import ROOT


def environment(home, *paths):
    """Nothing of the settings of who runs the tests."""
    foreign = ("MIA_", "DASK_", "PYTHON", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    more = {
        "HOME": str(home),
        "DASK_CONFIG": str(home),
        "MIA_DATA_DIR": str(home / "data"),
        "PYTHONPATH": os.pathsep.join((*paths, str(ROOT))),
        # One death of a worker is forgiven; the usual is three.
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    }
    return {**kept, **more}


class Machines:
    """A scheduler, and workers as they are asked for; all are killed in the end."""

    def __init__(self, folder: Path, paths=()):
        self._folder = folder
        self._processes = []
        self._workers = []
        file = folder / "scheduler.json"
        # Without clients and work it ends by itself, should nobody end it.
        options = ("--port", "0", "--scheduler-file", str(file), "--idle-timeout", "120")
        self.scheduler = self._start(
            *("scheduler", "--host", "127.0.0.1", "--no-dashboard", "--no-jupyter", *options),
            paths=paths,
        )
        self.address = json.loads(self._text_of(file))["address"]

    def worker(self, *options, paths=()):
        """Start a worker with one thread, and no nanny unless ``options`` say so."""
        fixed = ("--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0")
        place = ("--local-directory", str(self._folder))
        found = self._start(
            "worker", self.address, *fixed, *place, *(options or ("--no-nanny",)), paths=paths
        )
        self._workers.append(found)
        return found

    def workers(self, number):
        """So many workers, those that live and new ones; others are killed."""
        living = [worker for worker in self._workers if worker.poll() is None]
        for worker in living[number:]:
            self.kill(worker)
        return living[:number] + [self.worker() for _ in range(number - len(living))]

    def kill(self, process):
        """End a process, and those that it has started, in a way that they cannot notice."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        if process in self._workers:
            self._workers.remove(process)

    def close(self):
        for process in self._processes:
            self.kill(process)

    def _start(self, *command, paths=()):
        with (self._folder / f"{command[0]}-{len(self._processes)}.log").open("wb") as log:
            found = subprocess.Popen(
                (sys.executable, "-m", "dask", *command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=environment(self._folder, *paths),
                start_new_session=True,
            )
        self._processes.append(found)
        return found

    def _text_of(self, file, seconds=30.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                text = file.read_text()
                json.loads(text)
                return text
            time.sleep(0.05)
        self.close()
        raise AssertionError("the scheduler did not start")


@contextlib.contextmanager
def started(folder, paths=()):
    found = Machines(folder, paths)
    try:
        yield found
    finally:
        found.close()


def eventually(check, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.05)
    return False
