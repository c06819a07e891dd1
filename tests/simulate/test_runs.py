"""Runs: the same totals for any number of workers, interrupted or not, logged or not."""

import gzip
import json
import multiprocessing
import os
import signal
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mia_cli.records.record import from_json
from mia_cli.records.replay import replay
from mia_cli.rules.errors import BadRecord, MiaError, Unwritable
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate import blocks as blocks_module
from mia_cli.simulate import saved
from mia_cli.simulate.blocks import Part, cut, open_blocks
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.margins import widest
from mia_cli.simulate.run import FIRST_LOOK, looks_at, run
from mia_cli.simulate.saved import RunFile, new_state
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers import processes as processes_module
from mia_cli.simulate.workers.processes import Alone, Processes, WorkerDied
from tests.simulate.documents import document, ignore

SETUP = Setup(RuleSet(3, 1), ("easy", "hard", "normal"), seed=11)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of 512 and 8 matches, so that short runs have many."""
    monkeypatch.setattr(blocks_module, "LARGE", 512)
    monkeypatch.setattr(blocks_module, "SMALL", 8)


def make(setup=SETUP, *, logged=False):
    return partial(open_blocks, setup, logged=logged)


def play(state, workers, **options):
    return run(state, workers, seen=ignore, **options)


def test_any_number_of_workers():
    state = new_state(SETUP, 5_000, None, None)
    wanted = document(play(state, Alone(make())))
    assert wanted["tally"]["played"] == [834, 834, 833, 833, 833, 833]
    for jobs in (1, 2, 8):
        assert document(play(state, Processes(make(), jobs))) == wanted


def test_workers_that_are_started_afresh(monkeypatch):
    """As where processes cannot be forked."""
    monkeypatch.setattr(processes_module, "context", lambda: multiprocessing.get_context("spawn"))
    state = new_state(SETUP, 3_000, None, None)
    assert document(play(state, Processes(make(), 2))) == document(play(state, Alone(make())))


def test_kernel_and_engine_count_alike():
    state = new_state(SETUP, 200, None, None)
    wanted = play(state, Alone(make()))
    found = play(state, Alone(make(logged=True)))
    assert document(found) == document(wanted)


def interrupted_after(parts):
    """A function for ``seen`` that behaves like Ctrl-C after some blocks."""
    left = [parts]

    def seen(_state):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return seen


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_interrupted_and_resumed(tmp_path, jobs, suffix):
    def workers():
        create = make(logged=True)
        return Alone(create) if jobs == 1 else Processes(create, jobs)

    keep = tmp_path / "run.json"
    whole, cut_short = tmp_path / f"whole{suffix}", tmp_path / f"short{suffix}"
    log = RunLog(whole)
    state = new_state(SETUP, 100, None, None)
    wanted = play(state, workers(), log=log)
    log.close()
    log = RunLog(cut_short)
    stopped = run(state, workers(), keep=RunFile(keep), log=log, seen=interrupted_after(3))
    log.close()
    assert stopped.stopped and stopped.state.done == 24 and not wanted.stopped
    state = saved.load(keep)
    assert cut_short.stat().st_size == state.log_bytes
    cut_short.write_bytes(cut_short.read_bytes() + b"half a line")
    log = RunLog(cut_short, state)
    found = play(state, workers(), keep=RunFile(keep), log=log)
    log.close()
    assert document(found) == document(wanted)
    assert cut_short.read_bytes() == whole.read_bytes()
    assert saved.load(keep).done == 100


def test_blocks_of_a_resumed_run_are_those_of_a_whole_one():
    whole = list(cut(0, 1000, 300, [450]))
    assert whole == [(0, 300), (300, 150), (450, 150), (600, 300), (900, 100)]
    for done in (300, 450, 600, 900):
        assert list(cut(done, 1000, 300, [450])) == [one for one in whole if one[0] >= done]


def test_log_has_every_match_as_a_record_that_fits_the_rules(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    log = RunLog(path)
    result = play(new_state(SETUP, 30, None, None), Alone(make(logged=True)), log=log)
    log.close()
    lines = gzip.decompress(path.read_bytes()).splitlines()
    wins = [0, 0, 0]
    for number, line in enumerate(lines, start=1):
        found = from_json(json.loads(line))
        assert found.extra["match"] == number and found.dice == "mia-sim/1"
        assert replay(found).table.match.winner == found.winner
        wins[int(found.seats[found.winner - 1].name.split()[1]) - 1] += 1
    assert len(lines) == 30
    _, won = result.state.tally.by_distance(SETUP.seatings)
    assert wins == won.sum(axis=1).tolist()


def test_until_stops_at_the_same_match_whatever_the_workers(monkeypatch):
    state = new_state(SETUP, 1_000_000, 0.02, None)
    alone = play(state, Alone(make()))
    assert alone.narrow and FIRST_LOOK <= alone.state.done < 5_000
    assert widest(alone.state.tally, SETUP.seatings) <= 0.02
    for jobs in (2, 3):
        assert document(play(state, Processes(make(), jobs))) == document(alone)
    monkeypatch.setattr(blocks_module, "LARGE", 100)
    assert document(play(state, Alone(make()))) == document(alone)


def test_until_has_a_cap():
    result = play(new_state(SETUP, 2_000, 0.001, None), Alone(make()))
    assert not result.narrow and result.state.done == 2_000


@pytest.mark.parametrize("cycle", [1, 2, 6, 720])
def test_looks_are_at_whole_cycles(cycle):
    found = looks_at(cycle, 10**9)
    assert all(look % cycle == 0 for look in found)
    assert found == sorted(set(found)) and len(found) < 300


def test_a_higher_target_goes_on_from_a_finished_run(tmp_path):
    keep = tmp_path / "run.json"
    play(new_state(SETUP, 700, None, None), Alone(make()), keep=RunFile(keep))
    state = replace(saved.load(keep), matches=1500)
    found = play(state, Alone(make()))
    wanted = play(new_state(SETUP, 1500, None, None), Alone(make()))
    assert document(found) == document(wanted)


class Mortal:
    """Plays blocks, but the worker that gets block ``first`` dies, as often as the file says."""

    def __init__(self, first, deaths: Path):
        self._inner, self._first, self._deaths = open_blocks(SETUP), first, deaths

    def play(self, first, count):
        if first == 512:
            time.sleep(0.3)  # the blocks before one that kills may still be played
        # Only this block's worker looks: another could read the file while it is written.
        left = int(self._deaths.read_text()) if first == self._first else 0
        if left:
            self._deaths.write_text(str(left - 1))
            os.kill(os.getpid(), signal.SIGKILL)
        return self._inner.play(first, count)

    def close(self):
        self._inner.close()


def test_a_worker_that_dies_is_replaced(tmp_path):
    deaths = tmp_path / "deaths"
    deaths.write_text("2")
    told = []
    workers = Processes(partial(Mortal, 1024, deaths), 2, told.append)
    state = new_state(SETUP, 5_000, None, None)
    assert document(play(state, workers)) == document(play(state, Alone(make())))
    assert told == [1024, 1024]


def test_workers_that_keep_dying_end_the_run(tmp_path):
    deaths = tmp_path / "deaths"
    deaths.write_text("1000")
    workers = Processes(partial(Mortal, 1024, deaths), 2)
    keep = tmp_path / "run.json"
    started = time.monotonic()
    result = play(new_state(SETUP, 5_000, None, None), workers, keep=RunFile(keep))
    assert isinstance(result.loss, WorkerDied) and result.stopped
    assert result.loss.fields["first"] == 1024 and time.monotonic() - started < 30
    # What comes before that block is finished and kept, and other workers can go on.
    assert saved.load(keep).done == result.state.done == 1024
    found = play(saved.load(keep), Alone(make()))
    assert document(found) == document(play(new_state(SETUP, 5_000, None, None), Alone(make())))


class Failing:
    """A block player that has a defect, or meets an error of the user's."""

    def __init__(self, error):
        self._error = error

    def play(self, first, count):
        raise self._error

    def close(self):
        pass


@pytest.mark.parametrize(
    ("error", "kind"),
    [(ZeroDivisionError(), RuntimeError), (Unwritable("cannot_write", file="x"), Unwritable)],
)
def test_an_error_in_a_worker_reaches_the_run(error, kind):
    with pytest.raises(kind):
        play(new_state(SETUP, 5_000, None, None), Processes(partial(Failing, error), 2))


def test_parts_come_in_order_and_once():
    workers = Processes(make(), 3)
    parts = list(workers.play(cut(0, 3_000, 100)))
    assert all(isinstance(part, Part) for part in parts)
    assert [(part.first, part.count) for part in parts] == list(cut(0, 3_000, 100))


DAMAGE = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda _: b"",
    "other": lambda _: b'{"schema": "mia.match/1"}',
    "newer": lambda data: data.replace(b"mia.simulation/1", b"mia.simulation/2"),
    "wins": lambda data: data.replace(b'"wins": [[', b'"wins": [[1'),
    "done": lambda data: data.replace(b'"done": 700', b'"done": 701'),
    "lives": lambda data: data.replace(b'"lives": 3', b'"lives": 4'),
    "players": lambda data: data.replace(b'"hard"', b"7"),
    "list": lambda _: b"[]",
    "number": lambda data: data.replace(b'"log_bytes": 0', b'"log_bytes": -1'),
    "log without bytes": lambda data: data.replace(b'"log": null', b'"log": "log"'),
    "faults": lambda data: data.replace(b'"faults": []', b'"faults": [[7, "exited", 3]]'),
    "cause": lambda data: data.replace(b'"faults": []', b'"faults": [[0, "bored", 3]]'),
    "no bot": lambda data: data.replace(b'"faults": []', b'"faults": [[0, "exited", 3]]'),
    "matches": lambda data: data.replace(b'"matches": 700', b'"matches": 7' + b"0" * 26),
    "first": lambda data: data.replace(b'"first": 0', b'"first": 7' + b"0" * 26),
    "until": lambda data: data.replace(b'"until": null', b'"until": 5.0'),
    "time": lambda data: data.replace(b'"elapsed_s": ', b'"elapsed_s": -'),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_states_are_refused(tmp_path, damage):
    keep = tmp_path / "run.json"
    play(new_state(SETUP, 700, None, None), Alone(make()), keep=RunFile(keep))
    changed = damage(keep.read_bytes())
    assert changed != keep.read_bytes()
    keep.write_bytes(changed)
    with pytest.raises(BadRecord) as caught:
        saved.load(keep)
    assert caught.value.fields["file"] == str(keep)
    assert keep.read_bytes() == changed


@pytest.fixture(params=["log", "log.gz"])
def begun(tmp_path, request):
    """A log with 24 of 100 matches, and the state that goes with it."""
    path = tmp_path / request.param
    log = RunLog(path)
    state = new_state(SETUP, 100, None, str(path))
    state = run(state, Alone(make(logged=True)), log=log, seen=interrupted_after(3)).state
    log.close()
    assert state.done == 24 and path.stat().st_size == state.log_bytes
    return path, state


def test_a_log_that_is_too_short_or_gone_is_refused(begun):
    path, state = begun
    path.write_bytes(path.read_bytes()[:-1])
    before = path.read_bytes()
    with pytest.raises(BadRecord, match="log_too_short"):
        RunLog(path, state)
    assert path.read_bytes() == before
    path.unlink()
    with pytest.raises(BadRecord, match="log_too_short"):
        RunLog(path, state)
    assert not path.exists()


@pytest.mark.parametrize(
    "other",
    [
        lambda state: replace(state, done=23),
        lambda state: replace(state, done=25),
        lambda state: replace(state, log_bytes=state.log_bytes - 1),
        lambda state: replace(state, log_bytes=state.log_bytes // 2),
        lambda state: replace(state, setup=replace(state.setup, seed=state.setup.seed + 1)),
        lambda state: replace(state, setup=replace(state.setup, first=1)),
        lambda state: replace(state, setup=replace(state.setup, seating="fixed")),
        lambda state: replace(state, setup=replace(state.setup, rules=RuleSet(lives=5))),
        lambda state: replace(state, setup=replace(state.setup, players=("hard", "easy", "easy"))),
    ],
)
def test_what_is_kept_of_a_log_has_to_be_whole_lines_of_this_run(begun, other):
    path, state = begun
    path.write_bytes(path.read_bytes() + b"more")
    before = path.read_bytes()
    for force in (False, True):
        with pytest.raises(BadRecord, match="log_differs"):
            RunLog(path, other(state), force=force)
    assert path.read_bytes() == before
    RunLog(path, state).close()


def test_a_log_is_cut_when_something_is_played_and_not_before(begun):
    path, state = begun
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:100])
    for given in (None, state):
        log = RunLog(path, given)
        log.flush()
        log.cut(3)
        log.close()
        assert path.read_bytes() == whole + whole[:100]
    log = RunLog(path, state)
    log.write(b"x" * 10)
    log.cut(state.log_bytes)
    log.close()
    assert path.read_bytes() == whole


def test_a_log_is_for_its_owner_alone_until_the_run_has_ended(tmp_path):
    before = os.umask(0o022)
    try:
        modes = []
        for end in (RunLog.close, lambda log: (log.share(), log.close())):
            path = tmp_path / str(len(modes))
            end(RunLog(path))
            modes.append(path.stat().st_mode & 0o777)
        path.chmod(0o640)
        log = RunLog(path)
        modes.append(path.stat().st_mode & 0o777)
        log.write(b"of a run that goes on where an earlier one ended")
        modes.append(path.stat().st_mode & 0o777)
        log.share()
        log.close()
        modes.append(path.stat().st_mode & 0o777)
    finally:
        os.umask(before)
    assert modes == [0o600, 0o644, 0o640, 0o600, 0o640]


@pytest.mark.parametrize("opened", [RunLog, RunFile])
def test_one_file_is_written_by_one_run_at_a_time(tmp_path, opened):
    path = tmp_path / "file"
    if opened is RunFile:
        opened(path).save(new_state(SETUP, 100, None, None))
    first = opened(path)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(Unwritable, match="in_use"):
            opened(path)
        assert path.read_bytes() == before
        if opened is RunFile:  # the file that takes its place is locked too
            first.save(new_state(SETUP, 200, None, None))
            before = path.read_bytes()
    first.close()
    opened(path).close()


def test_a_log_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(MiaError) as caught:
        RunLog(tmp_path / "no" / "log")
    assert caught.value.code == "cannot_write"
