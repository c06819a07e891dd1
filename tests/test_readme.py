"""Every example of the README, run as it stands and compared with what stands below it.

In a ``console`` block, a line ``$ command`` is run by bash in an empty folder, with ``mia`` being
this checkout; the lines up to the next command are what it prints (both streams). All the blocks
of the file share one folder, one home, and their order. A line ``...`` stands for any lines. Before
a block, ``<!-- input: a, 65, c -->`` types these lines into its first command, and
``<!-- not run -->`` leaves the block out. The ``pycon`` blocks are one session of Python in the
same folder, after all of these.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli import api

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
ANY_LINES = "..."
BLOCK = re.compile(r"(?:<!-- (?P<note>[^>]*) -->\n+)?```console\n(?P<text>.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A command of the README, the lines typed into it, and what it prints."""

    line: int
    command: str
    typed: tuple[str, ...]
    printed: tuple[str, ...]


def examples(text: str) -> Iterator[Example]:
    """The commands of all console blocks, in order."""
    for block in BLOCK.finditer(text):
        note = block["note"] or ""
        if note == "not run":
            continue
        typed = tuple(re.split(r", ?", note.removeprefix("input: "))) if "input: " in note else ()
        first = text[: block.start("text")].count("\n") + 1
        lines = block["text"].splitlines()
        starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            printed = tuple(lines[start + 1 : end])
            yield Example(first + start, lines[start][2:], typed, printed)
            typed = ()


def matches(expected: tuple[str, ...], actual: tuple[str, ...]) -> bool:
    """True when ``actual`` are the expected lines, ``...`` standing for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == ANY_LINES:
        return any(matches(expected[1:], actual[start:]) for start in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with a ``bin`` beside it that has ``mia``."""
    folder = tmp_path_factory.mktemp("readme")
    program = folder / "bin" / "mia"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mia_cli "$@"\n', "utf-8")
    program.chmod(0o755)
    (folder / "work").mkdir()
    return folder


def environment(sandbox: Path) -> dict[str, str]:
    return {
        "PATH": f"{sandbox / 'bin'}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "HOME": str(sandbox),
        "MIA_DATA_DIR": str(sandbox / "data"),
        "MIA_CONFIG_DIR": str(sandbox / "config"),
        "LANG": "C.UTF-8",
    }


SESSION = """
import doctest, sys
session = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "README", "README.md", 0)
doctest.DocTestRunner().run(session)
"""
EXAMPLES = list(examples(README))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line {example.line}")
def test_an_example_prints_what_the_readme_says(example: Example, sandbox: Path) -> None:
    ended = subprocess.run(
        ["bash", "-c", example.command],
        input="".join(f"{line}\n" for line in example.typed),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        cwd=sandbox / "work",
        env=environment(sandbox),
        timeout=120,
        check=False,
    )
    actual = tuple(ended.stdout.splitlines())
    assert matches(example.printed, actual), "\n".join(actual)


def test_the_library_as_it_is_shown_and_all_of_it(sandbox: Path) -> None:
    """After the examples above: they wrote the log that is read here."""
    ended = subprocess.run(
        [sys.executable, "-c", SESSION],
        input="\n".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL)),
        capture_output=True,
        encoding="utf-8",
        cwd=sandbox / "work",
        env=environment(sandbox),
        timeout=120,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == ("", "")
    section = README.split("\n## In Python: ")[1].split("\n## ")[0]
    missing = [name for name in api.__all__ if not re.search(rf"\b{name}\b", section)]
    assert missing == []


def test_the_readme_has_examples_of_the_commands() -> None:
    commands = " ".join(example.command for example in EXAMPLES)
    for words in ("mia rank", "mia rank -", "mia rules list", "mia rules new", "mia rules check"):
        assert words in commands


@pytest.mark.parametrize("heading", ["## Play", "## Run the tests"])
def test_the_two_commands_stand_alone_under_their_headings(heading: str) -> None:
    section = README.split(f"\n{heading}\n")[1].split("\n## ")[0]
    (command,) = re.findall(r"```sh\n(.*?)\n```", section, re.DOTALL)
    assert "\n" not in command
    assert ".venv/bin/pip install" in command


def test_how_examples_are_read() -> None:
    text = "\n".join(
        [
            *[
                "<!-- input: a, 65 -->",
                "",
                "```console",
                "$ mia play",
                "Accept? a",
                "$ echo x",
                "x",
            ],
            *["```", "<!-- not run -->", "```console", "$ rm", "```", "```sh", "$ no", "```"],
        ]
    )
    assert list(examples(text)) == [
        Example(4, "mia play", ("a", "65"), ("Accept? a",)),
        Example(6, "echo x", (), ("x",)),
    ]


@given(st.lists(st.sampled_from("abc"), max_size=6), st.data())
def test_dots_stand_for_any_lines(lines: list[str], data: st.DataObject) -> None:
    actual = tuple(lines)
    assert matches(actual, actual)
    assert matches((ANY_LINES,), actual)
    start, end = sorted(data.draw(st.integers(0, len(lines))) for _ in range(2))
    assert matches((*actual[:start], ANY_LINES, *actual[end:]), actual)
    assert not matches((*actual, "x"), actual)
    assert not matches(("x", ANY_LINES), actual)
    assert matches(actual[:-1], actual) is not bool(lines)
