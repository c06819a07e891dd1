"""``mia play --choose``: the questions, what Enter takes, and the preset that may be kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mia_cli.presets import load
from mia_cli.records.record import MatchRecord, read_record
from mia_cli.rules.events import RoundStarted
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import LANGUAGES, speaking
from mia_cli.text.language.words import by_chance, no
from tests.cli.in_process import Ended, full


def play(*args: str, lines: tuple[str, ...] = ()) -> Ended:
    return full("play", "--choose", *args, typed="".join(f"{line}\n" for line in lines).encode())


def records() -> list[MatchRecord]:
    found = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return [read_record(path) for path in found]


def levels(record: MatchRecord) -> list[str]:
    return [seat.player for seat in record.seats[1:]]


def test_enter_takes_what_is_in_brackets() -> None:
    ended = play(lines=("",) * 7)
    assert ended.code == 3
    (record,) = records()
    assert levels(record) == ["normal", "normal"]
    assert record.ruleset == RuleSet()
    assert "[3]: " in ended.out and "[normal]: " in ended.out and "[random]: " in ended.out


def test_every_answer_counts_and_a_wrong_one_is_asked_again() -> None:
    answers = ("9", "4", "esay", "easy", "", "HARD", "4", "5", "3", "2", "5", "2", "no")
    ended = play("--seed", "7", lines=answers)
    (record,) = records()
    assert levels(record) == ["easy", "normal", "hard"]
    assert record.ruleset == RuleSet(5, 2)
    first = record.events[0]
    assert isinstance(first, RoundStarted) and first.leader == 2
    assert "Did you mean easy?" in ended.out
    assert ended.out.count("is not allowed for") == 5
    for level in ("easy", "normal", "hard", "expert", "shark"):
        assert f"\n  {level} " in ended.out, "each with the sentence on how it plays"


def test_options_that_were_given_stand_in_the_brackets() -> None:
    words = ("--cpu", "easy", "--cpu", "hard", "--rules", "mia-two", "--first", "3")
    play(*words, lines=("",) * 7)
    (record,) = records()
    assert levels(record) == ["easy", "hard"]
    assert record.ruleset == RuleSet(3, 2)
    first = record.events[0]
    assert isinstance(first, RoundStarted) and first.leader == 3


def test_table_and_rules_are_kept_as_a_preset_and_who_leads_is_not() -> None:
    ended = play(lines=("2", "hard", "2", "2", "1", "standard", "../x", "duel"))
    kept = load("duel", os.environ, place="--rules")
    assert (kept.rules, kept.players, kept.cpus) == (RuleSet(2, 2), 2, ("hard",))
    assert "first" not in kept.path.read_text()
    assert "mia play --rules duel" in ended.out
    assert records()[0].preset == "duel"
    play(lines=("2", "hard", "2", "2", "1", "yes", "standard", "bout"))
    assert load("bout", os.environ, place="--rules").cpus == ("hard",)


def test_the_answers_and_the_match_may_come_from_one_pipe() -> None:
    ended = play("--seed", "7", lines=("2", "", "2", "", "1", "", *("21", "c") * 60))
    assert ended.code == 0
    assert records()[0].winner is not None


@pytest.mark.parametrize("count", range(7))
def test_who_leaves_before_the_end_begins_no_match(count: int) -> None:
    assert play(lines=("",) * min(count, 6)).code == 3
    assert play(lines=(*("",) * min(count, 6), "quit")).code == 0
    assert not records()


@pytest.mark.parametrize(
    "words",
    [("--json",), ("--resume",), ("--daily",), ("--first", "9"), ("--cpu", "genius"), ("x",)],
    ids=" ".join,
)
def test_what_cannot_be(words: tuple[str, ...]) -> None:
    refused = play(*words, lines=("",) * 7)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert not records()


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(language: str) -> None:
    with speaking(language):
        lines = (*("",) * 5, by_chance(), no())
    ended = play("--lang", language, lines=lines)
    assert ended.code == 3
    assert ended.out.count("[3]") == 2
    assert len(records()) == 1
