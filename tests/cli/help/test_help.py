"""``mia help``, and what is said of words that are not understood anywhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mia_cli.cli.app import COMMANDS
from mia_cli.players.names import CPU_WORDS
from mia_cli.text.language.catalogue import LANGUAGES, speaking, translate
from mia_cli.text.language.plain import display_width
from tests.cli.in_process import full

COLUMNS = 80


def test_help_alone_lists_the_topics_before_the_commands() -> None:
    told = full("help")
    assert told.code == 0
    places = [told.out.index(f"  {word}") for word in ("rules", "levels", "bots", "Examples:")]
    assert places == sorted(places)
    for command in COMMANDS:
        assert f"\n  {command} " in told.out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_on_a_command_is_its_help_unless_it_is_a_topic(command: str) -> None:
    told = full("help", command)
    assert told.code == 0
    if command != "rules":
        assert told.out == full(command, "--help").out


def test_topics_come_before_commands_and_commands_of_commands_work() -> None:
    assert full("help", "rules").out == full("rules").out
    assert full("help", "rules", "list").out == full("rules", "list", "--help").out
    for level in CPU_WORDS:
        assert f"\n  {level} " in full("help", "levels").out
    assert '{"action": "challenge"}' in full("help", "bots").out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", ["levels", "bots"])
def test_topics_in_every_language(topic: str, language: str) -> None:
    told = full("help", topic, "--lang", language)
    assert told.code == 0
    if language != "en":
        assert told.out != full("help", topic, "--lang", "en").out
    rows = [row for row in told.out.splitlines() if row.startswith("  ")]
    assert all(display_width(row) <= COLUMNS for row in rows)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("plya",), "play"),
        (("help", "levls"), "levels"),
        (("play", "--sede", "7"), "--seed"),
        (("play", "--sed", "7"), "--seed"),
        (("play", "--paec", "1"), "--pace"),
        (("play", "--dialy"), "--daily"),
        (("rank", "--jsno"), "--json"),
        (("rules", "lst"), "list"),
        (("play", "--cpu", "esay"), "easy"),
        (("play", "--rules", "standart"), "standard"),
        (("stats", "--by", "rulset"), "ruleset"),
    ],
    ids=" ".join,
)
def test_did_you_mean(words: tuple[str, ...], meant: str) -> None:
    refused = full(*words)
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.count("\n") == 1
    assert f"Did you mean {meant}?" in refused.err


@pytest.mark.parametrize(
    "words", [("xyz",), ("play", "--cpu", "genius"), ("play", "--lives", "4"), ("help", "?")]
)
def test_no_guess_where_nothing_is_alike(words: tuple[str, ...]) -> None:
    refused = full(*words)
    assert refused.code == 2
    assert "Did you mean" not in refused.err


def every_help(language: str) -> Iterator[tuple[str, str]]:
    """The help of each command and each command of a command."""
    for command in (*COMMANDS, "rules list", "rules show", "rules new", "rules check"):
        yield command, full(*command.split(), "--help", "--lang", language).out


@pytest.mark.parametrize("language", LANGUAGES)
def test_helps_have_examples_and_one_style(language: str) -> None:
    """Examples come first where there is more than a screen; defaults stand in brackets; levels
    are explained where they are named."""
    with speaking(language):
        default = translate("[default: ")
    usage = full("rank", "--help", "--lang", language).out.splitlines()
    for command, text in every_help(language):
        lines = text.splitlines()
        if len(lines) > 24:
            assert lines[2] == usage[2], command
            assert lines[4].startswith(f"    mia {command}"), command
        assert default not in text, command
        if "easy" in text and "--cpu LEVEL" in text and "bot:" in text:
            assert "mia help levels" in " ".join(text.split()), command
