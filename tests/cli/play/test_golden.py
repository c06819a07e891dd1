"""Whole matches as a person reads them, word for word, in every language.

To accept a change on purpose: ``MIA_GOLDEN=write python -m pytest tests/cli/test_golden.py``, and
read the difference before you commit it. (The variable is read before tests clean MIA_*.)
"""

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mia_cli.cli.app import app
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import LANGUAGES
from tests.cli.scripted import script

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
WRITE = os.environ.get("MIA_GOLDEN") == "write"
WORDS = ("help", "odds", "rank", "score", "history", "hint", "", "x", "77", "hepl")

MATCHES = {
    "three-seats": (7, ("normal", "normal"), RuleSet()),
    "two-seats-quick": (3, ("expert",), RuleSet(2, 2)),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MATCHES)
def test_a_match_word_for_word(name: str, language: str) -> None:
    seed, cpus, rules = MATCHES[name]
    words = ["play", "--lang", language, "--seed", str(seed), "--players", str(len(cpus) + 1)]
    words += [word for level in cpus for word in ("--cpu", level)]
    words += ["--lives", str(rules.lives), "--penalty-21", str(rules.penalty_21)]
    typed = "".join(f"{line}\n" for line in (*WORDS, *lines_of(seed, cpus, rules)))
    result = CliRunner().invoke(app, words, input=typed)
    assert result.exit_code == 0, result.output
    text = re.sub(r"\d{8}-\d{4}-\w{6}", "YYYYMMDD-HHMM-xxxxxx", result.stdout)
    path = GOLDEN / f"{name}.{language}.txt"
    if WRITE:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def lines_of(seed: int, cpus: tuple[str, ...], rules: RuleSet) -> tuple[str, ...]:
    """What has to be typed, known from playing the match through the engine alone."""
    from mia_cli.players import registry

    seats = len(cpus) + 1
    told = script(seed, cpus, rules, make=lambda level, rule: registry.make(level, rule, seats))
    return told.lines
