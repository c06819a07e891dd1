"""Hints and the tutor in ``mia play``: what they say, what they change, what the record keeps."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mia_cli.cli.app import app
from mia_cli.cli.play.help_used import COSTLY
from mia_cli.records.record import read_record
from mia_cli.rules.match import Accept, Challenge, observation
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import solve
from mia_cli.theory.advice import advise
from tests.cli.scripted import script


def play(*words: str, lines: tuple[str, ...] = (), **env: str) -> Result:
    typed = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(app, ["play", *words], input=typed, env=env)


def record() -> Path:
    (path,) = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return path


def aids() -> dict[str, object]:
    found: dict[str, object] = json.loads(record().read_text("utf-8"))["aids"]
    return found


TABLES = [("expert",), ("easy", "hard"), ("expert", "expert", "normal")]


def settings(cpus: tuple[str, ...]) -> list[str]:
    words = ["--seed", "4", "--players", str(len(cpus) + 1)]
    return [*words, *(word for level in cpus for word in ("--cpu", level))]


@pytest.mark.parametrize("cpus", TABLES, ids=repr)
def test_hints_change_nothing_but_the_record_and_agree_with_the_solution(
    cpus: tuple[str, ...],
) -> None:
    told = played(cpus)
    lines = tuple(word for line in told.lines for word in ("hint", line))
    result = play("--json", *settings(cpus), lines=lines)
    assert result.exit_code == 0, result.output
    kept = read_record(record())
    assert kept.events == told.events
    hints = [json.loads(line) for line in result.stdout.splitlines() if '"hint"' in line]
    assert len(hints) == len(told.lines)
    assert len(aids()["hints"]) == len(told.lines)
    for hint in hints:
        assert sum(option["probability"] for option in hint["options"]) == pytest.approx(1.0)
        assert all(0.0 <= option["win_probability"] <= 1.0 for option in hint["options"])


def played(cpus: tuple[str, ...]):
    from mia_cli.players import registry

    return script(4, cpus, make=lambda level, rules: registry.make(level, rules, len(cpus) + 1))


def test_a_hint_is_what_the_solution_says_of_that_very_decision() -> None:
    play("--seed", "4", "--players", "2", "--cpu", "expert", "--first", "2")
    from mia_cli.records.replay import replay

    table = replay(read_record(record())).table
    seen = observation(table.match, 1, table.events)
    expected = advise(solve(2, 3, 1), seen)
    result = play("--resume", "--json", lines=("hint",))
    hint = next(json.loads(line) for line in result.stdout.splitlines() if '"hint"' in line)
    assert hint["decision"] == "answer"
    assert {option["action"]: option["win_probability"] for option in hint["options"]} == {
        "accept": pytest.approx(option_of(expected, Accept()).win),
        "challenge": pytest.approx(option_of(expected, Challenge()).win),
    }
    text = play("--resume", lines=("hint",)).stdout
    assert "Best play: " in text and "if both play best from here on" in text


def option_of(advice, action):
    return next(option for option in advice.options if option.action == action)


def test_with_three_seats_a_hint_says_that_others_may_play_otherwise() -> None:
    text = play("--seed", "4", lines=("hint",)).stdout
    assert "if all play best from here on; others may not" in text
    assert "optimal" not in text


BLUNDER_TABLE = ("--seed", "4", "--players", "2", "--cpu", "expert", "--first", "1")


def test_the_tutor_speaks_up_before_a_costly_decision_counts_and_lets_it_be_taken_back() -> None:
    # Claiming 21 without having it loses a life at once.
    result = play("--json", "--tutor", *BLUNDER_TABLE, lines=("21", "54"))
    events = [json.loads(line) for line in result.stdout.splitlines()]
    comments = [event for event in events if event["event"] == "tutor"]
    assert comments
    assert comments[0]["action"] == "21"
    assert comments[0]["cost"] > COSTLY
    claims = [
        event["claim"] for event in events if event["event"] == "claimed" and event["seat"] == 1
    ]
    assert claims[0] == "54"
    assert aids()["tutor"] is True
    assert len(aids()["take_backs"]) == 1


def first_claim(events: list[dict[str, object]]) -> object:
    """The person's first claim that counted."""
    said = (event for event in events if event["event"] == "claimed" and event["seat"] == 1)
    return next(said)["claim"]


def test_typing_a_doubted_decision_again_keeps_it() -> None:
    result = play("--json", "--tutor", *BLUNDER_TABLE, lines=("21", "help", "21"))
    events = [json.loads(line) for line in result.stdout.splitlines()]
    claims = [
        event["claim"] for event in events if event["event"] == "claimed" and event["seat"] == 1
    ]
    assert claims[0] == "21"
    assert aids()["take_backs"] == []


def test_without_tutor_nobody_comments_and_the_record_says_so() -> None:
    result = play(*BLUNDER_TABLE, lines=("21",))
    assert "Tutor" not in result.stdout
    assert aids() == {"tutor": False, "hints": [], "take_backs": []}


def test_aids_survive_a_resume_and_the_tutor_can_be_called_in() -> None:
    play(*BLUNDER_TABLE, lines=("hint",))
    play("--resume", "--tutor", lines=("hint", "21"))
    found = aids()
    assert found["tutor"] is True
    assert len(found["hints"]) == 2


def test_the_comment_in_words() -> None:
    text = play("--tutor", *BLUNDER_TABLE, lines=("21",)).stdout
    assert "Tutor: 21 wins " in text
    assert "Type it again to keep it, or something else." in text


def test_hints_at_every_rule_set() -> None:
    for lives in (2, 3, 5):
        for penalty in (1, 2):
            rules = RuleSet(lives, penalty)
            words = ("--lives", str(rules.lives), "--penalty-21", str(rules.penalty_21))
            result = play("--seed", "1", "--players", "2", *words, lines=("hint",))
            assert "Best play: " in result.stdout
