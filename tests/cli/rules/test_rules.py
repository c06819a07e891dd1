"""``mia rules``: list, show, new, check, as text and as JSON."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from mia_cli import presets
from mia_cli.presets import folders
from mia_cli.rules.ruleset import RuleSet
from tests.cli.in_process import Ended, full
from tests.cli.machine import run

SHIPPED = {"standard": (3, 1), "quick": (2, 1), "long": (5, 1), "mia-two": (3, 2)}


@pytest.fixture
def own(isolated: Path) -> Path:
    """The folder of the user's presets."""
    folder = isolated / "config" / "rulesets"
    folder.mkdir(parents=True)
    return folder


def test_list_shows_what_ships_and_what_is_the_users(own):
    (own / "mine.toml").write_text(
        'lives = 5\npenalty_21 = 2\nplayers = 2\ncpu = "shark"\ndescription = "Duel"\n', "utf-8"
    )
    ended = full("rules", "list")
    assert (ended.code, ended.err) == (0, "")
    head, *rows = ended.out.splitlines()
    assert head.replace("21 costs", "Cost").split() == [
        *("Preset", "Lives", "Cost", "Players", "CPU", "Source", "Description")
    ]
    shown = {row.split()[0]: tuple(map(int, row.split()[1:3])) for row in rows}
    assert shown == {**SHIPPED, "mine": (5, 2)}
    assert rows[-1].split() == ["mine", "5", "2", "2", "shark", "own", "Duel"]


def test_list_as_json(own):
    (own / "mine.toml").write_text("lives = 2\npenalty_21 = 1\ncpu = ['easy', 'bot:x']\n", "utf-8")
    (own / "bad.toml").write_text("lives = 4\npenalty_21 = 1\n", "utf-8")
    ended = full("rules", "list", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert full("--lang", "fr", "rules", "list", "--json") == ended
    listed = json.loads(ended.out)
    assert listed["schema"] == "mia.rulesets/1"
    entries = {entry["name"]: entry for entry in listed["rulesets"]}
    assert set(entries) == {*SHIPPED, "mine", "bad"}
    for name, (lives, penalty) in SHIPPED.items():
        entry = entries[name]
        assert (entry["source"], entry["lives"], entry["penalty_21"]) == ("shipped", lives, penalty)
    assert entries["mine"] == {
        "name": "mine",
        "source": "user",
        "path": str(own / "mine.toml"),
        "lives": 2,
        "penalty_21": 1,
        "players": None,
        "cpu": ["easy", "bot:x"],
        "description": "",
    }
    assert entries["bad"]["errors"] == [
        f"{own / 'bad.toml'}:1: lives = 4 is not allowed: use 2, 3, 5."
    ]


def test_a_damaged_preset_is_listed_with_its_problems_and_stops_nothing(own):
    (own / "good.toml").write_text("lives = 2\npenalty_21 = 1\n", "utf-8")
    (own / "bad.toml").write_text("lifes = 3\n", "utf-8")
    (own / "standard.toml").write_text("lives = 2\npenalty_21 = 1\n", "utf-8")
    ended = full("rules", "list")
    assert (ended.code, ended.err) == (0, "")
    names = [line.split()[0] for line in ended.out.splitlines()[1:]]
    assert names == [*sorted(SHIPPED), "good", "bad", "standard"]
    bad = next(line for line in ended.out.splitlines() if line.startswith("bad "))
    assert "bad.toml:1" in bad
    assert "lifes" in bad
    assert "penalty_21" in bad


def test_a_folder_that_cannot_be_read_stops_nothing(own, monkeypatch):
    def unreadable(folder):
        if Path(folder) == own:
            raise PermissionError(13, "Permission denied", str(folder))
        return real(folder)

    real = folders.os.listdir
    monkeypatch.setattr(folders.os, "listdir", unreadable)
    ended = full("rules", "list")
    assert ended.code == 0
    assert len(ended.out.splitlines()) == 1 + len(SHIPPED)
    assert ended.err == f"mia: {own} cannot be read: Permission denied.\n"
    assert full("rules", "show", "quick").code == 0


def test_what_show_prints_is_a_preset(own, tmp_path):
    (own / "mine.toml").write_text(
        'lives = 5\npenalty_21 = 2\nplayers = 3\ncpu = ["easy", "hard"]\n', "utf-8"
    )
    for name in (*SHIPPED, "mine", str(own / "mine.toml")):
        for language in ("en", "fr"):
            ended = full("--lang", language, "rules", "show", name)
            assert (ended.code, ended.err) == (0, "")
            copy = tmp_path / "copy.toml"
            copy.write_text(ended.out, "utf-8")
            read, original = presets.load(str(copy)), presets.load(name)
            assert (read.rules, read.players, read.cpus) == (
                original.rules,
                original.players,
                original.cpus,
            )
            assert ended.out.startswith("# ")


def test_show_as_json(own):
    path = own / "mine.toml"
    path.write_text("lives = 5\npenalty_21 = 2\n", "utf-8")
    for name, source in (("mine", "user"), (str(path), "file"), ("long", "shipped")):
        shown = json.loads(full("rules", "show", name, "--json").out)
        assert shown["schema"] == "mia.ruleset/1"
        assert shown["lives"] == 5
        assert shown["source"] == source


def test_new_writes_what_was_asked_for_and_says_where(own):
    ended = full(
        *("rules", "new", "crowd", "--lives", "2", "--penalty-21", "2", "--players", "4"),
        *("--cpu", "EASY", "--cpu", "hard", "--cpu", "bot:Mine", "--description", "So many"),
    )
    path = own / "crowd.toml"
    assert ended == Ended(0, f"{path}\nPlay with it: mia play --rules crowd\n", "")
    assert tomllib.loads(path.read_text("utf-8")) == {
        "lives": 2,
        "penalty_21": 2,
        "players": 4,
        "cpu": ["easy", "hard", "bot:Mine"],
        "description": "So many",
    }
    assert full("rules", "check", "crowd").code == 0


def test_new_never_replaces_a_preset_unless_told_to(own):
    assert full("rules", "new", "mine").code == 0
    before = (own / "mine.toml").read_bytes()
    refused = full("rules", "new", "mine", "--lives", "5")
    assert refused.code == 2
    assert str(own / "mine.toml") in refused.err
    assert "--force" in refused.err
    assert (own / "mine.toml").read_bytes() == before
    assert full("rules", "new", "mine", "--lives", "5", "--force").code == 0
    assert presets.load("mine").rules == RuleSet(5, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("standard",), "“standard”"),
        (("standard", "--force"), "“standard”"),
        (("../../x",), "“../../x”"),
        (("",), "“”"),
        (("mine", "--lives", "4"), "--lives"),
        (("mine", "--lives", "two"), "“two”"),
        (("mine", "--penalty-21", "3"), "--penalty-21"),
        (("mine", "--players", "1"), "--players"),
        (("mine", "--cpu", "hardest"), "“hardest”"),
        (("mine", "--players", "4", "--cpu", "easy", "--cpu", "easy"), "--cpu: 2 levels"),
        (("mine", "--description", "two\nlines"), "one line"),
        (("mine", "--description", "x" * 201), "200"),
        ((), "NAME"),
        (("a", "b"), "b"),
    ],
)
def test_what_new_refuses(words, said, own):
    ended = full("rules", "new", *words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert said in ended.err
    assert list(own.iterdir()) == []


def test_check_says_fine_or_every_problem_of_every_file(own, tmp_path):
    good, bad, worse = (tmp_path / name for name in ("good.toml", "bad.toml", "worse"))
    good.write_text("lives = 2\npenalty_21 = 1\n", "utf-8")
    bad.write_text("lives = 4\npenalty_21 = '1'\nlight = 1\n", "utf-8")
    worse.write_bytes(b"\xff\xfe")
    fine = full("rules", "check", str(good), "quick")
    assert (fine.code, fine.err) == (0, "")
    assert [line.split(": fine")[0] for line in fine.out.splitlines()] == [
        str(good),
        str(folders.shipped_folder() / "quick.toml"),
    ]
    ended = full("rules", "check", str(bad), str(good), str(worse))
    assert ended.code == 2
    assert ended.out == fine.out.splitlines(keepends=True)[0]
    lines = ended.err.splitlines()
    assert [line.split(": ")[1] for line in lines] == [
        f"{bad}:1",
        f"{bad}:2",
        f"{bad}:3",
        str(worse),
    ]
    assert '"1"' in lines[1]


def test_exit_codes_of_check(tmp_path, monkeypatch):
    bad = tmp_path / "bad.toml"
    bad.write_text("", "utf-8")
    missing = str(tmp_path / "missing.toml")
    for refused in (missing, str(bad), str(tmp_path), "nope", f"{bad}/x.toml"):
        for command in ("check", "show"):
            ended = full("rules", command, refused)
            assert (ended.code, ended.out) == (2, ""), refused
            assert ended.err.count("\n") == 1
            assert refused in ended.err
    assert full("rules", "check").code == 2
    assert full("rules", "nope").code == 2

    def unreadable(path, *how, **more):
        if Path(path).name == "locked.toml":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *how, **more)

    real = os.open
    monkeypatch.setattr(os, "open", unreadable)
    locked = str(tmp_path / "locked.toml")
    for words in (("show", locked), ("check", locked), ("check", "quick", locked)):
        ended = full("rules", *words)
        assert ended.code == 4
        assert ended.err == f"mia: {locked} cannot be read: Permission denied.\n"
    assert full("rules", "check", locked, str(bad)).code == 2


HOSTILE = "\x1b[31mred\x1b[0m \u202e\u2066 [bold]x[/bold] {0} %s \x07 é 🎲"


def test_text_from_files_is_printed_literally(own, monkeypatch):
    presets.write(presets.Preset("mine", RuleSet(), description=HOSTILE))
    for words in (("rules", "list"), ("rules", "show", "mine")):
        for color in ("never", "always"):
            ended = full("--color", color, *words)
            assert ended.code == 0
            assert "\x1b" not in ended.out
            assert "\u202e" not in ended.out
            assert "\x07" not in ended.out
            assert "[bold]x[/bold] {0} %s" in ended.out
            assert "é 🎲" in ended.out
    hostile = own / "\x1b[31m.toml"
    hostile.write_text("lives = 9", "utf-8")
    for words in (
        ("rules", "list"),
        ("rules", "check", str(hostile)),
        ("rules", "show", str(hostile)),
    ):
        ended = full(*words)
        assert "\x1b" not in ended.out + ended.err
        assert "\\x1b[31m.toml" in ended.out + ended.err


def test_wide_characters_keep_the_columns_straight(own):
    presets.write(presets.Preset("wide", RuleSet(), cpus=("bot:x",), description="骰子 游戏"))
    presets.write(presets.Preset("narrow", RuleSet(), description="x"))
    rows = full("rules", "list").out.splitlines()
    at = rows[0].index("Description")
    assert rows[-1][at:] == "骰子 游戏"
    assert rows[-2][at:] == "x"


def test_descriptions_that_ship_are_translated_and_others_are_not(own):
    presets.write(presets.Preset("mine", RuleSet(), description="A long match"))
    out = full("--lang", "fr", "rules", "list").out
    assert "Une partie longue" in out
    assert out.count("A long match") == 1


def test_without_a_home(monkeypatch):
    ended = run(
        *("rules", "list"),
        env={"HOME": "", "MIA_CONFIG_DIR": "", "XDG_CONFIG_HOME": "", "MIA_DATA_DIR": ""},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert len(ended.stdout.splitlines()) == 1 + len(SHIPPED)
