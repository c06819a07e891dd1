"""``mia play --daily`` and ``mia stats --daily``: one table a day, and the first finished try."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mia_cli.cli.play import daily as play_daily
from mia_cli.cli.play import new_match, session
from mia_cli.engine.seed import fingerprint
from mia_cli.records.days import day_named, day_of, seed_of
from mia_cli.records.record import read_record
from mia_cli.text.language.catalogue import LANGUAGES
from tests.cli.in_process import Ended, full
from tests.cli.scripted import script

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY, SEED = "2026-11-30", 20261130
TOLD = script(SEED, ("normal", "hard"))


class Clock(datetime):
    """A clock that is set by hand, and goes on by a second whenever it is read."""

    at = NOON

    @classmethod
    def now(cls, tz: object = None) -> datetime:
        cls.at += timedelta(seconds=1)
        return cls.at


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "at", NOON)
    for module in (play_daily, new_match, session):
        monkeypatch.setattr(module, "datetime", Clock)


def play(*args: str, lines: tuple[str, ...] = ()) -> Ended:
    return full("play", *args, typed="".join(f"{line}\n" for line in lines).encode())


def records() -> list[Path]:
    found = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def days() -> list[dict[str, object]]:
    told = full("stats", "--daily", "--json")
    assert told.code == 0
    document = json.loads(told.out)
    assert document["schema"] == "mia.days/1"
    found: list[dict[str, object]] = document["days"]
    return found


def test_the_day_is_that_of_utc_and_the_seed_its_digits() -> None:
    west = datetime.fromisoformat("2026-11-30T20:00-05:00")
    assert day_of(west) == "2026-12-01"
    assert seed_of(day_of(NOON)) == SEED


def test_everybody_has_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MIA_RULES", "long"), ("MIA_CPU", "easy"), ("MIA_PLAYERS", "6")):
        monkeypatch.setenv(name, value)
    for name, value in (("MIA_LIVES", "5"), ("MIA_PENALTY_21", "2"), ("MIA_NAME", "Zoé")):
        monkeypatch.setenv(name, value)
    first, *others = map(json.loads, play("--daily", "--json", lines=TOLD.lines).out.splitlines())
    assert first["daily"] == DAY
    assert [seat["player"] for seat in first["seats"]] == ["human", "normal", "hard"]
    assert first["ruleset"] == {"lives": 3, "penalty_21": 1}
    assert first["seed_fingerprint"] == fingerprint(SEED)
    assert first["seats"][0]["name"] == "Zoé"
    assert others[-2] == {
        "schema": "mia.event/1",
        "event": "match_over",
        "winner": TOLD.winner,
        "seed": SEED,
    }
    record = read_record(records()[0])
    assert record.events == TOLD.events
    assert day_named(record) == DAY


def test_the_seed_is_told_at_the_end_and_the_lines_to_paste_follow() -> None:
    shown = play("--daily", lines=TOLD.lines)
    assert shown.code == 0
    head, _over, end = shown.out.partition("match.\n" if TOLD.winner != 1 else "match!\n")
    assert head.startswith(f"The match of {DAY}.\n")
    assert str(SEED) not in head
    assert "Dice sealed as" in head
    *_, result, row = end.splitlines()
    word = "won" if TOLD.winner == 1 else "lost"
    rounds = json.loads(play("--daily", "--json", lines=TOLD.lines).out.splitlines()[-1])["rounds"]
    assert result == f"mia {DAY}: {word} in {rounds} rounds"
    assert len(row.split()[0]) == rounds
    assert row.endswith(" points given away")


def test_an_unfinished_try_is_gone_on_with_and_the_first_finished_one_counts() -> None:
    assert play("--daily", lines=TOLD.lines[:3]).code == 3
    assert days() == []
    shown = play("--daily", lines=TOLD.lines[3:])
    assert shown.code == 0
    assert shown.out.startswith(f"Match {records()[0].stem}, resumed.")
    (day,) = days()
    assert (day["day"], day["won"], day["tries"]) == (DAY, TOLD.winner == 1, 1)
    assert day["match"] == records()[0].stem
    assert "\nmia 2026-11-30: " in shown.out
    left = play("--daily", lines=("21",))
    assert "this one does not count" in left.out
    again = play("--daily", lines=("21", "c") * 60)
    assert again.out.startswith(f"Match {records()[-1].stem}, resumed.")
    assert "this one does not count" in again.out
    assert "\nmia 2026-11-30, try 2: " in again.out
    (later,) = days()
    assert {**later, "tries": 1} == day
    assert later["tries"] == 2


def test_another_day_is_another_match(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play("--daily", lines=TOLD.lines[:3]).code == 3
    monkeypatch.setattr(Clock, "at", NOON + timedelta(days=1))
    other = script(SEED + 71, ("normal", "hard"))
    shown = play("--daily", lines=other.lines)
    assert shown.code == 0
    assert "The match of 2026-12-01." in shown.out
    assert [day["day"] for day in days()] == ["2026-12-01"]
    # The one that was left is gone on with by its id, and counts for its own day.
    assert play("--resume", lines=TOLD.lines[3:]).code == 0
    assert [day["day"] for day in days()] == ["2026-12-01", DAY]


def test_a_match_that_only_says_it_is_of_a_day_is_none() -> None:
    told = script(7, ("normal", "hard"))
    words = ("--seed", "7", "--cpu", "normal", "--cpu", "hard")
    assert play(*words, lines=told.lines).code == 0
    document = json.loads(records()[0].read_text())
    records()[0].write_text(json.dumps({**document, "daily": DAY}))
    assert days() == []


@pytest.mark.parametrize(
    "words",
    [
        *(("--seed", "7"), ("--players", "4"), ("--cpu", "easy"), ("--rules", "long")),
        *(("--lives", "5"), ("--penalty-21", "2"), ("--first", "1"), ("--resume",)),
        *(("--discard",), ("--bot", "a=b"), ("x",)),
    ],
    ids=" ".join,
)
def test_nothing_else_may_be_said_of_the_table(words: tuple[str, ...]) -> None:
    refused = play("--daily", *words)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert not records()


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_as_a_table_in_every_language(language: str) -> None:
    assert "2026" not in full("stats", "--daily", "--lang", language).out
    shown = play("--daily", "--lang", language, lines=TOLD.lines).out
    assert f"mia {DAY}: " in shown
    told = full("stats", "--daily", "--lang", language)
    assert told.code == 0
    assert "2026" in told.out
    shown = play("--daily", "--lang", language, lines=TOLD.lines).out
    assert f"mia {DAY}: " not in shown
    assert f"mia {DAY}" in shown


@pytest.mark.parametrize("words", [("--by", "cpu"), ("--export", "x"), ("--since", "2026"), ("x",)])
def test_days_and_other_figures_are_not_asked_for_together(words: tuple[str, ...]) -> None:
    refused = full("stats", "--daily", *words)
    assert refused.code == 2
    assert "--daily" in refused.err
