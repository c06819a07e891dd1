"""Matches that were left: said when another begins, and thrown away where that is wanted."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import NotAllowed, Unwritable
from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.text.language.plain import display_width
from tests.cli.in_process import Ended, full
from tests.cli.scripted import script


def play(*args: str, lines: tuple[str, ...] = ()) -> Ended:
    return full("play", *args, typed="".join(f"{line}\n" for line in lines).encode())


def records() -> list[Path]:
    found = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def finished(seed: int) -> Path:
    assert play("--seed", str(seed), lines=script(seed).lines).code == 0
    return records()[-1]


def test_a_match_that_waits_is_said_in_one_line_with_the_command_that_goes_on_with_it() -> None:
    assert "waits" not in play("--seed", "1").out
    (left,) = records()
    told = play("--seed", "2").out.splitlines()[0]
    assert told == f"A match waits: mia play --resume {left.stem[-6:]}"
    command = told.partition(": mia ")[2].split()
    resumed = full(*command)
    assert resumed.out.startswith(f"Match {left.stem}, resumed.")


def test_finished_matches_do_not_wait_nor_damaged_ones_nor_pipes() -> None:
    path = finished(3)
    (path.parent / "20261130-0000-aaaaaa.json").write_text("{")
    (path.parent / "20261130-0000-bbbbbb.json").mkdir()
    os.mkfifo(path.parent / "20261130-0000-cccccc.json")
    assert "waits" not in play("--seed", "1").out


def test_an_end_that_is_not_alone_is_not_enough() -> None:
    play("--seed", "1")
    (left,) = records()
    other = f"20200101-0000-{left.stem[-6:]}.json"
    (left.parent / other).write_bytes(finished(3).read_bytes())
    assert MatchStore(left.parent).waiting() == left.stem


def test_few_files_are_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    from mia_cli.records import store

    play("--seed", "1")
    (left,) = records()
    data = finished(3).read_bytes()
    for number in range(200):
        (left.parent / f"20991130-0000-{number:06}.json".replace("0", "2")).write_bytes(data)
    opened = []
    true = store.open_to_read
    monkeypatch.setattr(store, "open_to_read", lambda path: opened.append(path) or true(path))
    assert MatchStore(left.parent).waiting() is None
    assert 0 < len(opened) <= 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_fits_the_narrowest_screen(language: str) -> None:
    play("--seed", "1")
    told = play("--seed", "2", "--lang", language).out.splitlines()[0]
    assert "mia play --resume " in told
    assert display_width(told) <= 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_to_discard_asks_and_a_yes_deletes_the_match(language: str) -> None:
    done = finished(3)
    play("--seed", "1")
    left = records()[-1]
    for typed in ((), ("",), ("x", "no"), ("help",)):
        kept = play("--discard", lines=typed)
        assert kept.code == 3
        assert left.exists()
    assert f"Match {left.stem} stays." in kept.out
    thrown = play("--discard", "--lang", language, lines=("?", "yes"))
    assert thrown.code == 0
    assert left.stem in thrown.out.splitlines()[-1]
    assert records() == [done]


def test_a_match_is_named_and_nobody_asked() -> None:
    for seed in range(3):
        play("--seed", str(seed))
    first, second, third = records()
    assert play("--discard", second.stem[-6:], "--force").code == 0
    assert play(f"--discard={first.stem}", "--force").code == 0
    assert records() == [third]
    told = play("--discard", "--force", "--json")
    assert json.loads(told.out) == {
        "schema": "mia.event/1",
        "event": "discarded",
        "match": third.stem,
    }
    assert play("--discard", "--force").code == 2


def test_a_finished_match_is_never_thrown_away() -> None:
    done = finished(3)
    before = done.read_bytes()
    for words in (("--discard",), ("--discard", done.stem), ("--discard", done.stem, "--force")):
        refused = play(*words, lines=("yes",))
        assert refused.code == 2
        assert refused.err.count("\n") == 1
    assert done.read_bytes() == before
    store = MatchStore(done.parent)
    with pytest.raises(NotAllowed):
        store.discard(store.load(done.stem))
    assert done.read_bytes() == before


def test_a_match_that_is_finished_meanwhile_is_left_alone() -> None:
    told = script(3)
    play("--seed", "3")
    (left,) = records()
    store = MatchStore(left.parent)
    record = store.load(left.stem)
    assert play("--resume", lines=told.lines).code == 0
    before = left.read_bytes()
    with pytest.raises(Unwritable) as caught:
        store.discard(record)
    assert caught.value.code == "changed_elsewhere"
    assert left.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("--discard", "--resume"),
        ("--discard", "--seed", "3"),
        ("--discard", "--cpu", "easy"),
        ("--discard", "--json"),
        ("--discard", "zzz"),
        ("--force",),
        ("--resume", "--force"),
        ("--pace", "x"),
        ("--pace", "-1"),
        ("--pace", "11"),
        ("--pace", "nan"),
        ("--pace", "1e1"),
        ("--pace", ""),
    ],
    ids=" ".join,
)
def test_options_that_cannot_be(words: tuple[str, ...]) -> None:
    play("--seed", "1")
    refused = play(*words)
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.count("\n") == 1
    assert len(records()) == 1


def test_a_bad_pace_in_a_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIA_PACE", "soon")
    refused = play("--seed", "1")
    assert refused.code == 2
    assert "“soon” is not allowed for MIA_PACE" in refused.err
    assert play("--seed", "1", "--pace", "0.5").code == 3


def test_a_pipe_is_told_without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    def no_sleep(_seconds: float) -> None:
        raise AssertionError("a pipe waits for nobody")

    monkeypatch.setattr(time, "sleep", no_sleep)
    told = script(3)
    for words in ((), ("--json",)):
        assert play("--seed", "3", "--pace", "10", *words, lines=told.lines).code == 0


def test_ids_in_sentences_are_whole() -> None:
    left = play("--seed", "1").out.splitlines()[-1]
    (path,) = records()
    assert re.fullmatch(
        rf"Match {path.stem} is saved\. Go on with: mia play --resume {path.stem}", left
    )
