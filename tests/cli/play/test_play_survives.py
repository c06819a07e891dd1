"""``mia play`` under bad conditions: kills, full disks, closed pipes, poor terminals."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from mia_cli.records.record import read_record
from tests.cli.machine import MIA, environment, json_lines, run
from tests.cli.scripted import script
from tests.cli.terminal import OnTerminal

KILLS = 50


def match_files() -> list[Path]:
    found = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def test_kill_9_at_fifty_random_moments_loses_nothing_that_was_shown() -> None:
    rng = random.Random(50)
    told = script(1)
    lines = list(told.lines)
    process = None
    shown: list[str] = []
    typed = 0
    match_id = ""
    kills = 0
    while kills < KILLS:
        if process is None:
            words = ["--resume", match_id] if match_id else ["--seed", "1"]
            process = subprocess.Popen(
                [*MIA, "play", "--json", *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment(),
            )
            again = read_to_prompt(process)
            assert again[: len(shown)] == shown, "what was on the screen came back"
            shown = again
            match_id = match_id or str(json.loads(shown[0])["match"])
            typed = sum('"seat": 1' in line and is_decision(line) for line in shown)
        if typed == len(lines) or rng.random() < 0.6:
            # Kill in the middle: right after a line was typed, before or while it is answered.
            if typed < len(lines):
                send(process, lines[typed])
                time.sleep(rng.random() * 0.01)
            process.kill()
            shown += drain(process)
            process = None
            kills += 1
            if is_over(match_id):
                told, lines, shown, match_id = next_match(kills)
        else:
            send(process, lines[typed])
            typed += 1
            shown += read_to_prompt(process)
            if '"match_over"' in shown[-1]:
                process.wait()
                process = None
                told, lines, shown, match_id = next_match(kills)
    if process is not None:
        process.kill()
    for path in match_files():
        read_record(path)


def next_match(_kills: int) -> tuple[object, list[str], list[str], str]:
    """Begin again; the finished record has to be whole and the one the engine plays."""
    record = read_record(match_files()[-1])
    told = script(1)
    assert record.events == told.events
    match_files()[-1].unlink()
    return told, list(told.lines), [], ""


def is_over(match_id: str) -> bool:
    record = read_record(Path(os.environ["MIA_DATA_DIR"], "matches", f"{match_id}.json"))
    return record.winner is not None


def is_decision(line: str) -> bool:
    return json.loads(line)["event"] in ("claimed", "accepted", "challenged")


def send(process: subprocess.Popen[bytes], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
    process.stdin.flush()


def read_to_prompt(process: subprocess.Popen[bytes]) -> list[str]:
    """Lines up to the next prompt (left out) or the end of the match."""
    assert process.stdout is not None
    lines: list[str] = []
    for raw in process.stdout:
        line = raw.decode().rstrip("\n")
        if json.loads(line)["event"] == "prompt":
            return lines
        lines.append(line)
        if json.loads(line)["event"] == "match_over":
            return lines
    raise AssertionError("the program ended without a prompt")


def drain(process: subprocess.Popen[bytes]) -> list[str]:
    """Whole lines that were still on their way to the screen."""
    assert process.stdout is not None
    rest = process.stdout.read().decode()
    process.wait()
    lines = rest.split("\n")[:-1]
    return [line for line in lines if json.loads(line)["event"] != "prompt"]


def test_two_processes_that_finish_in_the_same_instant_lose_nothing() -> None:
    told = script(2)
    typed = "".join(f"{line}\n" for line in told.lines).encode()
    for _ in range(5):
        started = [
            subprocess.Popen(
                [*MIA, "play", "--seed", "2"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=environment(),
            )
            for _ in range(2)
        ]
        for process in started:
            assert process.stdin is not None
            process.stdin.write(typed)
            process.stdin.close()
        assert [process.wait(60) for process in started] == [0, 0]
    records = [read_record(path) for path in match_files()]
    assert len(records) == 10
    assert all(record.events == told.events for record in records)


def test_two_processes_with_one_match_do_not_undo_each_other() -> None:
    told = script(2)
    assert run("play", "--seed", "2").returncode == 3
    processes = [
        subprocess.Popen(
            [*MIA, "play", "--resume", "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        for _ in range(2)
    ]
    for process in processes:
        read_to_prompt(process)
    first, second = processes
    out, _ = first.communicate("".join(f"{line}\n" for line in told.lines).encode(), timeout=60)
    assert first.returncode == 0
    _, complaint = second.communicate(f"{told.lines[0]}\n".encode(), timeout=60)
    assert second.returncode == 4
    assert complaint.count(b"\n") == 1
    (path,) = match_files()
    assert read_record(path).events == told.events
    assert b"match_over" in out


@pytest.mark.parametrize("command", [(), ("--json",)])
def test_input_that_ends_at_once(command: tuple[str, ...]) -> None:
    result = run("play", "--seed", "3", *command)
    assert result.returncode == 3
    assert result.stderr == b""
    with Path(os.devnull).open("rb") as nothing:
        done = subprocess.run(
            [*MIA, "play", "--seed", "3"],
            stdin=nothing,
            capture_output=True,
            env=environment(),
            timeout=60,
            check=False,
        )
    assert done.returncode == 3
    closed = subprocess.run(
        f"exec {MIA[0]} -m mia_cli play --seed 3 <&-",
        shell=True,
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert closed.returncode == 3
    assert b"Traceback" not in closed.stderr


def unsavable(tmp_path: Path) -> list[dict[str, str]]:
    """Data folders in which nothing can be kept, root or not."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("in the way")
    return [
        {"MIA_DATA_DIR": str(in_the_way)},
        {"MIA_DATA_DIR": str(in_the_way / "deeper")},
        {"MIA_DATA_DIR": "/proc/mia"},
    ]


def test_a_match_that_cannot_be_saved_says_so_before_the_first_roll(tmp_path: Path) -> None:
    told = script(4)
    typed = "".join(f"{line}\n" for line in told.lines)
    for env in unsavable(tmp_path):
        done = run("play", "--seed", "4", typed=typed, env=env)
        assert done.returncode == 4
        assert done.stderr.startswith(b"mia: This match cannot be saved: ")
        assert done.stderr.count(b"\n") == 1
        assert b"match" in done.stdout
        assert run("rank", "55", "44", env=env).returncode == 0
        assert run("--help", env=env).returncode == 0
        left = run("play", "--seed", "4", env=env)
        assert left.returncode == 4
        assert b"lost" in left.stdout


def test_without_a_home_the_rest_still_works() -> None:
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": environment()["PYTHONPATH"]}
    for words in (["rank", "55", "44"], ["--help"], ["play", "--help"], ["rules", "list"]):
        done = subprocess.run(
            [*MIA, *words], capture_output=True, env=bare, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr


def test_a_disk_without_room_is_told_before_the_first_roll() -> None:
    def small_files() -> None:
        # Files may not grow beyond this; it stands for a disk that is full.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))

    done = subprocess.run(
        [*MIA, "play", "--seed", "5"],
        input=b"",
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
        preexec_fn=small_files,
    )
    assert done.returncode == 4
    assert done.stderr.startswith(b"mia: This match cannot be saved: ")
    assert list(Path(os.environ["MIA_DATA_DIR"], "matches").iterdir()) == []


def test_a_match_that_is_open_in_two_windows() -> None:
    run("play", "--seed", "4", "--players", "2")
    (path,) = match_files()
    windows = [
        subprocess.Popen(
            [*MIA, "play", "--resume"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        for _ in "12"
    ]
    for window in windows:
        assert window.stdout is not None
        said = b""
        while not said.endswith((b"? ", b": ")):  # a prompt: it has read the record
            said += window.stdout.read1(4096)
    first, second = (window.communicate(b"challenge\n64\n", timeout=60) for window in windows)
    found = path.read_bytes()
    assert windows[0].returncode == 3 and b"is saved. Go on with" in first[0]
    assert windows[1].returncode == 4
    assert b"was changed by another program" in second[1]
    assert second[1].count(b"\n") == 1
    assert b"is as another program left it" in second[0] and b"lost" not in second[0]
    assert run("play", "--resume").returncode == 3 and path.read_bytes() == found


def test_saving_that_fails_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from mia_cli.cli.app import app
    from mia_cli.records.store import MatchStore
    from mia_cli.rules.errors import Unwritable

    told = script(5)
    true_save, count = MatchStore.save, 0

    def failing(self: MatchStore, record: object) -> None:
        nonlocal count
        count += 1
        if 5 < count < until:
            raise Unwritable("cannot_write", file="x", reason="ENOSPC", detail="No space left")
        true_save(self, record)  # type: ignore[arg-type]

    until = 12
    monkeypatch.setattr(MatchStore, "save", failing)
    typed = "".join(f"{line}\n" for line in told.lines)
    result = CliRunner().invoke(app, ["play", "--seed", "5"], input=typed)
    assert result.exit_code == 0, "later saves worked again: the record is whole"
    assert result.stderr.count("\n") == 1
    assert "No space left" in result.stderr
    assert read_record(match_files()[-1]).events == told.events
    count, until = 0, 1000
    result = CliRunner().invoke(app, ["play", "--seed", "5"], input="".join(typed[:20]))
    assert result.exit_code == 4 and "is saved up to the action at which" in result.stdout
    assert read_record(match_files()[-1]).events


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TERM": "dumb", "COLUMNS": "20"},
        {"NO_COLOR": "1", "COLUMNS": "40"},
    ],
    ids=repr,
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_poor_streams(env: dict[str, str], language: str) -> None:
    told = script(6)
    typed = "".join(f"{line}\n" for line in ("help", "rank", "odds", "é", "★", *told.lines))
    words = ("--lang", language, "--name", "Zoé 名", "--seed", "6")
    done = run("play", *words, typed=typed, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    done.stdout.decode(env.get("PYTHONIOENCODING", "utf-8"))


def test_accents_in_an_old_encoding_are_understood() -> None:
    for typed in ("défier", "DÉFIER", "defier"):
        for encoding in ("utf-8", "cp1252"):
            words = ("play", "--json", "--seed", "1", "--first", "2")
            done = run(*words, typed=f"{typed}\n".encode(encoding), env={"MIA_LANG": "fr"})
            assert {"challenged"} <= {str(event["event"]) for event in json_lines(done.stdout)}


@pytest.mark.parametrize("buffered", [True, False])
def test_a_reader_that_goes_away_is_met_with_silence(buffered: bool) -> None:
    told = script(6)
    typed = "".join(f"{line}\n" for line in told.lines)
    env = environment({} if buffered else {"PYTHONUNBUFFERED": "1"})
    for words in ("play --seed 6", "play --seed 6 --json"):
        done = subprocess.run(
            f"{MIA[0]} -m mia_cli {words} | head -c 10",
            shell=True,
            input=typed.encode(),
            capture_output=True,
            env=env,
            timeout=60,
            check=False,
        )
        assert done.stderr == b""
        assert len(done.stdout) == 10


def test_ctrl_c_at_a_prompt_saves_and_says_how_to_go_on() -> None:
    match = OnTerminal("play", "--seed", "7")
    match.until(r"hallenge\? |\): ")
    match.type("\x03")
    said = match.until(r"--resume")
    assert match.end() == 130
    assert "is saved" in said
    assert "Traceback" not in match.plain
    told = script(7)
    done = run("play", "--resume", typed="".join(f"{line}\n" for line in told.lines))
    assert done.returncode == 0


def test_an_internal_error_tells_no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from mia_cli.cli.app import app
    from mia_cli.engine.policy import PolicyPlayer

    def broken(_self: object, seen: object, _uniform: float) -> None:
        raise KeyError(f"hidden {seen!r}")

    monkeypatch.setattr(PolicyPlayer, "claim", broken)
    result = CliRunner().invoke(app, ["play", "--seed", "1", "--first", "2"])
    assert result.exit_code == 70
    assert "internal error (KeyError)" in result.stderr
    assert "hidden" not in result.output
    assert "Roll(" not in result.output
