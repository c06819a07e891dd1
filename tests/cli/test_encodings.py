"""Every encoding that Python has, with every sign of every language and every command."""

from __future__ import annotations

import ast
import codecs
import encodings
import io
import pkgutil
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import mia_cli
import mia_cli.text.language
from mia_cli.cli import streams
from mia_cli.text.language import catalogue
from tests.cli.in_process import full
from tests.cli.machine import run

PACKAGE = Path(mia_cli.__file__).parent
NO_STREAM = ("idna", "undefined")
"""Codecs that call themselves text, and cannot write a line of it."""
SOME = ("cp1251", "cp864", "cp037", "koi8_r", "ascii", "hz", "utf_16", "shift_jisx0213", "charmap")
COMMAND_LINES = [
    ("--help",),
    *[(name, "--help") for name in ("play", "tutorial", "practice", "simulate", "review")],
    *[(name, "--help") for name in ("rank", "rules", "solve", "stats", "help")],
    ("--version",),
    ("rank",),
    ("rank", "x", "„♥“"),
    ("rules",),
    ("rules", "list"),
    ("help", "bots"),
    ("play", "--seed", "1", "--cpu", "easy"),
    ("tutorial", "--list"),
    ("practice", "--list"),
    ("review", "--list"),
    ("stats",),
    ("simulate", "-n", "20", "--cpu", "easy", "--cpu", "normal"),
    ("solve", "--players", "2", "--lives", "2"),
]


def text_encodings() -> list[str]:
    """The names of all codecs that can be a stream's."""
    found = []
    for module in pkgutil.iter_modules(encodings.__path__):
        try:
            codec = codecs.lookup(module.name)
        except LookupError:
            continue
        if codec._is_text_encoding and module.name not in NO_STREAM:
            found.append(module.name)
    return found


@cache
def signs_of(language: str) -> str:
    """Every character of the catalogue of a language."""
    folder = Path(mia_cli.text.language.__file__).parent / "locale"
    found: set[str] = set()
    with (folder / ("fr" if language == "en" else language) / "LC_MESSAGES/mia.po").open(
        "rb"
    ) as po:
        for message in read_po(po):
            texts = message.id if language == "en" else message.string
            found.update(*([texts] if isinstance(texts, str) else texts))
    return "".join(sorted(found - {"?"}))


def test_there_are_all_kinds_of_encodings():
    found = text_encodings()
    assert len(found) > 90
    assert set(SOME) <= set(found)


@pytest.mark.parametrize("encoding", text_encodings())
def test_every_sign_of_every_language_is_written_or_spelt(encoding, monkeypatch):
    for wanted in catalogue.LANGUAGES:
        language = catalogue.choose(wanted, {}, encoding)
        assert language in (wanted, "en")
        stream = io.TextIOWrapper(io.BytesIO(), encoding, newline="")
        monkeypatch.setattr("sys.stdout", stream)
        streams.prepare()
        stream.write(signs_of(language))
        stream.flush()
        told = stream.buffer.getvalue().decode(encoding)
        assert "?" not in told, (language, told)


TURNS = list(product(catalogue.LANGUAGES, COMMAND_LINES))
AT_A_TURN = 2
"""Command lines for each encoding: together, all of them in all languages, some twice."""


@pytest.mark.parametrize(("number", "encoding"), [*enumerate(text_encodings())])
def test_commands_end_as_usual(number, encoding):
    for at in range(number * AT_A_TURN, (number + 1) * AT_A_TURN):
        language, words = TURNS[at % len(TURNS)]
        ended = full(*words, "--lang", language, encoding=encoding)
        usual = 2 if "x" in words else 3 if "--seed" in words else 0
        assert ended.code == usual, (language, words, ended.err)
        assert ended.out or ended.err


def test_all_command_lines_get_their_turn_in_all_languages():
    assert len(text_encodings()) * AT_A_TURN >= len(TURNS)


@pytest.mark.parametrize("encoding", (*SOME, *NO_STREAM))
def test_the_program_itself(encoding):
    for words, code in ((("--help",), 0), (("rank", "x"), 2), (("rank", "55", "44"), 0)):
        ended = run(*words, env={"PYTHONIOENCODING": encoding, "MIA_LANG": "fr"})
        assert ended.returncode == code, ended.stderr
        (ended.stdout + ended.stderr).decode("ascii" if encoding in NO_STREAM else encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "cp037"])
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completions_with_their_helps(shell, encoding):
    asked = {
        "PYTHONIOENCODING": encoding,
        "MIA_LANG": "fr",
        "_MIA_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "mia ",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    ended = run(env=asked)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "L'ordre des lancers" in ended.stdout.decode(encoding).replace("’", "'")


def test_all_output_goes_one_way():
    # What goes round ``outputs``, ``screen`` and ``streams`` goes round the spelling.
    allowed = {
        "cli/outputs.py": {"sys.stdout.write"},
        "cli/keyboard.py": {"sys.stdout.write"},
        "cli/streams.py": {"print", "sys.stdout.write"},
        "bridges/maexchen.py": {"sys.stdout.write"},  # JSON for a program, in ASCII
        "__main__.py": {"sys.stdout.write"},
    }
    found = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in {"print", "sys.stdout.write", "sys.stderr.write"} or called.endswith(
                (".echo", ".secho", ".echo_via_pager", "stdout.buffer.write")
            ):
                found.setdefault(name, set()).add(called)
    assert found == allowed
