"""Progress as a value and as a file: nothing done is lost, nothing foreign is overwritten."""

import json
import os
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.rules.errors import BadRecord, Unwritable
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet
from mia_cli.tutorial.lesson_match import PracticeMatch
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.progress import (
    LessonProgress,
    Progress,
    from_document,
    to_document,
)
from mia_cli.tutorial.steps import Lesson, NameRoll
from mia_cli.tutorial.store import ProgressStore, tutorial_dir

IDS = st.text(min_size=1, max_size=8)
PRACTICE = st.builds(
    PracticeMatch,
    step=IDS,
    seed=st.integers(-(10**60), 10**60),
    rules=st.builds(RuleSet, st.sampled_from(LIVES), st.sampled_from(PENALTIES)),
    decisions=st.sampled_from([(), ("43",), ("43", "accept", "44"), ("21", "challenge")]),
)
PROGRESS = st.builds(
    Progress,
    lessons=st.dictionaries(
        IDS,
        st.builds(
            LessonProgress,
            st.booleans(),
            st.none() | IDS,
            st.lists(IDS, max_size=3).map(tuple),
        ),
        max_size=4,
    ),
    current=st.none() | IDS,
    practice=st.none() | PRACTICE,
    extra=st.dictionaries(st.sampled_from(["badge", "x"]), st.integers(), max_size=2),
)


@pytest.fixture
def store(tmp_path):
    return ProgressStore(tmp_path / "tutorial")


def lesson(name, *steps):
    return Lesson(name, tuple(NameRoll(step, dice=(1, 2)) for step in steps))


A, B, C = lesson("a", "1", "2"), lesson("b", "1", "2", "3"), lesson("c", "1")


@given(PROGRESS)
def test_what_is_written_is_read(progress):
    assert from_document(json.loads(json.dumps(to_document(progress)))) == progress


def test_saved_and_loaded(store):
    progress = Progress().at(A, 0).at(A, 1, ("1",)).finished(A).at(B, 0)
    store.save(progress)
    assert ProgressStore(store.folder).load() == progress
    assert [path.name for path in store.folder.iterdir()] == ["progress.json"]
    assert json.loads(store.path.read_text("utf-8"))["schema"] == "mia.tutorial/1"


def test_a_missing_file_is_a_fresh_start(store):
    assert store.load() == Progress()
    assert not store.folder.exists()


@pytest.mark.parametrize("lessons", [*permutations([A, B, C, lesson("new", "1")])])
def test_a_new_version_keeps_what_was_finished_whatever_its_order(lessons):
    progress = Progress().at(A, 0).finished(A).at(C, 0).finished(C)
    assert [one.id for one in lessons if progress.of(one).done] == [
        one.id for one in lessons if one.id in "ac"
    ]
    open_ = [one for one in lessons if one.id not in "ac"]
    assert progress.next_lesson(lessons) == open_[0]


def test_a_lesson_this_version_does_not_have_is_kept_in_the_file(store):
    gone = lesson("gone", "1")
    store.save(Progress().finished(gone).at(A, 0))
    loaded = store.load()
    store.save(loaded.finished(A))
    assert store.load().lessons["gone"].done
    assert loaded.next_lesson([A, B]) == A


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (("1", "2", "3"), "2"),
        (("0", "1", "2", "3"), "2"),
        (("2", "1", "3"), "2"),
        (("3", "2"), "2"),
        (("1", "3", "4"), "3"),
        (("0", "1", "3"), "0"),
        (("1",), "1"),
    ],
)
def test_steps_added_removed_and_reordered(steps, expected):
    progress = Progress().at(B, 0).at(B, 1, ("1",))
    newer = lesson("b", *steps)
    assert progress.next_lesson([newer]) == newer
    assert newer.steps[progress.step_of(newer)].id == expected


def test_done_stays_while_a_lesson_is_taken_again():
    progress = Progress().finished(A).at(A, 0).at(A, 1, ("1",))
    assert progress.of(A).done
    assert progress.step_of(A) == 1
    assert progress.at(A, 0).of(A) == LessonProgress(done=True, step="1")


GOOD = to_document(Progress().finished(A).at(B, 0))
DAMAGED = {
    "empty": b"",
    "half": json.dumps(GOOD).encode()[:-9],
    "not_utf8": b"\xff\xfe{",
    "list": b"[]",
    "no_schema": b"{}",
    "other_schema": json.dumps({**GOOD, "schema": "mia.match/1"}).encode(),
    "schema_number": json.dumps({**GOOD, "schema": 1}).encode(),
    "no_lessons": json.dumps({**GOOD, "lessons": None}).encode(),
    "bad_lesson": json.dumps({**GOOD, "lessons": [{"lesson": 1, "done": True}]}).encode(),
    "bad_done": json.dumps({**GOOD, "lessons": [{"lesson": "a", "done": 1}]}).encode(),
    "bad_current": json.dumps({**GOOD, "current": 3}).encode(),
    "nan": b'{"schema": NaN}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_reported_kept_and_never_overwritten(store, data):
    store.folder.mkdir(parents=True)
    store.path.write_bytes(data)
    with pytest.raises(BadRecord) as raised:
        store.load()
    assert raised.value.fields["file"] == str(store.path)
    assert raised.value.code != "newer_schema"
    with pytest.raises(Unwritable, match="file_changed"):
        store.save(Progress())
    assert store.path.read_bytes() == data
    first = store.keep_aside()
    store.save(Progress())
    store.path.write_bytes(data)
    second = store.keep_aside()
    assert first != second
    assert first.read_bytes() == second.read_bytes() == data
    assert not store.path.exists()


def test_a_newer_schema_is_refused_and_left_alone(store):
    store.folder.mkdir(parents=True)
    store.path.write_text(json.dumps({**GOOD, "schema": "mia.tutorial/2"}))
    with pytest.raises(BadRecord, match="newer_schema"):
        store.load()


@pytest.mark.parametrize(
    "practice",
    [
        3,
        {},
        {"step": "a", "seed": 1, "ruleset": {"lives": 4, "penalty_21": 1}, "decisions": []},
        {"step": "a", "seed": 1, "ruleset": {"lives": 3, "penalty_21": 1}, "decisions": ["99"]},
        {"step": "a", "seed": 1, "ruleset": {"lives": 3}, "decisions": ["accept"]},
        {
            "step": "a",
            "seed": 1,
            "ruleset": {"lives": 3, "penalty_21": 1},
            "decisions": ["21", "accept"],
        },
        {
            "step": "a",
            "seed": 1,
            "ruleset": {"lives": 2, "penalty_21": 1},
            "decisions": ["31", "challenge"] * 9,
        },
    ],
)
def test_a_practice_match_that_cannot_be_is_dropped_and_nothing_else(practice):
    found = from_document({**GOOD, "practice": practice})
    assert found.practice is None
    assert found.lessons["a"].done


def test_another_program_s_progress_is_not_overwritten(store):
    store.save(Progress())
    other = ProgressStore(store.folder)
    other.load()
    other.save(Progress().finished(A))
    with pytest.raises(Unwritable, match="file_changed"):
        store.save(Progress().at(B, 0))
    assert store.load().of(A).done
    store.path.unlink()
    store.save(Progress())


def test_the_folder_is_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("MIA_DATA_DIR", str(tmp_path))
    assert tutorial_dir() == Path(tmp_path) / "tutorial"
    assert tutorial_dir({"MIA_DATA_DIR": "/x"}) == Path("/x/tutorial").absolute()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs folders that refuse")
def test_a_folder_that_refuses(store):
    store.folder.mkdir(parents=True, mode=0o500)
    with pytest.raises(Unwritable):
        store.check_writable()


def test_a_file_in_the_place_of_the_folder(store):
    store.folder.parent.mkdir(exist_ok=True)
    store.folder.write_text("")
    with pytest.raises(Unwritable):
        store.check_writable()
    with pytest.raises(Unwritable):
        store.save(Progress())


def test_every_lesson_survives_being_written():
    progress = Progress()
    for one in LESSONS:
        progress = progress.at(one, 0).at(one, len(one.steps) - 1, ("x",)).finished(one)
    assert from_document(to_document(progress)) == progress
    assert progress.next_lesson(LESSONS) is None
