"""Ctrl-C and Ctrl-D wherever a match, or the talk before and after it, waits for somebody."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli.cli.play.pace import wait_before
from mia_cli.rules.events import seen_by
from mia_cli.text.language.plain import display_width
from tests.cli.in_process import full
from tests.cli.scripted import script
from tests.cli.terminal import OnTerminal
from tests.random_play import RANDOMS, decisions, disguised

SEED = "7"
ANSWER = r"Accept\s+or\s+challenge\?\s$"
CLAIM = r"Claim anything \([^)]*\):\s$"
TWO = ("play", "--players", "2", "--cpu", "easy")


def press(match: OnTerminal, key: str) -> None:
    """As a person does, not within the microseconds in which Python begins to wait for a key."""
    time.sleep(0.3)
    match.type(key)


def forced(line: str, first: str, shown: str) -> tuple[str, ...]:
    """A match of two in which this line is followed by a question that shows this text."""
    for seed in range(1, 400):
        words = (*TWO, "--seed", str(seed), "--first", first)
        ended = full(*words, typed=f"{line}\n".encode())
        for record in Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json"):
            record.unlink()
        if shown in ended.out:
            return words
    raise AssertionError(f"no match shows {shown!r}")


def at_answer(columns: int) -> OnTerminal:
    match = OnTerminal(*TWO, "--seed", SEED, "--first", "2", columns=columns)
    match.until(ANSWER)
    return match


def at_claim(columns: int) -> OnTerminal:
    match = OnTerminal(*TWO, "--seed", SEED, "--first", "1", columns=columns)
    match.until(CLAIM)
    return match


def at_forced_challenge(columns: int) -> OnTerminal:
    match = OnTerminal(*forced("66", "1", "must be challenged"), columns=columns)
    match.until(CLAIM)
    match.type("66\r")
    match.until(r"must\s+be\s+challenged\.\s+Challenge\?\s$")
    return match


def at_forced_claim(columns: int) -> OnTerminal:
    match = OnTerminal(*forced("a", "2", "Only 21 is"), columns=columns)
    match.until(ANSWER)
    match.type("a\r")
    match.until(r"Only 21 is higher than 66\.\s+Claim:\s$")
    return match


def at_the_tutors_question(columns: int) -> OnTerminal:
    match = OnTerminal(*TWO, "--seed", SEED, "--first", "1", "--tutor", columns=columns)
    match.until(CLAIM)
    match.type("21\r")
    match.until(CLAIM)
    return match


def in_a_pause(columns: int) -> OnTerminal:
    words = ("play", "--seed", SEED, "--players", "6", "--first", "2", "--pace", "10")
    match = OnTerminal(*words, columns=columns)
    match.until(r"Round 1\. \w+ leads\.\s")
    return match


def half_a_line(columns: int) -> OnTerminal:
    match = at_answer(columns)
    match.type("chall")
    match.until("chall$")
    match.type("\x15")  # Ctrl-D leaves an empty line alone
    return match


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize(
    "begun",
    [
        *(at_answer, at_claim, at_forced_challenge, at_forced_claim, at_the_tutors_question),
        *(in_a_pause, half_a_line),
    ],
)
def test_in_a_match_both_leave_it_saved_and_say_how_to_go_on(begun, columns: int) -> None:
    for key, code in (("\x03", 130), ("\x04", 3)):
        match = begun(columns)
        press(match, key)
        match.until(r"mia play --resume \d{8}-\d{4}-\w{6}\s*$")
        assert match.end() == code
        assert "Traceback" not in match.plain
        assert max(map(display_width, match.rows)) <= columns
        assert not re.search(r"rounds? played|Turning point|bluffed in", match.plain)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_after_a_match_both_leave_and_the_match_is_kept(key: str, code: int) -> None:
    told = script(int(SEED), ("easy",))
    match = OnTerminal(*TWO, "--seed", SEED)
    for line in told.lines:
        match.until(r"hallenge\? +$|\): +$|Claim: $|Claim higher than \d\d: $")
        match.type(f"{line}\r")
    story = match.until(r"Enter to leave: +$")
    assert re.search(r"wins? the match[.!]\s.*rounds? played", story, re.DOTALL)
    press(match, key)
    assert match.end() == code
    (record,) = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    assert '"finished"' in record.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 3)])
@pytest.mark.parametrize("columns", [40, 80])
def test_while_choosing_both_leave_and_nothing_was_begun(columns, key: str, code: int) -> None:
    questions = (r"Seats.*: $", r"seat 2.*: $", r"seat 3.*: $", r"Lives.*: $", r"21.*: $")
    questions = (*questions, r"leads.*: $", r"Keep this.*: $", r"Its name.*: $")
    for left_at in range(len(questions)):
        match = OnTerminal("play", "--choose", columns=columns)
        for at, question in enumerate(questions[: left_at + 1]):
            match.until(rf"(?s){question}")
            if at < left_at:
                match.type("yes\r" if "Keep" in question else "\r")
        press(match, key)
        assert match.end() == code
        assert max(map(display_width, match.rows)) <= columns
    assert not list(Path(os.environ["MIA_DATA_DIR"]).glob("matches/*.json"))


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 3)])
def test_a_match_that_is_to_be_thrown_away_stays(key: str, code: int) -> None:
    assert full("play", "--seed", SEED).code == 3
    match = OnTerminal("play", "--discard", columns=40)
    match.until(r"yes\s+or\s+no:\s$")
    press(match, key)
    assert match.end() == code
    assert len(list(Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json"))) == 1


@settings(max_examples=25)
@given(RANDOMS, st.integers(2, 6))
def test_a_pause_follows_from_what_everybody_sees(random: Random, seats: int) -> None:
    for match, history in decisions(random, seats):
        _match, other = disguised(match, history, random)
        for one, hidden in zip(history, other, strict=True):
            for person in (None, 1, seats):
                assert wait_before([one], person) == wait_before([hidden], person)
                assert wait_before([one], person) == wait_before([seen_by(one, person)], person)
