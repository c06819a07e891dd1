"""Every ``mia.*/1`` has a JSON Schema that ships, and all the program writes follows it."""

import json
import re
import shlex
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import mia_cli
from tests import played_matches
from tests.cli.in_process import full
from tests.cli.scripted import script

PACKAGE = Path(mia_cli.__file__).parent
FOLDER = PACKAGE / "schemas"
IN_A_CACHE = {"mia.solution/1"}
"""Written for the program alone, and made again at will."""

_DUELS = ("--cpu", "easy", "--cpu", "hard", "-n", "40", "--seed", "3")
_LISTENER = """
import json, sys
for line in sys.stdin:
    open(sys.argv[1], "a").write(line)
    asked = json.loads(line)
    if asked["type"] == "answer":
        print('{"action":"challenge"}', flush=True)
    elif asked["type"] == "claim":
        print('{"claim":"21"}' if asked["roll"] != "31" else "nonsense", flush=True)
"""


def _lines(seed: int, *cpus: str) -> bytes:
    return "".join(f"{line}\n" for line in script(seed, cpus).lines).encode()


def _commands(folder: Path) -> list[tuple[str, bytes, int]]:
    """Command lines, what is typed, and the code they end with."""
    listener = folder / "listener.py"
    listener.write_text(_LISTENER)
    heard = shlex.join([sys.executable, str(listener), str(folder / "heard.jsonl")])
    bot = f"--bot loud={shlex.quote(heard)}"
    play = "play --json --cpu normal --cpu normal"
    duel = " ".join(_DUELS)
    return [
        ("rank --json", b"", 0),
        ("rank 55 --json", b"", 0),
        ("rank 44 55 --json", b"", 1),
        ("rank - --json", b"55 44\n4 7\n", 2),
        ("rules --json --players 4", b"", 0),
        ("rules --json --rules mia-two", b"", 0),
        ("rules new mine --lives 2 --players 3 --cpu hard", b"", 0),
        ("rules list --json", b"", 0),
        ("rules show long --json", b"", 0),
        ("rules show mine --json", b"", 0),
        (f"{play} --seed 5", _lines(5, "normal", "normal"), 0),
        (f"{play} --seed 9 --tutor", b"hint\nodds\nrules\nx\n" + b"c\nhint\n65\n" * 99, 0),
        ("play --json --cpu shark --players 2 --seed 4", b"help\nhint\n" + b"c\n65\n21\n" * 99, 0),
        (f"play --json --players 2 --cpu bot:loud {bot} --seed 2", b"c\n21\n" * 60, 0),
        ("play --json --daily", b"", 3),
        ("play --discard --force --json", b"", 0),
        ("play --json --seed 8", b"quit\n", 3),
        ("practice --json -n 3", b"c\n66\nx\n", 3),
        ("practice --list --json", b"", 0),
        ("tutorial --list --json", b"", 0),
        ("tutorial --lesson 1 --seed 1", b"\n", 3),
        ("tutorial --list --json", b"", 0),
        (f"simulate {duel} --json --log {folder}/log.jsonl --resume {folder}/run.json", b"", 0),
        (f"simulate {duel} --json --match 4", b"", 0),
        ("simulate --cpu easy --cpu hard --exact --json", b"", 0),
        ("simulate --cpu easy --cpu hard --json --until 0.2 --seating all", b"", 0),
        ("simulate --cpu shark --cpu normal -n 80 --json", b"", 0),
        (
            f"simulate --cpu bot:loud --cpu easy -n 8 --json {bot} --resume {folder}/bot.json",
            b"",
            0,
        ),
        ("simulate --round-robin --cpu easy --cpu hard --cpu normal -n 40 --json", b"", 0),
        ("solve --json", b"", 0),
        ("solve --json --players 3 --lives 2", b"", 0),
        ("solve --ceiling normal --lives 2 --json", b"", 0),
        ("solve --at 3,1 --claim 55 --json", b"", 0),
        ("solve --at 3,1 --claim 55 --above 44 --json", b"", 0),
        ("solve --at 3,1 --claim 55 --roll 33 --json", b"", 0),
        ("solve --at 3,1 --roll 33 --json", b"", 0),
        ("stats --json --by cpu", b"", 0),
        ("stats --json --readable", b"", 0),
        ("stats --json --daily", b"", 0),
        (f"stats {folder}/log.jsonl --json", b"", 0),
        (f"stats --export {folder}/all.jsonl", b"", 0),
        ("review --list --json", b"", 0),
        ("review --json", b"", 0),
        ("review --verify --json", b"", 0),
    ]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Every document that the commands write, on stdout and in files, by its schema."""
    home = tmp_path_factory.mktemp("written")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATA", "CONFIG", "CACHE"):
            patch.setenv(f"MIA_{name}_DIR", str(home / name.lower()))
        duels = [played_matches.played(number, seats=2) for number in range(100, 124)]
        played_matches.write(home / "data" / "matches", [*played_matches.some(8), *duels])
        texts = []
        for words, typed, code in _commands(home):
            ended = full(*shlex.split(words), typed=typed)
            assert ended.code == code, (words, ended)
            texts.append(ended.out)
        for path in home.rglob("*.json*"):
            texts.append(path.read_text("utf-8"))
    found: dict[str, list[dict[str, object]]] = {}
    bot_lines = False
    for text in texts:
        for document in _documents(text):
            bot_lines = document.get("schema") == "mia.bot/1" or (
                bot_lines and "schema" not in document
            )
            name = document.get("schema", "mia.bot/1" if bot_lines else None)
            if name is not None:
                found.setdefault(name, []).append(document)
    return found


def _documents(text):
    """The objects of a text that is one, or has one in each line."""
    try:
        whole = json.loads(text)
        return [whole] if isinstance(whole, dict) else []
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def _schema(name):
    """The schema that ships for ``mia.<what>/1``."""
    what, _, number = name.removeprefix("mia.").partition("/")
    return json.loads((FOLDER / f"{what}-{number}.schema.json").read_text("utf-8"))


NAMES = sorted(
    f"mia.{path.name.removesuffix('.schema.json').replace('-', '/')}"
    for path in FOLDER.glob("*.schema.json")
)


def test_every_schema_of_the_code_ships_and_is_listed():
    code = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    named = set(re.findall(r'"(mia\.[a-z]+/[0-9]+)"', code)) - IN_A_CACHE
    assert named == set(NAMES)
    readme = (PACKAGE.parent / "README.md").read_text("utf-8")
    for name in NAMES:
        assert f"`{name}`" in readme, name
        assert _schema(name)["title"] == name and _schema(name)["description"]
        Draft202012Validator.check_schema(_schema(name))


@pytest.mark.parametrize("name", NAMES)
def test_what_commands_write_follows_its_schema(written, name):
    opened = Draft202012Validator(_schema(name))
    validators = [opened]
    step = 9  # tests/records validates many matches
    if name != "mia.match/1":
        validators.append(Draft202012Validator(_closed(_schema(name))))
        step = 1
    assert written[name]
    for document in written[name][::step]:
        for validator in validators:
            errors = [(list(e.absolute_path), e.message) for e in validator.iter_errors(document)]
            assert errors == [], document
        assert opened.is_valid({**document, "something new": 1}), "additions are allowed"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "mia.match/1"])
def test_changes_are_refused(written, name):
    """A value of another kind anywhere, and a field gone that all of its kind have.

    Of ``mia.match/1`` in tests/records.
    """
    validator = Draft202012Validator(_schema(name))
    kinds: dict[object, list[dict[str, object]]] = {}
    for document in written[name]:
        kind = (document.get("event"), document.get("type"), document.get("decision"))
        kinds.setdefault((kind, "order" in document, "exact" in document), []).append(document)
    for documents in kinds.values():
        shortest = min(documents, key=lambda document: len(json.dumps(document)))
        for copy in _changed(shortest):
            assert not validator.is_valid(copy), copy
        if name not in ("mia.rank/1", "mia.solve/1"):  # one answer may be a part of another
            for key in set.intersection(*map(set, documents)):
                gone = {field: value for field, value in documents[0].items() if field != key}
                assert not validator.is_valid(gone), key


def _changed(document, most=15):
    """Copies with one value each, at any depth, that is of another kind."""
    paths = list(_paths(document))
    for path in paths[:: 1 + len(paths) // most]:
        copy = deepcopy(document)
        *way, last = path
        place = copy
        for step in way:
            place = place[step]
        place[last] = "?" if isinstance(place[last], (dict, list)) else {"of": "another kind"}
        yield copy


def _paths(value, *way):
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for step, part in inside:
        yield (*way, step)
        if isinstance(part, (dict, list)):
            yield from _paths(part, *way, step)


def _closed(schema):
    """The schema with nothing allowed that it does not describe.

    What is one of several (``anyOf`` at the top) or a part of a whole (``allOf``) stays open: the
    whole is closed.
    """
    joined = {part["$ref"] for part in _parts(schema, "allOf") if "$ref" in part}

    def close(part, place, is_part):
        if isinstance(part, list):
            return [close(inner, place, is_part) for inner in part]
        if not isinstance(part, dict):
            return part
        found = {
            key: close(inner, f"{place}/{key}", (place, key) == ("#", "anyOf") or key == "allOf")
            for key, inner in part.items()
        }
        if place == "#" or ({"properties", "allOf"} & part.keys() and place not in joined):
            found |= {} if is_part else {"unevaluatedProperties": False}
        return found

    return close(schema, "#", False)


def _parts(schema, key):
    if isinstance(schema, dict):
        yield from schema.get(key, []) if isinstance(schema.get(key), list) else []
        for inner in schema.values():
            yield from _parts(inner, key)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _parts(inner, key)
