"""Locks: held by one at a time, given back, and never waited for twice."""

import errno
import os
import time
from pathlib import Path

import pytest

from mia_cli.files import locks, writing
from mia_cli.files.guarded import GuardedFile
from mia_cli.files.locks import locked_folder, try_lock
from mia_cli.files.writing import write_atomically
from mia_cli.rules.errors import Unwritable

fcntl = pytest.importorskip("fcntl")


@pytest.fixture(autouse=True)
def nobody_given_up(monkeypatch):
    monkeypatch.setattr(locks, "_given_up", set())


@pytest.fixture
def held(tmp_path):
    """A folder that somebody has locked for good."""
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    yield tmp_path
    os.close(handle)


def test_one_at_a_time(tmp_path):
    path = tmp_path / "file"
    path.touch()
    with path.open() as one, path.open() as other:
        assert try_lock(one.fileno()) and not try_lock(other.fileno())
    with path.open() as one, path.open() as other:
        assert try_lock(other.fileno())


def test_a_lock_that_is_never_given_is_waited_for_once(held, monkeypatch):
    monkeypatch.setattr(locks, "_TRIES", 30)
    took = []
    for number in range(4):
        started = time.monotonic()
        write_atomically(held / "file", b"%d" % number)
        took.append(time.monotonic() - started)
        assert (held / "file").read_bytes() == b"%d" % number
    assert took[0] > 0.25 and max(took[1:]) < 0.2


def test_a_lock_that_is_given_back_is_waited_for_again(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "_TRIES", 2)
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with locked_folder(tmp_path):
        assert len(locks._given_up) == 1
    os.close(handle)
    with locked_folder(tmp_path) as mine:
        assert mine is not None and not locks._given_up


def test_a_system_without_locks_is_written_to_all_the_same(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", refuse)
    write_atomically(tmp_path / "file", b"1")
    assert (tmp_path / "file").read_bytes() == b"1"


def test_a_temporary_that_cannot_be_removed_is_no_failure(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EPERM, "refused")

    monkeypatch.setattr(Path, "unlink", refuse)
    write_atomically(tmp_path / "file", b"1")
    assert (tmp_path / "file").read_bytes() == b"1"
    with pytest.raises(Unwritable, match="ENOSPC"), monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        write_atomically(tmp_path / "file", b"2")
    assert (tmp_path / "file").read_bytes() == b"1"


def full(*_):
    raise OSError(errno.ENOSPC, "full")


def test_old_temporaries_are_removed_and_nothing_else(tmp_path):
    names = [".mia-0123456789abcdef.tmp", ".mia-x.tmp", "mia-1.tmp", ".mia-1.tmp.json"]
    for name in names:
        (tmp_path / name).touch()
    (tmp_path / ".mia-folder.tmp").mkdir()
    (tmp_path / ".mia-link.tmp").symlink_to("mia-1.tmp")
    writing.remove_stale(tmp_path, time.time())
    assert len([*tmp_path.iterdir()]) == 6
    writing.remove_stale(tmp_path, time.time() + 25 * 3600)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [".mia-1.tmp.json", ".mia-folder.tmp", ".mia-link.tmp", "mia-1.tmp"]


def test_only_its_reader_overwrites_a_file(tmp_path):
    path = tmp_path / "folder" / "file"
    one, other = GuardedFile(path), GuardedFile(path)
    one.write(b"1")
    for _ in range(2):
        with pytest.raises(Unwritable, match="file_changed"):
            other.write(b"2")
        assert path.read_bytes() == b"1"
    with pytest.raises(ZeroDivisionError):
        other.read(lambda _: 1 / 0)
    with pytest.raises(Unwritable, match="file_changed"):
        other.write(b"2")
    assert other.read(bytes) == b"1"
    other.write(b"2")
    with pytest.raises(Unwritable, match="file_changed"):
        one.write(b"3")
    assert path.read_bytes() == b"2"
    path.unlink()
    one.write(b"3")
    assert path.read_bytes() == b"3" and path.stat().st_mode & 0o777 == 0o600
