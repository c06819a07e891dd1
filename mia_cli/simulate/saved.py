"""The state of a run in a file, so that it can be interrupted and resumed without loss."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mia_cli.files.writing import decode_json, encode_json, in_file, read_bytes, write_atomically
from mia_cli.players.bot.fault import CAUSES
from mia_cli.players.names import is_bot, is_level
from mia_cli.rules.errors import BadRecord, MiaError
from mia_cli.simulate.blocks import Faults, empty_tally
from mia_cli.simulate.lockstep.draws import MATCHES
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.tally import Tally

SCHEMA = "mia.simulation/1"


@dataclass(frozen=True, slots=True)
class State:
    """What a run has come to: all matches before ``done`` are in ``tally``.

    ``matches`` and ``until`` are what was asked for; ``log_bytes`` is how much of the log belongs
    to these matches; ``elapsed`` in seconds.
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


def new_state(setup: Setup, matches: int, until: float | None, log: str | None) -> State:
    """A run of which nothing has been played."""
    return State(setup, matches, until, 0, empty_tally(setup), {}, log)


def save(state: State, path: Path) -> None:
    """Replace the file by this state in one step. Raises Unwritable."""
    write_atomically(path, encode_json(to_json(state)))


def load(path: Path) -> State:
    """Read a state. Raises BadRecord, with the file, for any other content, and Unwritable.

    Codes: those of ``records.files``; ``not_a_simulation`` for other JSON; ``damaged_simulation``
    where fields are missing, wrong or contradict one another.
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
    if not isinstance(elapsed, int | float):
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
    if state.tally.matches != state.done or not 1 <= state.matches <= MATCHES:
        raise ValueError("done")
    if setup.first + state.matches > MATCHES or state.elapsed < 0.0:
        raise ValueError("first")
    if until is not None and not 0.0 < until < 1.0:
        raise ValueError("until")
    if log is not None and bool(state.log_bytes) != bool(state.done):
        raise ValueError("log_bytes")
    if not all(_can_be(player, cause, setup) for player, cause in state.faults):
        raise ValueError("faults")
    return state


def _can_be(player: int, cause: str, setup: Setup) -> bool:
    """Whether this player can have lost a match by a fault of this cause."""
    return player < len(setup.players) and is_bot(setup.players[player]) and cause in CAUSES


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("whole number")
    return value
