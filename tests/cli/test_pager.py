"""The pager: what is longer than the screen, on a terminal alone."""

import io
import sys

import pytest

from mia_cli.cli import pager

LINES = [f"line {number}" for number in range(30)]


class Watched(io.TextIOWrapper):
    """Standard output with somebody before it."""

    def isatty(self):
        return True

    @property
    def text(self):
        self.flush()
        return self.buffer.getvalue().decode()


def watched(monkeypatch):
    """A terminal of 24 rows; set in the test itself, since pytest sets its own for each phase."""
    stream = Watched(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("COLUMNS", "40")
    return stream


def shown(lines):
    return "".join(f"{line}\n" for line in lines)


def test_what_is_longer_than_the_screen_goes_through_the_pager(monkeypatch, tmp_path):
    terminal = watched(monkeypatch)
    monkeypatch.setenv("PAGER", f"tr a-z A-Z | cat > {tmp_path}/paged")
    pager.show(LINES)
    assert terminal.text == ""
    assert (tmp_path / "paged").read_text() == shown(LINES).upper()


@pytest.mark.parametrize("command", ["", "cat", "no-such-pager"])
def test_without_a_pager_it_is_printed(command, monkeypatch):
    terminal = watched(monkeypatch)
    monkeypatch.setenv("PAGER", command)
    pager.show(LINES)
    assert terminal.text == shown(LINES)


def test_what_fits_or_is_not_to_be_paged_is_printed(monkeypatch, tmp_path):
    terminal = watched(monkeypatch)
    monkeypatch.setenv("PAGER", f"cat > {tmp_path}/paged")
    pager.show(LINES[:23])
    pager.show(LINES, paged=False)
    monkeypatch.setenv("TERM", "dumb")
    pager.show(LINES)
    assert terminal.text == shown([*LINES[:23], *LINES, *LINES])
    assert not (tmp_path / "paged").exists()


def test_rows_count_and_not_lines(monkeypatch, tmp_path):
    watched(monkeypatch)
    monkeypatch.setenv("PAGER", f"cat > {tmp_path}/paged")
    pager.show(["word " * 20] * 12)
    assert (tmp_path / "paged").read_text().count("\n") >= 24


def test_a_pager_that_is_left_early_is_no_error(monkeypatch):
    terminal = watched(monkeypatch)
    monkeypatch.setenv("PAGER", "head -1 > /dev/null")
    pager.show(["word " * 1000] * 200)
    assert terminal.text == ""


def test_a_pipe_is_never_paged(monkeypatch, tmp_path):
    monkeypatch.setenv("PAGER", f"cat > {tmp_path}/paged")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    pager.show(LINES * 10)
    assert sys.stdout.getvalue() == shown(LINES * 10)
    assert not (tmp_path / "paged").exists()


def test_colours_are_for_a_less_that_takes_them(monkeypatch):
    watched(monkeypatch)
    assert pager._takes_color("less", {"TERM": "xterm"})
    assert pager._takes_color("/usr/bin/less -S", {"TERM": "xterm", "LESS": "-R"})
    assert not pager._takes_color("less", {"TERM": "xterm", "LESS": "-S"})
    assert not pager._takes_color("more", {"TERM": "xterm"})
