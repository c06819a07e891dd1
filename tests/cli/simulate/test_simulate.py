"""``mia simulate`` from the outside: what it prints, refuses, keeps, and takes up again."""

import contextlib
import csv
import fcntl
import gzip
import io
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

import mia_cli
from mia_cli.players.names import tables_of
from mia_cli.records.record import from_json
from mia_cli.records.replay import replay
from mia_cli.simulate.lockstep import library
from mia_cli.simulate.lockstep.library import chosen_kernel
from mia_cli.text.language.plain import display_width
from tests.cli.outside import simulate_here as mia

# The import makes the command known wherever it is registered.
MIA = (
    sys.executable,
    "-c",
    "import mia_cli.cli.simulate.command; from mia_cli.__main__ import main; main()",
)
TWO = ("--cpu", "easy", "--cpu", "hard")
NOT_REPEATED = ("kernel", "elapsed_s", "matches_per_s")


def environment(**more):
    """The environment, in which the package is found from any folder."""
    return {**os.environ, "PYTHONPATH": str(Path(mia_cli.__file__).parents[1]), **more}


def report(*args):
    found = mia(*args, "--json")
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def without_times(found):
    for name in NOT_REPEATED:
        del found[name]
    return found


def test_fields_of_the_contract():
    found = report(*TWO, "-n", "1000", "--seed", "0", "--lives", "2", "--penalty-21", "2")
    assert found["schema"] == "mia.simulate/1"
    assert found["ruleset"] == {"lives": 2, "penalty_21": 2}
    assert (found["matches"], found["seed"], found["exact"]) == (1000, 0, False)
    assert [(one["seat"], one["player"]) for one in found["players"]] == [(1, "easy"), (2, "hard")]
    assert sum(one["wins"] for one in found["players"]) == 1000
    for one in found["players"]:
        assert one["ci95"][0] < one["win_rate"] == one["wins"] / 1000 < one["ci95"][1]
        assert one["claims"] >= one["bluffs"] >= one["bluffs_caught"]
        assert one["challenges"] >= one["challenges_won"]
        assert [row["matches"] for row in one["by_distance"]] == [500, 500]
    caught = sum(one["bluffs_caught"] for one in found["players"])
    assert caught == sum(one["challenges_won"] for one in found["players"])
    rounds = sum(one["challenges"] for one in found["players"])
    assert found["rounds_per_match"] == rounds / 1000
    assert found["claims_per_round"] == sum(one["claims"] for one in found["players"]) / rounds
    assert found["faults"] == [] and found["elapsed_s"] > 0 and found["matches_per_s"] > 0
    assert 0 < found["first_leader_win_rate"] < 1 and found["kernel"] == chosen_kernel()


def test_exact_has_the_same_fields():
    exact = report(*TWO, "--exact")
    sampled = report(*TWO, "-n", "20000", "--seed", "1")
    assert exact.keys() == sampled.keys()
    assert (exact["matches"], exact["seed"], exact["exact"]) == (None, None, True)
    assert exact["kernel"] is None
    for mine, other in zip(exact["players"], sampled["players"], strict=True):
        assert mine.keys() == other.keys() and mine["ci95"] is None
        assert mine["win_rate"] == pytest.approx(other["win_rate"], abs=0.015)
        assert mine["claims"] == pytest.approx(other["per_match"]["claims"], abs=0.1)
    assert sum(one["win_rate"] for one in exact["players"]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("matches", ["1", "2", "10"])
@pytest.mark.parametrize("output", ["json", "csv", "table"])
def test_few_matches(matches, output):
    found = mia(*TWO, "-n", matches, "--seed", "3", "--format", output)
    assert found.returncode == 0 and found.stderr == ""
    assert "nan" not in found.stdout.lower() and "inf" not in found.stdout.lower()


def test_same_bytes_for_any_number_of_jobs():
    args = (*TWO, "--cpu", "normal", "-n", "400000", "--seed", "5")
    wanted = without_times(report(*args, "--jobs", "1"))
    for jobs in ("2", "8"):
        assert without_times(report(*args, "--jobs", jobs)) == wanted


def test_a_drawn_seed_is_told_and_gives_the_same_again():
    first = report(*TWO, "-n", "2000")
    again = report(*TWO, "-n", "2000", "--seed", str(first["seed"]))
    assert without_times(again) == without_times(first)
    assert report(*TWO, "-n", "2000")["seed"] != first["seed"]


def test_one_match_is_the_line_of_the_log(tmp_path):
    args = (*TWO, "--seed", "4", "-n", "5")
    plain, compressed = tmp_path / "log.jsonl", tmp_path / "log.jsonl.gz"
    for path in (plain, compressed):
        assert report(*args, "--log", str(path))["matches"] == 5
    lines = plain.read_bytes().splitlines()
    assert gzip.decompress(compressed.read_bytes()).splitlines() == lines
    for number, line in enumerate(lines, start=1):
        found = mia(*args, "--match", str(number), "--json")
        assert json.loads(found.stdout) == json.loads(line)
        assert replay(from_json(json.loads(line))).table.match.phase == "over"


def test_logged_runs_have_the_same_results_and_bytes_for_any_jobs(tmp_path):
    args = (*TWO, "--seed", "4", "-n", "150")
    wanted = without_times(report(*args))
    logs = []
    for jobs in ("1", "2"):
        path = tmp_path / f"log{jobs}.gz"
        assert without_times(report(*args, "--jobs", jobs, "--log", str(path))) == wanted
        logs.append(path.read_bytes())
    assert logs[0] == logs[1]


def test_the_kernel_that_is_named_plays_the_same(monkeypatch, tmp_path):
    """Results, logs and saved runs are the same to the byte; only ``kernel`` tells them apart."""
    args = (*TWO, "--cpu", "expert", "--lives", "2", "--seed", "4", "-n", "300")
    found = {}
    for kernel in {"numpy", chosen_kernel()}:
        monkeypatch.setenv("MIA_KERNEL", kernel)
        log = tmp_path / f"{kernel}.jsonl"
        plain = report(*args)
        logged = report(*args, "--log", str(log))
        assert plain["kernel"] == kernel and logged["kernel"] in (kernel, None)
        assert without_times(plain) == without_times(logged)
        found[kernel] = (plain, log.read_bytes())
    assert all(one == found["numpy"] for one in found.values())
    monkeypatch.setenv("MIA_KERNEL", "fortran")
    wrong = mia(*args)
    assert wrong.returncode == 2 and "“fortran” is not allowed for MIA_KERNEL" in wrong.stderr


def test_a_kernel_that_is_not_there(monkeypatch):
    monkeypatch.setattr(library, "load", lambda: None)
    assert report(*TWO, "-n", "10", "--seed", "1")["kernel"] == "numpy"
    monkeypatch.setenv("MIA_KERNEL", "c")
    missing = mia(*TWO, "-n", "10")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr.startswith("mia: MIA_KERNEL=c: the compiled kernel is not part of this")


def test_fixed_and_all_seatings():
    fixed = report(*TWO, "-n", "100", "--seed", "1", "--seating", "fixed")
    assert [len(one["by_distance"]) for one in fixed["players"]] == [1, 1]
    whole = report(*TWO, "--cpu", "normal", "-n", "100", "--seed", "1", "--seating", "all")
    assert whole["matches"] == 102
    assert {row["matches"] for one in whole["players"] for row in one["by_distance"]} == {34}


def test_csv():
    found = mia(*TWO, "-n", "100", "--seed", "1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [row["player"] for row in rows] == ["easy", "hard"]
    assert sum(int(row["wins"]) for row in rows) == 100
    assert all(float(row["ci95_low"]) <= float(row["win_rate"]) for row in rows)


def test_until():
    found = report(*TWO, "--until", "0.02", "--seed", "1")
    assert found["until"]["reached"] and found["until"]["widest"] <= 0.02
    assert 1000 < found["matches"] < 4000
    capped = report(*TWO, "--until", "0.001", "-n", "2000", "--seed", "1")
    assert not capped["until"]["reached"] and capped["matches"] == 2000


def test_round_robin():
    levels = ("--cpu", "easy", "--cpu", "normal", "--cpu", "hard")
    found = report("--round-robin", *levels, "-n", "20000", "--seed", "1")
    exact = report("--round-robin", *levels, "--exact")
    assert found["matches"] == 60000 and exact["matches"] is None
    for mine, other in zip(found["table"], exact["table"], strict=True):
        for cell, truth in zip(mine, other, strict=True):
            if truth is None:
                assert cell is None
            else:
                assert cell["win_rate"] == pytest.approx(truth["win_rate"], abs=0.015)
                assert cell["ci95"][0] < cell["win_rate"] < cell["ci95"][1]
    for mine, other in zip(found["players"], exact["players"], strict=True):
        assert abs(mine["rating"] - other["rating"]) < 5 * mine["rating_error"]
    text = mia("--round-robin", *levels, "-n", "100", "--seed", "1")
    assert text.returncode == 0 and "±" in text.stdout
    # A pair is a run of its own, so its matches differ from those of other pairs.
    assert found["pairs"][0]["players"] != found["pairs"][1]["players"]


BAD = [
    ((*TWO, "-n", "0"), 2, "--matches"),
    ((*TWO, "-n", "-5"), 2, "-5"),
    ((*TWO, "-n", "1e6"), 2, "1e6"),
    ((*TWO, "-n", "many"), 2, "many"),
    ((*TWO, "-n", "9" * 30), 2, "--matches"),
    ((*TWO, "--jobs", "0"), 2, "--jobs"),
    ((*TWO, "--jobs", "1000"), 2, "--jobs"),
    ((*TWO, "--until", "0"), 2, "--until"),
    ((*TWO, "--until", "nan"), 2, "--until"),
    ((*TWO, "--until", "2"), 2, "--until"),
    ((*TWO, "--seed", "x"), 2, "seed"),
    ((*TWO, "--lives", "4"), 2, "--lives"),
    ((*TWO, "--penalty-21", "3"), 2, "--penalty-21"),
    ((*TWO, "--rules", "none"), 2, "none"),
    ((*TWO, "--seating", "free"), 2, "free"),
    ((*TWO, "--format", "xml"), 2, "xml"),
    ((*TWO, "--format", "csv", "--json"), 2, "--json"),
    ((*TWO, "--match", "3"), 2, "--seed"),
    ((*TWO, "--match", "3", "--resume", "not-there"), 2, "--seed"),
    ((*TWO, "--match", "0", "--seed", "1"), 2, "--match"),
    ((*TWO, "--log", "run", "--resume", "./run"), 2, "--log run"),
    ((*TWO, "--match", "11", "--seed", "1", "-n", "10"), 2, "11"),
    ((*TWO, "--exact", "--until", "0.1"), 2, "--until"),
    ((*TWO, "--exact", "--log", "x"), 2, "--log"),
    ((*TWO, "--exact", "-n", "10"), 2, "--matches"),
    ((*TWO, "--round-robin", "--log", "x"), 2, "--log"),
    (("--cpu", "easy"), 2, "--cpu"),
    ((), 2, "--cpu"),
    (("--cpu", "easy") * 7, 2, "7"),
    (("--cpu", "easy", "--cpu", "brilliant"), 2, "brilliant"),
    (("--cpu", "easy", "--cpu", "bot:none"), 2, "bot:none"),
    ((*TWO, "--log", "no/such/folder/log"), 4, "no/such/folder/log"),
    ((*TWO, "--resume", "no/such/folder/run"), 4, "no/such/folder/run"),
]


@pytest.mark.parametrize(("args", "code", "named"), BAD, ids=lambda value: str(value)[:60])
def test_bad_settings_stop_at_once(args, code, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = mia(*args)
    assert (found.returncode, found.stdout) == (code, "")
    assert found.stderr.count("\n") == 1 and named in found.stderr
    assert "Error " not in found.stderr and "{" not in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_resume(tmp_path):
    keep = str(tmp_path / "run.json")
    args = (*TWO, "--seed", "6", "--resume", keep)
    report(*args, "-n", "300")
    found = without_times(report("--resume", keep, "-n", "1000"))
    assert found == without_times(report(*TWO, "--seed", "6", "-n", "1000"))
    assert without_times(report(*args)) == found
    lower = mia(*args, "-n", "10")
    assert (lower.returncode, lower.stdout) == (2, "")


@pytest.mark.parametrize(
    "other",
    [
        ("--cpu", "hard", "--cpu", "easy"),
        (*TWO, "--seed", "7"),
        (*TWO, "--lives", "5"),
        (*TWO, "--seating", "fixed"),
        (*TWO, "--log", "log"),
    ],
)
def test_a_foreign_state_is_refused_and_untouched(tmp_path, other, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep = tmp_path / "run.json"
    report(*TWO, "--seed", "6", "--resume", str(keep), "-n", "300")
    before = keep.read_bytes()
    found = mia("--resume", str(keep), *other, "-n", "1000")
    assert (found.returncode, found.stdout) == (4, "") and found.stderr.count("\n") == 1
    assert keep.read_bytes() == before and list(tmp_path.iterdir()) == [keep]


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ({**tables_of(["easy", "hard"]), "hard": 99}, "version 99"),
        (None, ""),
        ({**tables_of(["easy", "hard"]), "hard": "x"}, "damaged"),
        ([], "damaged"),
    ],
)
def test_a_run_by_other_tables_is_refused_and_untouched(tmp_path, field, code):
    """A file without the field is of the first tables."""
    keep = tmp_path / "run.json"
    made = report(*TWO, "--seed", "6", "--resume", str(keep), "-n", "300")
    document = json.loads(keep.read_bytes())
    assert made["levels"] == document["levels"] == tables_of(["easy", "hard"])
    document["levels"] = field
    if field is None:
        del document["levels"]
    keep.write_text(json.dumps(document))
    before = keep.read_bytes()
    found = mia("--resume", str(keep), "-n", "1000")
    if field is None and set(made["levels"].values()) == {1}:
        assert found.returncode == 0
        return
    assert (found.returncode, found.stdout) == (4, "") and found.stderr.count("\n") == 1
    assert code in found.stderr and keep.read_bytes() == before


def test_records_and_tables_of_results_name_the_tables_of_levels(tmp_path):
    log = tmp_path / "log.jsonl"
    report(*TWO, "-n", "2", "--log", str(log), "--seed", "1")
    shown = mia(*TWO, "--seed", "1", "--match", "2", "--json").stdout
    crossed = report(*TWO, "--round-robin", "-n", "10", "--seed", "1")
    for found in (*map(json.loads, log.read_text().splitlines()), json.loads(shown), crossed):
        assert found["levels"] == tables_of(["easy", "hard"])


def test_a_file_that_is_no_state_is_refused_and_untouched(tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("my notes")
    found = mia(*TWO, "--resume", str(other))
    assert (found.returncode, found.stdout) == (2, "") and "notes.txt" in found.stderr
    assert other.read_text() == "my notes"


def until_something_is_kept(path, seconds=20.0):
    """Wait until the state in ``path`` has matches."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if path.exists() and b'"done": 0,' not in path.read_bytes():
            return
        time.sleep(0.05)
    raise AssertionError("nothing was kept")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_what_is_finished_and_how_to_go_on(tmp_path, jobs):
    keep = tmp_path / "run.json"
    args = ("simulate", *TWO, "-n", "1000000000", "--seed", "2", "--json", "--jobs", jobs)
    with subprocess.Popen(
        (*MIA, *args, "--resume", str(keep)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        until_something_is_kept(keep)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=20)
    found = json.loads(out)
    assert running.returncode == 130 and not found["finished"] and found["matches"] > 0
    assert str(keep) in err and "Traceback" not in err
    target = str(found["matches"] + 1000)
    resumed = without_times(report("--resume", str(keep), "-n", target))
    assert resumed == without_times(report(*TWO, "--seed", "2", "-n", target))


def test_ctrl_c_without_a_file_keeps_the_run_among_the_data(isolated):
    args = ("simulate", *TWO, "-n", "1000000000", "--seed", "2", "--json")
    with subprocess.Popen(
        (*MIA, *args),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        time.sleep(2.5)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    (kept,) = (isolated / "data" / "simulations").iterdir()
    assert str(kept) in err and json.loads(out)["matches"] > 0
    assert json.loads(kept.read_text())["done"] == json.loads(out)["matches"]


def test_no_worker_outlives_a_run_that_is_killed(tmp_path):
    keep = tmp_path / "run.json"
    args = ("simulate", *TWO, "-n", "1000000000", "--jobs", "2", "--resume", str(keep))
    with subprocess.Popen((*MIA, *args), start_new_session=True) as running:
        until_something_is_kept(keep)
        running.kill()
        running.wait()
    end = time.monotonic() + 15
    while time.monotonic() < end:
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGKILL)
    raise AssertionError("workers are still there")


def test_progress_is_for_a_terminal_alone():
    ours, theirs = pty.openpty()
    args = (*TWO, "-n", "3000000", "--seed", "1", "--jobs", "1", "--json")
    with subprocess.Popen((*MIA, "simulate", *args), stdout=subprocess.PIPE, stderr=theirs) as run:
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
        json.loads(run.communicate()[0])
    os.close(ours)
    assert b"of 3,000,000 matches" in shown and b"left" in shown and b"\n" not in shown
    assert mia(*args).stderr == ""


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("columns", [10, 30])
def test_progress_stays_in_one_line_of_a_narrow_terminal(columns, language):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    args = (*TWO, "-n", "1000000", "--seed", "1", "--jobs", "1", "--json", "--lang", language)
    with subprocess.Popen((*MIA, "simulate", *args), stdout=subprocess.DEVNULL, stderr=theirs):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):
            while data := os.read(ours, 4096):
                shown += data
    os.close(ours)
    lines = shown.decode().split("\r")
    assert any("," in line for line in lines)
    assert max(map(display_width, lines)) < columns and lines[-1] == ""


def test_a_closed_pipe_is_silent():
    command = " ".join(("simulate", *TWO, "-n 100 --json"))
    shell = f'"$0" -c "$1" {command} | head -c 10'
    found = subprocess.run(
        ("bash", "-c", shell, *(MIA[0], MIA[2])),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert found.stderr == "" and len(found.stdout) == 10


@pytest.mark.parametrize("poor", [{"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "20"}])
def test_poor_terminals(poor):
    found = mia(*TWO, "-n", "100", env=environment(**poor))
    assert found.returncode == 0 and found.stderr == ""
    assert "easy" in found.stdout
