"""A match on a terminal: line editing, pauses, what is typed ahead, and the width of the screen."""

from __future__ import annotations

import os
import re
import signal
import termios
import time
from itertools import pairwise
from pathlib import Path

import pytest

from mia_cli.records.record import read_record
from mia_cli.rules.events import Event
from mia_cli.text.language.plain import display_width
from tests.cli.machine import run
from tests.cli.scripted import script
from tests.cli.terminal import OnTerminal

PROMPT = r"hallenge\? +$|\): +$|Claim: $|Claim higher than \d\d: $"
SEED = "7"


def events() -> tuple[Event, ...]:
    paths = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return read_record(max(paths, key=lambda path: path.stat().st_mtime_ns)).events


def finish(match: OnTerminal) -> int:
    match.until(r"leave: +$")
    match.type("\r")
    return match.end()


@pytest.mark.parametrize("columns", [40, 80])
def test_a_whole_match_and_no_row_is_wider_than_the_screen(columns: int) -> None:
    told = script(int(SEED))
    match = OnTerminal("play", "--seed", SEED, columns=columns)
    for line in ("help", "odds", "score", "history", *told.lines):
        match.until(PROMPT)
        match.type(f"{line}\r")
    assert finish(match) == 0
    assert "\x1b[" in match.seen, "a terminal gets colour"
    assert f"Seed {SEED}, sealed as" in match.plain
    assert match.rows[0].startswith("Mia: "), "what has to be solved is, before it begins"
    assert events() == told.events
    for row in match.rows:
        assert display_width(row) <= columns


def test_arrow_keys_edit_and_never_end_up_in_an_answer() -> None:
    told = script(int(SEED))
    match = OnTerminal("play", "--seed", SEED)
    for line in told.lines:
        match.until(PROMPT)
        # A wrong letter is typed, gone back over and deleted; Ctrl-L draws the line again.
        match.type(f"x{line}\x1b[D\x1b[D\x1b[C\x01\x1b[3~\x05\x0c\r")
    assert finish(match) == 0
    assert events() == told.events
    assert "not a" not in match.plain


def test_the_line_before_comes_back_with_an_arrow() -> None:
    match = OnTerminal("play", "--seed", SEED)
    match.until(PROMPT)
    match.type("score\r")
    match.until(PROMPT)
    match.type("\x1b[A\r")
    match.until(PROMPT)
    match.type("\x04")
    assert match.end() == 3
    assert match.plain.count("\nRound 1.\n") == 2


@pytest.mark.slow
def test_others_take_their_time_and_a_reveal_more() -> None:
    """The pace is a lower bound of what passes; nothing is said of a slow machine."""
    match = OnTerminal("play", "--seed", SEED, "--players", "6", "--first", "2", "--pace", "0.4")
    match.until(r"Round 1\. \w+ leads\.")
    times = [time.monotonic()]
    for _ in range(5):
        match.until(r"claims \d\d\.\n")
        times.append(time.monotonic())
    # What is read at once was printed at once: a tenth is left for the reading.
    assert all(later - earlier > 0.3 for earlier, later in pairwise(times))
    match.until(PROMPT)
    match.type("c\r")
    before = time.monotonic()
    match.until(r"shows \d\d")
    assert time.monotonic() - before > 0.9
    match.type("\x03")
    assert match.end() == 130
    assert "is saved. Go on with" in match.plain


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80])
def test_an_empty_line_skips_to_the_next_question(columns: int) -> None:
    words = ("--seed", SEED, "--players", "6", "--first", "2", "--pace", "10")
    match = OnTerminal("play", *words, columns=columns)
    match.until(r"Round 1\. \w+ leads\.")
    before = time.monotonic()
    match.type("\r")
    match.until(r"hallenge\? +$")
    assert time.monotonic() - before < 9
    match.type("score\r")
    match.until(r"hallenge\? +$")
    match.type("c\r")
    time.sleep(0.5)
    assert "shows" not in match.plain, "the pauses are back"
    match.type("\r")
    match.until(r"shows \d\d")
    match.until(PROMPT)
    match.type("quit\r")
    assert match.end() == 3


@pytest.mark.slow
def test_what_is_typed_ahead_is_kept_line_by_line_pasted_lines_too() -> None:
    told = script(int(SEED))
    match = OnTerminal("play", "--seed", SEED, "--pace", "0.2")
    match.until("sealed as")
    match.type("".join(f"{line}\n" for line in told.lines[:4]))
    time.sleep(0.3)
    match.type("\r".join(told.lines[4:]) + "\r")
    assert finish(match) == 0
    assert events() == told.events
    assert "not a" not in match.plain
    for line in told.lines:
        assert re.search(rf"(?:\? |: ){line}\n", match.plain), "it is shown at its question"


@pytest.mark.slow
def test_half_a_line_that_is_typed_ahead_can_be_finished() -> None:
    match = OnTerminal("play", "--seed", SEED, "--first", "2", "--players", "6", "--pace", "0.3")
    match.until(r"Round 1\. \w+ leads\.")
    match.type("sco")
    assert match.until(r"hallenge\? sco$").count("sco") == 1
    match.type("re\r")
    match.until(r"\nRound 2\.\n")
    match.until(r"hallenge\? $")  # before its question a terminal takes Ctrl-D for itself
    match.type("\x04")
    assert match.end() == 3


@pytest.mark.slow
def test_who_is_out_can_cut_the_rest_short() -> None:
    """All lives are lost at once; the others play on at a pace that would take minutes."""
    match = OnTerminal(
        *("play", "--seed", "2", "--players", "6", "--rules", "quick", "--pace", "10"),
    )
    lost = False
    match.type("\r")
    while not lost:
        asked = match.until(PROMPT + r"|You are out of the match\.")
        lost = "You are out" in asked
        match.type("\r" if lost else "21\r\r" if "hallenge" not in asked else "c\r\r")
    before = time.monotonic()
    match.until("wins the match")
    assert time.monotonic() - before < 9
    assert finish(match) == 0


@pytest.mark.slow
def test_a_dumb_terminal_gets_neither_pauses_nor_escapes_and_no_wide_row() -> None:
    told = script(int(SEED))
    match = OnTerminal("play", "--seed", SEED, "--pace", "10", columns=40, env={"TERM": "dumb"})
    before = time.monotonic()
    for line in told.lines:
        match.until(PROMPT)
        match.type(f"{line}\r")
    match.until(r"is saved\.")
    assert match.end() == 0
    assert time.monotonic() - before < 9
    assert "\x1b" not in match.seen
    assert max(map(display_width, match.rows)) <= 40


def test_the_end_offers_to_practise_what_cost_most() -> None:
    """On a terminal, where something was worth it; in a pipe nothing is offered."""
    match = OnTerminal("play", "--seed", "5", "--players", "2", "--rules", "quick", "--first", "1")
    while "is saved." not in match.plain:
        asked = match.until(r"(Claim[^:]*: |hallenge\? |is saved\.)")
        if "hallenge" in asked.splitlines()[-1]:
            match.type("c\r")
        elif asked.rstrip().endswith(":"):
            match.type("21\r")
    offered = match.until(r"mia practice --from [\w-]+")
    match.until(r"leave: ")
    match.type("\r")
    assert match.end() == 0
    practised = run("practice", *offered.split()[-2:], typed="")
    assert practised.returncode == 3 and b"Practice: " in practised.stdout


@pytest.mark.slow
def test_the_terminal_is_left_as_it_was_found() -> None:
    for keys, code in (("quit\r", 3), ("\x03", 130), ("\x04", 3)):
        match = OnTerminal("play", "--seed", SEED, "--first", "2", "--pace", "0.2")
        before = termios.tcgetattr(match._ours)
        match.until(PROMPT)
        match.type(keys)
        match.until(r"is saved")
        match.process.wait(30)
        assert termios.tcgetattr(match._ours)[:4] == before[:4]
        assert match.end() == code


@pytest.mark.slow
def test_suspended_in_a_question_and_in_a_pause_and_the_window_made_narrow() -> None:
    told = script(int(SEED))
    match = OnTerminal("play", "--seed", SEED, "--pace", "0.2")
    for at, line in enumerate(told.lines):
        match.until(PROMPT)
        if at == 1:
            match.type(line[:1])
            match.process.send_signal(signal.SIGSTOP)
            match.resize(40)
            match.process.send_signal(signal.SIGCONT)
            match.process.send_signal(signal.SIGWINCH)
            time.sleep(0.2)
            match.type(f"{line[1:]}\r")
        else:
            match.type(f"{line}\r")
            match.process.send_signal(signal.SIGSTOP)
            match.process.send_signal(signal.SIGCONT)
    assert finish(match) == 0
    assert events() == told.events


def test_the_word_plays_another_match_and_enter_leaves() -> None:
    told = script(int(SEED), ("easy",))
    words = ("--seed", SEED, "--players", "2", "--cpu", "easy", "--lives", "3")
    match = OnTerminal("play", *words)
    for line in told.lines:
        match.until(PROMPT)
        match.type(f"{line}\r")
    match.until(r"Type again, or Enter to leave: +$")
    match.type("again\r")
    again = match.until(PROMPT)
    assert "Dice sealed as" in again, "with dice of its own"
    assert "(easy)" in again
    match.type("quit\r")
    assert match.end() == 3
    assert len(list(Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json"))) == 2
    match = OnTerminal("play", *words)
    for line in told.lines:
        match.until(PROMPT)
        match.type(f"{line}\r")
    match.until(r"Type again, or Enter to leave: +$")
    match.type("\r")
    assert match.end() == 0
