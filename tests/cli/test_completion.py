"""What a shell completes, in the language in use, and the scripts that ask for it."""

import os
import shlex
import subprocess

import pytest
from typer.testing import CliRunner, Result

from mia_cli.cli.app import app
from mia_cli.cli.completion import SHELLS
from mia_cli.players.names import LEVELS
from mia_cli.presets.folders import shipped_names
from mia_cli.rules.rolls import NAMES
from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.practice.question import KINDS
from tests.cli.machine import MIA
from tests.played_matches import some, write


def asked(shell: str, line: str, **env: str) -> Result:
    """What the script of a shell asks when the cursor stands at the end of ``line``."""
    words = shlex.split(line)
    typed = {
        "_MIA_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) if line.endswith(" ") else len(words) - 1),
    }
    return CliRunner().invoke(app, [], env={**typed, **env})


def completed(line: str, **env: str) -> list[str]:
    result = asked("bash", line, **env)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("mia play --cpu ", LEVELS),
        ("mia simulate --cpu easy --cpu ", LEVELS),
        ("mia solve --ceiling e", ["easy", "expert"]),
        ("mia stats --cpu ha", ["hard"]),
        ("mia play --rules ", shipped_names()),
        ("mia rules show q", ["quick"]),
        ("mia play --lives ", ["2", "3", "5"]),
        ("mia play --players ", ["2", "3", "4", "5", "6"]),
        ("mia play --penalty-21 ", ["1", "2"]),
        ("mia play --first r", ["random"]),
        ("mia rank ", NAMES),
        ("mia rank 55 ", NAMES),
        ("mia solve --at 3,1 --claim 6", ["61", "62", "63", "64", "65", "66"]),
        ("mia tutorial --lesson ", [lesson.id for lesson in LESSONS]),
        ("mia practice --kind ", KINDS),
        ("mia help l", ["levels"]),
        ("mia --lang ", LANGUAGES),
        ("mia stats --by ", ["ruleset", "cpu", "month"]),
        ("mia simulate --format ", ["table", "json", "csv"]),
        ("mia play --resume ", []),
    ],
)
def test_values(line: str, values: list[str]) -> None:
    assert completed(line) == list(values)


def test_matches_the_newest_first(isolated) -> None:
    records = some()
    write(isolated / "data" / "matches", records)
    ids = sorted((record.id for record in records), reverse=True)
    assert completed("mia review ") == ids[:50]
    assert completed(f"mia play --resume {ids[-1]}"[:-1]) != []


def test_own_presets_and_never_a_damaged_one(isolated) -> None:
    folder = isolated / "config" / "rulesets"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('lives = 2\npenalty_21 = 1\ndescription = "Ours"\n')
    (folder / "broken.toml").write_text("lives = ")
    assert completed("mia play --rules ") == [*shipped_names(), "mine"]
    assert '"mine":"Ours"' in asked("zsh", "mia play --rules ").stdout


def test_a_folder_that_cannot_be_read_offers_what_is_left(isolated) -> None:
    (isolated / "config").mkdir()
    (isolated / "config" / "rulesets").write_text("no folder")
    (isolated / "data").mkdir()
    (isolated / "data" / "matches").write_text("no folder")
    assert completed("mia review ") == []
    assert asked("bash", "mia play --rules ").exit_code == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_descriptions_are_in_the_language_in_use(shell: str, language: str) -> None:
    shown = asked(shell, "mia play --cpu ", MIA_LANG=language).stdout
    assert all(level in shown for level in LEVELS)
    assert ("a beginner" in shown) is (language == "en")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("separator", [" ", "="])
def test_a_script_of_any_shell_from_any_shell(shell: str, separator: str) -> None:
    words = f"--show-completion{separator}{shell}".split(" ")
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert "_MIA_COMPLETE" in result.stdout and "mia" in result.stdout
    assert "_MIA_COMPLETE" not in os.environ


@pytest.mark.parametrize(
    ("words", "env", "named"),
    [
        (["--show-completion", "tcsh"], {}, "tcsh"),
        ([], {"_MIA_COMPLETE": "foo"}, "foo"),
        ([], {"_MIA_COMPLETE": "complete_tcsh"}, "complete_tcsh"),
        ([], {"_MIA_COMPLETE": "foo_bash"}, "foo_bash"),
        ([], {"_MIA_COMPLETE": "complete_bash"}, "COMP_CWORD"),
        ([], {"_MIA_COMPLETE": "complete_bash", "COMP_CWORD": "x"}, "COMP_CWORD"),
        ([], {"_MIA_COMPLETE": "complete_bash", "COMP_CWORD": "1"}, "COMP_WORDS"),
    ],
)
def test_odd_questions_are_refused_in_one_line(words, env, named) -> None:
    result = CliRunner().invoke(app, words, env=env)
    assert (result.exit_code, result.stdout) == (2, "")
    assert named in result.stderr and result.stderr.count("\n") == 1


def test_bash_completes_with_the_script(isolated) -> None:
    ask = (
        'source "$2"; COMP_WORDS=(mia solve --ceiling e); COMP_CWORD=3; '
        '_mia_completion "$1"; echo "${COMPREPLY[@]}"'
    )
    script, program = isolated / "script", isolated / "mia"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(MIA)} "$@"\n')
    program.chmod(0o755)
    script.write_text(CliRunner().invoke(app, ["--show-completion", "bash"]).stdout)
    ended = subprocess.run(
        ["bash", "-c", ask, "bash", str(program), str(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.stdout.split() == ["easy", "expert"], ended.stderr
