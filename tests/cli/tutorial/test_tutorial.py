"""``mia tutorial`` from outside: options, exit codes, files, streams, and what it leaves alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from mia_cli.cli.lines import LineSource
from mia_cli.rules.ruleset import RuleSet
from mia_cli.tutorial.lessons import LESSONS
from tests.cli.in_process import Ended, full
from tests.cli.machine import MIA, environment, run, typed_lines
from tests.cli.scripted import script
from tests.cli.terminal import OnTerminal
from tests.tutorial.classroom import RIGHT, WRONG, right_lines

SEED = 3


def all_lines(rules: RuleSet | None = None) -> list[str]:
    """Everything a perfect pupil types, both practice matches included."""
    rules = rules or RuleSet()
    matches = (script(SEED + at, cpus=("easy",), rules=rules).lines for at in (0, 1))
    return [*right_lines(rules), *(line for lines in matches for line in lines)]


def tutorial(*args: str, typed: list[str] | None = None) -> Ended:
    return full("tutorial", *args, typed=typed_lines(typed or []).encode())


def data_dir() -> Path:
    return Path(os.environ["MIA_DATA_DIR"])


def progress_file() -> Path:
    return data_dir() / "tutorial" / "progress.json"


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.json")}


PRESETS = {
    "standard": RuleSet(3, 1),
    "quick": RuleSet(2, 1),
    "long": RuleSet(5, 1),
    "mia-two": RuleSet(3, 2),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_whole_tutorial_with_all_answers_piped_at_once(preset):
    rules = PRESETS[preset]
    played = tutorial("--rules", preset, "--seed", str(SEED), typed=all_lines(rules))
    assert (played.code, played.err) == (0, "")
    assert played.out.count(" is done.\n") == len(LESSONS)
    price = "2 lives" if rules.penalty_21 == 2 else "1 life"
    assert f"Rules: preset {preset}, {rules.lives} lives, 21 costs {price}." in played.out
    assert f"(you {rules.lives}, Ada {rules.lives})" in played.out
    assert f"A claim of 21 costs the loser {price} under these rules." in played.out
    assert "For a match of your own, type: mia play" in played.out
    assert [path.name for path in data_dir().iterdir()] == ["tutorial"]
    again = tutorial()
    assert again.code == 0
    assert again.out.startswith("Welcome back.\n")


def test_the_environment_chooses_the_rules_and_the_option_wins(monkeypatch):
    monkeypatch.setenv("MIA_RULES", "mia-two")
    assert "Rules: preset mia-two, 3 lives, 21 costs 2 lives." in tutorial().out
    assert "Rules: preset long, 5 lives" in tutorial("--rules", "long").out
    monkeypatch.setenv("MIA_PLAYERS", "3")
    monkeypatch.setenv("MIA_CPU", "easy,hard,normal")
    assert tutorial().code == 3


def test_matches_and_statistics_do_not_see_the_tutorial_and_the_reverse():
    assert full("play", "--seed", "1", typed=b"43\nquit\n").code == 3
    played = full(
        "play",
        "--seed",
        "8",
        "--players",
        "2",
        "--cpu",
        "easy",
        typed=typed_lines(script(8, cpus=("easy",)).lines).encode(),
    )
    assert played.code == 0
    matches = data_dir() / "matches"
    before, stats = tree(matches), full("stats", "--json").out
    assert len(before) == 2
    assert tutorial("--seed", str(SEED), typed=all_lines()).code == 0
    assert tree(matches) == before
    assert full("stats", "--json").out == stats
    assert json.loads(stats)["matches"] == 2
    lessons = tree(data_dir() / "tutorial")
    listed = tutorial("--list", "--json").out
    assert full("play", "--seed", "2", typed=b"43\nquit\n").code == 3
    assert full("play", "--resume", typed=b"quit\n").code == 3
    assert tree(data_dir() / "tutorial") == lessons
    assert tutorial("--list", "--json").out == listed


def test_stats_do_not_read_a_tutorial_that_lies_among_the_matches():
    assert tutorial(typed=["64"]).code == 3
    found = full("stats", "--json")
    assert json.loads(found.out)["matches"] == 0


def test_leaving_says_how_to_go_on_and_the_exit_code_tells_how_it_was_left():
    left = tutorial(typed=["64", "quit"])
    assert (left.code, left.err) == (0, "")
    assert left.out.endswith("Your place is kept. Go on with: mia tutorial\n")
    ended = tutorial(typed=["62"])
    assert ended.code == 3
    assert "Lesson 1 of 8: Reading a roll, step 2 of 5" in ended.out
    assert "Lesson 1 of 8: Reading a roll, step 3 of 5" in tutorial().out


def test_the_list(isolated):
    assert not list(isolated.glob("data/*"))
    fresh = tutorial("--list")
    assert fresh.code == 0
    assert fresh.out.count("not begun") == 8
    assert not list(isolated.glob("data/*"))
    first = [line for key, typed in RIGHT.items() if key.startswith("rolls/") for line in typed]
    tutorial(typed=[*first, "54"])
    listed = tutorial("--list").out.splitlines()
    assert [line.split("  ")[-1].strip() for line in listed[1:4]] == [
        "done",
        "step 2 of 4",
        "not begun",
    ]
    assert max(map(len, listed)) <= 40
    found = json.loads(tutorial("--list", "--json", "--lang", "fr").out)
    assert found["schema"] == "mia.lessons/1"
    assert found["next"] == "claims"
    assert found["lessons"][0] == {
        "lesson": 1,
        "id": "rolls",
        "title": "Reading a roll",
        "done": True,
        "step": None,
        "steps": 5,
    }
    assert (found["lessons"][1]["step"], found["lessons"][1]["done"]) == (2, False)
    tutorial("--lesson", "1")
    assert "done; step 1 of 5" in tutorial("--list").out


@pytest.mark.parametrize("chosen", ["5", " 5", "mia", "MIA"])
def test_one_lesson(chosen):
    lines = [line for key, typed in RIGHT.items() if key.startswith("mia/") for line in typed]
    played = tutorial("--lesson", chosen, typed=lines)
    assert played.code == 0
    assert played.out.count("Lesson 5 ") == 2
    assert played.out.endswith("Go on with: mia tutorial\n")
    assert "Lesson 1 of 8: Reading a roll\n" in tutorial().out


def test_restart():
    tutorial("--lesson", "5", typed=["c", "21"])
    again = tutorial("--restart", typed=["64"])
    assert "Learn Mia by playing" in again.out
    assert "Lesson 1 of 8: Reading a roll\n" in again.out
    assert tutorial("--list").out.count("not begun") == 7
    tutorial("--restart", "--lesson", "2")
    assert "step 1 of 4" in tutorial("--list").out


BAD = [
    *(("--lesson", value) for value in ("0", "9", "x", "", "-1", "1.5", "²", "1 2")),
    *(("--list", "--lesson", "1"), ("--list", "--restart"), ("--json",), ("--seed", "x")),
    *(("--rules", "nosuch"), ("stray",), ("--lesson",), ("--nonsense",)),
]


@pytest.mark.parametrize("args", BAD, ids=" ".join)
def test_bad_input_is_one_line_and_changes_nothing(args):
    refused = tutorial(*args, typed=["64"])
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("\n") == 1
    assert refused.err.startswith("mia: ")
    assert not progress_file().exists()


def test_a_lesson_out_of_range_names_what_there_is():
    assert tutorial("--lesson", "9").err == (
        "mia: “9” is not allowed for --lesson: use 1, 2, 3, 4, 5, 6, 7, 8.\n"
    )


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema": "mia.match/1"}', b"\xff"])
def test_a_damaged_file_is_reported_set_aside_and_the_tutorial_runs(data):
    progress_file().parent.mkdir(parents=True)
    progress_file().write_bytes(data)
    listed = tutorial("--list")
    assert listed.code == 4
    assert str(progress_file()) in listed.err
    assert listed.out.count("not begun") == 8
    assert progress_file().read_bytes() == data
    played = tutorial(typed=["64"])
    assert played.code == 3
    assert played.err.count("\n") == 1
    assert str(progress_file()) in played.err
    assert "progress.damaged-1.json" in played.err
    assert (progress_file().parent / "progress.damaged-1.json").read_bytes() == data
    assert tutorial().err == ""


@pytest.mark.parametrize("args", [(), ("--list",), ("--restart",), ("--lesson", "2")], ids=str)
def test_a_newer_schema_is_refused_and_untouched(args):
    data = b'{"schema": "mia.tutorial/2", "lessons": "elsewhere"}'
    progress_file().parent.mkdir(parents=True)
    progress_file().write_bytes(data)
    refused = tutorial(*args, typed=["64"])
    assert refused.code == 4
    assert "newer version (mia.tutorial/2)" in refused.err
    assert tree(data_dir()) == {"tutorial/progress.json": data}


def test_a_data_folder_that_cannot_be_used_is_said_once(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path / "file" / "data"))
    played = tutorial("--seed", str(SEED), typed=all_lines())
    assert played.code == 4
    assert played.err.count("\n") == 1
    assert "The tutorial goes on without." in played.err
    assert played.out.count(" is done.\n") == len(LESSONS)
    left = tutorial(typed=["quit"])
    assert left.out.endswith("Your place could not be kept.\n")


def test_a_folder_that_vanishes_in_the_middle_is_said_once(monkeypatch):
    # The answer that is typed third puts a file in the place of the folder.
    lines = iter([*right_lines()[:8], "quit"])
    count = iter(range(100))

    def read(_source):
        if next(count) == 2:
            progress_file().unlink()
            progress_file().parent.rmdir()
            progress_file().parent.write_text("")
        return next(lines)

    monkeypatch.setattr(LineSource, "read", read)
    played = tutorial()
    assert played.code == 4
    assert played.err.count("\n") == 1


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TERM": "dumb", "COLUMNS": "40", "NO_COLOR": "1"},
    ],
    ids=str,
)
def test_any_stream(env):
    typed = [*right_lines(), "é", "quit"]
    ended = run("tutorial", "--color", "auto", "--seed", "3", typed=typed_lines(typed), env=env)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.count(b" is done.") == 7
    assert b"\x1b" not in ended.stdout
    plain = ended.stdout.replace("♥".encode(), b"*").replace("♡".encode(), b"-")
    assert b"Ada loses a life: **-." in plain


def test_colour_carries_nothing():
    typed = [*right_lines(), "quit"]
    plain = tutorial("--seed", "3", typed=typed).out
    progress_file().unlink()
    coloured = tutorial("--color", "always", "--seed", "3", typed=typed).out
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def wait_for(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    assert process.stdout is not None
    seen = b""
    while text not in seen:
        piece = os.read(process.stdout.fileno(), 4096)
        assert piece, seen
        seen += piece
    return seen


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)], ids=str
)
@pytest.mark.parametrize("where", ["question", "scene", "practice"])
def test_killed_or_interrupted_it_goes_on_at_the_same_step(how, code, where):
    rules = right_lines()
    lines = {
        "question": rules[:3],
        "scene": rules[: rules.index("65")],
        "practice": [*rules, *script(SEED, cpus=("easy",)).lines[:3]],
    }[where]
    prompts = {
        "question": b"Which ranks higher, 66 or 21? ",
        "scene": b"Claim higher than 64: ",
        "practice": b"",
    }
    process = subprocess.Popen(
        [*MIA, "tutorial", "--seed", str(SEED)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    process.stdin.write(typed_lines(lines).encode())
    process.stdin.flush()
    wait_for(process, b"Lesson 8 of 8" if where == "practice" else prompts[where])
    if where == "practice":
        deadline = time.monotonic() + 20
        while len(practice_decisions()) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
    process.send_signal(how)
    _out, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert err == b""
    before, decisions = progress_file().read_bytes(), practice_decisions()
    again = tutorial("--seed", str(SEED))
    assert again.code == 3
    expected = {
        "question": "Lesson 1 of 8: Reading a roll, step 4 of 5",
        "scene": "Lesson 3 of 8: Accept or challenge, step 3 of 4",
        "practice": "The match goes on.",
    }[where]
    assert expected in again.out
    if where == "practice":
        # The opponent's own move may have been cut off; the person's are all there.
        assert len(decisions) >= 3
        assert practice_decisions()[: len(decisions)] == decisions
    else:
        assert progress_file().read_bytes() == before


def practice_decisions() -> list[str]:
    try:
        practice = json.loads(progress_file().read_bytes())["practice"]
    except (OSError, ValueError):
        return []
    return practice["decisions"] if practice else []


def test_help_names_every_option_and_fits():
    shown = full("tutorial", "--help").out
    for option in ("--list", "--lesson", "--restart", "--rules", "--seed", "--json"):
        assert option in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "tutorial" in full("--help").out


def test_wrong_answers_all_the_way_still_end():
    typed = []
    for lesson in LESSONS:
        keys = [key for key in RIGHT if key.startswith(f"{lesson.id}/")]
        for key in keys:
            typed += [WRONG[key]] * 2 if key in WRONG else RIGHT[key]
        typed += [WRONG[key] for key in keys if key in WRONG for _ in range(2)]
    played = tutorial(typed=[*typed, "skip", "skip"])
    assert played.code == 0
    assert played.out.count("The answer is: ") == 2 * len(WRONG)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("lesson", "prompt"),
    [
        # Several times: whether the signal comes before the wait is a matter of luck.
        *[("rolls", r"called\? ")] * 8,
        ("claims", r"Claim anything"),
        ("practice", r"Claim|hallenge\? "),
    ],
)
def test_ctrl_c_on_a_terminal_ends_it_at_once(lesson, prompt):
    shown = OnTerminal("tutorial", "--lesson", lesson, "--seed", "3")
    shown.until(prompt)
    before = time.monotonic()
    shown.type("\x03")  # as soon as the prompt is there: the program may not be waiting yet
    shown.until("Go on with: mia tutorial")
    assert shown.end() == 130
    assert time.monotonic() - before < 10
