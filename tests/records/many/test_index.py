"""The index: only what is new is read, and whatever happens to it, the records are the truth."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mia_cli.records.many import processes
from mia_cli.records.many.index import index_path, read_folder
from mia_cli.records.record import encode_record
from tests.played_matches import played, some, write

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def read(monkeypatch, tmp_path):
    """Reads the folder; returns what it found, and the names of the files it opened."""
    write(tmp_path / "matches", some(20))
    opened = []
    real = processes.read_file
    monkeypatch.setattr(processes, "read_file", lambda path: opened.append(path.name) or real(path))

    def run():
        opened.clear()
        found = read_folder(tmp_path / "matches", tmp_path / "cache", jobs=1)
        return found, sorted(opened)

    run.folder, run.cache = tmp_path / "matches", tmp_path / "cache"
    run.index = index_path(run.cache, run.folder)
    return run


def told(found):
    heads = found.batch.heads
    listed = [(*row.tolist()[:-2], row["players"].tolist()) for row in heads]
    return found.files, listed, found.batch.turns.tolist()


def test_nothing_is_read_twice(read):
    first, opened = read()
    assert len(opened) == 20
    again, opened = read()
    assert opened == []
    assert told(first) == told(again) and first.batch.players == again.batch.players


def test_one_record_more_is_one_file_read(read):
    read()
    write(read.folder, [played(500)])
    found, opened = read()
    assert opened == ["m-000500.json"] and len(found.files) == 21
    write(read.folder, [played(500, actions=5)])
    found, opened = read()
    assert opened == ["m-000500.json"]
    assert found.batch.heads["winner"][found.files.index("m-000500.json")] == 0
    (read.folder / "m-000500.json").unlink()
    found, opened = read()
    assert opened == [] and len(found.files) == 20
    assert told(found)[2] == told(read_folder(read.folder, None))[2]


def test_damaged_records_are_named_each_time(read):
    for name, data in {
        "m-000900.json": b"",
        "m-000901.json": b"{",
        "m-000902.json": encode_record(played(1)),
        "notes.json": b'{"a": 1}',
    }.items():
        (read.folder / name).write_bytes(data)
    for _ in range(2):
        found, _opened = read()
        assert len(found.files) == 20
        codes = {Path(p.place).name: p.error.code for p in found.problems}
        assert codes == {
            "m-000900.json": "empty_file",
            "m-000901.json": "not_json",
            "m-000902.json": "id_differs",
            "notes.json": "unknown_schema",
        }


def spoil_rows(path):
    with sqlite3.connect(path) as index:
        index.execute("UPDATE record SET turns = x'00' WHERE file = 'm-000001.json'")


def spoil_players(path):
    with sqlite3.connect(path) as index:
        index.execute("DELETE FROM player WHERE number > 0")


def other_version(path):
    with sqlite3.connect(path) as index:
        index.execute("PRAGMA user_version = 999")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"no database at all" * 1000),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(path.read_bytes()[:-3000] + b"\0" * 3000),
        lambda path: (path.unlink(), path.mkdir()),
        spoil_rows,
        spoil_players,
        other_version,
    ],
)
def test_a_damaged_index_costs_time_and_nothing_else(read, spoil):
    expected = told(read_folder(read.folder, None))
    read()
    spoil(read.index)
    for _ in range(2):
        found, _opened = read()
        assert (found.files, found.batch.turns.tolist()) == (expected[0], expected[2])
        assert found.problems == []
    if read.index.is_file():
        assert read()[1] == []


def test_an_index_in_use_is_done_without(read):
    read()
    write(read.folder, [played(501)])
    with sqlite3.connect(read.index, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        found, opened = read()
        assert len(found.files) == len(opened) == 21
        other.execute("ROLLBACK")
    assert read()[1] == ["m-000501.json"]


def test_no_folder_and_no_cache(tmp_path):
    assert read_folder(tmp_path / "none", tmp_path / "cache").files == []
    write(tmp_path / "matches", some(3))
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    assert len(read_folder(tmp_path / "matches", blocked).files) == 3


def test_a_pipe_in_the_place_of_the_index_is_not_waited_for(tmp_path):
    write(tmp_path / "matches", some(3))
    cache = tmp_path / "cache"
    cache.mkdir()
    os.mkfifo(index_path(cache, tmp_path / "matches"))
    assert len(read_folder(tmp_path / "matches", cache).files) == 3


@pytest.mark.slow
def test_processes_at_once_give_the_same_figures(tmp_path, monkeypatch):
    monkeypatch.setenv("MIA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    write(tmp_path / "matches", some(30))
    command = [sys.executable, "-m", "mia_cli", "stats", "--json"]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in "123"
    ]
    ended = [run.communicate(timeout=60) for run in runs]
    assert [error for _, error in ended] == [b"", b"", b""]
    documents = [json.loads(out) for out, _ in ended]
    assert documents[0]["matches"] == 30 and documents.count(documents[0]) == 3
