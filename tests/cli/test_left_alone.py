"""Streams that begin with a mark, that are closed, and that nobody reads any more."""

import io
import subprocess
import sys
from unittest.mock import patch

import pytest

from mia_cli.cli import outcome
from mia_cli.cli.lines import LineSource
from tests.cli.in_process import full
from tests.cli.machine import MIA, environment


def test_a_path_that_the_system_refuses_is_quoted(capsys):
    def refused():
        raise OSError(36, "File name too long", "x\u202e" * 5000)

    assert outcome.guarded(refused, "mia stats") == 4
    said = capsys.readouterr().err
    assert "\u202e" not in said and len(said) < 4000


def test_a_byte_order_mark_is_dropped_once_at_the_start_of_the_input():
    typed = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfa\n\xef\xbb\xbfc\n"))
    with patch.object(sys, "stdin", typed):
        lines = LineSource()
        assert [lines.read(), lines.read(), lines.read()] == ["a", "\ufeffc", None]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("play", "--seed", "3", "--json"), b"66\n"),
        (("practice", "-n", "1", "--json"), b"66\n"),
        (("tutorial", "--lesson", "1"), b"64\n"),
    ],
    ids=lambda found: found[0] if isinstance(found, tuple) else "",
)
def test_a_mark_before_the_first_answer_changes_nothing(words, first, isolated):
    full("tutorial", "--restart", typed=b"")
    plain = full(*words, typed=first)
    full("tutorial", "--restart", typed=b"")
    marked = full(*words, typed=b"\xef\xbb\xbf" + first)
    assert marked.code == plain.code
    assert "\\ufeff" not in marked.out and "error" not in marked.out


def test_an_input_that_is_closed_is_called_so():
    for words in (("stats", "-"), ("review", "-"), ("rank", "-"), ("stats", "--import", "-")):
        ended = subprocess.run(
            ["bash", "-c", '"$@" <&-', "bash", *MIA, *words],
            capture_output=True,
            env=environment(),
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (4, b""), words
        assert ended.stderr == b"mia: There is no input to read: it is closed.\n"


class Shut(io.TextIOWrapper):
    """A pipe whose reader leaves after so many lines."""

    left = 1

    def write(self, text):
        """Write a line, or find that nobody reads."""
        if self.left <= 0:
            raise BrokenPipeError(32, "Broken pipe")
        self.left -= text.count("\n")
        return super().write(text)

    def fileno(self):
        """None: nothing real is behind it."""
        raise ValueError


@pytest.mark.parametrize("lines", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "words",
    [
        ("play", "--seed", "3", "--json"),
        ("play", "--seed", "3"),
        ("practice", "--json"),
        ("practice",),
        ("tutorial",),
    ],
    ids=" ".join,
)
def test_what_was_left_because_nobody_reads_ends_with_3(words, lines, isolated):
    ended = full(*words, typed=b"", stdout=type("ShutAfter", (Shut,), {"left": lines}))
    assert (ended.code, ended.err) == (3, "")


def test_a_list_that_nobody_reads_is_done(isolated):
    for words in (("practice", "--list"), ("tutorial", "--list"), ("rank",), ("rules",)):
        ended = full(*words, stdout=type("ShutAtOnce", (Shut,), {"left": 0}))
        assert (ended.code, ended.err) == (0, "")
