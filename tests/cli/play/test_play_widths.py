"""Matches on a terminal, in every language: no row is wider than the screen, asides included."""

from __future__ import annotations

import pytest

from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.text.language.plain import display_width
from tests.cli.in_process import Ended, Terminal, full
from tests.cli.scripted import script

ASIDES = ("help", "odds", "rank", "score", "history", "hint", "", "x", "77")


def on_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, *words: str, lines: tuple[str, ...]
) -> Ended:
    """What is typed comes from a pipe, so that it stands behind its question."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    typed = "".join(f"{line}\n" for line in lines).encode()
    ended = full(*words, typed=typed, stdout=Terminal)
    assert [row for row in ended.out.splitlines() if display_width(row) > columns] == []
    return ended


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [40, pytest.param(80, marks=pytest.mark.slow)])
def test_a_match_fits_in_every_language(columns: int, language: str, monkeypatch) -> None:
    told = script(7)
    lines = (*ASIDES, told.lines[0], *ASIDES, *told.lines[1:])
    words = ("play", "--seed", "7", "--lang", language)
    assert on_terminal(columns, monkeypatch, *words, lines=lines).code == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [40, pytest.param(80, marks=pytest.mark.slow)])
def test_choosing_and_the_match_of_the_day_fit(columns: int, language: str, monkeypatch) -> None:
    chosen = ("6", "x", "", "", "", "", "", "7", "", "", "9", "", "yes", "no")
    words = ("play", "--lang", language)
    assert on_terminal(columns, monkeypatch, *words, "--choose", lines=chosen).code == 3
    daily = (*words, "--daily")
    assert on_terminal(columns, monkeypatch, *daily, lines=("21", "c") * 60).code == 0
    assert on_terminal(columns, monkeypatch, *daily, lines=()).code == 3
    told = on_terminal(columns, monkeypatch, "stats", "--daily", "--lang", language, lines=())
    assert told.code == 0
