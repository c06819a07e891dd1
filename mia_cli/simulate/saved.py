"""The state of a run in a file, so that it can be interrupted and resumed without loss."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from mia_cli.engine.seed import fingerprint
from mia_cli.files.failures import in_file, os_failure
from mia_cli.files.folders import data_dir
from mia_cli.files.locks import try_lock
from mia_cli.files.outputs import RUN, OutputFile
from mia_cli.files.reading import read_bytes
from mia_cli.files.strict_json import decode_json, encode_json
from mia_cli.files.writing import make_folder
from mia_cli.players.bot.fault import CAUSES
from mia_cli.players.names import is_bot, is_level
from mia_cli.rules.errors import BadRecord, MiaError, Unwritable
from mia_cli.simulate.blocks import Faults, empty_tally
from mia_cli.simulate.lockstep.draws import MATCHES
from mia_cli.simulate.lockstep.library import KernelName
from mia_cli.simulate.possible import require_possible
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.tally import Tally

SCHEMA = "mia.simulation/1"
FOLDER = "simulations"
"""Of the user's data: runs that were stopped and had no file of their own."""
_SHORTEST, _LONGEST = 1e-9, 1e12
"""Seconds that a run can have taken."""


@dataclass(frozen=True, slots=True)
class State:
    """What a run has come to: all matches before ``done`` are in ``tally``.

    ``matches`` and ``until`` are what was asked for; ``log`` names the log for a person to read,
    and is never opened: a run may come from anybody; ``log_bytes`` is how much of the log belongs
    to these matches; ``elapsed`` in seconds. ``kernel``, which is not saved: what has played (see
    Part), NumPy where both have.
    """

    setup: Setup
    matches: int
    until: float | None
    done: int
    tally: Tally
    faults: Faults = field(default_factory=dict)
    log: str | None = None
    log_bytes: int = 0
    elapsed: float = 0.0
    kernel: KernelName | None = None


def new_state(setup: Setup, matches: int, until: float | None, log: str | None) -> State:
    """A run of which nothing has been played."""
    return State(setup, matches, until, 0, empty_tally(setup), {}, log)


class RunFile:
    """The file that a run is kept in, held by one process at a time.

    ``is_kept``: it is, or will be, a file to go on from, and no pipe, device or standard output.
    Raises, here and when it is written, as OutputFile does, and Unwritable("in_use") (file) while
    another run is kept in it.
    """

    def __init__(self, name: Path | str, *, force: bool = False) -> None:
        self.name = str(name)
        self._held: int | None = None
        self._output = OutputFile(self.name, RUN, force=force, private=True)
        self.is_kept = self._output.is_regular
        self.is_stdout = self._output.is_stdout
        if self.is_kept:
            self._hold()

    def _hold(self) -> None:
        """Lock the file, where it is there, and make sure that it has not been replaced since."""
        path = Path(self.name)
        while self._held is None:
            try:
                self._held = os.open(path, os.O_RDONLY)
                if not try_lock(self._held):
                    raise Unwritable("in_use", file=self.name)
                if not os.path.samestat(os.fstat(self._held), path.stat()):
                    self.close()
            except FileNotFoundError:
                self.close()
                return
            except OSError as error:
                raise os_failure("cannot_read", path, error) from error

    def load(self) -> State | None:
        """The run in the file; None where there is none, or a foreign file is to be replaced.

        Raises as :func:`load` does.
        """
        path = Path(self.name)
        is_there = self.is_kept and path.exists() and path.stat().st_size
        return load(path) if is_there and self._output.is_ours else None

    def save(self, state: State) -> None:
        """Replace the file by this state, in one step where the system allows it."""
        before = self._held
        with self._output.opened() as file:
            # The new file is locked before it has the name: there is no moment in between.
            if self.is_kept and try_lock(file.fileno()):
                self._held = os.dup(file.fileno())
            file.write(encode_json(to_json(state)))
        if before not in (None, self._held):
            os.close(before)

    def close(self) -> None:
        """Let others have the file."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def __del__(self) -> None:
        self.close()


def set_aside(state: State) -> str:
    """Keep a run that was stopped among the program's data; returns its file. Raises Unwritable."""
    folder = data_dir() / FOLDER
    make_folder(folder)
    name = f"{fingerprint(state.setup.seed)[:12]}-{time.time_ns()}.json"
    with contextlib.closing(RunFile(folder / name)) as file:
        file.save(state)
    return file.name


def load(path: Path) -> State:
    """Read a state. Raises BadRecord, with the file, for any other content, and Unwritable.

    Codes: those of ``files``; ``not_a_simulation`` for other JSON; ``damaged_simulation``
    where fields are missing, wrong or contradict one another; ``other_tables`` of ``Setup``.
    """
    try:
        document = decode_json(read_bytes(path))
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise BadRecord("not_a_simulation", allowed=(SCHEMA,))
        return _from_json(document)
    except BadRecord as error:
        raise in_file(error, path) from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, MiaError) as error:
        if isinstance(error, MiaError) and error.code == "cannot_read":
            raise
        raise BadRecord("damaged_simulation", file=str(path)) from None


def to_json(state: State) -> dict[str, object]:
    """The state as a JSON object."""
    return {
        "schema": SCHEMA,
        **state.setup.to_json(),
        "matches": state.matches,
        "until": state.until,
        "done": state.done,
        "log": state.log,
        "log_bytes": state.log_bytes,
        "elapsed_s": state.elapsed,
        "faults": [[player, cause, n] for (player, cause), n in sorted(state.faults.items())],
        "tally": state.tally.to_json(),
    }


def _from_json(document: dict[str, object]) -> State:
    setup = Setup.from_json(document)
    if not all(map(is_level, setup.players)):
        raise ValueError("players")
    tally, faults = document["tally"], document["faults"]
    log, until, elapsed = document["log"], document["until"], document["elapsed_s"]
    if not isinstance(tally, dict) or not isinstance(faults, list):
        raise ValueError("tally")
    if not isinstance(log, str | None) or not isinstance(until, float | None):
        raise ValueError("log")
    if isinstance(elapsed, bool) or not isinstance(elapsed, int | float):
        raise ValueError("elapsed_s")
    state = State(
        setup=setup,
        matches=_whole(document["matches"]),
        until=until,
        done=_whole(document["done"]),
        tally=Tally.from_json(
            tally, len(setup.players), len(setup.seatings), sessions=setup.session > 1
        ),
        faults={(_whole(player), str(cause)): _whole(n) for player, cause, n in faults},
        log=log,
        log_bytes=_whole(document["log_bytes"]),
        elapsed=float(elapsed),
    )
    if not state.done <= state.matches or not 1 <= state.matches <= MATCHES:
        raise ValueError("done")
    if setup.first + state.matches > MATCHES:
        raise ValueError("first")
    if state.elapsed and not _SHORTEST <= state.elapsed <= _LONGEST:
        raise ValueError("elapsed_s")
    if until is not None and not 0.0 < until < 1.0:
        raise ValueError("until")
    if log is not None and bool(state.log_bytes) != bool(state.done):
        raise ValueError("log_bytes")
    if not all(_can_be(player, cause, setup) for player, cause in state.faults):
        raise ValueError("faults")
    require_possible(state.tally, setup, state.done, sum(state.faults.values()))
    return state


def _can_be(player: int, cause: str, setup: Setup) -> bool:
    """Whether this player can have lost a match by a fault of this cause."""
    return player < len(setup.players) and is_bot(setup.players[player]) and cause in CAUSES


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("whole number")
    return value
