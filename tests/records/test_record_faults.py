"""Every step of a save can fail: the old record stays, nothing is left behind, one is told why."""

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mia_cli.records.record import encode_record
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import Unwritable
from tests.records.record_samples import ID, caught, files_in, history

MATCH = history(seats=6, lives=5)
REASONS = ["ENOSPC", "EROFS", "EACCES", "EIO", "EDQUOT"]
HERE = Path(__file__).parent


@pytest.fixture
def store(tmp_path):
    return MatchStore(tmp_path / "matches")


class FailingFile:
    """A file whose write, flush or close fails, as on a full disk."""

    def __init__(self, file, step, error):
        self._file, self._step, self._error = file, step, error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._fail("close")

    def _fail(self, step):
        if step == self._step:
            raise self._error

    def write(self, data):
        self._file.write(data[: len(data) // 2])
        self._fail("write")
        return self._file.write(data[len(data) // 2 :])

    def flush(self):
        self._fail("flush")
        self._file.flush()

    def fileno(self):
        return self._file.fileno()


def break_step(monkeypatch, step, error):
    """Make one step of a save raise ``error``."""

    def fails(*_, **__):
        raise error

    if step in ("write", "flush", "close"):
        open_file = os.fdopen
        monkeypatch.setattr(
            os, "fdopen", lambda handle, mode: FailingFile(open_file(handle, mode), step, error)
        )
    else:
        monkeypatch.setattr(os, step, fails)


STEPS = ["open", "write", "flush", "fsync", "close", "replace"]


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("step", STEPS)
def test_a_failed_save_changes_nothing(store, monkeypatch, step, reason):
    store.save(MATCH[5])
    number = getattr(errno, reason)
    with monkeypatch.context() as broken:
        break_step(broken, step, OSError(number, os.strerror(number)))
        error = caught(lambda: store.save(MATCH[6]))
    assert isinstance(error, Unwritable)
    assert (error.code, error.fields["reason"]) == ("cannot_write", reason)
    assert error.fields["file"] == str(store.path_of(ID))
    assert error.fields["detail"] == os.strerror(number)
    assert files_in(store.folder) == [f"{ID}.json"]
    assert MatchStore(store.folder).load(ID) == MATCH[5]
    store.save(MATCH[7])  # and when there is room again, it goes on
    assert MatchStore(store.folder).load(ID) == MATCH[7]


@pytest.mark.parametrize("step", STEPS)
def test_the_first_save_can_fail_too(store, monkeypatch, step):
    with monkeypatch.context() as broken:
        break_step(broken, step, OSError(errno.ENOSPC, "full"))
        assert caught(lambda: store.save(MATCH[0])).code == "cannot_write"
    assert files_in(store.folder) == []


@pytest.mark.parametrize("step", STEPS)
def test_an_interrupt_leaves_nothing_behind_and_the_match_can_be_saved(store, monkeypatch, step):
    store.save(MATCH[5])
    with monkeypatch.context() as broken:
        break_step(broken, step, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            store.save(MATCH[6])
    assert files_in(store.folder) == [f"{ID}.json"]
    store.save(MATCH[6])
    assert MatchStore(store.folder).load(ID) == MATCH[6]


def test_an_interrupt_right_after_the_rename(store, monkeypatch):
    store.save(MATCH[5])
    replace = os.replace

    def interrupted(*paths):
        replace(*paths)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.save(MATCH[6])
    assert MatchStore(store.folder).load(ID) == MATCH[6]
    store.save(MATCH[6])  # "what was played is saved" comes after Ctrl-C
    store.save(MATCH[7])
    assert MatchStore(store.folder).load(ID) == MATCH[7]


def test_a_folder_that_cannot_be_synced_or_locked_is_no_failure(store, monkeypatch):
    sync = os.fsync

    def only_files(handle):
        if os.path.isdir(f"/proc/self/fd/{handle}"):  # noqa: PTH112
            raise OSError(errno.EINVAL, "not for folders")
        sync(handle)

    def no_locks(*_):
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(os, "fsync", only_files)
    monkeypatch.setattr("fcntl.flock", no_locks)
    store.save(MATCH[5])
    store.save(MATCH[6])
    assert MatchStore(store.folder).load(ID) == MATCH[6]


def test_a_lock_that_is_never_given_back_does_not_stop_a_match(store, monkeypatch):
    def taken(*_):
        raise BlockingIOError(errno.EAGAIN, "taken")

    pauses = []
    monkeypatch.setattr("fcntl.flock", taken)
    monkeypatch.setattr("time.sleep", pauses.append)
    store.save(MATCH[5])
    assert store.load(ID) == MATCH[5]
    assert 1 < sum(pauses) < 5


def test_the_bytes_are_on_the_disk_before_the_name(store, monkeypatch):
    calls = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda *args, name=name, real=real: (calls.append(name), real(*args))[1]
        )
    store.save(MATCH[5])
    assert calls == ["fsync", "replace", "fsync"]


@pytest.mark.parametrize("below", [False, True])
def test_a_file_where_the_folder_should_be(tmp_path, below):
    (tmp_path / "matches").write_text("mine")
    store = MatchStore(tmp_path / "matches" / "deeper" if below else tmp_path / "matches")
    for attempt in (store.check_writable, lambda: store.save(MATCH[0])):
        error = caught(attempt)
        assert isinstance(error, Unwritable)
        assert (error.code, error.fields["file"]) == ("not_a_folder", str(tmp_path / "matches"))
    assert caught(lambda: list(store.records())).code == "not_a_folder"
    assert (tmp_path / "matches").read_text() == "mine"


def test_a_folder_where_the_record_should_be(store):
    store.path_of(ID).mkdir(parents=True)
    error = caught(lambda: store.save(MATCH[0]))
    assert isinstance(error, Unwritable)
    assert files_in(store.folder) == [f"{ID}.json"]


def test_check_writable_leaves_only_the_folder(store):
    store.check_writable()
    store.check_writable()
    assert files_in(store.folder) == []


@pytest.mark.parametrize("step", ["open", "write", "flush", "fsync", "close"])
def test_check_writable_finds_out_before_the_first_roll(store, monkeypatch, step):
    with monkeypatch.context() as broken:
        break_step(broken, step, OSError(errno.ENOSPC, "full"))
        error = caught(store.check_writable)
    assert (error.code, error.fields["reason"]) == ("cannot_write", "ENOSPC")
    assert files_in(store.folder) == []


def run_child(code, *arguments):
    """Run Python code with the package and the samples importable; its output lines."""
    paths = os.pathsep.join([str(HERE), str(HERE.parent.parent)])
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


FULL_DISK = """
import resource, sys
from pathlib import Path
from tests.records.record_samples import caught, history
from mia_cli.records.record import encode_record
from mia_cli.records.store import MatchStore
match, store = history(seats=6, lives=5), MatchStore(Path(sys.argv[1]))
limit = len(encode_record(match[10]))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
store.save(match[10])
for record in match[11:]:
    error = caught(lambda: store.save(record))
    assert (error.code, error.fields["reason"]) == ("cannot_write", "EFBIG"), error
print(caught(store.check_writable).fields["reason"])
"""


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_disk_that_takes_no_more_bytes(store):
    assert run_child(FULL_DISK, store.folder) == ["EFBIG"]
    assert files_in(store.folder) == [f"{ID}.json"]
    assert store.load(ID) == MATCH[10]


READ_ONLY = """
import os, sys
from pathlib import Path
from tests.records.record_samples import caught, history
from mia_cli.records.store import MatchStore
match, folder = history(seats=6, lives=5), Path(sys.argv[1])
if os.geteuid() == 0:
    os.setuid(65534)  # permissions do not bind root
store = MatchStore(folder)
assert store.load(match[5].id) == match[5]
for attempt in (lambda: store.save(match[6]), store.check_writable):
    print(caught(attempt).code, caught(attempt).fields["reason"])
deeper = MatchStore(folder / "new")
print(caught(deeper.check_writable).code, caught(deeper.check_writable).fields["reason"])
"""


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_read_only_folder():
    with tempfile.TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        folder = Path(outer) / "matches"
        MatchStore(folder).save(MATCH[5])
        record = folder / f"{ID}.json"
        record.chmod(0o644)
        folder.chmod(0o555)
        lines = run_child(READ_ONLY, folder)
        folder.chmod(0o755)
        assert record.read_bytes() == encode_record(MATCH[5])
        assert files_in(folder) == [record.name]
    assert lines == ["cannot_write EACCES"] * 2 + ["cannot_create_folder EACCES"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system without files")
def test_a_place_where_nobody_can_create_anything():
    error = caught(MatchStore(Path("/proc/mia/matches")).check_writable)
    assert error.code == "cannot_create_folder"
