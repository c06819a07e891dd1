"""``mia simulate`` with programs and with a shark, from the outside."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.in_process import Ended, full
from tests.cli.machine import MIA, environment
from tests.cli.outside import simulate as mia
from tests.players.bot.bot_tables import ends, nasty, truthful

BOT = ("--bot", f"x={truthful('py')}")
TWO = ("--cpu", "bot:x", "--cpu", "normal", "--seed", "7")
NOT_REPEATED = ("kernel", "elapsed_s", "matches_per_s")


def simulate(*args: str) -> Ended:
    """In this process: for one job."""
    return full("simulate", *args, "--jobs", "1")


def report(ended: Ended | subprocess.CompletedProcess[str], code: int = 0) -> dict:
    found = json.loads(ended.out if isinstance(ended, Ended) else ended.stdout)
    assert (ended.code if isinstance(ended, Ended) else ended.returncode) == code
    for name in NOT_REPEATED:
        del found[name]
    return found


FAULTS = [
    ("exit_at_once", "", "exited"),
    ("crash", "", "exited"),
    ("killed", "", "exited"),
    ("silence", "", "timeout"),
    ("ignores_sigterm", "", "timeout"),
    ("deaf", "", "timeout"),
    ("flood_lines", "", "not_json"),
    ("flood_one_line", "", "flood"),
    ("half_line", "", "half_line"),
    ("half_line_and_exit", "", "half_line"),
    ("garbage", "", "not_json"),
    ("says", '{"claim":"0","action":"pass"}', ""),
    ("says", "\x1b[2J", "not_json"),
]


@pytest.mark.parametrize(("kind", "argument", "cause"), FAULTS)
def test_a_fault_is_counted_with_its_cause_and_the_run_ends(
    kind: str, argument: str, cause: str
) -> None:
    bot = f"x={nasty(kind, argument)}"
    ended = simulate(*TWO, "-n", "3", "--bot", bot, "--bot-time", "0.1", "--json")
    found = report(ended)
    mine, other = found["players"]
    assert (mine["wins"], other["wins"], found["matches"]) == (0, 3, 3)
    assert (mine["claims"], mine["challenges"], other["challenges"]) == (0, 0, 0)
    assert sum(fault["count"] for fault in found["faults"]) == 3
    for fault in found["faults"]:
        assert (fault["seat"], fault["player"]) == (1, "bot:x")
        assert fault["cause"] in ({cause} if cause else {"illegal_claim", "bad_reply"})
    first, sentence, *_ = ended.err.splitlines()
    assert first == "mia: The first fault is in match 1:" and sentence.startswith("mia: bot:x ")
    assert "\x1b" not in ended.err


def test_a_fault_in_the_table_and_in_csv() -> None:
    words = (*TWO, "-n", "6", "--bot", f"x={nasty('crash')}")
    assert "bot:x (seat 1) lost 6 matches by faults: exited." in simulate(*words).out
    assert "RuntimeError: the last words" in simulate(*words).err
    rows = list(csv.DictReader(io.StringIO(simulate(*words, "--format", "csv").out)))
    assert [(row["faults"], row["fault_causes"]) for row in rows] == [("6", "exited:6"), ("0", "")]


def test_a_program_that_does_not_start_stops_before_any_match(tmp_path: Path) -> None:
    broken = tmp_path / "bot"
    broken.write_text("#!/nowhere/to/be/found\n")
    broken.chmod(0o755)
    log, keep = tmp_path / "log", tmp_path / "run.json"
    for command, jobs in (("/nowhere/bot", "1"), (str(tmp_path), "1"), (str(broken), "2")):
        files = () if jobs == "2" else ("--log", str(log), "--resume", str(keep))
        ended = mia(*TWO, "-n", "50", "--bot", f"x={command}", "--jobs", jobs, *files)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.count("\n") == 1 and command in ended.stderr
    assert list(tmp_path.iterdir()) == [broken]


BAD = [
    (("--cpu", "bot:y", "--cpu", "easy", *BOT), "--bot y=COMMAND"),
    ((*TWO, "--bot", "x"), "“x”"),
    ((*TWO, "--bot", "x="), "bot:x"),
    ((*TWO, *BOT, *BOT), "bot:x"),
    ((*TWO, *BOT, "--bot-time", "0"), "“0”"),
    ((*TWO, *BOT, "--on-fault", "cry"), "“cry”"),
    ((*TWO, *BOT, "--exact"), "--seed"),
    (("--cpu", "bot:x", "--cpu", "easy", *BOT, "--exact"), "“bot:x”"),
    (("--cpu", "shark", "--cpu", "easy", "--exact"), "“shark”"),
    (("--cpu", "easy", "--cpu", "hard", "--cpu", "shark", "--round-robin", "--exact"), "“shark”"),
    (("--cpu", "shark", "--cpu", "easy", "--session", "0"), "--session"),
    (("--cpu", "shark", "--cpu", "easy", "--session", "1001"), "--session"),
    (("--cpu", "shark", "--cpu", "easy", "--session", "many"), "“many”"),
    (("--cpu", "easy", "--cpu", "bot:"), "bot:NAME"),
]


@pytest.mark.parametrize(("words", "named"), BAD, ids=lambda value: str(value)[:60])
def test_bad_settings_are_one_clear_line(words: tuple[str, ...], named: str) -> None:
    ended = simulate(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1 and named in ended.err


def test_on_fault_stop_prints_what_is_finished_and_goes_on_later(tmp_path: Path) -> None:
    keep = tmp_path / "run.json"
    words = (*TWO, "-n", "40", "--json")
    fears = ("--bot", f"x={nasty('fears', '66')}")
    wanted = report(simulate(*words, *fears))
    ended = simulate(*words, *fears, "--on-fault", "stop", "--resume", str(keep))
    found = report(ended, code=3)
    assert not found["finished"] and 0 < found["matches"] < 40
    assert found["matches"] == sum(player["wins"] for player in found["players"])
    assert found["faults"] == [{"seat": 1, "player": "bot:x", "cause": "exited", "count": 1}]
    assert f"mia: The first fault is in match {found['matches'] + 1}:" in ended.err
    again = next(line for line in ended.err.splitlines() if line.startswith("mia: To go on: "))
    assert f"--resume {keep}" in again and "--on-fault stop" in again and "fears" in again
    assert report(simulate("--resume", str(keep), *fears, "--json")) == wanted


def test_on_fault_life_costs_a_life_in_reports_logs_and_kept_runs(tmp_path: Path) -> None:
    keep, log = tmp_path / "run.json", tmp_path / "log"
    fears = ("--bot", f"x={nasty('fears', '66')}")
    words = (*TWO, *fears, "--on-fault", "life")
    found = report(simulate(*words, "-n", "20", "--resume", str(keep), "--json"))
    assert found["on_fault"] == "life"
    (fault,) = found["faults"]
    other = simulate("--resume", str(keep), "-n", "30", *fears, "--on-fault", "lose")
    assert other.code == 4 and "--on-fault" in other.err
    shown = simulate(*words, "-n", "30", "--log", str(log))
    assert report(simulate("--resume", str(keep), "-n", "30", *fears, "--json")) == report(
        simulate(*words, "-n", "30", "--json")
    )
    assert "lives by faults: exited." in shown.out
    lines = [json.loads(line) for line in log.read_bytes().splitlines()]
    told = [fault for line in lines[:20] for fault in line.get("faults", ())]
    assert len(told) == fault["count"]
    number = next(at for at, line in enumerate(lines) if "faults" in line)
    ended = simulate(*words, "--match", str(number + 1), "--json")
    assert json.loads(ended.out) == lines[number]
    lost = lines[number]["events"][lines[number]["faults"][0]["event"] - 1]
    assert (lost["event"], lost["lost"]) == ("lives_lost", 1)


def test_a_kept_run_needs_its_bots_again(tmp_path: Path) -> None:
    keep = tmp_path / "run.json"
    report(simulate(*TWO, *BOT, "-n", "20", "--resume", str(keep), "--json"))
    before = keep.read_bytes()
    for words, code in (((), 2), (("--bot", "y=true"), 2), (("--bot", "x=true"), 4)):
        ended = simulate("--resume", str(keep), "-n", "30", *words)
        assert (ended.code, ended.out) == (code, "") and "bot" in ended.err
        assert keep.read_bytes() == before
    found = report(simulate("--resume", str(keep), "-n", "30", *BOT, "--json"))
    assert found == report(simulate(*TWO, *BOT, "-n", "30", "--json"))


def test_jobs_log_and_single_matches_agree(tmp_path: Path) -> None:
    words = ("--cpu", "bot:x", "--cpu", "hard", "--cpu", "bot:y", "--seed", "5", "--lives", "2")
    bots = ("--bot", f"x={nasty('fears', '65')}", "--bot", f"y={truthful('py')}")
    logs = [tmp_path / "1.gz", tmp_path / "2.gz"]
    found = [
        report(mia(*words, *bots, "-n", "30", "--jobs", str(jobs), "--log", str(log), "--json"))
        for jobs, log in enumerate(logs, start=1)
    ]
    assert found[0] == found[1] and logs[0].read_bytes() == logs[1].read_bytes()
    assert sum(player["wins"] for player in found[0]["players"]) == 30
    assert found[0]["faults"]
    lines = [json.loads(line) for line in gzip.decompress(logs[0].read_bytes()).splitlines()]
    faulty = next(at for at, line in enumerate(lines) if "faults" in line)
    for at in (faulty, faulty + 1, 0):
        ended = full("simulate", *words, *bots, "--match", str(at + 1), "--json")
        assert ended.code == 0 and json.loads(ended.out) == lines[at]
        assert bool(ended.err) == ("faults" in lines[at])


def test_what_a_program_lost_by_a_fault_is_no_match_for_statistics(tmp_path: Path) -> None:
    log, packed, single = tmp_path / "log", tmp_path / "log.gz", tmp_path / "match.json"
    words = (*TWO, "--bot", f"x={nasty('fears', '66')}")
    found = report(simulate(*words, "-n", "40", "--log", str(log), "--json"))
    packed.write_bytes(gzip.compress(log.read_bytes()))
    lines = log.read_text().splitlines()
    (lost,) = (fault["count"] for fault in found["faults"])
    number = next(at for at, line in enumerate(lines, 1) if '"faults"' in line)
    for file in (log, packed):
        ended = full("stats", str(file), "--json")
        stats = json.loads(ended.out)
        told = [stats[name] for name in ("matches", "forfeited", "skipped", "skipped_count")]
        assert (ended.code, told) == (0, [40 - lost, lost, [], 0])
        assert ended.err == f"mia: {lost} matches that a program lost by a fault are left out.\n"
    shown = simulate(*words, "--match", str(number), "--json")
    assert shown.code == 0 and json.loads(shown.out) == json.loads(lines[number - 1])
    single.write_text(shown.out)
    ended = full("stats", str(single), "--json")
    assert (ended.code, json.loads(ended.out)["forfeited"], ended.err.count("\n")) == (0, 1, 1)
    ended = full("review", str(single), "--verify")
    assert (ended.code, ended.out, ended.err.count("\n")) == (4, "", 1)
    assert "lost this match by a fault" in ended.err


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_closed_streams(tmp_path: Path, closed: str, output: str) -> None:
    log = tmp_path / "log"
    words = (*TWO, *BOT, "-n", "20", "--jobs", "2", "--log", str(log), "--format", output)
    ended = subprocess.run(
        ("bash", "-c", f'"$@" {closed}', "bash", *MIA, "simulate", *words),
        check=False,
        capture_output=True,
        timeout=60,
        env=environment(),
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert bool(ended.stdout) == (">&-" not in closed.split())
    assert log.read_bytes().count(b"\n") == 20 and b'"faults"' not in log.read_bytes()


def test_until_and_round_robin_with_a_bot() -> None:
    found = report(simulate(*TWO, *BOT, "--until", "0.05", "-n", "3000", "--json"))
    assert found["until"]["reached"] and found["matches"] == 1000
    names = ("--cpu", "bot:x", "--cpu", "easy", "--cpu", "hard")
    ended = simulate("--round-robin", *names, *BOT, "-n", "30", "--seed", "1", "--json")
    cross = json.loads(ended.out)
    assert cross["matches"] == 90 and [one["player"] for one in cross["players"]] == list(
        names[1::2]
    )
    assert cross["finished"] and ended.err == ""


def test_a_round_robin_that_is_stopped_says_how_far_it_came() -> None:
    words = ("--round-robin", "--cpu", "easy", "--cpu", "normal", "--cpu", "bot:x", "--seed", "7")
    fears = ("--bot", f"x={nasty('fears', '66')}")
    ended = simulate(*words, *fears, "-n", "40", "--on-fault", "stop", "--json")
    found = json.loads(ended.out)
    assert ended.code == 3 and not found["finished"] and 40 < found["matches"] < 120
    assert f"mia: Interrupted after {found['matches']} of 120 matches." in ended.err.splitlines()
    assert "Interrupted" not in simulate(*words, *fears, "-n", "4", "--json").err


def test_a_run_that_is_refused_leaves_an_earlier_log_alone(tmp_path: Path) -> None:
    log, broken = tmp_path / "log", tmp_path / "bot"
    log.write_text("an earlier run\n")
    broken.write_text("#!/nowhere/to/be/found\n")
    broken.chmod(0o755)
    for words, code in (
        ((*BOT, "--resume", str(tmp_path / "no" / "run")), 4),
        (("--bot", f"x={broken}"), 2),
    ):
        assert simulate(*TWO, "-n", "5", "--log", str(log), *words).code == code
        assert log.read_text() == "an earlier run\n"


def test_a_log_into_a_pipe(tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = ("--cpu", "easy", "--cpu", "hard", "--seed", "7", "-n", "100", "--json")
    simulate(*words, "--log", str(log))
    ended = mia(*words, "--log", "/dev/stderr")
    assert (ended.returncode, ended.stderr) == (0, log.read_text())


def test_fewer_matches_where_each_takes_longer() -> None:
    found = report(simulate(*TWO, *BOT, "--lives", "2", "--json"))
    assert found["matches"] == 1000 and found["session"] == 1


def test_sessions_and_the_shark(tmp_path: Path) -> None:
    keep = tmp_path / "run.json"
    words = ("--cpu", "shark", "--cpu", "easy", "--lives", "2", "--seed", "3", "--session", "5")
    found = report(simulate(*words, "-n", "13", "--json"))
    assert found["session"] == 5 and found["matches"] == 13
    for player in found["players"]:
        low, high = player["ci95"]
        assert 0 <= low <= player["win_rate"] <= high <= 1 and player["design_effect"] > 0
    report(simulate(*words, "-n", "7", "--resume", str(keep), "--json"))
    other = simulate("--resume", str(keep), "--session", "6")
    assert other.code == 4 and "--session" in other.err
    assert report(simulate("--resume", str(keep), "-n", "13", "--json")) == found
    shown = simulate(*words, "-n", "7").out
    assert "After every 5 matches, a player that learns starts afresh." in shown


def test_sessions_change_nothing_where_nobody_learns() -> None:
    words = ("--cpu", "easy", "--cpu", "hard", "-n", "500", "--seed", "3", "--json")
    assert report(simulate(*words, "--session", "7")) == report(simulate(*words))
    words = (*TWO, *BOT, "-n", "30", "--json")
    assert report(simulate(*words, "--session", "7")) == report(simulate(*words))


def started(path: Path, count: int) -> list[int]:
    """The numbers of the programs, once there are as many."""
    until = time.monotonic() + 20
    while not path.exists() or len(path.read_text().split()) < count:
        assert time.monotonic() < until
        time.sleep(0.02)
    return list(map(int, path.read_text().split()))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_no_program_outlives_a_run_that_is_stopped(
    jobs: int, number: signal.Signals, tmp_path: Path
) -> None:
    """Not even one that hears neither the end of its input nor SIGTERM, and not its children."""
    pids = tmp_path / "pids"
    words = (*TWO, "-n", "1000000", "--bot", f"x={nasty('scatters', str(pids))}", "--json")
    with subprocess.Popen(
        (*MIA, "simulate", *words, "--jobs", str(jobs)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    ) as running:
        programs = started(pids, 2 * jobs)
        time.sleep(0.5)
        if number == signal.SIGTERM:
            running.send_signal(number)
        else:
            os.killpg(running.pid, number)  # as a terminal does
        out, err = running.communicate(timeout=20)
    assert running.returncode == 130 and "Traceback" not in err
    assert not json.loads(out)["finished"]
    assert "--bot" in err.splitlines()[-1]
    assert all(map(ends, programs))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_no_program_outlives_a_run_that_is_killed(tmp_path: Path, jobs: str) -> None:
    """The supervisor of each notices."""
    pids = tmp_path / "pids"
    words = (*TWO, "-n", "1000000", "--bot", f"x={nasty('scatters', str(pids))}", "--jobs", jobs)
    with subprocess.Popen((*MIA, "simulate", *words), env=environment()) as running:
        programs = started(pids, 2 * int(jobs))
        running.kill()
    assert all(ends(pid, 15.0) for pid in programs)


def test_no_program_outlives_an_ordinary_run(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = ("--bot", f"x={nasty('scatters', str(pids))}")
    report(mia(*TWO, "-n", "40", *bot, "--jobs", "2", "--json"))
    programs = started(pids, 4)
    full("simulate", *TWO, *bot, "--match", "3")
    assert all(map(ends, (*programs, *started(pids, 6))))
