"""``mia rules`` as a page: for people, for programs, and to print."""

import json
import os
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mia_cli import __version__
from mia_cli.rules.rolls import NAMES
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS
from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.text.language.plain import display_width
from tests.cli.in_process import full

SECTIONS = [
    *("objective", "rolls", "claims", "answers", "reveal"),
    *("lives", "order", "examples", "questions", "practice"),
]


def document(*words):
    ended = full("rules", "--json", *words)
    assert (ended.code, ended.err) == (0, "")
    return json.loads(ended.out)


def test_the_page_as_json_has_what_the_contract_says():
    found = document("--lang", "fr", "--players", "4")
    assert found["schema"] == "mia.rules/1" and found["version"] == __version__
    assert found["language"] == "fr" and found["players"] == 4
    assert found["order"] == list(NAMES)
    assert {section["id"] for section in found["sections"]} == set(SECTIONS)
    assert all(section["title"] and section["text"] for section in found["sections"])


def test_every_value_says_where_it_comes_from(monkeypatch):
    assert document()["sources"]["lives"]["from"] == "built-in"
    found = document("--rules", "mia-two", "--lives", "5")
    assert found["ruleset"] == {"lives": 5, "penalty_21": 2}
    assert found["sources"]["lives"] == {"from": "option", "name": "--lives"}
    assert found["sources"]["penalty_21"]["from"] == "preset"
    assert found["sources"]["penalty_21"]["name"] == "mia-two"
    monkeypatch.setenv("MIA_LIVES", "2")
    monkeypatch.setenv("MIA_RULES", "long")
    found = document()["sources"]
    assert found["lives"] == {"from": "variable", "name": "MIA_LIVES"}
    assert found["penalty_21"]["name"] == "long"


def test_what_the_settings_decide_stands_where_it_is_looked_for():
    texts = {}
    for lives, penalty, players in product(LIVES, PENALTIES, (min(SEATS), max(SEATS))):
        words = ("--lives", str(lives), "--penalty-21", str(penalty), "--players", str(players))
        for section in document(*words)["sections"]:
            texts.setdefault(section["id"], {})[lives, penalty, players] = section["text"]
    by_lives = {settings[0] for settings in texts["lives"]}
    assert len({texts["lives"][lives, 1, 2] for lives in by_lives}) == len(LIVES)
    assert texts["reveal"][3, 1, 2] != texts["reveal"][3, 2, 2]
    assert len(set(texts["claims"].values())) == len(set(texts["order"].values())) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_screen(language, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    ended = full("rules", "--lang", language)
    assert (ended.code, ended.err) == (0, "")
    assert max(map(display_width, ended.out.splitlines())) <= width
    assert __version__ in ended.out.splitlines()[-1]


def test_the_sheet_is_written_as_files_that_are_named(tmp_path):
    sheet = tmp_path / "rules.html"
    assert full("rules", "--html", str(sheet)).code == 0
    text = sheet.read_text("utf-8")
    assert text.startswith("<!doctype html>") and "<script" not in text and "http" not in text
    assert all(name in text for name in NAMES)
    assert full("rules", "--html", str(sheet), "--lives", "5").code == 0
    sheet.write_text("mine")
    ended = full("rules", "--html", str(sheet))
    assert ended.code == 2 and sheet.read_text() == "mine"
    assert full("rules", "--html", str(sheet), "--force").code == 0
    assert full("rules", "--html", "-").out == sheet.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--lives", "4"), "4"),
        (("--players", "7"), "7"),
        (("--rules", "nothere"), "nothere"),
        (("--lives", "5", "list"), "--lives"),
        (("--html", "-", "--json"), "--json"),
    ],
)
def test_bad_options_are_named(words, named):
    ended = full("rules", *words)
    assert ended.code == 2 and named in ended.err and ended.out == ""


GOLDEN = Path(__file__).resolve().parents[2] / "golden"
WRITE = os.environ.get("MIA_GOLDEN") == "write"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_word_for_word(language):
    out = full("rules", "--lang", language, "--rules", "mia-two").out
    text = out.replace(__version__, "VERSION")
    path = GOLDEN / f"rules.{language}.txt"
    if WRITE:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_the_json_is_as_its_schema_says(monkeypatch):
    schema = json.loads(files("mia_cli.schemas").joinpath("rules-1.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    valid = Draft202012Validator(schema).is_valid
    monkeypatch.setenv("MIA_LIVES", "5")
    for language in LANGUAGES:
        found = document("--lang", language, "--rules", "mia-two", "--players", "4")
        assert valid(found)
        for key in schema["required"]:
            assert not valid({name: value for name, value in found.items() if name != key})
