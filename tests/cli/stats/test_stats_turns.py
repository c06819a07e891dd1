"""``mia stats --turns``: every turn as a row, from all that stats reads to any output."""

import csv
import gzip
import json

import pytest

from mia_cli.records.record import to_json
from tests.cli.in_process import full
from tests.cli.machine import run
from tests.played_matches import played, simulated, some, write

HEAD = "match,round,turn,seat,player,lives,above,roll,claim,bluff,answered_by,answer,holds"


@pytest.fixture
def log(tmp_path):
    """A log of matches between levels, of which one was lost by a fault, and a broken line."""
    records = [to_json(simulated(number, seats=2)) for number in range(6)]
    lines = [json.dumps(record, separators=(",", ":")) for record in records]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{line}\n" for line in [*lines, "{broken"]))
    return path


def turns(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def claims(records):
    return sum(type(event).__name__ == "Claimed" for one in records for event in one.events)


def test_turns_of_a_log_beside_the_statistics(log, tmp_path):
    out = tmp_path / "t.csv"
    ended = full("stats", str(log), "--turns", str(out), "--json")
    document = json.loads(ended.out)
    assert ended.code == 0 and ended.err.count("Skipped") == 1
    rows = turns(out)
    assert out.read_text().splitlines()[0] == HEAD
    assert document["matches"] == len({row["match"] for row in rows}) == 6
    assert len(rows) == document["claims"]["total"]


def test_turns_of_one_s_own_matches_and_of_a_choice_of_them(isolated, tmp_path):
    records = [one for one in some() if one.ruleset.lives < 5 and len(one.seats) < 4]
    write(isolated / "data" / "matches", records)
    out = tmp_path / "t.csv"
    assert full("stats", "--turns", str(out)).code == 0
    assert [row["match"] for row in turns(out)] == [
        record.id for record in records for _ in range(claims([record]))
    ]
    assert full("stats", "--turns", str(out), "--without-aids", "--rules", "standard").code == 0
    chosen = {
        record.id
        for record in records
        if (record.ruleset.lives, record.ruleset.penalty_21) == (3, 1)
        and not (record.extra.get("aids") or {}).get("hints")
        and not (record.extra.get("aids") or {}).get("tutor")
        and claims([record])
    }
    assert {row["match"] for row in turns(out)} == chosen != set()


def test_a_single_record_as_a_file(tmp_path):
    write(tmp_path, [played(4)])
    out = tmp_path / "t.csv"
    assert full("stats", str(tmp_path / "m-000004.json"), "--turns", str(out)).code == 0
    assert len(turns(out)) == claims([played(4)])


def test_standard_output_then_holds_the_rows_alone(log):
    ended = full("stats", "-", "--turns", "-", typed=log.read_bytes())
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == HEAD and all(line.count(",") == 12 for line in lines)
    ended = full("stats", str(log), "--turns", "-", "--json")
    assert (ended.code, ended.out) == (2, "")


def test_json_lines_packed(log, tmp_path):
    out = tmp_path / "t.ndjson.gz"
    assert full("stats", str(log), "--turns", str(out)).code == 0
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).splitlines()]
    assert list(rows[0]) == HEAD.split(",")
    assert rows[0]["lives"] == [3, 3]
    again = tmp_path / "again.ndjson.gz"
    full("stats", str(log), "--turns", str(again))
    assert again.read_bytes() == out.read_bytes()


def test_a_foreign_file_is_left_alone_and_one_of_ours_replaced(log, tmp_path):
    out = tmp_path / "notes.csv"
    out.write_text("mine")
    assert full("stats", str(log), "--turns", str(out)).code == 2
    assert out.read_text() == "mine"
    assert full("stats", str(log), "--turns", str(out), "--force").code == 0
    first = out.read_bytes()
    assert full("stats", str(log), "--turns", str(out)).code == 0
    assert out.read_bytes() == first


@pytest.mark.parametrize("other", [["--export", "x.jsonl"], ["--import", "x.jsonl"]])
def test_it_does_not_go_with_moving_records(other, tmp_path):
    assert full("stats", "--turns", str(tmp_path / "t.csv"), *other).code == 2


def test_nothing_to_write_is_a_head(isolated, tmp_path):
    out = tmp_path / "t.csv"
    assert full("stats", "--turns", str(out)).code == 0
    assert out.read_text() == HEAD + "\n"


@pytest.mark.slow
def test_several_processes_write_the_rows_in_order(tmp_path):
    """A log of more chunks than one process takes alone."""
    simulated = ("simulate", "-n", "4000", "--cpu", "easy", "--cpu", "hard", "--seed", "5")
    log, out = tmp_path / "log.jsonl", tmp_path / "t.csv"
    assert run(*simulated, "--log", str(log)).returncode == 0
    assert run("stats", str(log), "--turns", str(out)).returncode == 0
    seen = list(dict.fromkeys(row["match"] for row in turns(out)))
    assert len(seen) == 4000
    assert [int(name.rpartition("-")[2]) for name in seen] == list(range(1, 4001))
