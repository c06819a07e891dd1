"""Every command in every language: nothing stays English, nothing is too wide, all words work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache

import pytest

from mia_cli.cli.app import COMMANDS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language import catalogue, words
from mia_cli.text.language.plain import display_width
from mia_cli.text.tutorial import words as tutorial_words
from mia_cli.tutorial.lessons import LESSONS
from tests.cli.in_process import full
from tests.cli.machine import run, typed_lines
from tests.cli.scripted import script
from tests.tutorial.classroom import RIGHT, WRONG, right_lines

OTHERS = tuple(language for language in catalogue.LANGUAGES if language != "en")
SEED = 3
HELP = [
    (),
    *[(name,) for name in COMMANDS],
    *[("rules", name) for name in ("list", "show", "new", "check")],
]
TWO_WORDS = re.compile(r"[A-Za-z]{3,}[,:]? [A-Za-z]{3,}")
NOT_SENTENCES = re.compile(r"\bmia [\w -]+|\[\w+\]|--[\w-]+|[A-Z_]{3,}|\b(Ada|Bo|Cy)\b")


def english_left(english: str, other: str) -> set[str]:
    """Lines that are the same in both and have words in them, names and commands left out."""
    same = set(english.splitlines()) & set(other.splitlines())
    return {line for line in same if TWO_WORDS.search(NOT_SENTENCES.sub("", line))}


def too_wide(text: str, width: int = 80) -> list[str]:
    """Lines that do not fit; lists of figures, with their semicolons, may be longer."""
    lines = [line for line in text.splitlines() if display_width(line) > width]
    return [line for line in lines if "; " not in line]


def spoken(language: str, lines: Iterable[str]) -> list[str]:
    """English words as the person types them in this language, other lines as they are."""
    catalogue.use(language)
    own = {word: words.shown(word) for word in words.table()}
    own |= {"yes": words.yes(), "no": words.no()}
    own |= {"a": words.short("accept"), "c": words.short("challenge")}
    own |= {word: tutorial_words.shown_word(word) for word in tutorial_words.ORDER}
    catalogue.use("en")
    return [own.get(line, line) for line in lines]  # type: ignore[call-overload]


# Help.


@cache
def english_help(command: tuple[str, ...]) -> str:
    return full(*command, "--help").out


def test_a_language_is_not_kept_for_the_next_command() -> None:
    english = english_help(("rank",))
    assert full("--lang", "fr", "rank", "--help").out != english
    assert full("rank", "--help").out == english


@pytest.mark.parametrize("command", HELP, ids=" ".join)
@pytest.mark.parametrize("language", OTHERS)
def test_help(language: str, command: tuple[str, ...]) -> None:
    english = english_help(command)
    told = full("--lang", language, *command, "--help")
    assert (told.code, told.err) == (0, "")
    assert not english_left(english, told.out)
    for heading in ("Examples:", "Options:", "Arguments:", "Commands:", "Usage:"):
        assert heading not in told.out
    assert not too_wide(told.out)
    assert "\b" not in told.out


# The tutorial.


@cache
def whole_tutorial() -> tuple[str, ...]:
    """Everything typed by a pupil who gets each question wrong once, then right."""
    rules = RuleSet()
    typed: list[str] = []
    right = iter(right_lines(rules))
    for step, answers in RIGHT.items():
        typed += [WRONG[step]] if step in WRONG else []
        typed += [next(right) for _ in answers]
    matches = (script(SEED + at, cpus=("easy",), rules=rules).lines for at in (0, 1))
    return (*typed, *(line for lines in matches for line in lines))


@cache
def english_tutorial() -> str:
    return full("tutorial", "--seed", str(SEED), typed=typed_lines(whole_tutorial()).encode()).out


@pytest.mark.parametrize("language", OTHERS)
def test_every_lesson_played_through_in_the_words_of_the_language(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    english = english_tutorial()
    monkeypatch.setenv("MIA_DATA_DIR", f"{tmp_path}/other")
    typed = typed_lines(spoken(language, whole_tutorial())).encode()
    told = full("tutorial", "--lang", language, "--seed", str(SEED), typed=typed)
    assert (told.code, told.err) == (0, "")
    listed = json.loads(full("tutorial", "--list", "--json").out)["lessons"]
    assert [lesson["done"] for lesson in listed] == [True] * len(LESSONS)
    assert not english_left(english, told.out)
    assert not too_wide(told.out)


def test_english_words_work_in_every_language(monkeypatch: pytest.MonkeyPatch, tmp_path: object):
    said = english_tutorial()
    assert said.count(" is done.\n") == len(LESSONS)
    for language in OTHERS:
        monkeypatch.setenv("MIA_DATA_DIR", f"{tmp_path}/{language}")
        typed = typed_lines(whole_tutorial()).encode()
        told = full("tutorial", "--lang", language, "--seed", str(SEED), typed=typed)
        assert (told.code, told.err) == (0, ""), language


# Results of the other commands.

RESULTS = [
    ("rank", "55", "44"),
    ("rank", "33", "55"),
    ("rank",),
    ("rules", "list"),
    ("solve",),
    ("solve", "--at", "3,3", "--claim", "55", "--above", "44"),
    ("solve", "--at", "3,1", "--roll", "33"),
    ("simulate", "--cpu", "easy", "--cpu", "hard", "-n", "200", "--seed", "1", "--jobs", "1"),
    ("simulate", "--cpu", "easy", "--cpu", "hard", "--exact"),
    ("stats",),
    ("stats", "--by", "month"),
    ("stats", "--by", "ruleset"),
    ("review", "--list"),
    ("review",),
    ("review", "--verify"),
]
MISTAKES = [
    ("rank", "77"),
    ("nope",),
    ("play", "--players", "9"),
    ("simulate", "-n", "0"),
    ("simulate", "--cpu", "easy"),
    ("solve", "--at", "9"),
    ("rules", "show", "nope"),
    ("review", "nope"),
    ("tutorial", "--lesson", "99"),
    ("stats", "--since", "nope"),
]


@pytest.mark.parametrize("words_", [*RESULTS, *MISTAKES], ids=" ".join)
def test_results_and_mistakes(words_: tuple[str, ...]) -> None:
    if words_[0] in ("stats", "review"):
        match = script(6)
        assert full("play", "--seed", "6", typed=typed_lines(match.lines).encode()).code == 0
    english = full(*words_)
    for language in OTHERS:
        told = full("--lang", language, *words_)
        assert told.code == english.code
        assert not english_left(english.out + english.err, told.out + told.err), language
        assert "You (human)" not in told.out + english.out


@pytest.mark.parametrize("language", OTHERS)
def test_a_match_in_the_words_of_the_language(language: str) -> None:
    match = script(6)
    lines = ["help", "rank", "odds", "score", "history", "?", "x", "77", *match.lines]
    english = full("play", "--seed", "6", typed=typed_lines(lines).encode())
    typed = typed_lines(spoken(language, lines)).encode()
    told = full("play", "--lang", language, "--seed", "6", typed=typed)
    assert (told.code, told.err) == (0, "")
    assert not english_left(english.out, told.out)
    assert not too_wide(told.out)


# Streams.


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("language", OTHERS)
def test_streams_that_lack_letters(language: str, encoding: str) -> None:
    env = {"PYTHONIOENCODING": encoding, "MIA_LANG": language}
    for words_ in (("rank", "33", "55"), ("rules", "list")):
        ended = run(*words_, env=env)
        assert ended.stderr == b""
        said = ended.stdout.decode(encoding)
        # A letter may lose its accent; a language of other letters gives way to English.
        assert "?" not in said
    if language == "ja" and encoding != "utf-8":
        assert run("rank", "33", "55", env=env).stdout.decode() == "33 does not support 55.\n"
