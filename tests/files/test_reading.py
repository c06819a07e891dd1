"""What is read: regular files and what the shell opened, in bounded time and memory."""

import gzip
import os
import subprocess
import time
from pathlib import Path

import pytest

from mia_cli.files.folders import cache_dir, config_dir, data_dir
from mia_cli.files.reading import LARGEST, open_to_read, read_bytes
from mia_cli.rules.errors import BadRecord, Unwritable
from tests.cli.in_process import full
from tests.cli.machine import MIA, environment, run
from tests.played_matches import played, simulated, write
from tests.records.many.test_stream import line

# Twice what mia has when it is asked for a figure; a program that reads a device whole has more.
MEMORY = 3 << 30


def test_a_file_is_read_up_to_its_largest_size(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bytes(path) == read_bytes(path, 5) == b"12345"
    with pytest.raises(BadRecord) as found:
        read_bytes(path, 4)
    assert (found.value.code, found.value.fields) == ("too_large", {"limit": 4, "bytes": 5})
    os.truncate(path, 1 << 40)
    with pytest.raises(BadRecord) as found:
        read_bytes(path)
    assert found.value.fields == {"limit": LARGEST, "bytes": 1 << 40}


def test_nothing_else_is_read_or_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "link", Path("/dev/zero")):
        with pytest.raises(BadRecord, match="not_a_file"):
            open_to_read(path)
    for name, reason in (("none", "ENOENT"), ("with\0zero", "EINVAL"), ("pipe/x", "ENOTDIR")):
        with pytest.raises(Unwritable) as found:
            read_bytes(tmp_path / name)
        assert (found.value.code, found.value.fields["reason"]) == ("cannot_read", reason)
    with pytest.raises(Unwritable, match="EBADF"):
        read_bytes(Path("/dev/fd/987654"))


def test_what_the_shell_opened_is_read():
    reading, writing = os.pipe()
    os.write(writing, b"12345")
    os.close(writing)
    assert read_bytes(Path(f"/dev/fd/{reading}")) == b"12345"
    os.close(reading)


def through_pipe(data, *args):
    """``mia args PIPE``, as a shell does for ``mia args <(command)``."""
    reading, writing = os.pipe()
    command = [*MIA, *args, f"/dev/fd/{reading}"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=environment(), pass_fds=(reading,)
    ) as process:
        os.close(reading)
        with os.fdopen(writing, "wb") as file:
            file.write(data)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out.decode()


def test_pipes_of_the_shell_lose_nothing():
    data = b"".join(line(simulated(number)) for number in range(12))
    assert "12 matches." in through_pipe(data, "stats")
    assert "12 matches." in through_pipe(gzip.compress(data), "stats")
    assert through_pipe(data, "stats", "--import").startswith("12 new")
    assert through_pipe(line(simulated(1)), "review").startswith("Match m-000001: ")
    assert "fine" in through_pipe(b"lives = 5\npenalty_21 = 1\n", "rules", "check")


@pytest.mark.parametrize(
    "args",
    [
        ("review", "FILE"),
        ("stats", "FILE"),
        ("stats", "--import", "FILE"),
        ("rules", "check", "FILE"),
        ("play", "--rules", "FILE/x.toml"),
        ("simulate", "--resume", "FILE"),
        ("simulate", "--resume", "FILE", "--match", "3"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("kind", ["sparse", "pipe", "device"])
def test_files_of_other_kinds_and_sizes_are_answered_at_once(tmp_path, args, kind):
    if "--resume" in args and "--match" not in args and kind != "sparse":
        pytest.skip("such a run is played, and told there")
    path = tmp_path / "FILE"
    if kind == "sparse":
        path.touch()
        os.truncate(path, 1 << 34)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    started = time.process_time()
    ended = full(*(word.replace("FILE", str(path)) for word in args))
    assert ended.code in (2, 4) and "FILE" in ended.err and "internal" not in ended.err
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(
    "args",
    [("rank", "-"), ("stats", "-"), ("review", "-"), ("stats", "--import", "-"), ("play",)],
    ids=" ".join,
)
def test_endless_input_is_answered(args):
    def limited():
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with Path("/dev/zero").open("rb") as endless:
        ended = subprocess.run(
            [*MIA, *args],
            stdin=endless,
            capture_output=True,
            env=environment(),
            timeout=60,
            check=False,
            preexec_fn=limited,
        )
    assert ended.returncode in (2, 3, 4) and b"internal" not in ended.stderr


def test_pipes_among_the_data_are_not_waited_for(isolated):
    folder = isolated / "data" / "matches"
    write(folder, [played(1)])
    os.mkfifo(folder / "m-000002.json")
    (isolated / "data" / "tutorial").mkdir()
    os.mkfifo(isolated / "data" / "tutorial" / "progress.json")
    for args in (("stats",), ("review", "--list"), ("review", "m-000002"), ("tutorial", "--list")):
        ended = full(*args)
        assert ended.code in (0, 4) and ended.err
    assert run("play", "--resume", "m-000002").returncode == 4
    assert run("play", "--cpu", "shark").returncode == 3


@pytest.mark.parametrize(
    ("found", "variable"),
    [(data_dir, "MIA_DATA_DIR"), (config_dir, "MIA_CONFIG_DIR"), (cache_dir, "MIA_CACHE_DIR")],
)
def test_the_folders_of_the_user_are_read_alike(tmp_path, monkeypatch, found, variable):
    monkeypatch.chdir(tmp_path)
    home = Path.home()
    for chosen, wanted in (
        (str(tmp_path / "x"), tmp_path / "x"),
        ("x", tmp_path / "x"),
        ("./x/y", tmp_path / "x" / "y"),
        ("~", home),
        ("~/x", home / "x"),
    ):
        assert found({variable: chosen}) == wanted
    assert found({}).is_absolute() and found({variable: ""}) == found({})
