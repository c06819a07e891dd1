"""Presets: what a file may say, where files are, and which of several values wins."""

from __future__ import annotations

import os
import re
import threading
import time
import tomllib
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli import presets
from mia_cli.players.names import LEVELS
from mia_cli.presets import codec, folders
from mia_cli.rules.errors import BadRuleSet, MiaError, Unwritable
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet
from mia_cli.text.errors.sentences import sentence
from tests.cli.in_process import full

GOOD = "lives = 3\npenalty_21 = 1\n"
NO_OPTIONS = {"rules": None, "lives": None, "penalty_21": None, "players": None, "cpus": ()}


def settle(environ=(), **options):
    return presets.resolve(dict(environ), **{**NO_OPTIONS, **options})


def file_with(folder: Path, text: str | bytes, name: str = "some.toml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def problems_of(text: str | bytes) -> list[MiaError]:
    data = text.encode() if isinstance(text, str) else text
    found = codec.decode(data, "some", Path("some.toml"))
    return [] if isinstance(found, presets.Preset) else list(found)


# What ships.


def test_the_presets_that_ship_are_those_of_the_rules():
    values = {
        entry.name: entry.preset and (entry.preset.rules.lives, entry.preset.rules.penalty_21)
        for entry in presets.shipped()
    }
    assert values == {"standard": (3, 1), "quick": (2, 1), "long": (5, 1), "mia-two": (3, 2)}
    for entry in presets.shipped():
        first, *_others = entry.path.read_text("utf-8").splitlines()
        assert first.startswith("# "), "each explains itself"
        assert presets.load_named(entry.name) == entry.preset
        assert entry.preset is not None
        assert entry.preset.description


# What a file may say.


@given(
    st.builds(
        presets.Preset,
        name=st.just("some"),
        rules=st.builds(
            RuleSet, lives=st.sampled_from(LIVES), penalty_21=st.sampled_from(PENALTIES)
        ),
        players=st.none() | st.sampled_from(SEATS),
        cpus=st.none() | st.sampled_from([*LEVELS, "bot:x", "bot:My_bot-2.1"]).map(lambda x: (x,)),
        description=st.text(max_size=60).filter(lambda text: len(text.splitlines()) <= 1),
        path=st.just(Path("some.toml")),
    )
)
def test_a_preset_survives_being_written_and_read(preset):
    assert codec.decode(codec.encode(preset).encode(), "some", Path("some.toml")) == preset


@pytest.mark.parametrize("seats", SEATS)
def test_one_level_per_cpu_seat(seats):
    levels = [LEVELS[index % 5] for index in range(seats - 1)]
    for players in ("", f"players = {seats}\n"):
        text = f"{GOOD}{players}cpu = {levels}\n".replace("'", '"')
        found = codec.decode(text.encode(), "some", Path("x"))
        assert isinstance(found, presets.Preset)
        assert found.cpus == tuple(levels)


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n").encode()]
)
def test_a_byte_order_mark_and_foreign_line_ends_are_no_problem(data):
    assert problems_of(data) == []


# text, code, and what the sentence about it has to say
REFUSED = [
    (GOOD + "live = 3\n", "preset_misspelt_key", ["some.toml:3", "“live”", "lives"]),
    (GOOD + "Lives = 3\n", "preset_misspelt_key", ["“Lives”", "mean lives?"]),
    (GOOD + "penalty-21 = 1\n", "preset_misspelt_key", ["penalty-21", "mean penalty_21?"]),
    (GOOD + "colour = 1\n", "preset_unknown_key", ["“colour”", *codec.KEYS]),
    ('lives = "3"\npenalty_21 = 1', "preset_value", ["some.toml:1", 'lives = "3"', "2, 3, 5"]),
    ("penalty_21 = 1\nlives = 3.0", "preset_value", ["some.toml:2", "lives = 3.0", "2, 3, 5"]),
    ("lives = true\npenalty_21 = 1", "preset_value", ["lives = true", "2, 3, 5"]),
    ("lives = 4\npenalty_21 = 1", "preset_value", ["lives = 4", "2, 3, 5"]),
    ("lives = -3\npenalty_21 = 1", "preset_value", ["lives = -3"]),
    ("lives = [3]\npenalty_21 = 1", "preset_value", ["lives = [3]"]),
    ("lives = 2026-01-01\npenalty_21 = 1", "preset_value", ["2026-01-01"]),
    ("lives = 3\npenalty_21 = 0", "preset_value", ["penalty_21 = 0", "1, 2"]),
    ("lives = 3\npenalty_21 = nan", "preset_value", ["penalty_21 = nan", "1, 2"]),
    (GOOD + "players = 1", "preset_value", ["players = 1", "2, 3, 4, 5, 6"]),
    (GOOD + "players = 7", "preset_value", ["players = 7"]),
    (GOOD + 'cpu = "hardest"', "preset_value", ['cpu = "hardest"', "easy", "bot:NAME"]),
    (GOOD + 'cpu = "Easy"', "preset_value", ['cpu = "Easy"']),
    (GOOD + 'cpu = "bot:"', "preset_value", ['cpu = "bot:"']),
    (GOOD + "cpu = 3", "preset_value", ["cpu = 3"]),
    (GOOD + "cpu = []", "preset_value", ["cpu = []"]),
    (GOOD + 'cpu = ["easy", 1]', "preset_value", ["cpu = 1"]),
    (GOOD + 'players = 2\ncpu = ["easy", "hard"]', "preset_cpu_count", ["lists 2", "2 players"]),
    (GOOD + f"cpu = {['easy'] * 6}", "preset_cpu_many", ["lists 6", "at most 5"]),
    (GOOD + "description = 3", "preset_description", ["description = 3", "200"]),
    (GOOD + 'description = "a\\nb"', "preset_description", ["one line"]),
    (GOOD + f'description = "{"x" * 201}"', "preset_description", ["200"]),
    ("[rules]\nlives = 3\npenalty_21 = 1", "preset_table", ["some.toml:1", "“rules”"]),
    ("[lives]\nvalue = 3", "preset_value", ["some.toml:1", "lives = {value = 3}"]),
    (GOOD + "[cpu]\nseat = 1", "preset_value", ["some.toml:3", "cpu"]),
    (GOOD + "rules.lives = 3", "preset_table", ["“rules”"]),
    ("lives = 3", "preset_missing_key", ["penalty_21", "1, 2"]),
    ("penalty_21 = 1", "preset_missing_key", ["lives", "2, 3, 5"]),
    ("", "preset_empty", ["empty", "lives", "penalty_21"]),
    ("  \n\t\n", "preset_empty", ["empty"]),
    ("# nothing\n", "preset_missing_key", ["lives"]),
    ("lives = \n", "preset_not_toml", ["some.toml:1:9: not TOML: Invalid value."]),
    ("lives = 3\nlives = 3\n", "preset_not_toml", ["some.toml:2:10: not TOML"]),
    ('{"lives": 3}', "preset_not_toml", ["not TOML"]),
    ("lives: 3\npenalty_21: 1\n", "preset_not_toml", ["not TOML"]),
    ("a = " + "[" * 5000, "preset_not_toml", ["not TOML"]),
    (GOOD.encode("utf-16"), "preset_not_utf8", ["UTF-8"]),
    (GOOD.encode("utf-16-le"), "preset_not_utf8", ["UTF-8"]),
    (b"\xff\xfe\x00", "preset_not_utf8", ["UTF-8"]),
    ("lives = 3 # é".encode("latin-1"), "preset_not_utf8", ["UTF-8"]),
]


@pytest.mark.parametrize(("text", "code", "said"), REFUSED)
def test_what_a_file_may_not_say(text, code, said):
    problems = problems_of(text)
    assert code in [problem.code for problem in problems]
    about = next(sentence(problem) for problem in problems if problem.code == code)
    assert about.startswith("some.toml")
    assert about.isprintable()
    for part in said:
        assert part in about


ODD_TEXTS = [
    "lives 3",
    'a = """\n\n\\q"""',
    "x = 2026-13-45",
    "lives = [1,\n2",
    "[lives]\n[lives]",
    "[a]\n[a.b]\n[a.b]",
    "".join(f"{'k' * 90}{n}." for n in range(9)) + "a = 1\n",
    "é\u202e = 3",
]


@pytest.mark.parametrize("before", ["", GOOD, GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD])
@pytest.mark.parametrize("odd", ODD_TEXTS)
def test_what_is_not_toml_keeps_its_line_and_column(before, odd):
    """However long what the reader says of it is."""
    text = before + odd * (2 if "kkk" in odd else 1)
    (problem,) = problems_of(text)
    with pytest.raises(tomllib.TOMLDecodeError) as said:
        tomllib.loads(text.removeprefix("\ufeff"))
    place = re.search(r"line (\d+), column (\d+)\)$", str(said.value))
    spot = place.expand(r"\1:\2") if place else str(text.count("\n") + 1)
    told = sentence(problem)
    assert told.startswith(f"some.toml:{spot}: not TOML: ")
    assert "(at " not in told
    assert len(told) < 120


def test_every_problem_of_a_file_is_found():
    text = "[table]\nlives = 3\n[other]\nx = 1\n"
    codes = [
        problem.code
        for problem in problems_of("lifes = 3\nplayers = 9\ncpu = [1, 'easy']\n" + text)
    ]
    assert codes == [
        "preset_misspelt_key",
        "preset_value",
        "preset_value",
        "preset_table",
        "preset_unknown_key",
        "preset_missing_key",
        "preset_missing_key",
    ]


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_no_file_breaks_the_reader(data):
    found = codec.decode(data, "some", Path("some.toml"))
    if not isinstance(found, presets.Preset):
        assert found
        for problem in found:
            assert sentence(problem).isprintable()


@given(
    st.dictionaries(
        st.sampled_from([*codec.KEYS, "live", "x", "a b", "ä"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(max_size=3), inner, max_size=2)
            ),
            max_leaves=4,
        ).filter(lambda value: "None" not in repr(value)),
    )
)
def test_a_file_with_any_value_is_a_preset_only_when_every_value_is_allowed(table):
    import tomli_w

    data = tomli_w.dumps(table).encode()
    found = codec.decode(data, "some", Path("some.toml"))
    if isinstance(found, presets.Preset):
        read = tomllib.loads(data.decode())
        assert set(read) <= set(codec.KEYS)
        assert type(read["lives"]) is int
        assert read["lives"] in LIVES
        assert type(read["penalty_21"]) is int
        assert read["penalty_21"] in PENALTIES


# Where files are.


def test_a_name_a_file_and_neither(tmp_path, isolated, monkeypatch):
    own = isolated / "config" / "rulesets"
    own.mkdir(parents=True)
    file_with(own, "lives = 5\npenalty_21 = 2\n", "mine.toml")
    assert presets.load("mine").rules == RuleSet(5, 2)
    path = file_with(tmp_path, GOOD, "table.toml")
    assert presets.load(str(path)).name == "table"
    assert presets.load(str(path)).path == path
    for name in ("nope", "", "..", "Standard", "a b", "x" * 500, "MINE"):
        with pytest.raises(BadRuleSet) as refused:
            presets.load(name, place="MIA_RULES")
        assert refused.value.code == "preset_unknown"
        said = sentence(refused.value)
        assert said.startswith("MIA_RULES: ")
        assert "long, mia-two, quick, standard, mine" in said
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    for name in ("../../x", f"{inside}/nope", "nope.toml", "./standard"):
        with pytest.raises(BadRuleSet) as missing:
            presets.load(name)
        assert missing.value.code == "preset_no_file"
        assert name.removeprefix("./") in sentence(missing.value)


def test_things_that_are_no_files(tmp_path):
    with pytest.raises(BadRuleSet) as folder:
        presets.load(f"{tmp_path}/")
    assert folder.value.code == "preset_is_folder"
    with pytest.raises(BadRuleSet) as large:
        presets.load(str(file_with(tmp_path, GOOD + "#" * 100_000)))
    assert large.value.code == "preset_too_large"
    with pytest.raises(BadRuleSet) as endless:
        presets.load("/dev/zero")
    assert endless.value.code == "preset_not_a_file"
    with pytest.raises(Unwritable):
        presets.load("with\0nul.toml")


def test_damaged_files_of_the_user_do_not_hide_the_others(isolated):
    own = isolated / "config" / "rulesets"
    own.mkdir(parents=True)
    file_with(own, GOOD, "good.toml")
    file_with(own, "lives = 4", "bad.toml")
    file_with(own, GOOD, "standard.toml")
    file_with(own, GOOD, "Not A Name.toml")
    file_with(own, b"\xff", ".hidden.toml")
    file_with(own, "x", "notes.txt")
    (own / "folder.toml").mkdir()
    entries = {entry.name: [p.code for p in entry.problems] for entry in presets.users()}
    assert entries == {
        "good": [],
        "bad": ["preset_value", "preset_missing_key"],
        "standard": ["preset_reserved"],
        "Not A Name": ["preset_name"],
        "folder": ["preset_is_folder"],
    }
    assert presets.load_named("standard").path != own / "standard.toml"


def test_where_the_folder_of_the_user_is(monkeypatch, isolated):
    assert presets.users_folder() == isolated / "config" / "rulesets"
    monkeypatch.chdir(isolated)
    for chosen in ("config", "~/config"):
        monkeypatch.setenv("MIA_CONFIG_DIR", chosen)
        assert presets.users_folder() == isolated / "config" / "rulesets"
    monkeypatch.delenv("MIA_CONFIG_DIR")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(isolated / "xdg"))
    assert presets.users_folder() == isolated / "xdg" / "mia" / "rulesets"
    assert presets.users() == ()
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert presets.users_folder() is None
    assert presets.users() == ()
    assert settle().preset == "standard"
    with pytest.raises(BadRuleSet):
        presets.load_named("mine")
    with pytest.raises(Unwritable) as refused:
        presets.write(presets.Preset("mine", RuleSet()))
    assert refused.value.code == "no_config_folder"


def test_a_file_in_the_place_of_the_folder(isolated):
    (isolated / "config").write_text("", "utf-8")
    assert presets.users() == ()
    with pytest.raises(Unwritable) as refused:
        presets.write(presets.Preset("mine", RuleSet()))
    assert refused.value.code == "not_a_folder"
    assert str(isolated) in sentence(refused.value)


# Writing.


def test_a_preset_is_written_once_unless_it_is_to_be_replaced(isolated):
    first = presets.Preset("mine", RuleSet(2, 1))
    path = presets.write(first)
    assert path == isolated / "config" / "rulesets" / "mine.toml"
    with pytest.raises(BadRuleSet) as refused:
        presets.write(presets.Preset("mine", RuleSet(5, 2)))
    assert refused.value.code == "preset_exists"
    assert presets.load_named("mine").rules == RuleSet(2, 1)
    presets.write(presets.Preset("mine", RuleSet(5, 2)), overwrite=True)
    assert presets.load_named("mine").rules == RuleSet(5, 2)
    assert [child.name for child in path.parent.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *[
            (name, "preset_name")
            for name in ("", "A", "ä", "-x", "a/b", "../../x", "a.toml", "a\n")
        ],
        *[(name, "preset_name") for name in ("x" * 41, "a b", ".", "con.", "a\0")],
        *[(name, "preset_reserved") for name in ("standard", "quick", "long", "mia-two")],
    ],
)
def test_names_that_are_refused(name, code, isolated):
    for overwrite in (False, True):
        with pytest.raises(BadRuleSet) as refused:
            presets.write(presets.Preset(name, RuleSet()), overwrite=overwrite)
        assert refused.value.code == code
    assert not (isolated / "config").exists()


def test_of_many_who_write_one_name_exactly_one_succeeds():
    won, lost = [], []
    gate = threading.Barrier(8)

    def write(number):
        gate.wait()
        try:
            presets.write(presets.Preset("mine", RuleSet(), description=str(number)))
            won.append(str(number))
        except BadRuleSet as error:
            lost.append(error.code)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert lost == ["preset_exists"] * 7
    assert [presets.load_named("mine").description] == won


def test_a_full_disk_leaves_the_old_preset_and_no_litter(monkeypatch, isolated):
    path = presets.write(presets.Preset("mine", RuleSet(2, 1)))

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders.os, "fsync", full)
    with pytest.raises(Unwritable) as refused:
        presets.write(presets.Preset("mine", RuleSet(5, 1)), overwrite=True)
    assert "No space left" in sentence(refused.value)
    assert presets.load_named("mine").rules == RuleSet(2, 1)
    assert [child.name for child in path.parent.iterdir()] == ["mine.toml"]


def test_a_file_system_without_links(monkeypatch):
    def no_links(*_paths):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(folders.os, "link", no_links)
    presets.write(presets.Preset("mine", RuleSet()))
    with pytest.raises(BadRuleSet) as refused:
        presets.write(presets.Preset("mine", RuleSet()))
    assert refused.value.code == "preset_exists"


# Which value wins.


def test_built_in_values():
    assert settle() == presets.TableSettings("standard", RuleSet(3, 1), 3, ("normal", "normal"))


PLACES = ("option", "environment", "preset")
VALUES = {  # built-in, then another value for each place
    "lives": ("3", {"option": "2", "environment": "5", "preset": "3"}),
    "penalty_21": ("1", {"option": "2", "environment": "1", "preset": "2"}),
    "players": ("3", {"option": "6", "environment": "2", "preset": "4"}),
    "cpus": ("normal", {"option": "easy", "environment": "hard", "preset": "shark"}),
}


@pytest.mark.parametrize("key", VALUES)
def test_option_before_environment_before_preset_before_built_in(key, tmp_path):
    built_in, values = VALUES[key]
    for present in product((True, False), repeat=3):
        given = dict(zip(PLACES, present, strict=True))
        # A file always has to set the first two.
        text = "" if key == "lives" else "lives = 3\n"
        text += "" if key == "penalty_21" else "penalty_21 = 1\n"
        toml_key = {"cpus": "cpu"}.get(key, key)
        if given["preset"]:
            value = values["preset"]
            text += f'{toml_key} = "{value}"\n' if key == "cpus" else f"{toml_key} = {value}\n"
        elif key in ("lives", "penalty_21"):
            text += f"{toml_key} = {built_in}\n"
        rules = str(file_with(tmp_path, text))
        environ = {f"MIA_{toml_key.upper()}": values["environment"]} if given["environment"] else {}
        option = {}
        if given["option"]:
            option = {key: [values["option"]] if key == "cpus" else values["option"]}
        settings = settle(environ, rules=rules, **option)
        expected = next((values[place] for place in PLACES if given[place]), built_in)
        actual = {
            "lives": settings.rules.lives,
            "penalty_21": settings.rules.penalty_21,
            "players": settings.players,
            "cpus": settings.cpus[0],
        }[key]
        assert str(actual) == expected
        if key in settings.sources:
            kinds = {"option": "option", "environment": "variable", "preset": "preset"}
            # A file always sets lives and what 21 costs.
            by_file = "built-in" if key == "players" else "preset"
            kind = next((kinds[place] for place in PLACES if given[place]), by_file)
            assert settings.sources[key].kind == kind
        assert len(settings.cpus) == settings.players - 1
        assert settings.preset == "some"


def test_the_preset_itself_comes_from_option_or_environment():
    assert settle({"MIA_RULES": "quick"}).preset == "quick"
    assert settle({"MIA_RULES": "quick"}, rules="long").preset == "long"
    assert settle({"MIA_RULES": ""}).preset == "standard"
    assert settle({"MIA_RULES": "nope"}, rules="long").rules == RuleSet(5, 1)


@pytest.mark.parametrize(
    ("environ", "options", "said"),
    [
        ({}, {"lives": "4"}, ["“4”", "--lives", "2, 3, 5"]),
        ({}, {"lives": ""}, ["“”", "--lives"]),
        ({}, {"lives": "3.0"}, ["“3.0”"]),
        ({}, {"lives": "３"}, ["“３”"]),
        ({"MIA_LIVES": "four"}, {}, ["“four”", "MIA_LIVES", "2, 3, 5"]),
        ({"MIA_PENALTY_21": "3"}, {}, ["“3”", "MIA_PENALTY_21", "1, 2"]),
        ({}, {"penalty_21": "0"}, ["--penalty-21"]),
        ({}, {"players": "7"}, ["“7”", "--players", "2, 3, 4, 5, 6"]),
        ({"MIA_PLAYERS": "1"}, {}, ["“1”", "MIA_PLAYERS"]),
        ({}, {"cpus": ["hardest"]}, ["“hardest”", "--cpu", "easy, normal", "bot:NAME"]),
        ({"MIA_CPU": "easy,bot:"}, {}, ["“bot:”", "MIA_CPU"]),
        ({}, {"rules": "nope"}, ["--rules", "“nope”", "standard"]),
        ({"MIA_RULES": "nope"}, {}, ["MIA_RULES", "“nope”"]),
        ({}, {"players": "4", "cpus": ["easy", "hard"]}, ["--cpu: 2 ", "4 players", "or 3"]),
        ({"MIA_CPU": "easy,hard"}, {"players": "2"}, ["MIA_CPU: 2 ", "2 players", "or 1"]),
        ({}, {"cpus": ["easy"] * 6}, ["--cpu: 6 "]),
    ],
)
def test_what_is_refused_and_how_it_is_said(environ, options, said):
    with pytest.raises(MiaError) as refused:
        settle(environ, **options)
    text = sentence(refused.value)
    for part in said:
        assert part in text


def test_levels_of_a_preset_that_do_not_fit_name_the_file(tmp_path):
    path = file_with(tmp_path, GOOD + 'players = 4\ncpu = ["easy", "hard", "shark"]\n')
    assert settle(rules=str(path)).cpus == ("easy", "hard", "shark")
    with pytest.raises(BadRuleSet) as refused:
        settle(rules=str(path), players="3")
    assert sentence(refused.value).startswith(f"{path}: cpu: 3 levels do not fit 3 players")


def test_levels_named_one_by_one_settle_the_seats():
    assert settle(cpus=["easy", "HARD", " bot:Mine "]).cpus == ("easy", "hard", "bot:Mine")
    assert settle({"MIA_CPU": "easy,hard,shark"}).players == 4
    assert settle({"MIA_CPU": "easy,hard,shark"}, cpus=["hard"]).players == 3


# What others may have put there.

DOTS = "a." * 5000 + "a = 1"
HOSTILE = {
    "a dotted key": DOTS,
    "a dotted table": f"[{'a.' * 5000}a]",
    "dotted keys below dotted tables": f"[{'a.' * 240}a]\n" + f"{'b.' * 240}b = 1\n" * 30,
    "a dotted key in a table": "cpu = {" + DOTS + "}",
    "many keys": "".join(f"k{number} = 1\n" for number in range(1500)),
    "brackets": "cpu = " + "[" * 10_000,
    "braces": "cpu = " + "{a = " * 3000,
    "a long number": "lives = " + "9" * 10_000,
    "a long key": "l" * 10_000 + " = 1",
    "many levels": "cpu = [" + "'x'," * 3000 + "]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_answered_at_once(tmp_path, text):
    path = file_with(tmp_path, GOOD + text)
    assert path.stat().st_size <= folders.LARGEST_FILE
    started = time.process_time()
    problems = folders.read(path)
    assert isinstance(problems, tuple) and all(map(sentence, problems))
    assert time.process_time() - started < 1.0


def test_a_description_may_consist_of_dots(tmp_path):
    path = file_with(tmp_path, GOOD + f'description = "{"." * codec.LONGEST_DESCRIPTION}" # ...')
    assert isinstance(folders.read(path), presets.Preset)


def test_pipes_among_the_presets_are_not_waited_for(isolated):
    own = isolated / "config" / "rulesets"
    own.mkdir(parents=True)
    file_with(own, GOOD, "good.toml")
    os.mkfifo(own / "pipe.toml")
    found = {entry.name: entry for entry in presets.users()}
    assert found["good"].preset and found["pipe"].problems[0].code == "preset_not_a_file"
    with pytest.raises(BadRuleSet) as unknown:
        presets.load("unknown")
    allowed = unknown.value.fields["allowed"]
    assert "good" in allowed and "pipe" not in allowed
    for code, *args in ((0, "list"), (2, "check", str(own / "pipe.toml")), (2, "show", "pipe")):
        assert full("rules", *args).code == code
    assert full("play", "--rules", "unknown").code == 2


def test_a_preset_is_for_others_too_and_a_link_to_it_stays_one(isolated):
    before = os.umask(0o022)
    try:
        path = presets.write(presets.Preset("mine", RuleSet(2, 1)))
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o644
    kept = path.rename(isolated / "kept.toml")
    kept.chmod(0o664)
    path.symlink_to(kept)
    with pytest.raises(BadRuleSet):
        presets.write(presets.Preset("mine", RuleSet(5, 2)))
    presets.write(presets.Preset("mine", RuleSet(5, 2)), overwrite=True)
    assert path.is_symlink() and kept.stat().st_mode & 0o777 == 0o664
    assert presets.load("mine").rules == presets.load(str(kept)).rules == RuleSet(5, 2)
