"""What commands print on a terminal fits it: no line is wider, and no row of a table is cut."""

import pytest

from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.text.language.plain import display_width
from mia_cli.text.language.table import TextTable
from tests.cli.in_process import full, on_terminal
from tests.cli.terminal import OnTerminal
from tests.played_matches import some, write

COMMANDS = [
    "--help",
    "help",
    "help levels",
    "help bots",
    "help play",
    "help rules new",
    "help simulate",
    "help solve",
    "help stats",
    "practice --list",
    "rank",
    "rank 55",
    "rules --no-pager",
    "rules list",
    "rules show quick",
    "review",
    "review --list",
    "review --verify",
    "simulate -n 12000 --seed 7 --cpu easy --cpu hard",
    "simulate -n 600 --seed 7 --cpu easy --cpu hard --cpu normal --cpu hard --cpu easy --cpu hard",
    "simulate --exact --cpu easy --cpu hard --cpu normal",
    "simulate --round-robin -n 200 --seed 7 --cpu easy --cpu hard --cpu normal --cpu hard",
    "simulate -n 5 --seed 7 --match 3 --cpu easy --cpu hard",
    "solve --lives 2",
    "solve --at 2,1 --claim 55",
    "solve --at 2,1 --roll 41",
    "solve --ceiling hard --lives 2",
    "solve --ceiling normal --players 3 --lives 2",
    "stats",
    "stats --full --no-pager",
    "stats --by cpu",
    "stats --by ruleset",
    "stats --by month",
    "stats --daily",
    "tutorial --list",
]
NARROW = [(40, "xterm")]
OTHERS = [(40, "dumb"), (60, "dumb"), (80, "xterm"), (120, "xterm")]
SCREENS = [
    ("en", [*NARROW, *OTHERS]),
    *((language, NARROW) for language in LANGUAGES if language != "en"),
    *(
        pytest.param(language, OTHERS, marks=pytest.mark.slow)
        for language in LANGUAGES
        if language != "en"
    ),
]
"""The quick tests try the narrowest screen in every language."""


@pytest.fixture(scope="module")
def records():
    """Matches of tables that are solved quickly."""
    return [one for one in some() if one.ruleset.lives < 5 and len(one.seats) < 4]


@pytest.fixture
def folder(isolated, records):
    """The folder of matches."""
    write(isolated / "data" / "matches", records)


@pytest.fixture
def laid_out(monkeypatch):
    """All rows of tables that are printed, as they should appear."""
    rows = []
    plainly = TextTable.rows_in

    def noted(table, width):
        for text, style in plainly(table, width):
            rows.append(text)
            yield text, style

    monkeypatch.setattr(TextTable, "rows_in", noted)
    return rows


@pytest.mark.parametrize(("language", "screens"), SCREENS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_line_fits_and_no_row_is_cut(folder, laid_out, command, language, screens):
    for columns, terminal in screens:
        laid_out.clear()
        ended = on_terminal(columns, *command.split(), "--lang", language, TERM=terminal)
        assert ended.code == 0, ended.err
        lines = ended.out.splitlines()
        assert [line for line in lines if display_width(line) > columns] == []
        assert set(laid_out) <= set(lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_in_a_pipe_nothing_is_cut(folder, laid_out, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    ended = full(*command.split())
    assert set(laid_out) <= set(ended.out.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_a_terminal_agrees(folder, columns, language):
    for command in ("--help", "rules list", "simulate -n 500 --cpu easy --cpu hard", "stats"):
        terminal = OnTerminal(*command.split(), "--lang", language, columns=columns)
        assert terminal.end() == 0
        wide = [row for row in terminal.rows if display_width(row) > columns]
        assert wide == [], command
