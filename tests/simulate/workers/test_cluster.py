"""Runs on a cluster: a real Dask scheduler and real workers on loopback, some of them killed."""

import contextlib
import os
import signal
import socket
import threading
import time
from functools import partial

import pytest

from mia_cli import __version__
from mia_cli.rules.errors import CannotRead
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate import blocks as blocks_module
from mia_cli.simulate import saved
from mia_cli.simulate.blocks import cut, open_blocks
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.run import run
from mia_cli.simulate.saved import RunFile, new_state
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers import cluster as cluster_module
from mia_cli.simulate.workers.cluster import Cluster
from mia_cli.simulate.workers.processes import Alone, NoCluster, WorkerDied
from tests.simulate.documents import document, ignore
from tests.simulate.workers.cluster_players import Slow
from tests.simulate.workers.machines import eventually, started

SETUP = Setup(RuleSet(3, 1), ("easy", "hard", "normal"), seed=11)
OTHER = Setup(RuleSet(3, 1), ("easy", "hard", "normal"), seed=12)
MATCHES = 20_000
"""Forty blocks."""


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of 512 and 8 matches, so that short runs have many. Workers are told the blocks."""
    monkeypatch.setattr(blocks_module, "LARGE", 512)
    monkeypatch.setattr(blocks_module, "SMALL", 8)


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """A scheduler for all tests of this file but those that kill it."""
    with started(tmp_path_factory.mktemp("machines")) as found:
        yield found


def play(state, workers, seen=ignore, **options):
    return run(state, workers, seen=seen, **options)


def wanted(setup=SETUP, matches=MATCHES, until=None):
    state = new_state(setup, matches, until, None)
    return document(play(state, Alone(partial(open_blocks, setup))))


def at_part(number, action):
    """A function for ``seen`` that acts when so many blocks are done."""
    left = [number]

    def seen(_state):
        left[0] -= 1
        if not left[0]:
            action()

    return seen


def gone_on(result):
    """The document of a run that was stopped once it is finished without a cluster."""
    state = result.state
    assert result.stopped and 0 < state.done < state.matches
    return document(play(state, Alone(partial(open_blocks, state.setup))))


def test_same_totals_as_without_a_cluster(machines, tmp_path):
    machines.workers(2)
    make = partial(open_blocks, SETUP)
    with Cluster(machines.address) as cluster:
        state = new_state(SETUP, MATCHES, None, None)
        assert document(play(state, cluster.workers(make))) == wanted()
        narrow = play(new_state(SETUP, MATCHES, 0.02, None), cluster.workers(make))
        assert narrow.narrow and document(narrow) == wanted(until=0.02)
        parts = list(cluster.workers(make).play(cut(0, 3_000, 100)))
        assert [(part.first, part.count) for part in parts] == list(cut(0, 3_000, 100))
        logs = []
        write = partial(open_blocks, SETUP, logged=True)
        for workers in (Alone(write), cluster.workers(write)):
            log = RunLog(tmp_path / f"log{len(logs)}.gz")
            play(new_state(SETUP, 200, None, None), workers, log=log)
            log.close()
            logs.append((tmp_path / f"log{len(logs)}.gz").read_bytes())
        assert logs[0] == logs[1]


def test_a_worker_that_is_killed_loses_nothing(machines):
    mortal, _ = machines.workers(2)
    told = []
    with Cluster(machines.address, told.append) as cluster:
        assert eventually(lambda: cluster.threads() == 2)
        result = play(
            new_state(SETUP, MATCHES, None, None),
            cluster.workers(partial(Slow, SETUP, 0.03)),
            at_part(3, lambda: machines.kill(mortal)),
        )
    assert document(result) == wanted()
    assert len(told) == 1 and told[0].startswith("tcp://127.0.0.1:")


@pytest.mark.slow
def test_a_nanny_brings_its_worker_back(machines):
    machines.workers(0)
    nanny = machines.worker("--nanny")
    told = []

    with Cluster(machines.address, told.append) as cluster:
        (pid,) = cluster.client.run(os.getpid).values()
        result = play(
            new_state(SETUP, MATCHES, None, None),
            cluster.workers(partial(Slow, SETUP, 0.01)),
            at_part(3, lambda: os.kill(pid, signal.SIGKILL)),
        )
        (after,) = cluster.client.run(os.getpid).values()
    machines.kill(nanny)
    assert document(result) == wanted()
    assert len(told) == 1 and after != pid


def test_runs_one_after_another_share_nothing(machines, tmp_path):
    """Other seeds, other results; players are made once in each worker, and closed at the end."""
    machines.workers(2)
    with Cluster(machines.address) as cluster:
        for number, setup in enumerate((SETUP, OTHER, SETUP)):
            notes = tmp_path / str(number)
            notes.mkdir()
            workers = cluster.workers(partial(Slow, setup, 0.005, None, notes))
            assert document(play(new_state(setup, MATCHES, None, None), workers)) == wanted(setup)
            made = list(notes.glob("made-*"))
            assert 1 <= len(made) == len({note.name.split("-")[1] for note in made}) <= 2
            assert eventually(lambda: len(list(notes.glob("closed-*"))) == len(made))  # noqa: B023
    assert wanted(SETUP) != wanted(OTHER)


def test_a_block_that_kills_its_workers_ends_the_run(machines, tmp_path, monkeypatch):
    machines.workers(2)
    monkeypatch.setattr(cluster_module, "LOOK", 0.2)
    keep = tmp_path / "run.json"
    with Cluster(machines.address) as cluster:
        workers = cluster.workers(partial(Slow, SETUP, 0.0, 5_120))
        result = play(new_state(SETUP, MATCHES, None, None), workers, keep=RunFile(keep))
    assert type(result.loss) is WorkerDied and result.loss.code == "worker_died"
    first = result.loss.fields["first"]
    assert first <= 5_120 < first + result.loss.fields["count"]
    assert saved.load(keep).done == result.state.done <= first
    assert gone_on(result) == wanted()


def test_workers_that_all_leave_end_the_run(machines, monkeypatch):
    (only,) = machines.workers(1)
    monkeypatch.setattr(cluster_module, "LOOK", 0.2)
    with Cluster(machines.address) as cluster:
        monkeypatch.setattr(cluster_module, "PATIENCE", 1.0)
        result = play(
            new_state(SETUP, MATCHES, None, None),
            cluster.workers(partial(Slow, SETUP, 0.02)),
            at_part(3, lambda: machines.kill(only)),
        )
    assert result.loss.code == "cluster_empty" and gone_on(result) == wanted()


def test_a_cluster_without_workers_is_refused(machines, monkeypatch):
    machines.workers(0)
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    with pytest.raises(NoCluster) as caught:
        Cluster(machines.address)
    assert caught.value.code == "cluster_empty"
    assert caught.value.fields["address"] == machines.address


@pytest.mark.parametrize(
    "stop",
    [
        pytest.param(signal.SIGKILL, id="dies"),
        pytest.param(signal.SIGSTOP, id="hangs", marks=pytest.mark.slow),
    ],
)
def test_a_scheduler_that_is_gone_ends_the_run(tmp_path, monkeypatch, stop):
    keep = tmp_path / "run.json"
    with started(tmp_path) as machines:
        machines.worker()
        with Cluster(machines.address) as cluster:
            monkeypatch.setattr(cluster_module, "LOOK", 0.2)
            monkeypatch.setattr(cluster_module, "PATIENCE", 1.0)
            monkeypatch.setattr(cluster_module, "GOODBYE", 0.5)
            begun = time.monotonic()
            result = play(
                new_state(SETUP, MATCHES, None, None),
                cluster.workers(partial(Slow, SETUP, 0.01)),
                at_part(3, lambda: os.kill(machines.scheduler.pid, stop)),
                keep=RunFile(keep),
            )
            assert time.monotonic() - begun < 15
            assert result.loss.code == "cluster_lost"
            assert result.loss.fields == {"address": machines.address}
        os.kill(machines.scheduler.pid, signal.SIGCONT)
    assert saved.load(keep).done == result.state.done
    assert gone_on(result) == wanted()


OTHER_VERSION = "import mia_cli\nmia_cli.__version__ = '0.0.7'\n"
NOT_INSTALLED = "import sys\nsys.modules['mia_cli'] = None\n"


@pytest.mark.parametrize(
    ("code", "found"), [(OTHER_VERSION, "0.0.7"), (NOT_INSTALLED, "–")], ids=["other", "none"]
)
def test_a_worker_with_another_version_is_refused(machines, tmp_path, code, found):
    (tmp_path / "sitecustomize.py").write_text(code)
    machines.workers(0)
    unfit = machines.worker("--no-nanny", paths=[str(tmp_path)])
    with pytest.raises(NoCluster) as caught:
        Cluster(machines.address)
    machines.kill(unfit)
    assert caught.value.code == "other_version" and caught.value.fields["found"] == found
    assert caught.value.fields["worker"] != machines.address


def test_a_scheduler_without_the_program_is_refused(tmp_path):
    """It reads what it hands on."""
    (tmp_path / "sitecustomize.py").write_text(NOT_INSTALLED)
    with started(tmp_path, [str(tmp_path)]) as machines:
        machines.worker()
        with pytest.raises(NoCluster) as caught:
            Cluster(machines.address)
        assert caught.value.fields["worker"] == machines.address


def joined(machines, tmp_path, code):
    """What comes of a run that such a worker joins, and what was told of workers that are gone."""
    (tmp_path / "sitecustomize.py").write_text(code)
    machines.workers(1)
    told = []
    with Cluster(machines.address, told.append) as cluster:
        assert eventually(lambda: cluster.threads() == 1)

        def join():
            machines.worker("--no-nanny", paths=[str(tmp_path)])
            assert eventually(lambda: cluster.threads() == 2)

        state = new_state(SETUP, MATCHES, None, None)
        return play(state, cluster.workers(partial(Slow, SETUP, 0.05)), at_part(3, join)), told


def test_a_worker_with_another_version_that_comes_later_ends_the_run(machines, tmp_path):
    result, _ = joined(machines, tmp_path, OTHER_VERSION)
    assert result.loss.code == "other_version"
    assert (result.loss.fields["found"], result.loss.fields["needed"]) == ("0.0.7", __version__)
    assert gone_on(result) == wanted()
    machines.workers(0)


@pytest.mark.slow
def test_a_worker_without_the_program_that_comes_later_plays_nothing(machines, tmp_path):
    """It ends when it is sent the first block."""
    result, told = joined(machines, tmp_path, NOT_INSTALLED)
    machines.workers(0)
    assert document(result) == wanted() and len(told) == 1


@pytest.mark.parametrize(
    "address", ["", "local", "host", "host:", ":8786", "host:0", "host:99999", "http://host:1"]
)
def test_addresses_that_cannot_be(address):
    with pytest.raises(CannotRead) as caught:
        Cluster(address)
    assert caught.value.fields["value"] == address


@pytest.mark.parametrize("kind", ["nobody", "silent", "web"])
def test_what_is_no_scheduler(monkeypatch, kind):
    """Nobody listens, or something that is no scheduler: it never speaks, or as the web does."""
    monkeypatch.setattr(cluster_module, "CONNECT", 0.5)
    monkeypatch.setattr(cluster_module, "SLACK", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        if kind == "nobody":
            server.close()
        if kind == "web":
            threading.Thread(target=refuse, args=(server,), daemon=True).start()
        begun = time.monotonic()
        with pytest.raises(NoCluster) as caught:
            Cluster(f"{host}:{port}")
    assert caught.value.code == "cluster_silent" and time.monotonic() - begun < 10
    assert caught.value.fields["address"] == f"tcp://{host}:{port}"


def refuse(server):
    """Answer every line as a web server does that cannot read it."""
    with contextlib.suppress(OSError):
        while True:
            connection, _ = server.accept()
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")
