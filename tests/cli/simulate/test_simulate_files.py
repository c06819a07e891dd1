"""The files of ``mia simulate``: written where this command line says, and nowhere else."""

import json
import os
import stat
import subprocess

import pytest

from tests.cli.in_process import full
from tests.cli.machine import MIA, environment, run

RUN = ("simulate", "--cpu", "easy", "--cpu", "hard", "--seed", "6")
TEN = (*RUN, "-n", "10", "--jobs", "1")
LETTER = b"Dear Sir,\nwe would like to thank you for the dice.\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(*args):
    ended = full(*args)
    assert ended.code == 0, ended.err
    return ended.out


def refused(code, *args):
    ended = full(*args)
    assert (ended.code, ended.out) == (code, "") and ended.err.count("\n") == 1
    return ended.err


@pytest.mark.parametrize("target", ["10", "20"], ids=["finished", "to be played on"])
def test_a_log_that_a_run_of_others_names_is_not_touched(here, target):
    """The run comes from somebody else, and says that its log is a letter of ours."""
    done(*TEN, "--resume", "run.json")
    letter = here / "letter"
    letter.write_bytes(LETTER)
    found = json.loads((here / "run.json").read_text())
    for size in (5, len(LETTER), 1000):
        found |= {"log": str(letter), "log_bytes": size}
        (here / "run.json").write_text(json.dumps(found))
        ended = full("simulate", "--resume", "run.json", "-n", target)
        assert ended.code == (0 if target == "10" else 2)
        assert letter.read_bytes() == LETTER
        assert full("simulate", "--resume", "run.json", "--log", "letter", "-n", target).code != 0
        assert letter.read_bytes() == LETTER


def test_a_log_is_named_again_and_found_wherever_it_is_now(here):
    done(*TEN, "--log", "log", "--resume", "run.json")
    wanted = done(*RUN, "-n", "20", "--json", "--log", "whole")
    on = ("simulate", "--resume", "run.json", "-n", "20", "--json")
    assert "--log log" in refused(2, *on)
    (here / "log").rename(here / "moved")
    found, wanted = json.loads(done(*on, "--log", "moved")), json.loads(wanted)
    assert found["players"] == wanted["players"]
    assert (here / "moved").read_bytes() == (here / "whole").read_bytes()
    # Finished: what somebody added since is left, with the log named or not.
    (here / "moved").write_bytes((here / "whole").read_bytes() + LETTER)
    for log in ((), ("--log", "moved")):
        done(*on, *log)
        assert (here / "moved").read_bytes().endswith(LETTER)


def test_a_log_of_another_run_is_not_gone_on_with(here):
    done(*TEN, "--log", "log", "--resume", "run.json")
    done("simulate", *RUN[1:-1], "7", "-n", "10", "--log", "other")
    before = (here / "other").read_bytes()
    on = ("simulate", "--resume", "run.json", "-n", "20", "--log", "other")
    for force in ((), ("--force",)):
        assert "other" in refused(4, *on, *force)
        assert (here / "other").read_bytes() == before


@pytest.mark.parametrize("option", ["--log", "--resume"])
def test_a_foreign_file_is_refused_unless_it_is_forced(here, option):
    (here / "letter").write_bytes(LETTER)
    error = refused(2, *TEN, option, "letter")
    assert "letter" in error and "--force" in error and (here / "letter").read_bytes() == LETTER
    done(*TEN, option, "letter", "--force")
    first, _, _ = (here / "letter").read_bytes().partition(b"\n")
    assert first == b"{" or json.loads(first)["match"] == 1
    done(*TEN, option, "letter")


def test_what_was_asked_to_be_replaced_by_force_is_gone_on_with_where_it_is_a_run(here):
    done(*TEN, "--resume", "run.json")
    found = json.loads(done("simulate", "--resume", "run.json", "--force", "-n", "30", "--json"))
    assert found["seed"] == 6 and found["matches"] == 30


def test_an_empty_file_is_a_new_run(here):
    (here / "run.json").touch(mode=0o640)
    done(*TEN, "--resume", "run.json")
    assert stat.S_IMODE((here / "run.json").stat().st_mode) == 0o640
    assert json.loads((here / "run.json").read_text())["done"] == 10


def test_the_state_of_a_run_is_for_its_owner_alone_and_links_are_followed(here):
    (here / "link").symlink_to("run.json")
    done(*TEN, "--resume", "link")
    assert (here / "link").is_symlink()
    assert stat.S_IMODE((here / "run.json").stat().st_mode) == 0o600


def test_standard_output_takes_one_thing(here):
    done(*TEN, "--log", "log")
    ended = run(*TEN, "--log", "-")
    assert (ended.returncode, ended.stdout) == (0, (here / "log").read_bytes())
    ended = run(*TEN, "--resume", "-")
    assert json.loads(ended.stdout)["done"] == 10
    assert "--json" in refused(2, *TEN, "--log", "-", "--json")
    assert "--resume" in refused(2, *TEN, "--log", "-", "--resume", "-")
    report = run(*TEN).stdout
    ended = run(*TEN, "--log", "/dev/stdout")
    # The last line tells how long it took.
    wanted = (here / "log").read_bytes() + report
    assert ended.stdout.splitlines()[:-1] == wanted.splitlines()[:-1]


def test_pipes_are_written_into_and_stay_pipes(here):
    done(*TEN, "--log", "log")
    os.mkfifo(here / "pipe")
    for option in ("--log", "--resume"):
        with subprocess.Popen((*MIA, *TEN, option, "pipe"), env=environment()) as running:
            with (here / "pipe").open("rb") as pipe:
                heard = pipe.read()
            assert running.wait(60) == 0
        assert stat.S_ISFIFO((here / "pipe").stat().st_mode)
        if option == "--log":
            assert heard == (here / "log").read_bytes()
        else:
            assert json.loads(heard)["done"] == 10


def test_a_reader_that_has_had_enough_does_not_end_the_run(here):
    reading, writing = os.pipe()
    os.close(reading)
    ended = run(*RUN, "-n", "3000", "--log", f"/dev/fd/{writing}", "--json", pass_fds=(writing,))
    os.close(writing)
    assert ended.returncode == 0 and json.loads(ended.stdout)["matches"] == 3000


@pytest.mark.parametrize("option", ["--log", "--resume"])
def test_of_two_runs_on_one_file_the_second_is_refused(here, option):
    args = (*MIA, *RUN, "-n", "1000000000", "--jobs", "1", option, "file")
    with subprocess.Popen(args, env=environment(), stderr=subprocess.DEVNULL) as first:
        try:
            while not ((here / "file").exists() and (here / "file").stat().st_size):
                assert first.poll() is None
            for _ in range(2):
                assert "file" in refused(4, *TEN, option, "file")
        finally:
            first.kill()
    if option == "--log":
        lines = (here / "file").read_bytes().splitlines()
        numbers = [json.loads(line)["match"] for line in lines[:-1]]
        assert numbers == list(range(1, len(numbers) + 1))
