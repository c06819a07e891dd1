"""Killed processes, several processes, readers beside writers."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from mia_cli.records.record import MatchRecord
from mia_cli.records.replay import replay
from mia_cli.records.store import MatchStore
from tests.records.record_children import MATCH, save_in_a_loop
from tests.records.record_samples import ID, files_in, history

HERE = Path(__file__).parent
KILLS = 50


@contextmanager
def child(job, folder, *arguments):
    """A program of record_children that has said it is ready."""
    program = subprocess.Popen(
        [sys.executable, str(HERE / "record_children.py"), job, str(folder), *arguments],
        env={**os.environ, "PYTHONPATH": str(HERE.parent.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout.readline() == "ready\n"
        yield program
    finally:
        program.kill()
        program.wait()
        program.stdin.close()
        program.stdout.close()


def tell(program, line):
    program.stdin.write(f"{line}\n")
    program.stdin.flush()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "matches"


def killed_after(seconds, folder):
    """Fork a process that saves in a loop, kill it ``seconds`` after its start; what it told."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            save_in_a_loop(folder, lambda text: os.write(writer, f"{text}\n".encode()))
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, encoding="ascii") as told:
        assert told.readline() == "ready\n"
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        assert os.WIFSIGNALED(status)
        return [int(line) for line in told]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_kill_9_at_any_moment_loses_nothing_that_was_acknowledged(folder):
    moments, lengths = random.Random(9), set()
    for number in range(KILLS):
        place = folder / str(number)
        place.mkdir(parents=True)
        acknowledged = killed_after(moments.uniform(0, 0.15), place)
        store = MatchStore(place)
        records = list(store.records())
        assert len(records) >= bool(acknowledged)
        for record in records:
            assert isinstance(record, MatchRecord)
            assert len(record.events) >= max(acknowledged, default=0)
            assert replay(record).dice_checked
            store.save(record)  # the match goes on
            lengths.add(len(record.events))
        left_behind = [name for name in files_in(place) if not name.endswith(".json")]
        assert all(name.startswith(".mia-") and name.endswith(".tmp") for name in left_behind)
    assert len(lengths) > 5, "the moments were not spread over the match"


def test_two_processes_that_finish_in_the_same_instant_lose_nothing(folder):
    with child("finish", folder, "one") as one, child("finish", folder, "two") as two:
        for number in range(50):
            tell(one, number)
            tell(two, number)
            assert one.stdout.readline() == two.stdout.readline() == "saved\n"
    store = MatchStore(folder)
    assert len(files_in(folder)) == 100
    for name in ("one", "two"):
        for number in range(50):
            match_id = f"{name}-{number:03d}"
            expected = history(seats=2, choices=number, match_id=match_id)[-1]
            assert store.load(match_id) == expected


@pytest.mark.parametrize("_", range(5))
def test_of_two_processes_in_one_match_one_goes_on_and_the_other_is_told(folder, _):
    records = list(history(**MATCH))
    MatchStore(folder).save(records[0])
    with child("play", folder) as one, child("play", folder) as two:
        tell(one, "go")
        tell(two, "go")
        ends = [program.stdout.readline().split() for program in (one, two)]
    assert sorted(end for end, _ in ends) == ["stopped", "whole"]
    assert ("whole", str(len(records) - 1)) in [tuple(end) for end in ends]
    assert MatchStore(folder).load(ID) == records[-1]
    assert files_in(folder) == [f"{ID}.json"]


def test_a_reader_beside_a_writer_never_sees_half_a_record(folder):
    lengths = [len(record.events) for record in history(**MATCH)]
    seen, reads = [], 0
    with child("loop", folder):
        store, end = MatchStore(folder), time.monotonic() + 20
        while (not seen or seen[-1] < lengths[-1] or reads < 300) and time.monotonic() < end:
            for record in store.records():
                assert isinstance(record, MatchRecord), record
                assert len(record.events) in lengths
                seen.append(len(record.events))
            reads += 1
    assert seen == sorted(seen)
    assert seen[-1] == lengths[-1]
