"""``mia simulate --dask`` from the outside, with a real scheduler and real workers on loopback."""

import json
import re
import shlex
import signal
import subprocess
import sys

import pytest

from mia_cli.simulate import saved
from mia_cli.simulate.workers import cluster
from tests.cli.in_process import full
from tests.cli.machine import MIA, ROOT, environment
from tests.cli.outside import simulate as mia
from tests.players.bot.bot_tables import ends, nasty, truthful
from tests.simulate.workers.machines import eventually, started

TWO = ("--cpu", "easy", "--cpu", "hard", "--seed", "5", "--json")


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    with started(tmp_path_factory.mktemp("machines")) as found:
        yield found


def report(text):
    found = json.loads(text)
    for run in (found, *found.get("pairs", ())):
        for name in ("kernel", "elapsed_s", "matches_per_s"):
            run.pop(name, None)
    return found


def test_the_command_prints_the_same_as_without_a_cluster(machines, tmp_path):
    machines.workers(2)
    bot = ("--cpu", "bot:x", "--cpu", "hard", "--seed", "5", "--json", "--bot")
    command = f"x={truthful('py')}"
    for number, args in enumerate(
        [
            (*TWO, "-n", "300000"),
            (*TWO, "-n", "1000", "--round-robin", "--cpu", "normal"),
            (*bot, command, "-n", "100", "--log", str(tmp_path / "log")),
        ]
    ):
        found = mia(*args, "--dask", machines.address)
        assert (found.returncode, found.stderr) == (0, ""), number
        if "--log" in args:
            (tmp_path / "log").replace(tmp_path / "other")
        assert report(found.stdout) == report(mia(*args, "--jobs", "1").stdout), number
    assert (tmp_path / "log").read_bytes() == (tmp_path / "other").read_bytes() != b""


def test_programs_end_with_the_run(machines, tmp_path):
    """They run on the machines of the workers, which stay, and are ended there."""
    machines.workers(2)
    pids = tmp_path / "pids"
    bot = f"x={nasty('immortal', str(pids))}"
    args = ("--cpu", "bot:x", "--cpu", "hard", "--seed", "5", "-n", "60", "--bot", bot)
    found = mia(*args, "--dask", machines.address)
    programs = {int(pid) for pid in pids.read_text().split()}
    assert found.returncode == 0 and programs
    assert all(ends(pid, 15.0) for pid in programs)


def test_a_killed_worker_and_ctrl_c_and_going_on_elsewhere(machines, tmp_path):
    """What is on stderr is ours alone, whatever happens to the cluster."""
    mortal, _ = machines.workers(2)
    keep = tmp_path / "run.json"
    args = (*TWO, "-n", "1000000000", "--resume", str(keep), "--dask", machines.address)
    with subprocess.Popen(
        (*MIA, "simulate", *args),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as running:
        assert eventually(lambda: keep.exists() and saved.load(keep).done > 0, 30.0)
        machines.kill(mortal)
        assert "is gone" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    found = report(out)
    assert running.returncode == 130 and found["matches"] > 0 and not found["finished"]
    stopped, how = err.splitlines()
    assert "Interrupted" in stopped and "--resume" in how and str(keep) in how
    target = str(found["matches"] + 1000)
    resumed = mia("--resume", str(keep), "-n", target, "--json")
    assert report(resumed.stdout) == report(mia(*TWO, "-n", target).stdout)


def test_a_scheduler_that_cannot_be_reached(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 0.3)
    found = full("simulate", *TWO, "--dask", "127.0.0.1:1", "--resume", str(tmp_path / "run.json"))
    assert (found.code, found.out, list(tmp_path.iterdir())) == (2, "", [])
    assert found.err == "mia: No Dask scheduler answers at tcp://127.0.0.1:1.\n"


def test_the_commands_of_the_readme(machines, tmp_path):
    """As they stand there, but for the host and the number of matches."""
    section = (ROOT / "README.md").read_text("utf-8").split("### On several machines")[1]
    (block,) = re.findall(r"```sh\n(.*?)```", section.split("\n## ")[0], re.DOTALL)
    scheduler, worker, run = (
        shlex.split(line.replace("node1", "127.0.0.1"), comments=True)
        for line in block.splitlines()
    )
    assert scheduler == ["dask", "scheduler", "--port", "8786"]
    assert worker[:3] == ["dask", "worker", run[-1]] and run[:2] == ["mia", "simulate"]
    machines.workers(0)
    # The fixture has started the scheduler, on a port that is free.
    nannies = machines.worker(*worker[3:])
    run[run.index("-n") + 1], run[run.index("--resume") + 1] = "200000", str(tmp_path / "run.json")
    found = mia(*run[2:-1], machines.address, "--json", "--seed", "5")
    machines.kill(nannies)
    assert (found.returncode, found.stderr) == (0, "")
    assert report(found.stdout) == report(mia(*TWO, "-n", "200000").stdout)


def test_nothing_is_left_where_there_is_no_cluster(tmp_path):
    """One line, exit code 2, and no file: neither of the run nor of its log."""
    options = ("--resume", str(tmp_path / "run.json"), "--log", str(tmp_path / "log"))
    for args, named in [
        (("--dask", "nowhere"), "nowhere"),
        (("--dask", "127.0.0.1:1", "--jobs", "2"), "--jobs"),
    ]:
        found = mia(*TWO, *options, *args)
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr.count("\n") == 1 and named in found.stderr
    code = (
        "import sys; sys.modules['distributed'] = None; from mia_cli.__main__ import main; main()"
    )
    words = ("simulate", *TWO, *options, "--dask", "127.0.0.1:1")
    found = subprocess.run(
        (sys.executable, "-c", code, *words),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1 and "pip install 'mia-cli[dask]'" in found.stderr
    assert list(tmp_path.iterdir()) == []
