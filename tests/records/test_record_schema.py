"""The JSON Schema of ``mia.match/1``, and the way from an older schema to it."""

import json
from copy import deepcopy
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from mia_cli.records import migrate
from mia_cli.records.many.match_summary import read_summary
from mia_cli.records.record import decode_record, encode_record, from_json, to_json
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import BadRecord
from tests.records.record_samples import history

SCHEMA = json.loads(files("mia_cli").joinpath("schemas/match-1.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
MATCHES = [
    history(seats=2, lives=2, choices=3),
    history(seed=11, seats=4, lives=3, penalty=2, leader=3, human=2, choices=5),
    history(seed=3**200, seats=6, lives=2, human=0),
]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("match", MATCHES)
def test_every_record_follows_the_schema(match):
    for record in match.some():
        document = json.loads(encode_record(record))
        assert list(VALIDATOR.iter_errors(document)) == []
        document["aids"] = {"tutor": True, "hints": [4], "take_backs": []}
        document["levels"] = {"hard": 2}
        document["something new"] = {"is": "kept"}
        assert VALIDATOR.is_valid(document)


def spoilt(document):
    """The document with each field gone, and each with a value of another kind."""
    for path in (("seed",), ("ruleset", "lives"), ("seats", 0, "player"), ("events", 1, "leader")):
        for change in ("gone", "other"):
            copy = deepcopy(document)
            place = copy
            for key in path[:-1]:
                place = place[key]
            if change == "gone":
                del place[path[-1]]
            else:
                place[path[-1]] = 2.5
            yield copy
    for key in ("id", "created", "ended", "status", "version", "seats", "events", "winner"):
        yield {name: value for name, value in document.items() if name != key}
        yield {**document, key: 2.5}
    for event in range(len(document["events"])):
        copy = deepcopy(document)
        copy["events"][event]["more"] = 1
        yield copy
    yield {**document, "schema": "mia.match/2"}
    yield {**document, "winner": None}


def test_what_the_reader_refuses_the_schema_refuses():
    document = to_json(MATCHES[0][-1])
    for copy in spoilt(document):
        assert not VALIDATOR.is_valid(copy)
        with pytest.raises(BadRecord):
            from_json(copy)


def from_0(document):
    """A made-up older schema: lives for ``ruleset``, one list of names, no ``created``."""
    document = dict(document)
    document["schema"] = "mia.match/1"
    document["ruleset"] = {"lives": document.pop("lives"), "penalty_21": 1}
    document["created"] = document.pop("when")
    started = document["events"][0]
    document["events"] = [{**started, "ruleset": document["ruleset"]}, *document["events"][1:]]
    return document


def as_0(record):
    document = to_json(record)
    document["schema"] = "mia.match/0"
    document["lives"] = document.pop("ruleset")["lives"]
    document["when"] = document.pop("created")
    del document["events"][0]["ruleset"]
    return document


@pytest.mark.parametrize("at", [5, -1])
def test_a_record_of_an_older_schema_is_read_and_its_file_left_alone(monkeypatch, tmp_path, at):
    record = MATCHES[0][at]
    data = json.dumps(as_0(record)).encode()
    with pytest.raises(BadRecord) as error:
        decode_record(data, "old.json")
    assert error.value.code == "unknown_schema"
    monkeypatch.setitem(migrate.STEPS, "mia.match/0", from_0)
    assert decode_record(data, "old.json") == record
    assert read_summary(data) == read_summary(encode_record(record))
    path = tmp_path / f"{record.id}.json"
    path.write_bytes(data)
    store = MatchStore(tmp_path)
    assert store.load(record.id) == record
    assert path.read_bytes() == data
    store.save(record)
    assert json.loads(path.read_bytes())["schema"] == "mia.match/1"


def test_steps_follow_one_another_and_never_in_circles():
    steps = {
        "a": lambda document: {**document, "schema": "b"},
        "b": lambda document: {**document, "schema": "c"},
    }
    assert migrate.upgrade({"schema": "a"}, steps) == {"schema": "c"}
    present = {"schema": "c", "x": 1}
    assert migrate.upgrade(present, steps) is present
    for strange in (None, 1, [], {}):
        assert migrate.upgrade({"schema": strange}, steps) == {"schema": strange}
    with pytest.raises(ValueError):
        migrate.upgrade({"schema": "a"}, {**steps, "c": lambda _: {"schema": "a"}})
