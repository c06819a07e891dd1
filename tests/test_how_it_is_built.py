"""The section of the README on how the program is built says what is so."""

import ast
import re
from pathlib import Path

import pytest

from mia_cli.players.habits import HABITS
from mia_cli.rules.ruleset import LIVES, PENALTIES
from tests.test_imports import LAYERS

ROOT = Path(__file__).resolve().parents[1]
SECTION = (ROOT / "README.md").read_text("utf-8").partition("\n## How it is built\n")[2]
SECTION = SECTION.partition("\n## ")[0]


def test_the_picture_is_the_import_rule() -> None:
    (picture,) = re.findall(r"```text\n(.*?)```", SECTION, re.DOTALL)
    assert [set(line.split()) for line in picture.splitlines()] == [
        layer for layer in LAYERS if layer != {"__main__"}
    ]


def row(what: str) -> str:
    (found,) = (line for line in SECTION.splitlines() if line.startswith(f"| {what}"))
    return found


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:mia_cli|tests)/[^`]*)`", SECTION))))
def test_a_file_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def texts(source: str) -> list[str]:
    """String literals; f-strings by their parts."""
    found = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [text for text in found if isinstance(text, str)]


def modules_saying(pattern: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "mia_cli").rglob("*.py")
        if any(re.search(pattern, text) for text in texts(path.read_text("utf-8")))
    }


def test_levels_are_listed_where_the_readme_says() -> None:
    """A list of the levels in a text is a place that another level would have to be added to."""
    places = set(re.findall(r"`(mia_cli/[^`]*command\.py)`", row("a level of habits")))
    assert modules_saying(", ".join(HABITS)) == places


def test_the_numbers_of_the_rule_set_are_listed_nowhere_else() -> None:
    for values in (LIVES, PENALTIES):
        assert modules_saying(rf"(^|\s){re.escape('|'.join(map(str, values)))}(\s|$)") == set()
