"""Records to one file and back: nothing lost, nothing twice, nothing overwritten."""

import gzip
import io
import json
from dataclasses import replace

from mia_cli.files.outputs import RECORDS, OutputFile
from mia_cli.records.many.transfer import export_records, import_records
from mia_cli.records.record import to_json
from mia_cli.records.store import MatchStore
from tests.played_matches import played, some, write


def taken(store, source):
    problems, differing = [], []
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    done = import_records(
        store, stream, "x", on_problem=problems.append, on_differing=differing.append
    )
    return (done.new, done.longer, done.same, done.differing), problems, differing


def files(store):
    return {path.name: path.read_bytes() for path in store.folder.iterdir()}


def test_there_and_back(tmp_path):
    write(tmp_path / "a", some(20))
    (tmp_path / "a" / "bad.json").write_bytes(b"{")
    here, there = MatchStore(tmp_path / "a"), MatchStore(tmp_path / "b")
    for name in ("all.jsonl", "all.jsonl.gz"):
        damaged = []
        output = OutputFile(str(tmp_path / name), RECORDS)
        assert export_records(here, output, damaged.append) == 20
        assert len(damaged) == 1
    packed = gzip.decompress((tmp_path / "all.jsonl.gz").read_bytes())
    assert packed == (tmp_path / "all.jsonl").read_bytes()
    assert len(packed.splitlines()) == 20
    assert taken(there, tmp_path / "all.jsonl.gz") == ((20, 0, 0, 0), [], [])
    expected = files(here)
    del expected["bad.json"]
    assert files(there) == expected
    assert taken(there, tmp_path / "all.jsonl") == ((0, 0, 20, 0), [], [])
    assert files(there) == expected


def test_a_match_played_further_takes_the_place_of_the_shorter_one(tmp_path):
    store = MatchStore(tmp_path)
    short, full = (json.dumps(to_json(played(9, actions=n))).encode() for n in (6, None))
    assert taken(store, short)[0] == (1, 0, 0, 0)
    assert taken(store, full)[0] == (0, 1, 0, 0)
    assert taken(store, short)[0] == (0, 0, 1, 0)
    assert store.load("m-000009") == played(9)


def test_another_match_with_the_same_id_is_left_out(tmp_path):
    store = MatchStore(tmp_path)
    store.save(played(9))
    before = files(store)
    other = replace(played(10), id="m-000009")
    assert taken(store, json.dumps(to_json(other)).encode()) == ((0, 0, 0, 1), [], ["m-000009"])
    assert files(store) == before


def test_a_damaged_file_here_is_left_and_the_others_are_taken(tmp_path):
    store = MatchStore(tmp_path)
    lines = [json.dumps(to_json(played(number))).encode() for number in (3, 4, 5, 6)]
    store.path_of("m-000003").write_bytes(b"{")
    store.path_of("m-000005").symlink_to("nowhere")
    done, problems, differing = taken(store, b"\n".join(lines))
    assert (done, differing) == ((2, 0, 0, 0), [])
    told = [(problem.error.code, problem.error.fields["id"]) for problem in problems]
    assert told == [("damaged_here", "m-000003"), ("damaged_here", "m-000005")]
    assert store.path_of("m-000003").read_bytes() == b"{"
    assert store.load("m-000004") == played(4) and store.load("m-000006") == played(6)


def test_what_breaks_the_rules_is_not_taken(tmp_path):
    document = to_json(played(9))
    next(e for e in document["events"] if e["event"] == "rolled")["roll"] = "66"
    data = json.dumps(document).encode() + b"\nrubbish\n" + json.dumps(to_json(played(3))).encode()
    done, problems, _ = taken(MatchStore(tmp_path), data)
    assert done == (1, 0, 0, 0)
    assert [problem.error.code for problem in problems] == ["does_not_fit", "not_json"]
    assert sorted(files(MatchStore(tmp_path))) == ["m-000003.json"]
