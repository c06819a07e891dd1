"""Imports point one way, the rules stay pure, and light modules stay light.

Every import statement counts, wherever it stands: at the top, in a function, under TYPE_CHECKING.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mia_cli

PACKAGE = Path(mia_cli.__file__).parent

# A part may import itself and the parts of earlier lines. Parts of one line do not know each other.
LAYERS = [
    {"rules"},
    {"files", "engine"},
    {"theory"},
    {"players"},
    {"presets", "records"},
    {"simulate", "stats", "review", "tutorial"},
    {"text", "api", "bridges"},
    {"cli"},
    {"__main__"},
]
LAYER = {part: number for number, parts in enumerate(LAYERS) for part in parts}

# No input or output, no randomness, no clock: the standard modules that rules may use.
PURE = {
    *("__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math"),
    *("typing", "unicodedata"),
}


def imports(tree: ast.AST) -> Iterator[str]:
    """Dotted names of everything imported; ``from a import b`` is ``a.b``."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                base = "." * level + (module or "")
                yield from (f"{base}.{alias.name}" for alias in names)
            case ast.Call(
                ast.Name("import_module" | "__import__") | ast.Attribute(attr="import_module")
            ):
                yield start_of_text(node.args[0])


def start_of_text(node: ast.AST) -> str:
    """The literal text of an expression, or what it literally starts with."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.JoinedStr([ast.Constant(str(text)), *_]):
            return text
    return ""


def offences(module: str, source: str) -> list[str]:
    """What ``module`` ("mia_cli.rules.rolls") imports and should not, as sentences."""
    tree = ast.parse(source)
    part = module.split(".")[1] if "." in module else ""
    found = [reason for name in imports(tree) for reason in objections(part, name)]
    found += [
        f"uses the private {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_private_typer(ast.unparse(node))
    ]
    return [f"{module} {reason}" for reason in dict.fromkeys(found)]


def objections(part: str, name: str) -> Iterator[str]:
    top, *rest = name.split(".")
    if not top:
        yield f"imports {name}: write the full name instead"
    elif top == "click" or is_private_typer(name):
        yield f"imports {name}: not ours to import"
    elif top == "mia_cli":
        yield from wrong_direction(part, rest[0] if rest else "")
    elif part == "rules" and top not in PURE:
        yield f"imports {name}: rules are pure"


def wrong_direction(part: str, other: str) -> Iterator[str]:
    if other in {part, "", "__version__"} or (part, other) == ("", "api"):
        return
    if other == "api":
        yield "imports mia_cli.api, which is for programs outside"
    elif other not in LAYER:
        yield f"imports mia_cli.{other}, which has no place in LAYERS"
    elif part == "" or LAYER[other] >= LAYER[part]:
        yield f"imports mia_cli.{other}: imports point one way"


def is_private_typer(name: str) -> bool:
    top, *rest = name.split(".")
    return top == "typer" and any(word.startswith("_") for word in rest)


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        words = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(words[:-1] if words[-1] == "__init__" else words)] = path
    return found


@pytest.mark.parametrize("module", modules())
def test_module(module):
    if "." in module:
        assert module.split(".")[1] in LAYER, f"{module} has no place in LAYERS"
    assert offences(module, modules()[module].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("mia_cli.rules.rolls", "import mia_cli.engine.seed"),
        ("mia_cli.rules.rolls", "from mia_cli.engine.seed import roll_number"),
        ("mia_cli.rules.rolls", "from mia_cli import engine"),
        ("mia_cli.rules.rolls", "def f():\n    from mia_cli.text import words"),
        ("mia_cli.rules.rolls", "if TYPE_CHECKING:\n    from mia_cli.cli.app import app"),
        ("mia_cli.rules.rolls", "try:\n    import mia_cli.theory as t\nexcept ImportError: pass"),
        *(
            ("mia_cli.rules.match", f"import {name}")
            for name in ["random", "time", "os", "os.path"]
        ),
        *(("mia_cli.rules.match", f"import {name}") for name in ["io", "json", "sys", "numpy"]),
        ("mia_cli.rules.match", "from pathlib import Path"),
        ("mia_cli.rules.match", "from secrets import randbits"),
        ("mia_cli.engine.driver", "import mia_cli.presets"),
        ("mia_cli.engine.driver", "import mia_cli.players.levels"),
        (
            "mia_cli.players.levels",
            "from importlib import import_module\nimport_module('mia_cli.cli')",
        ),
        (
            "mia_cli.players.levels",
            "import importlib\nimportlib.import_module(f'mia_cli.text.{x}')",
        ),
        ("mia_cli.records.store", "from mia_cli.presets import codec"),
        ("mia_cli.text.language.words", "from mia_cli.cli import app"),
        ("mia_cli.cli.app", "import mia_cli.__main__"),
        ("mia_cli.cli.app", "from mia_cli.unheard_of import x"),
        ("mia_cli.cli.app", "from mia_cli import *"),
        ("mia_cli", "from mia_cli.rules.rolls import ROLLS"),
        ("mia_cli.cli.app", "from mia_cli import api"),
        ("mia_cli.text.rank", "import mia_cli.api"),
        ("mia_cli.api", "from mia_cli.text import rank"),
        ("mia_cli.api", "import mia_cli.cli.app"),
        ("mia_cli.cli.app", "from . import rank"),
        ("mia_cli.cli.app", "import click"),
        ("mia_cli.cli.app", "from click.testing import CliRunner"),
        ("mia_cli.cli.app", "def f():\n    from typer._click import Context"),
        ("mia_cli.cli.app", "from typer import _completion_classes"),
        ("mia_cli.cli.app", "import typer\ntyper._click.Context"),
        ("mia_cli.__main__", "import click"),
    ],
)
def test_an_offence_is_found(module, source):
    assert offences(module, source)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("mia_cli.rules.match", "from collections.abc import Iterable\nimport mia_cli.rules.rolls"),
        ("mia_cli.engine.seed", "import hashlib, secrets\nfrom mia_cli.rules import rolls"),
        ("mia_cli.players.levels", "from mia_cli.engine.player import Player"),
        ("mia_cli.text.play.prompts", "import gettext\nfrom mia_cli.stats import summary"),
        ("mia_cli.cli.app", "import typer\nfrom typer.core import TyperGroup\ntyper.Typer()"),
        ("mia_cli.cli.app", "from mia_cli import __version__\nimport mia_cli"),
        ("mia_cli", "from mia_cli import api as api"),
        ("mia_cli.api", "def f():\n    from mia_cli.simulate.conduct import conduct"),
        ("mia_cli.__main__", "import sys\nfrom mia_cli.cli.app import app"),
    ],
)
def test_an_honest_module_passes(module, source):
    assert offences(module, source) == []


def newly_loaded(statement: str) -> set[str]:
    """Modules that ``statement`` loads in a fresh interpreter, beyond those it starts with."""
    script = f"import sys; bare = set(sys.modules); {statement}; print(*set(sys.modules) - bare)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    return set(run.stdout.split())


def test_rolls_load_nothing_but_themselves():
    """``mia rank 55 44`` pays for every module at every start."""
    assert newly_loaded("import mia_cli.rules.rolls") == {
        *("mia_cli", "mia_cli.rules", "mia_cli.rules.errors", "mia_cli.rules.rolls")
    }


@pytest.mark.parametrize(
    "part", ["rules", "engine", "players.names", "players.levels", "players.bot"]
)
def test_no_module_from_outside_comes_with(part):
    names = [name for name in modules() if name.startswith(f"mia_cli.{part}")]
    loaded = newly_loaded(f"import {', '.join(names)}")
    assert set(names) <= loaded
    tops = {name.split(".")[0] for name in loaded}
    assert tops - set(sys.stdlib_module_names) == {"mia_cli"}


def test_the_library_waits_until_it_is_asked_for():
    assert newly_loaded("import mia_cli") == {"mia_cli"}
    assert "mia_cli.api" in newly_loaded("import mia_cli; mia_cli.api")
    loaded = {name.split(".")[0] for name in newly_loaded("import mia_cli.api")}
    assert loaded - set(sys.stdlib_module_names) == {"mia_cli"}


def test_a_name_has_one_meaning():
    """No two modules define a public class, type alias or type variable of one name."""
    places: dict[str, list[str]] = {}
    for module, path in modules().items():
        for name in public_types(path.read_text(encoding="utf-8")):
            places.setdefault(name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    "source",
    ["class Roll: ...", "Roll = int | str", "Roll: TypeAlias = int", "Roll = TypeVar('Roll')"],
)
def test_a_second_meaning_is_found(source):
    assert list(public_types(f"def f(): ...\n{source}\n_Roll = 3\nROLLS = 4")) == ["Roll"]


def public_types(source: str) -> Iterator[str]:
    """Names of classes and aliases at the top of a module; constants are in capitals."""
    for node in ast.parse(source).body:
        names: list[ast.expr] = []
        match node:
            case ast.ClassDef(name):
                names = [ast.Name(name)]
            case ast.Assign(targets):
                names = targets
            case ast.AnnAssign(target):
                names = [target]
        for target in names:
            if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                yield target.id


MEANS = {
    "above": {"Claim | None", "str | None", "Claim | str | None"},
    "standing": {"int", "Ints", "Counts", "Numbers"},
}
"""The claim to beat is ``above``, as a claim or its name; its index in tables is ``standing``."""


def typed_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Parameters and fields that carry a type, with the type as written."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name, annotation=ast.expr() as kind):
                yield name, ast.unparse(kind).strip("'\"")
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind):
                yield name, ast.unparse(kind).strip("'\"")


def test_the_claim_to_beat_and_its_index_keep_their_names():
    wrong = [
        f"{module}: {name}: {kind}"
        for module, path in modules().items()
        for name, kind in typed_names(ast.parse(path.read_text(encoding="utf-8")))
        if name in MEANS and kind.removeprefix("Annotated[").partition(",")[0] not in MEANS[name]
    ]
    assert wrong == []
