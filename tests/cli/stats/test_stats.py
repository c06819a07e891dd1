"""``mia stats``: the contract, what it prints where, and what it refuses."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mia_cli.records.many.turns import ACCEPTED, CHALLENGED
from mia_cli.records.record import to_json
from mia_cli.stats.totals import ACCEPTED_BLUFF, BLUFF, RIGHT, WRONG, Record
from mia_cli.stats.trend import over_time, trend
from mia_cli.stats.weaknesses import weaknesses
from mia_cli.text.language.plain import display_width
from mia_cli.text.pictures import MAP_WIDTH
from tests.cli.in_process import full, on_terminal
from tests.cli.machine import json_lines, run
from tests.played_matches import played, simulated, some, write

FIELDS = {
    *("schema", "matches", "finished", "unfinished", "wins", "win_rate", "ci95"),
    *("expected_win_rate", "players", "claims", "challenges", "dice", "skipped"),
}


@pytest.fixture
def folder(isolated, monkeypatch):
    """The folder of matches, with all kinds in it; solved tables are kept between tests."""
    monkeypatch.setenv("MIA_CACHE_DIR", str(isolated / "cache"))
    records = [record for record in some() if record.ruleset.lives < 5 and len(record.seats) < 6]
    write(isolated / "data" / "matches", records)
    return isolated / "data" / "matches"


def told(*args, typed=b""):
    ended = full("stats", "--json", *args, typed=typed)
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.out and len(ended.out.splitlines()) == 1
    return json.loads(ended.out)


def test_the_contract(folder):
    document = told()
    assert document.keys() >= FIELDS
    assert document["schema"] == "mia.stats/1" and document["skipped"] == []
    assert document["matches"] == len(list(folder.iterdir()))
    assert document["matches"] == document["finished"] + document["unfinished"]
    low, high = document["ci95"]
    assert low < document["win_rate"] < high
    assert 0.2 < document["expected_win_rate"] < 0.6
    assert {"name", "player", "matches", "wins", "win_rate"} <= document["players"][0].keys()


def test_without_any_match(isolated):
    document = told()
    assert (document["matches"], document["wins"], document["win_rate"]) == (0, 0, None)
    assert full("stats").out == "There are no matches to count.\n"


def test_damaged_records_are_named_skipped_and_counted(folder):
    before = told()["matches"]
    (folder / "bad.json").write_bytes(b"{")
    (folder / "empty.json").write_bytes(b"")
    newer = {**to_json(some()[1]), "schema": "mia.match/999"}
    (folder / "newer.json").write_text(json.dumps(newer))
    document = told()
    assert document["matches"] == before and document["skipped_count"] == 3
    assert [Path(name).name for name in document["skipped"]] == [
        "bad.json",
        "empty.json",
        "newer.json",
    ]
    assert "newer version" in document["problems"][2]["error"]
    ended = full("stats")
    assert ended.code == 0 and ended.err.count("Skipped") == 3 and "bad.json" in ended.err
    assert (folder / "bad.json").read_bytes() == b"{"


def test_tutorial_and_practice_never_count(folder):
    before = told()["matches"]
    practice = folder.parent / "tutorial"
    practice.mkdir()
    (practice / "m-000777.json").write_text(json.dumps(to_json(played(777))))
    lesson = folder.parent / "lesson.json"
    lesson.write_text('{"schema": "mia.tutorial/1", "lessons": {}}')
    assert told()["matches"] == before
    ended = full("stats", str(lesson))
    assert (ended.code, ended.out) == (4, "") and "mia.tutorial/1" in ended.err


def test_files_logs_and_standard_input_together(folder, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(to_json(simulated(n))) + "\n" for n in range(9)))
    one = next(folder.iterdir())
    assert told(str(log))["matches"] == 9
    document = told(str(log), str(one), "-", typed=one.read_bytes() + log.read_bytes())
    assert document["matches"] == 20
    assert told(str(folder))["matches"] == told()["matches"]


def test_options_choose_matches(folder):
    everything = told()
    assert told("--without-aids")["matches"] == everything["without_aids"]["matches"]
    some_month = told("--since", "2026-03", "--until", "2026-03")
    assert some_month["matches"] == sum("2026-03" in p.read_text()[:200] for p in folder.iterdir())
    quick = told("--rules", "quick")
    groups = {group["key"]: group["matches"] for group in told("--by", "ruleset")["groups"]}
    assert quick["matches"] == groups["2/1"] > 0
    levels = {group["key"]: group["matches"] for group in told("--by", "cpu")["groups"]}
    assert told("--cpu", "HARD")["matches"] == levels["hard"] > 0


def test_csv(folder):
    ended = full("stats", "--format", "csv", "--by", "cpu")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert {row["group"] for row in rows} == {"", "easy", "normal", "hard"}
    assert int(rows[0]["matches"]) == told()["matches"]
    assert all(None not in row.values() for row in rows)


@pytest.mark.parametrize(
    "args",
    [
        ("--since", "yesterday"),
        ("--until", "2026-99"),
        ("--by", "moon"),
        ("--format", "xml"),
        ("--format", "csv", "--json"),
        ("--cpu", "wizard"),
        ("--rules", "nothing-such"),
        ("--export", "x", "--json"),
        ("--export", "x", "--import", "y"),
        ("-", "-"),
        ("--nonsense",),
    ],
)
def test_bad_options(folder, args):
    ended = full("stats", *args)
    assert (ended.code, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 1 and ended.err.startswith("mia: ")


def test_files_that_cannot_be_read(folder, tmp_path):
    rubbish = tmp_path / "rubbish.json"
    rubbish.write_bytes(b"\xff\xfe\0")
    for name in (str(tmp_path / "none.json"), str(rubbish)):
        ended = full("stats", name)
        assert (ended.code, ended.out) == (4, "")
        assert len(ended.err.splitlines()) == 1 and name in ended.err
    assert full("stats", "--html", str(tmp_path / "none" / "x.html")).code == 4
    # The others still count.
    ended = full("stats", "--json", str(rubbish), str(next(folder.iterdir())))
    assert ended.code == 4 and json.loads(ended.out)["matches"] == 1


EVIL = "<script>alert(1)</script>\"'&\x1b[31m\u202e日本"


class Page(HTMLParser):
    """Collects the tags of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.attributes = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def evil(folder):
    """A match of a person with a name that means harm; its file."""
    record = played(800)
    seats = (replace(record.seats[0], name=EVIL), *record.seats[1:])
    write(folder, [replace(record, seats=seats)])
    (path,) = (one for one in folder.iterdir() if record.id in one.name)
    return str(path)


def test_the_page_stands_alone_and_trusts_no_name(folder, tmp_path):
    named = evil(folder)
    path, picture = tmp_path / "play.html", tmp_path / "play.svg"
    assert full("stats", named, "--html", str(path), "--svg", str(picture)).code == 0
    text = path.read_text("utf-8")
    page = Page(text)
    assert "script" not in page.tags and page.tags.count("svg") == 3
    assert page.tags.count("table") >= 6
    assert "<script>alert(1)" in page.text  # as text
    assert "\x1b" not in text and "\u202e" not in text
    assert ("name", "viewport") in page.attributes
    assert "prefers-color-scheme:dark" in text
    for name, value in page.attributes:
        assert name not in ("src", "href") and not name.startswith("on"), (name, value)
    assert not re.search(r"https?://|@import|url\(", text)
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) > 100


def test_the_table_prints_names_harmlessly_and_straight(folder):
    ended = full("stats", "--full", evil(folder))
    assert "\x1b" not in ended.out and "\u202e" not in ended.out and "日本" in ended.out
    lines = ended.out.splitlines()
    at = lines.index("Players")
    head = lines[at + 1]
    rows = lines[at + 2 : lines.index("", at)]
    assert len(rows) == 3
    edge = display_width(head[: head.index("Matches")]) + len("Matches")
    for row in rows:
        shown = 0
        for index, sign in enumerate(row):
            shown += display_width(sign)
            if shown == edge:
                assert sign.isdigit() and row[index + 1] == " ", row
                break


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_stream(folder, encoding):
    ended = run("stats", "--full", env={"PYTHONIOENCODING": encoding, "COLUMNS": "20"})
    assert ended.returncode == 0 and ended.stderr == b""
    text = ended.stdout.decode(encoding)
    assert "?" not in text
    assert ("█" in text) == (encoding == "utf-8") and ("#" in text) != (encoding == "utf-8")
    assert max(map(len, text.splitlines())) > 80  # not cut
    heat = text.splitlines()[-22:-1]
    assert max(map(display_width, heat)) <= MAP_WIDTH


def test_in_french(folder):
    assert full("stats", "--lang", "fr").code == 0
    assert json_lines(full("stats", "--json", "--lang", "fr").out.encode()) == [told()]


def test_export_and_import(folder, tmp_path, monkeypatch):
    path = tmp_path / "all.jsonl.gz"
    count = told()["matches"]
    assert full("stats", "--export", str(path)).out.startswith(f"{count} records written")
    assert told(str(path))["matches"] == count
    lines = full("stats", "--export", "-").out
    assert len(lines.splitlines()) == count
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path / "other"))
    assert full("stats", "--import", str(path)).out.startswith(f"{count} new")
    assert f"{count} here already" in full("stats", "--import", "-", typed=lines.encode()).out
    assert told()["matches"] == count
    ended = full("stats", "--import", str(tmp_path / "none"))
    assert ended.code == 4 and len(ended.err.splitlines()) == 1
    ended = full("stats", "--import", "-", typed=b"rubbish")
    assert ended.code == 4


def test_an_unfinished_match_tells_no_hidden_dice(isolated):
    record = played(4, actions=8)
    write(isolated / "data" / "matches", [record])
    document = told()
    assert document["unfinished"] == 1 and document["win_rate"] is None
    assert document["dice"]["cpu"]["rolls"] == 0
    assert document["claims"]["total"] == 0
    assert all(player["claims"]["total"] == 0 for player in document["players"])


def test_the_screen_is_one_screen(folder, monkeypatch):
    monkeypatch.setenv("LINES", "24")
    ended = on_terminal(80, "stats", TERM="xterm")
    assert ended.code == 0 and len(ended.out.splitlines()) <= 23
    for text in ("You won", "  easy", "The last", "To work on", "mia stats --full", "mia practice"):
        assert text in ended.out
    assert "Unfinished matches do not count." in ended.out and "Dice" not in ended.out


def test_a_person_by_several_names_is_one_in_the_own_folder(isolated):
    records = []
    for number in range(24):
        record = played(number, seats=2)
        first = replace(record.seats[0], name=("Ann", "Annie")[number % 2])
        records.append(replace(record, seats=(first, *record.seats[1:])))
    own = isolated / "data" / "matches"
    write(own, records)
    whole = full("stats", "--full").out
    assert "  You " in whole and "Ann" not in whole
    named = full("stats", "--full", str(own)).out
    assert "  Ann " in named and "  Annie " in named
    document = told()
    assert {one["name"] for one in document["players"] if one["player"] == "human"} == {
        "Ann",
        "Annie",
    }
    assert [one["player"] for one in document["levels"]] == ["easy", "normal", "hard"]
    assert sum(one["matches"] for one in document["levels"]) == 24


def test_files_are_said_and_nothing_else(folder, tmp_path):
    path = tmp_path / "play.html"
    assert full("stats", "--html", str(path)).out == f"Written: {path}\n"
    assert full("stats", "--json", "--html", str(path)).out.startswith("{")


@pytest.mark.parametrize(
    ("outcomes", "parts", "change"),
    [
        ("WL" * 4, 0, None),
        ("LLLLLLLLLLLLLLLWWWWW", 4, "better"),
        ("WWWWWWWWWWWWWWWLLLLL", 4, "worse"),
        ("WL" * 10, 4, "not_told"),
        ("WL" * 100, 12, "not_told"),
    ],
)
def test_the_trend(outcomes, parts, change):
    results = np.array([4 * at + 1 + (one == "L") for at, one in enumerate(outcomes)])
    shuffled = [results[1::2], results[::2], np.array([4 * 50])]  # one is unfinished
    found = over_time(shuffled)
    assert len(found) == parts
    assert sum(part["matches"] for part in found) == (len(outcomes) if parts else 0)
    assert sum(part["wins"] for part in found) == (outcomes.count("W") if parts else 0)
    told = trend(shuffled)
    assert (told and told["change"]) == change


def test_weaknesses_are_what_goes_wrong_more_often_than_right():
    record = Record()
    record.part("answers")[5, WRONG] = 4  # challenges of 43 and 51
    record.part("answers")[6, WRONG] = 3
    record.part("answers")[6, RIGHT] = 2
    record.part("answers")[12, ACCEPTED_BLUFF] = 4  # too few
    record.part("answers")[15, RIGHT] = 90
    record.part("claims")[0, BLUFF, CHALLENGED] = 9
    record.part("claims")[0, BLUFF, ACCEPTED] = 1
    assert weaknesses(record) == [
        {"kind": "bluff", "low": None, "high": None, "wrong": 9, "times": 10, "lives": 8},
        {"kind": "challenge", "low": "31", "high": "54", "wrong": 7, "times": 9, "lives": 5},
    ]
