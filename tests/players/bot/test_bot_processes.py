"""A bot's process: started late, ended for certain, with nothing left of it."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mia_cli.players.bot.fault import BotFault
from mia_cli.players.bot.player import Bot
from mia_cli.rules.errors import BadRuleSet, CannotRead
from mia_cli.rules.match import Challenge
from tests.players.bot.bot_tables import (
    HASTY,
    PATIENT,
    begin,
    ends,
    nasty,
    open_descriptors,
    play_match,
    runs,
    seen_answer,
    truthful,
)

ROOT = Path(__file__).resolve().parents[3]


def started(kind: str, path: Path, limits=PATIENT) -> tuple[Bot, list[int]]:
    """A bot that was asked once or is about to be, and the processes it is made of."""
    bot = Bot("x", nasty(kind, str(path)), limits)
    begin(bot)
    bot.start()
    until = time.monotonic() + 10
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < until
        time.sleep(0.01)
    return bot, [int(pid) for pid in path.read_text().split()]


def test_fifty_starts_and_ends_leave_no_descriptor_and_no_process() -> None:
    before, children_before, began = open_descriptors(), children(), 0
    bot = Bot("x", nasty("good"), PATIENT)
    for _ in range(25):
        begin(bot)
        bot.answer(seen_answer(), 0.5)
        bot.close()
        began += 1
    for kind in ("exit_at_once", "garbage", "flood_lines", "half_line_and_exit", "crash"):
        for _ in range(5):
            with Bot("x", nasty(kind), PATIENT) as faulty, pytest.raises(BotFault):
                begin(faulty)
                faulty.answer(seen_answer(), 0.5)
            began += 1
    assert began == 50
    assert open_descriptors() == before
    assert children() == children_before, "neither running nor waiting to be reaped"


def children() -> set[str]:
    """Processes that this one started, zombies included; other tests may have some too."""
    listed = Path("/proc/self/task").glob("*/children")
    return {child for task in listed for child in task.read_text("ascii").split()}


def test_a_bot_is_started_once_for_many_matches(tmp_path: Path) -> None:
    bot, (pid,) = started("writes_pid", tmp_path / "pid")
    with bot:
        for seed in range(5):
            play_match({1: bot}, 2, seed)
        assert runs(pid)
        assert (tmp_path / "pid").read_text() == str(pid)
    assert ends(pid)


def test_close_can_be_repeated_and_comes_before_any_start() -> None:
    bot = Bot("x", nasty("good"), PATIENT)
    bot.close()
    bot.close()
    begin(bot)
    bot.answer(seen_answer(), 0.5)
    bot.close()
    bot.close()


def test_a_bot_that_ignores_sigterm_is_ended(tmp_path: Path) -> None:
    bot, (pid,) = started("hard_to_end", tmp_path / "pid", HASTY)
    began = time.monotonic()
    with pytest.raises(BotFault):
        bot.answer(seen_answer(), 0.5)
    assert not runs(pid)
    assert time.monotonic() - began < HASTY.decision + 2.0


def test_the_children_of_a_bot_end_with_it(tmp_path: Path) -> None:
    bot, pids = started("leaves_children", tmp_path / "pids")
    assert len(pids) == 2
    bot.close()
    assert all(map(ends, pids))


def test_what_left_the_session_of_a_bot_ends_with_it_too(tmp_path: Path) -> None:
    """Whether it is ended or ends by itself, and at once, while a match goes on."""
    bot, pids = started("scatters", tmp_path / "pids")
    bot.close()
    assert all(map(ends, map(int, (tmp_path / "pids").read_text().split())))
    bot, pids = started("exits_scattered", tmp_path / "others")
    bot.answer(seen_answer(), 0.5)
    other = [int(pid) for pid in (tmp_path / "others").read_text().split()]
    assert len(other) == 2 and other[:1] == pids and all(map(ends, other))
    with bot, pytest.raises(BotFault) as caught:
        bot.answer(seen_answer(), 0.5)
    assert (caught.value.cause, caught.value.fields["status"]) == ("exited", "0")


@pytest.mark.skipif(sys.platform != "linux", reason="nothing tells a program of this elsewhere")
def test_a_bot_ends_when_its_supervisor_is_killed(tmp_path: Path) -> None:
    bot, (pid,) = started("hard_to_end", tmp_path / "pid")
    os.kill(
        int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]), signal.SIGKILL
    )
    assert ends(pid)
    with bot, pytest.raises(BotFault) as caught:
        bot.answer(seen_answer(), 0.5)
    assert caught.value.cause == "exited"


def test_a_bot_does_not_learn_where_records_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MIA_NAME", "Ada")
    monkeypatch.setenv("OTHER", "kept")
    path = tmp_path / "environment"
    with Bot("x", shlex.join(["sh", "-c", f"env > {path}"]), PATIENT) as bot:
        begin(bot)
        with pytest.raises(BotFault):
            bot.answer(seen_answer(), 0.5)
    variables = dict(line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    assert variables["OTHER"] == "kept"
    assert not [name for name in variables if "MIA" in name]


def test_a_bot_has_a_session_of_its_own_so_that_ctrl_c_is_ours(tmp_path: Path) -> None:
    bot, (pid,) = started("writes_pid", tmp_path / "pid")
    with bot:
        assert os.getsid(pid) == pid != os.getsid(0)


def test_a_bot_that_is_forgotten_is_ended(tmp_path: Path) -> None:
    bot, (pid,) = started("writes_pid", tmp_path / "pid")
    del bot
    assert ends(pid)


SCRIPT = """
import os, sys, time
from tests.players.bot.bot_tables import begin, seen_answer
from mia_cli.players.bot.player import Bot, BotLimits
bot = Bot("x", sys.argv[1], BotLimits(decision=60.0))
begin(bot)
bot.start()
while not (os.path.exists(sys.argv[3]) and os.path.getsize(sys.argv[3])):
    time.sleep(0.01)
if sys.argv[2] == "ask":
    print("asking", flush=True)
    bot.answer(seen_answer(), 0.5)
"""


def script(path: Path, what: str) -> subprocess.Popen[bytes]:
    """A program that has started a bot that is hard to end; the bot's number is in ``path``."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, nasty("hard_to_end", str(path)), what, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_end_of_the_interpreter_ends_a_bot(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    process = script(path, "leave")
    _out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, b"")
    assert ends(int(path.read_text()))


def test_ctrl_c_while_a_bot_thinks_ends_both(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    process = script(path, "ask")
    assert process.stdout is not None
    assert process.stdout.readline() == b"asking\n"
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in err
    assert ends(int(path.read_text()))


def test_after_an_interruption_the_bot_is_told_the_match_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reply to the question that was broken off is not taken for the next one."""
    from mia_cli.players.bot import process as bot_process

    with Bot("x", truthful("py"), PATIENT) as bot:
        begin(bot)
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(bot_process.BotProcess, "_take", interrupted)
            bot.answer(seen_answer("31"), 0.5)
        assert bot.answer(seen_answer("55"), 0.5) == Challenge()


def interrupted(*_: object) -> bytes:
    raise KeyboardInterrupt


def work(bot: Bot, seed: int, found) -> None:
    """What a worker does: whole matches with a bot it was handed."""
    with bot:
        found.put(play_match({1: bot}, 2, seed).events)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_plays_with_a_process_of_its_own(method: str, tmp_path: Path) -> None:
    if method == "fork" and sys.platform == "darwin":
        pytest.skip("forking is not safe there")
    context = multiprocessing.get_context(method)
    found = context.Queue()
    bot, (pid,) = started("writes_pid", tmp_path / "pid")
    with bot:
        expected = [play_match({1: bot}, 2, seed).events for seed in (1, 2)]
        workers = [context.Process(target=work, args=(bot, seed, found)) for seed in (1, 2)]
        for worker in workers:
            worker.start()
        results = [found.get(timeout=60) for _ in workers]
        for worker in workers:
            worker.join(60)
            assert worker.exitcode == 0
        assert sorted(results, key=repr) == sorted(expected, key=repr)
        assert int((tmp_path / "pid").read_text()) != pid, "the workers started their own"
        assert runs(pid), "and ended none but these"
        assert play_match({1: bot}, 2, 1).events == expected[0]
    assert not runs(pid)


def test_a_bot_is_pickled_without_its_process() -> None:
    with Bot("x", nasty("good"), PATIENT) as bot:
        begin(bot)
        bot.answer(seen_answer(), 0.5)
        twin = pickle.loads(pickle.dumps(bot))
        assert repr(twin) == repr(bot)
        assert twin.name == "x"
        with pytest.raises(AssertionError):
            twin.answer(seen_answer(), 0.5)
        twin.close()


def test_the_command_is_split_as_a_shell_quotes_but_run_without_one(tmp_path: Path) -> None:
    folder = tmp_path / "a folder; exit 1"
    folder.mkdir()
    path = folder / "pid $HOME"
    bot = Bot("x", nasty("writes_pid", str(path)), PATIENT)
    with bot:
        begin(bot)
        bot.answer(seen_answer(), 0.5)
        assert path.exists()


@pytest.mark.parametrize("command", ["", "  ", "''", "python 'bot.py", '"', "a \\"])
def test_a_command_that_is_none(command: str) -> None:
    with pytest.raises(CannotRead) as caught:
        Bot("x", command)
    assert caught.value.code == "bad_bot_command"


def test_how_bots_are_named_on_a_command_line() -> None:
    from mia_cli.players.bot.command import bot_commands, bot_time, command_of
    from mia_cli.players.names import is_bot

    commands = bot_commands(["a=python3 a.py", "B-2_x=./b --level=3"])
    assert commands == {"a": "python3 a.py", "B-2_x": "./b --level=3"}
    assert command_of("bot:a", commands) == ("a", "python3 a.py")
    assert is_bot("bot:a")
    assert not is_bot("easy")
    assert (bot_time("0.5"), bot_time("60"), bot_time("1e-3")) == (0.5, 60.0, 0.001)
    for text, code in [
        ("a", "bad_bot"),
        ("", "bad_bot"),
        ("=x", "bad_bot_name"),
        ("a b=x", "bad_bot_name"),
        ("é=x", "bad_bot_name"),
        ("a\n=x", None),
        (f"{'a' * 41}=x", "bad_bot_name"),
        ("a=", "bad_bot_command"),
        ("a='", "bad_bot_command"),
    ]:
        if code is None:
            assert list(bot_commands([text])) == ["a"], "outer spaces do not count"
            continue
        with pytest.raises(CannotRead) as caught:
            bot_commands([text])
        assert caught.value.code == code, text
    with pytest.raises(CannotRead) as twice:
        bot_commands(["a=x", "a=y"])
    assert twice.value.code == "bot_twice"
    with pytest.raises(BadRuleSet) as undefined:
        command_of("bot:c", commands)
    assert undefined.value.code == "bot_undefined"
    for text in ("0", "-1", "x", "", "nan", "inf", "3601"):
        with pytest.raises(CannotRead) as bad:
            bot_time(text)
        assert bad.value.code == "bad_bot_time"


def test_commands_of_the_tests_survive_splitting() -> None:
    assert shlex.split(nasty("says", "a 'b' \"c\""))[-1] == "a 'b' \"c\""
