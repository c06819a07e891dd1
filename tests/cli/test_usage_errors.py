"""What is typed at the shell and cannot be: quoted short and visibly, in the language in use."""

from __future__ import annotations

import itertools
import re

import pytest

from mia_cli.cli.app import COMMANDS
from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.text.language.plain import printable
from tests.cli.in_process import full

NASTY = {
    "override": "a\u202eb",
    "zero-width": "a\u200bb",
    "separator": "a\u2028b",
    "line": "a\nb",
    "escape": "a\x1b[31mb",
    "not-text": "a\udcffb",
    "long": "x" * 10_000,
    "several": "two words",
    "braces": "{value}",
    "quotes": "it's “so”'",
    "guess": "x Did you mean --" + "y" * 999,
    "possible": "x (Possible options: --" + "y" * 999 + ")",
}
COMMAND_WORDS = [
    *[(name,) for name in COMMANDS],
    *[("rules", name) for name in ("list", "show", "new", "check")],
]
WAYS = {
    "option": lambda text: [f"--{text}"],
    "letter": lambda text: [f"-{text}"],
    "equals": lambda text: [f"--{text}=1"],
    "flag": lambda text: [f"--help={text}"],
    "arguments": lambda text: [text] * 5,
    "language": lambda text: ["--lang", text],
    "colour": lambda text: [f"--color={text}"],
}
OF_THE_LIBRARY = re.compile(
    "No such|Missing|Invalid value|requires|does not take|Got unexpected|not a valid"
)
LONGEST = 400
EVERY = 7
"""One command line in so many is tried: a prime, so that all commands meet all texts and languages
in one way or another."""


def refused(*words: str) -> str:
    """What is said of a command line that cannot be: one line, short, nothing hidden."""
    ended = full(*words)
    assert (ended.code, ended.out) == (2, ""), words
    assert ended.err.endswith("\n")
    said = ended.err.removesuffix("\n")
    # Spaces that do not break are what a language writes before its signs.
    visible = said.replace("\u00a0", " ").replace("\u202f", " ")
    assert printable(visible) == visible
    assert len(said) <= LONGEST, said
    return said


@pytest.mark.parametrize("way", WAYS)
def test_everything_from_outside_is_quoted_one_way(way, monkeypatch):
    for number, (words, nasty) in enumerate(itertools.product(COMMAND_WORDS, NASTY.values())):
        if way == "arguments" and words[-1] in {"check", "help", "stats"}:
            continue  # any number of files; any topic
        if number % EVERY != len(way) % EVERY:
            continue
        line = (*words, *WAYS[way](nasty))
        monkeypatch.setenv("MIA_LANG", LANGUAGES[number % len(LANGUAGES)])
        said = refused(*line)
        assert not OF_THE_LIBRARY.search(said)
        monkeypatch.setenv("MIA_LANG", "en")
        assert (said == refused(*line)) == (LANGUAGES[number % len(LANGUAGES)] == "en")


def test_values_of_options_too(monkeypatch):
    monkeypatch.setenv("MIA_LANG", "de")
    for number, text in enumerate(NASTY.values()):
        for words in (
            ("play", "--players", text),
            ("play", "--cpu", text),
            ("play", "--lives", text),
            ("play", "--seed", text),
            ("play", "--first", text),
            ("play", "--pace", text),
            ("simulate", "--cpu", text),
            ("simulate", "--matches", text),
            ("simulate", "--format", text),
            ("solve", "--at", text),
            ("solve", "--players", text),
            ("solve", "--ceiling", text),
            ("stats", "--since", text),
            ("stats", "--by", text),
            ("practice", "--kind", text),
            ("practice", "-n", text),
            ("tutorial", "--lesson", text),
            ("rank", text),
            ("rank", "55", text),
            (text,),
            ("rules", text),
            ("help", text),
        )[number % 2 :: 2]:
            said = refused(*words)
            assert not OF_THE_LIBRARY.search(said)


def test_a_guess_is_the_librarys_and_not_of_what_was_typed():
    assert "yyy" not in refused("play", f"--{NASTY['guess']}").partition("…")[2]
    assert refused("play", "--player", "3").endswith("Did you mean --players? See mia play --help.")


def test_a_language_that_is_none_is_refused_in_the_next_one(monkeypatch):
    monkeypatch.setenv("MIA_LANG", "fr")
    assert "n’est pas permis pour --lang" in refused("rank", "--lang", "x")
    assert "demande une valeur" in refused("rank", "--lang")
    monkeypatch.setenv("MIA_LANG", "x")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "ist für MIA_LANG nicht erlaubt" in refused("rank")
