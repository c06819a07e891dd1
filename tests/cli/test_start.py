"""What each command imports: start-up is part of the product, and one careless import ends it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.machine import environment

# What Python itself loads at its start may differ from one machine to the next (site, .pth files).
PROGRAM = (
    "import sys\n"
    "before = set(sys.modules)\n"
    "from mia_cli.__main__ import main\n"
    "try:\n"
    "    code = main()\n"
    "except SystemExit as end:\n"
    "    code = end.code\n"
    "print(code, *sorted(set(sys.modules) - before), file=sys.stderr)\n"
)
HEAVY = {
    *("numpy", "scipy", "rich", "dask", "distributed", "hypothesis", "pytest", "babel", "asyncio"),
    *("multiprocessing", "concurrent", "unittest", "http", "urllib.request", "ssl", "socket"),
    *("sqlite3", "xml", "pydantic", "pygments", "markdown_it"),
}


def loaded(*words: str, **env: str) -> tuple[str, set[str]]:
    """The exit code of ``mia words``, and the modules it imported."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(env),
        timeout=60,
        check=False,
    )
    code, *modules = ended.stderr.decode().splitlines()[-1].split()
    return code, set(modules)


def packages(modules: set[str]) -> set[str]:
    """The modules and the packages they are in."""
    return modules | {module.split(".")[0] for module in modules}


@pytest.mark.parametrize("words", [("55", "44"), ("33", "55"), ("-q", "6-4", "mia")], ids=" ".join)
def test_a_pair_imports_the_rolls_and_the_catalogue_and_nothing_else(words):
    code, modules = loaded("rank", *words)
    assert code in ("0", "1")
    assert modules - {"gc"} <= {
        *("mia_cli", "mia_cli.__main__", "mia_cli.rules", "mia_cli.rules.errors"),
        *("mia_cli.rules.rolls", "mia_cli.text", "mia_cli.text.language"),
        *("mia_cli.text.language.catalogue", "mia_cli.text.rank"),
    }


@pytest.mark.parametrize("language", ["fr", "ja"])
def test_a_pair_in_another_language_adds_the_reader_of_its_sentences_alone(language):
    _code, english = loaded("rank", "55", "44")
    code, modules = loaded("rank", "55", "44", MIA_LANG=language)
    assert code == "0"
    assert modules - english == {"mia_cli.text.language.compiled"}


@pytest.mark.parametrize(
    ("words", "also"),
    [
        (("rules", "list"), {"tomli_w", "json"}),
        (("rank",), {"tomllib", "tomli_w", "platformdirs", "json"}),
        (("rank", "55", "77"), {"tomllib", "tomli_w", "platformdirs", "json"}),
        (("--version",), {"tomllib", "tomli_w", "platformdirs", "json"}),
        (("--help",), {"tomli_w"}),
        (("rank", "--help"), {"tomllib", "tomli_w", "platformdirs", "json"}),
    ],
    ids=lambda given: " ".join(sorted(given) if isinstance(given, set) else given),
)
def test_other_commands_import_what_they_need(words, also):
    code, modules = loaded(*words)
    assert code in ("0", "2")
    assert "typer" in modules
    assert not packages(modules) & {*HEAVY, *also}


def test_a_command_does_not_import_the_others():
    _code, modules = loaded("rules", "list")
    assert not modules & {
        "mia_cli.cli.play.command",
        "mia_cli.cli.rank.command",
        "mia_cli.cli.solve.command",
    }
    assert not {name for name in modules if name.startswith(("mia_cli.theory", "mia_cli.records"))}
    _code, modules = loaded("rank", "55")
    assert not {name for name in modules if name.startswith(("mia_cli.presets", "mia_cli.engine"))}


@pytest.mark.parametrize("words", [("--help",), ("help",), ("--lang", "ja", "-h")], ids=" ".join)
def test_a_list_of_the_commands_imports_none_of_them(words):
    _code, modules = loaded(*words)
    found = {name for name in modules if name.endswith(".command")}
    assert found <= ({"mia_cli.cli.help.command"} if words == ("help",) else set())
