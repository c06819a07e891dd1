"""Files that a person names for output: written as the shell would, and nothing foreign lost."""

import errno
import gzip
import os
import re
import stat
import subprocess
import threading

import pytest

from mia_cli.files import outputs
from mia_cli.files.outputs import PAGE, PICTURE, RECORDS, OutputFile, OutputKind
from mia_cli.rules.errors import NotAllowed, Unwritable
from tests.cli.in_process import full
from tests.cli.machine import MIA, environment, run
from tests.played_matches import some, write

ANY = OutputKind("page", re.compile(rb"new|old"), packs=True)
NEW = b"new\n"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def put(path, **how):
    OutputFile(str(path), ANY, **how).write(NEW)


@pytest.fixture
def umask():
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.parametrize(("mask", "wanted"), [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)])
def test_a_new_file_has_what_the_umask_leaves(tmp_path, umask, mask, wanted):
    umask(mask)
    put(tmp_path / "new")
    put(tmp_path / "private", private=True)
    assert (tmp_path / "new").read_bytes() == NEW
    assert mode(tmp_path / "new") == wanted and mode(tmp_path / "private") == 0o600


@pytest.mark.parametrize("kept", [0o664, 0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode_and_is_whole_or_the_old_one(tmp_path, kept):
    path = tmp_path / "page"
    path.write_bytes(b"old and longer\n")
    path.chmod(kept)
    put(path)
    put(path, private=True)
    assert path.read_bytes() == NEW and mode(path) == kept
    with pytest.raises(ZeroDivisionError), OutputFile(str(path), ANY).opened() as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == NEW and [*tmp_path.iterdir()] == [path]


def test_links_are_followed(tmp_path):
    target, far = tmp_path / "target", tmp_path / "far"
    target.write_bytes(b"old\n")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "chain").symlink_to(tmp_path / "link")
    (tmp_path / "dangling").symlink_to("far")
    put(tmp_path / "chain")
    put(tmp_path / "dangling")
    assert target.read_bytes() == far.read_bytes() == NEW
    assert all((tmp_path / name).is_symlink() for name in ("link", "chain", "dangling"))
    (tmp_path / "loop").symlink_to("loop")
    assert failure(tmp_path / "loop") == "ELOOP"


def test_a_file_of_two_names_stays_one_file(tmp_path):
    (tmp_path / "one").write_bytes(b"old and longer\n")
    os.link(tmp_path / "one", tmp_path / "two")
    put(tmp_path / "one")
    assert (tmp_path / "two").read_bytes() == NEW


def failure(path):
    with pytest.raises(Unwritable, match="cannot_write") as found:
        put(path)
    return found.value.fields["reason"]


def test_what_cannot_be_written_is_said_at_once(tmp_path):
    with pytest.raises(Unwritable, match="cannot_write"):
        OutputFile(str(tmp_path / "no" / "such"), ANY)
    (tmp_path / "file").write_bytes(b"old")
    assert failure(tmp_path) == "EISDIR"
    assert failure(tmp_path / "file" / "x") == "ENOTDIR"
    assert failure(f"{tmp_path}/new/") == failure("") == "EISDIR"
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_a_pipe_is_written_into(tmp_path):
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    put(pipe)
    reader.join(20)
    assert heard == [NEW] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_reader_that_has_had_enough_is_no_error(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    with OutputFile(f"/dev/fd/{writing}", ANY).opened() as file:
        file.write(NEW * 100_000)
    os.close(writing)


def test_a_device_stays_a_device(tmp_path):
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"")
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EACCES):
            pytest.skip("only root makes devices, where they may be made")
        raise
    before = device.stat()
    (tmp_path / "link").symlink_to("null")
    for path in (device, tmp_path / "link"):
        output = OutputFile(str(path), ANY)
        assert not output.is_regular
        output.write(NEW)
    assert device.stat().st_rdev == before.st_rdev and device.stat().st_mode == before.st_mode


def test_a_folder_that_takes_no_new_file_leaves_those_that_are_there(tmp_path, monkeypatch):
    path = tmp_path / "page"
    path.write_bytes(b"old and longer\n")
    if os.geteuid():
        tmp_path.chmod(0o555)
    else:
        monkeypatch.setattr(outputs, "replacing", refused)
    put(path)
    tmp_path.chmod(0o755)
    assert path.read_bytes() == NEW


def refused(*_, **__):
    raise PermissionError(errno.EACCES, "refused")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_somebody_else_stays_theirs(tmp_path):
    path = tmp_path / "page"
    path.write_bytes(b"old\n")
    os.chown(path, 12345, 23456)
    path.chmod(0o664)
    put(path)
    found = path.stat()
    assert (found.st_uid, found.st_gid, mode(path)) == (12345, 23456, 0o664)
    assert path.read_bytes() == NEW


def test_a_foreign_file_is_refused_unless_it_is_forced(tmp_path):
    path = tmp_path / "letter"
    path.write_bytes(b"Dear Sir,\n")
    with pytest.raises(NotAllowed) as found:
        OutputFile(str(path), ANY)
    fields = {"file": str(path), "allowed": "page", "option": "--force"}
    assert (found.value.code, found.value.fields) == ("output_differs", fields)
    assert path.read_bytes() == b"Dear Sir,\n"
    put(path, force=True)
    assert path.read_bytes() == NEW


def test_it_is_looked_at_again_when_it_is_written(tmp_path):
    output = OutputFile(str(tmp_path / "new"), ANY)
    (tmp_path / "new").write_bytes(b"Dear Sir,\n")
    with pytest.raises(NotAllowed):
        output.write(NEW)


def test_an_empty_file_and_one_of_the_kind_are_replaced(tmp_path):
    path = tmp_path / "x.gz"
    for content in (b"", b"old", gzip.compress(b"old")):
        path.write_bytes(content)
        put(path)
        assert gzip.decompress(path.read_bytes()) == NEW
    path.write_bytes(gzip.compress(b"Dear Sir"))
    with pytest.raises(NotAllowed):
        put(path)
    path.write_bytes(b"\x1f\x8b but not packed")
    with pytest.raises(NotAllowed):
        put(path)


@pytest.mark.parametrize(
    ("kind", "content", "is_ours"),
    [
        (PAGE, b'<!doctype html>\n<html lang="fr">\n<style>\n.mia{--ink:#1b1b1b;', True),
        (PAGE, outputs.GENERATOR.encode(), False),
        (PAGE, b"<!doctype html>\n<html><head>" + outputs.GENERATOR.encode(), True),
        (PAGE, b"<!doctype html>\n<html><head><title>Mia</title>", False),
        (PICTURE, b'<svg xmlns="http://www.w3.org/2000/svg" class="mia" viewBox="', True),
        (PICTURE, b'<svg xmlns="http://www.w3.org/2000/svg"><g class="mia">', False),
        (RECORDS, b'{"schema":"mia.match/1","id":"m"}\n', True),
        (RECORDS, b'{\n "schema": "mia.match/1",\n', False),  # the one record of a match
    ],
)
def test_what_earlier_versions_wrote_is_known_again(tmp_path, kind, content, is_ours):
    path = tmp_path / "file"
    path.write_bytes(content)
    if is_ours:
        OutputFile(str(path), kind)
    else:
        with pytest.raises(NotAllowed):
            OutputFile(str(path), kind)


@pytest.fixture
def records(isolated, monkeypatch):
    monkeypatch.setenv("MIA_CACHE_DIR", str(isolated / "cache"))
    write(isolated / "data" / "matches", some(4))


def ended(*args, **more):
    found = run("stats", *args, **more)
    assert found.returncode == 0, found.stderr
    return found.stdout.decode()


def test_standard_output_by_all_its_names(records, tmp_path):
    page = ended("--html", "-")
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")
    lines = ended("--export", "-")
    assert len(lines.splitlines()) == 4
    told = "Written: /dev/stdout\n"
    assert ended("--html", "/dev/stdout") == page + told
    for how in ("wb", "ab"):
        with (tmp_path / "out").open(how) as file:
            process = run_into(file, "--html", "/dev/stdout")
        assert process == 0
        assert (tmp_path / "out").read_text() == (page + told) * (1 if how == "wb" else 2)


def run_into(file, *args):
    command = [*MIA, "stats", *args]
    return subprocess.call(command, stdout=file, env=environment(), timeout=60)


def test_a_descriptor_that_the_shell_opened(records, tmp_path):
    with (tmp_path / "out").open("wb") as file:
        number = file.fileno()
        os.write(number, b"before\n")
        ended("--export", f"/dev/fd/{number}", pass_fds=(number,))
        os.write(number, b"after\n")
    lines = (tmp_path / "out").read_text().splitlines()
    assert (lines[0], len(lines), lines[-1]) == ("before", 6, "after")


@pytest.mark.parametrize(
    "args",
    [
        ("--html", "-", "--svg", "-"),
        ("--html", "-", "--json"),
        ("--svg", "-", "--format", "csv"),
        ("--html", "x", "--svg", "./x"),
        ("--turns", "x", "--html", "link"),
    ],
    ids=" ".join,
)
def test_two_things_do_not_share_one_place(records, args, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("x")
    found = full("stats", *args)
    assert (found.code, found.out) == (2, "") and args[0] in found.err
    assert [*tmp_path.iterdir()] == [tmp_path / "link"]


def test_what_stats_writes_is_known_again_and_a_letter_is_left_alone(records, tmp_path):
    for option, name in (("--html", "page"), ("--svg", "picture"), ("--export", "all.gz")):
        path = tmp_path / name
        args = ("stats", option, str(path))
        assert full(*args).code == full(*args).code == 0
        wanted = path.read_bytes()
        path.write_bytes(b"Dear Sir,\n")
        refused = full(*args)
        assert refused.code == 2 and str(path) in refused.err and "--force" in refused.err
        assert path.read_bytes() == b"Dear Sir,\n"
        assert full(*args, "--force").code == 0 and path.read_bytes() == wanted
