"""Lines on a terminal: where they are cut into rows."""

import io
import re

import pytest

from mia_cli.cli.screen import RichScreen
from mia_cli.rules.match import Throw, apply, observation, start
from mia_cli.rules.rolls import parse_roll
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import LANGUAGES, speaking
from mia_cli.text.language.line import plain, styled, tied
from mia_cli.text.language.plain import display_width
from mia_cli.text.play.asides import odds_lines


class Terminal(io.StringIO):
    def isatty(self):
        return True


def rows(line, width, monkeypatch, *, color=False):
    monkeypatch.setenv("COLUMNS", str(width))
    terminal = Terminal()
    RichScreen(terminal, color=color).say(line)
    return terminal.getvalue().removesuffix("\n").split("\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [20, 30, 40, 80])
def test_a_claim_stays_with_its_figure_and_the_figure_with_its_sign(language, width, monkeypatch):
    match, _ = start(RuleSet(), 2, 1)
    match, events = apply(match, Throw(parse_roll("31")))
    with speaking(language):
        line = odds_lines(observation(match, 1, events))[-1]
    shown = rows(line, width, monkeypatch)
    assert all(display_width(row.rstrip()) <= width for row in shown)
    assert "".join(shown).replace(" ", "") == plain(line).replace(" ", "")
    together = [part for row in shown for part in re.findall(r"\d\d\xa0[\d.,]+\s?%", row)]
    assert len(together) == 6


def test_text_and_styles_stay_what_they_are(monkeypatch):
    line = (("55\u00a099,9\u202f%; ", "claim"), *styled("66\u00a01\u202f%", "you"))
    assert rows(line, 80, monkeypatch) == ["55\u00a099,9\u202f%; 66\u00a01\u202f%"]
    assert rows(line, 12, monkeypatch) == ["55\u00a099,9\u202f%;", "66\u00a01\u202f%"]
    assert rows("", 12, monkeypatch) == [""]


def test_further_rows_are_indented_as_the_first_and_tied_words_stay_together(monkeypatch):
    line = (("  Bo shows 61. ", ""), *tied(styled("Bo loses a life", "strong")))
    assert rows(line, 20, monkeypatch) == ["  Bo shows 61.", "  Bo loses a life"]
    assert rows(line, 80, monkeypatch) == ["  Bo shows 61. Bo loses a life"]
    assert plain(line) == "  Bo shows 61. Bo loses a life"
    monkeypatch.setattr(Terminal, "isatty", lambda _self: False)
    assert rows(line, 20, monkeypatch, color=True)[0].count("\ue002") == 0


@pytest.mark.parametrize("width", range(20, 40))
def test_an_answer_stands_apart_from_its_question_wherever_its_row_ends(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    terminal = Terminal()
    last = RichScreen(terminal, color=False).last_row(
        "Nina claims 51 (you 1). Accept or challenge? "
    )
    assert last.endswith("? ")
    assert all(len(row) < width - 3 for row in (*terminal.getvalue().split("\n"), last[:-1]))
