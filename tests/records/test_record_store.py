"""The folder of records: ids, lookups, order, damaged files among good ones, two who resumed."""

import os
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from mia_cli.files.folders import data_dir, matches_dir
from mia_cli.files.reading import LARGEST
from mia_cli.records.record import MatchRecord, encode_record
from mia_cli.records.replay import replay
from mia_cli.records.store import ALPHABET, Damaged, MatchStore
from mia_cli.rules.errors import CannotRead, Unwritable
from tests.records.record_samples import ID, caught, files_in, history

MATCH = history()
UNFINISHED, FINISHED = MATCH[4], MATCH[-1]


@pytest.fixture
def store(tmp_path):
    return MatchStore(tmp_path / "data" / "matches")


def named(match_id, created=None, record=UNFINISHED):
    return replace(record, id=match_id, created=created or record.created)


def test_ids_can_be_typed(store):
    now = datetime(2026, 11, 30, 4, 32, 59, tzinfo=timezone(timedelta(hours=1)))
    ids = {store.new_id(now) for _ in range(300)}
    assert len(ids) == 300
    assert all(re.fullmatch(rf"20261130-0332-[{ALPHABET}]{{6}}", match_id) for match_id in ids)
    assert not set("01oil") & set(ALPHABET)
    for match_id in ids:
        assert named(match_id).id == match_id


def test_a_new_id_is_not_one_in_use(store, monkeypatch):
    signs = iter("222222" + "222222" + "333333")
    monkeypatch.setattr("secrets.choice", lambda _: next(signs))
    now = datetime(2026, 11, 30, 3, 32, tzinfo=UTC)
    first = store.new_id(now)
    store.save(named(first))
    assert (first, store.new_id(now)) == ("20261130-0332-222222", "20261130-0332-333333")


def test_saved_is_loaded(store):
    store.save(UNFINISHED)
    assert store.load(ID) == MatchStore(store.folder).load(ID) == UNFINISHED
    store.save(FINISHED)
    assert MatchStore(store.folder).load(ID) == FINISHED
    assert files_in(store.folder) == [f"{ID}.json"]
    assert store.path_of(ID) == store.folder / f"{ID}.json"


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_records_are_private(store):
    store.save(UNFINISHED)  # it holds the seed of a match in progress
    assert store.path_of(ID).stat().st_mode & 0o077 == 0
    assert store.folder.stat().st_mode & 0o077 == 0


def test_a_beginning_or_an_end_is_enough(store):
    ids = ["20261129-2200-abcdef", "20261130-0332-k7f3q2", "20261130-0333-k7f3q3"]
    for match_id in ids:
        store.save(named(match_id))
    assert store.ids() == tuple(ids)
    for text, expected in [
        *[("abcdef", 0), ("f", 0), ("20261129", 0), ("k7f3q2", 1), ("20261130-0332", 1)],
        *[(ids[1], 1), (" K7F3Q3\n", 2), ("3q3", 2)],
    ]:
        assert store.load(text).id == ids[expected]
    error = caught(lambda: store.load("20261130"))
    assert (error.code, error.fields["matches"]) == ("ambiguous_id", (ids[2], ids[1]))
    assert caught(lambda: store.load("zzz")).code == "no_such_match"
    assert caught(lambda: store.load("20261130-0332-k7f3q2x")).code == "no_such_match"


def test_a_whole_id_is_not_ambiguous(store):
    for match_id in ("20261130", "20261130-0332-k7f3q2"):
        store.save(named(match_id))
    assert store.load("20261130").id == "20261130"


@pytest.mark.parametrize(
    "text",
    ["", " ", ".", "..", "../../x", "/etc/passwd", "a/b", "a\\b", "x.json", "a\0b", "a\nb", "*",
     "[0-9]*", "-x", "é", "k" * 100, "\udcff", "con:"],
)  # fmt: skip
def test_text_that_is_no_id(store, text):
    store.save(UNFINISHED)
    error = caught(lambda: store.load(text))
    assert isinstance(error, CannotRead)
    assert (error.code, error.fields["value"]) == ("bad_id", text.strip().lower())
    assert caught(lambda: store.path_of(text)).code == "bad_id"
    assert caught(lambda: named(text)).code == "bad_value"


def test_nothing_there_yet(store):
    assert store.ids() == ()
    assert list(store.records()) == list(store.unfinished()) == []
    assert store.latest_unfinished() is None
    assert caught(lambda: store.load(ID)).code == "no_such_match"
    assert not store.folder.exists()


def test_unfinished_matches_newest_first(store):
    times = {
        "20261130-0332-bbbbbb": "2026-11-30T03:32:10Z",
        "20261130-0332-aaaaaa": "2026-11-30T03:32:50Z",
        "20261130-0332-cccccc": "2026-11-30T03:32:30Z",
        "20251231-2359-zzzzzz": "2025-12-31T23:59:00Z",
        "20261201-0000-222222": "2026-12-01T00:00:00Z",
    }
    for match_id, created in times.items():
        store.save(named(match_id, created))
    store.save(named("20270101-0000-222222", record=FINISHED))
    newest_first = sorted(times, key=times.get, reverse=True)
    assert [record.id for record in store.unfinished()] == newest_first
    assert store.latest_unfinished().id == newest_first[0]
    assert [record.id for record in store.records()] == list(store.ids())


DAMAGED = {
    "empty.json": (b"", "empty_file"),
    "cut.json": (encode_record(FINISHED)[:500], "not_json"),
    "foreign.json": (b'{"name": "left-pad", "version": "1.0.0"}', "unknown_schema"),
    "list.json": (b"[1, 2]", "not_a_record"),
    "utf16.json": (encode_record(FINISHED).decode().encode("utf-16"), "not_utf8"),
    "huge.json": (b" " * (LARGEST + 1), "too_large"),
    "deep.json": (b"[" * 100_000, "too_deep"),
    "nan.json": (b'{"schema": NaN}', "bad_number"),
    "binary.json": (bytes(range(256)), "not_utf8"),
    "schema-2.json": (
        encode_record(FINISHED).replace(b"mia.match/1", b"mia.match/2"),
        "newer_schema",
    ),
    "schema-999.json": (
        encode_record(FINISHED).replace(b'"mia.match/1"', b"999"),
        "unknown_schema",
    ),
    "schema-one.json": (
        encode_record(FINISHED).replace(b'"mia.match/1"', b'"1"'),
        "unknown_schema",
    ),
    "no-seed.json": (encode_record(FINISHED).replace(b'"seed": 7,', b"", 1), "missing_field"),
    "wrong-version.json": (encode_record(FINISHED).replace(b'"0.1.0"', b"999"), "bad_value"),
    "copy.json": (encode_record(FINISHED), "id_differs"),
    "Upper Case.json": (encode_record(FINISHED), "bad_id"),
}


@pytest.fixture
def damaged_store(store):
    store.save(UNFINISHED)
    store.save(named("20261201-0000-222222", record=FINISHED))
    for name, (data, _) in DAMAGED.items():
        (store.folder / name).write_bytes(data)
    (store.folder / "folder.json").mkdir()
    (store.folder / "dangling.json").symlink_to("nowhere")
    os.mkfifo(store.folder / "pipe.json")
    for name in ("notes.txt", ".hidden.json", ".mia-abcdefgh.tmp", "20261130-0332-k7f3q2.json~"):
        (store.folder / name).write_bytes(b"not for us")
    return MatchStore(store.folder)


@pytest.mark.skipif(os.name == "nt", reason="needs pipes in folders")
def test_damaged_files_are_reported_and_left_alone(damaged_store):
    before = {path: path.lstat() for path in damaged_store.folder.iterdir()}
    found = list(damaged_store.records())
    good = [item.id for item in found if isinstance(item, MatchRecord)]
    bad = {item.path.name: item.error for item in found if isinstance(item, Damaged)}
    assert good == [ID, "20261201-0000-222222"]
    others = {
        "folder.json": "not_a_file",
        "pipe.json": "not_a_file",
        "dangling.json": "cannot_read",
    }
    expected = {name: code for name, (_, code) in DAMAGED.items()} | others
    assert {name: error.code for name, error in bad.items()} == expected
    for name, error in bad.items():
        assert error.fields["file"] == str(damaged_store.folder / name)
    reported = []
    assert [item.id for item in damaged_store.unfinished(reported.append)] == [ID]
    assert {item.path.name for item in reported} == set(expected)
    assert damaged_store.latest_unfinished() == UNFINISHED
    damaged_store.save(named("20261202-0000-222222"))
    for path, stat in before.items():
        assert (path.lstat().st_ino, path.lstat().st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns)


@pytest.mark.skipif(os.name == "nt", reason="needs pipes in folders")
def test_a_damaged_record_asked_for_by_name_says_why(damaged_store):
    for name, code in [
        ("empty", "empty_file"),
        ("folder", "not_a_file"),
        ("schema-2", "newer_schema"),
    ]:
        error = caught(lambda name=name: damaged_store.load(name))
        assert (error.code, Path(error.fields["file"]).name) == (code, f"{name}.json")


def test_a_damaged_record_is_not_overwritten(store):
    store.save(UNFINISHED)
    store.path_of(ID).write_bytes(b"{")
    assert caught(lambda: store.save(FINISHED)).code == "changed_elsewhere"
    assert caught(lambda: MatchStore(store.folder).save(FINISHED)).code == "changed_elsewhere"
    assert store.path_of(ID).read_bytes() == b"{"


def test_two_that_resumed_the_same_match_do_not_undo_each_other(store):
    store.save(MATCH[3])
    here, there = MatchStore(store.folder), MatchStore(store.folder)
    replay(here.load(ID))
    there.latest_unfinished()
    here.save(MATCH[4])
    here.save(MATCH[5])
    error = caught(lambda: there.save(MATCH[4]))
    assert isinstance(error, Unwritable)
    assert (error.code, error.fields["id"]) == ("changed_elsewhere", ID)
    assert files_in(store.folder) == [f"{ID}.json"]
    here.save(MATCH[6])
    assert there.load(ID) == MATCH[6]
    there.save(MATCH[7])  # knows it now
    assert caught(lambda: here.save(MATCH[8])).code == "changed_elsewhere"


def test_a_match_begun_elsewhere_is_not_overwritten(store):
    store.save(MATCH[3])
    error = caught(lambda: MatchStore(store.folder).save(MATCH[0]))
    assert error.code == "changed_elsewhere"
    assert store.load(ID) == MATCH[3]


def test_same_size_and_time_do_not_hide_a_change(store):
    store.save(FINISHED)
    path = store.path_of(ID)
    stat, data = path.stat(), path.read_bytes()
    path.write_bytes(data.replace(b'"You"', b'"Yoo"'))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert path.stat().st_size == stat.st_size
    assert caught(lambda: store.save(FINISHED)).code == "changed_elsewhere"


def test_a_match_deleted_while_it_is_played_is_written_again(store):
    store.save(MATCH[3])
    store.path_of(ID).unlink()
    store.folder.rmdir()
    store.save(MATCH[4])
    assert store.load(ID) == MATCH[4]


def test_left_over_temporary_files_go_after_a_day(store):
    store.save(UNFINISHED)
    now, day = 1_900_000_000, 24 * 3600
    ages = {".mia-old_0001.tmp": day + 60, ".mia-new00001.tmp": day - 60, "mine.tmp": 9 * day}
    ages |= {".mia-folder01.tmp": 9 * day, ".other-abc.tmp": 9 * day, ".mia-x.json": 9 * day}
    for name, age in ages.items():
        path = store.folder / name
        path.mkdir() if "folder" in name else path.write_bytes(b"{")
        os.utime(path, (now - age, now - age))
    later = MatchStore(store.folder, clock=lambda: now)
    assert [item.id for item in later.records()] == [ID]
    assert set(ages) < set(files_in(store.folder))  # reading removes nothing
    later.save(named("20261201-0000-222222"))
    assert set(ages) - set(files_in(store.folder)) == {".mia-old_0001.tmp"}


@pytest.fixture
def no_home(monkeypatch):
    """As for a user without a home folder or an entry in the list of users."""
    for name in ("MIA_DATA_DIR", "HOME", "USERPROFILE", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda _: {}["nobody"])


def test_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path / "x"))
    assert (data_dir(), matches_dir()) == (tmp_path / "x", tmp_path / "x" / "matches")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MIA_DATA_DIR", "y")
    assert data_dir() == tmp_path / "y"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MIA_DATA_DIR", "~/z")
    assert data_dir() == tmp_path / "z"
    assert files_in(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
@pytest.mark.parametrize("unset", [True, False])
def test_without_a_choice_it_is_the_platforms(monkeypatch, tmp_path, unset):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MIA_DATA_DIR") if unset else monkeypatch.setenv("MIA_DATA_DIR", "")
    assert data_dir().is_relative_to(tmp_path)
    assert data_dir().name == "mia"


@pytest.mark.skipif(os.name == "nt", reason="users of POSIX")
def test_a_user_without_a_home(no_home, monkeypatch, tmp_path):
    error = caught(data_dir)
    assert isinstance(error, Unwritable)
    assert (error.code, error.fields["variable"]) == ("no_data_dir", "MIA_DATA_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert caught(data_dir).code == "no_data_dir"
    monkeypatch.setenv("MIA_DATA_DIR", "~/x")
    assert caught(data_dir).code == "no_data_dir"
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path))
    assert data_dir() == tmp_path
