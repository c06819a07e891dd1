"""Streams of records: logs, single records and rubbish after one another, packed and cut off."""

import gzip
import io
import json
from random import Random

import pytest

from mia_cli.files.reading import LARGEST
from mia_cli.records.many import processes
from mia_cli.records.many.source import find_record
from mia_cli.records.many.stream import Chunk, chunks
from mia_cli.records.record import decode_record, encode_record, to_json
from mia_cli.rules.errors import BadRecord, CannotRead, Unwritable
from mia_cli.stats.choice import Choice
from mia_cli.stats.gather import gather
from tests.played_matches import played, simulated, some


def line(record):
    return json.dumps(to_json(record), separators=(",", ":")).encode() + b"\n"


def counted(source, **more):
    stdin = io.BytesIO(source) if isinstance(source, bytes) else None
    found = gather(["-" if stdin else source], Choice(), cache=None, stdin=stdin, **more)
    places = [problem.place for problem in found.problems]
    return int(found.grouped.all.matches.sum()), found.skipped, places


def test_logs_and_single_records_mixed():
    parts = [line(simulated(n)) if n % 3 else encode_record(played(n)) for n in range(30)]
    data = b"".join(parts)
    assert counted(data) == (30, 0, [])
    assert counted(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")) == (30, 0, [])
    assert counted(b"\n\n" + b"\n\n".join(parts)) == (30, 0, [])
    assert counted(gzip.compress(data)) == (30, 0, [])
    assert counted(gzip.compress(data[:5000]) + gzip.compress(data[5000:])) == (30, 0, [])


def test_every_damaged_record_is_named_with_its_line_and_skipped():
    good, whole = line(simulated(1)), encode_record(played(2))
    data = good + b"rubbish\n" + good[:700] + b"\n" + whole + b"[1]\n" + good
    data += whole[:900].rpartition(b"\n")[0] + b"\n" + good + good[:-300]
    numbers = [2, 3, 4 + whole.count(b"\n"), 6 + whole.count(b"\n")]
    last = data.count(b"\n") + 1
    matches, skipped, places = counted(data)
    assert (matches, skipped) == (4, 5)
    assert places == [f"-:{number}" for number in (*numbers, last)]


@pytest.mark.parametrize("size", [64, 1000, 5000, 1 << 20])
def test_chunks_are_whole_records_whatever_their_size(size):
    parts = [line(simulated(n)) if n % 2 else encode_record(played(n)) for n in range(12)]
    data = b"".join(parts)
    found = list(chunks(io.BytesIO(data), "x", size))
    assert b"".join(chunk.data for chunk in found) == data
    at = 1
    for chunk in found:
        assert isinstance(chunk, Chunk) and chunk.line == at and chunk.data.startswith(b"{")
        at += chunk.data.count(b"\n")


def test_a_packed_log_that_breaks_off_tells_what_it_can():
    data = gzip.compress(b"".join(line(simulated(n)) for n in range(40)))
    matches, skipped, places = counted(data[: len(data) // 2])
    assert 5 < matches < 35 and skipped >= 1 and places[-1] == "-"


def test_a_line_without_end_is_never_held():
    data = b'{"schema":"' + b"x" * (3 * LARGEST) + b"\n" + line(simulated(1))
    assert counted(data) == (1, 1, ["-:1"])


def test_other_processes_count_alike(monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "_ALONE", 1)
    path = tmp_path / "log.jsonl"
    random = Random(3)
    lines = [line(simulated(random.randrange(200))) for _ in range(900)]
    lines[450] = b"rubbish\n"
    path.write_bytes(b"".join(lines))
    found = [gather([path], Choice(), cache=None, jobs=jobs) for jobs in (1, 2)]
    assert found[0].grouped.all.matches.sum() == found[1].grouped.all.matches.sum() == 899
    for mine, its in zip(*(sorted(one.grouped.all.players.items()) for one in found), strict=True):
        assert mine[0] == its[0] and (mine[1].features == its[1].features).all()
    assert [p.place for p in found[0].problems] == [p.place for p in found[1].problems]
    assert found[1].problems[0].place == f"{path}:451"


def test_single_files_in_any_shape(tmp_path):
    path = tmp_path / "one.json"
    for data in (
        encode_record(played(1)),
        json.dumps(to_json(played(1)), indent=0).encode(),
        json.dumps(to_json(played(1)), indent=None).encode(),
        gzip.compress(encode_record(played(1))),
    ):
        path.write_bytes(data)
        assert counted(path) == (1, 0, [])
        assert find_record(path, "one.json", None) == played(1)
    path.write_bytes(b"{}")
    assert counted(path) == (0, 1, [str(path)])


def test_sources_that_cannot_be_read(tmp_path):
    with pytest.raises(Unwritable):
        gather([tmp_path / "none"], Choice(), cache=None)
    empty = tmp_path / "empty.json"
    empty.write_bytes(b"")
    assert gather([empty], Choice(), cache=None).empty == [str(empty)]


def test_a_match_of_a_log_by_its_number(tmp_path, monkeypatch):
    """Of hundreds of records few are read: those whose id may be the one that is wanted."""
    record = to_json(simulated(1))
    texts = [
        json.dumps({**record, "id": f"sim-ab-{n}"}).replace("m-000001", f"sim-ab-{n}")
        for n in range(1, 300)
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(texts))
    decoded = []

    def counting(data, place):
        decoded.append(place)
        return decode_record(data, place)

    monkeypatch.setattr("mia_cli.records.many.source.decode_record", counting)
    for wanted, found in (("42", "sim-ab-42"), ("sim-ab-7", "sim-ab-7"), ("b-42", "sim-ab-42")):
        assert find_record(path, "log", wanted).id == found
    assert len(decoded) < 40
    path.write_text("\n".join((*texts, texts[41].replace("sim-ab", "sim-cd"))))
    with pytest.raises(CannotRead) as error:
        find_record(path, "log", "42")
    assert error.value.fields["matches"] == ("sim-ab-42", "sim-cd-42")
    # Written in another way, a record is read to know its id.
    path.write_text(
        "\n".join(json.dumps(dict(reversed(json.loads(text).items()))) for text in texts)
    )
    assert find_record(path, "log", "42").id == "sim-ab-42"


def test_one_match_of_many(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(line(record) for record in some(5)) + b"rubbish\n")
    assert find_record(path, "log", "m-000003") == some(5)[3]
    assert find_record(path, "log", "003") == some(5)[3]
    for wanted, code in ((None, "several_matches"), ("m-0", "ambiguous_id")):
        with pytest.raises(CannotRead) as error:
            find_record(path, "log", wanted)
        assert error.value.code == code
    with pytest.raises(BadRecord):
        find_record(path, "log", "zzz")  # the damaged line may have been it
