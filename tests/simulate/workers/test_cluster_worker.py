"""What workers of a cluster keep: block players, each used by one thread at a time, all closed."""

import threading
import time

import pytest

from mia_cli import __version__
from mia_cli.rules.errors import MiaError
from mia_cli.simulate.blocks import Part
from mia_cli.simulate.tally import Tally
from mia_cli.simulate.workers import cluster_worker
from mia_cli.simulate.workers.cluster_worker import BlockPlayers
from mia_cli.simulate.workers.processes import NoCluster


class Noted:
    """A block player that tells when it is made, used by two threads at once, and closed."""

    def __init__(self, made, play=None):
        self._play, self._busy, self.closed = play, threading.Lock(), 0
        made.append(self)

    def play(self, first, count):
        assert self._busy.acquire(blocking=False) and not self.closed
        if self._play:
            self._play(first)
        self._busy.release()
        return Part(first, count, Tally.empty(2, 2), stopped=first == 99)

    def close(self):
        self.closed += 1


def closed(made):
    return [player.closed for player in made]


def test_players_are_made_once_for_a_run_and_closed_when_it_is_over():
    players, made = BlockPlayers(), []
    for first in (0, 10, 20):
        parts, seconds = players.play("a", lambda: Noted(made), [(first, 5), (first + 5, 5)])
        assert [part.first for part in parts] == [first, first + 5] and seconds >= 0
    assert closed(made) == [0]
    players.forget("a")
    players.forget("a")
    assert closed(made) == [1]


def test_every_thread_has_its_own_and_a_forgotten_one_is_closed_when_it_is_done():
    players, made, inside = BlockPlayers(), [], threading.Barrier(4)
    go_on = threading.Event()

    def wait(_first):
        inside.wait(10)
        assert go_on.wait(10)

    threads = [
        threading.Thread(target=players.play, args=("a", lambda: Noted(made, wait), [(0, 1)]))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    inside.wait(10)
    players.forget("a")
    assert closed(made) == [0, 0, 0]
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert closed(made) == [1, 1, 1]


def test_only_the_latest_runs_keep_their_players():
    players, made = BlockPlayers(kept=2), []
    for run in "abac":
        players.play(run, lambda: Noted(made), [(0, 1)])
    assert closed(made) == [0, 1, 0]
    players.forget_all()
    assert closed(made) == [1, 1, 1]


def test_players_that_nobody_asks_are_closed():
    players, made = BlockPlayers(idle=0.05), []
    players.play("a", lambda: Noted(made), [(0, 1)])
    end = time.monotonic() + 10
    while closed(made) == [0] and time.monotonic() < end:
        time.sleep(0.01)
    assert closed(made) == [1]
    players.play("a", lambda: Noted(made), [(0, 1)])
    assert len(made) == 2
    players.forget_all()


def test_a_player_that_fails_is_closed_and_the_next_block_has_another():
    players, made = BlockPlayers(), []

    def fail(first):
        if first == 1:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        players.play("a", lambda: Noted(made, fail), [(1, 1)])
    players.play("a", lambda: Noted(made, fail), [(2, 1)])
    assert closed(made) == [1, 0]
    players.forget_all()


def test_nothing_is_played_after_a_part_that_ends_the_run():
    players, made = BlockPlayers(), []
    parts, _ = players.play("a", lambda: Noted(made), [(98, 1), (99, 1), (100, 1)])
    assert [part.first for part in parts] == [98, 99]
    players.forget_all()


def test_errors_are_values():
    """So that they are told from those of the cluster."""
    broken = cluster_worker.play(__version__, "a", b"no pickle", [(0, 1)])
    assert isinstance(broken, RuntimeError) and not isinstance(broken, MiaError)


def test_another_version_plays_nothing(monkeypatch):
    monkeypatch.setattr(cluster_worker, "_address", lambda: "tcp://host:1")
    found = cluster_worker.play("0.0.1", "a", b"", [(0, 1)])
    assert isinstance(found, NoCluster) and found.code == "other_version"
    assert found.fields == {"worker": "tcp://host:1", "found": __version__, "needed": "0.0.1"}
