"""The answers to help, rank and odds at a decision, and guesses at words that are none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.rules.match import Accept, MakeClaim, Observation, Throw, apply, observation, start
from mia_cli.rules.rolls import CLAIMS, ROLLS, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import LANGUAGES, speaking
from mia_cli.text.language.line import plain
from mia_cli.text.language.plain import display_width
from mia_cli.text.language.words import nearest
from mia_cli.text.play.asides import help_lines, odds_lines, order_lines
from mia_cli.text.play.prompts import not_understood
from tests.rules_oracle import WAYS, holds

NARROW = 40


def answering(claim: str) -> Observation:
    """Seat 2 has heard seat 1 open with a claim."""
    match, events = start(RuleSet(), 2, 1)
    for action in (Throw(parse_roll("31")), MakeClaim(parse_claim(claim))):
        match, more = apply(match, action)
        events += more
    return observation(match, 2, events)


def claiming(above: str | None, roll: str) -> Observation:
    """Seat 2 has accepted a claim of seat 1, or leads, and has rolled."""
    match, events = start(RuleSet(), 2, 1 if above else 2)
    actions = (Throw(parse_roll("31")), MakeClaim(parse_claim(above or "31")), Accept())
    for action in (*(actions if above else ()), Throw(parse_roll(roll))):
        match, more = apply(match, action)
        events += more
    return observation(match, 2, events)


def text_of(lines: object) -> str:
    return "\n".join(plain(line) for line in lines)  # type: ignore[attr-defined]


@pytest.mark.parametrize("claim", [claim.name for claim in CLAIMS])
def test_the_picture_marks_the_claim_that_is_to_be_answered(claim: str) -> None:
    head, *rows = text_of(order_lines(answering(claim))).split("\n")
    assert len(rows) == 4
    assert head == f"Low to high: [{claim}] claimed."
    assert re.findall(r"\[(\d\d)\]", "".join(rows)) == [claim]
    assert re.findall(r"\d\d", "".join(rows)) == [roll.name for roll in ROLLS]


@given(st.sampled_from([None, *(claim.name for claim in CLAIMS[:-1])]), st.sampled_from(ROLLS))
def test_the_picture_marks_what_is_to_be_beaten_and_the_own_roll(above, roll) -> None:
    _head, *rows = text_of(order_lines(claiming(above, roll.name))).split("\n")
    drawn = "".join(rows)
    assert re.findall(r"(\d\d)>", drawn) == [roll.name]
    assert re.findall(r"\[(\d\d)", drawn) == ([above] if above else [])
    assert re.findall(r"\d\d", drawn) == [roll.name for roll in ROLLS]
    assert "<" in drawn or above == roll.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_and_the_words_fit_a_narrow_screen(language: str) -> None:
    with speaking(language):
        for seen in (answering("62"), claiming("62", "43"), claiming(None, "66")):
            for line in order_lines(seen):
                assert display_width(plain(line)) <= NARROW
            for told in help_lines(seen):
                assert display_width(told) <= NARROW or not told.startswith("  ")


@given(st.sampled_from(CLAIMS))
def test_odds_of_an_answer_are_about_its_claim(claim) -> None:
    told = text_of(odds_lines(answering(claim.name)))
    supports = sum(WAYS[roll.name] for roll in ROLLS if holds(roll.name, claim.name))
    assert f"supports {claim.name} in {supports} of 36 " in told
    assert ("Accept" in told) == (claim.name != "21")


@given(st.sampled_from([None, *(claim.name for claim in CLAIMS[:-1])]), st.sampled_from(ROLLS))
def test_odds_of_a_claim_start_from_the_own_roll(above, roll) -> None:
    told = text_of(odds_lines(claiming(above, roll.name)))
    legal = [claim.name for claim in CLAIMS[CLAIMS.index(parse_claim(above)) + 1 if above else 0 :]]
    true = [name for name in legal if holds(roll.name, name)]
    assert ("supports no claim" in told) == (not true)
    assert not true or f"supports every claim up to {true[-1]};" in told
    listed = re.findall(r"(\d\d)\xa0", told)
    assert listed == legal[max(0, len(true) - 2) :][:6]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_that_is_almost_one_is_guessed(language: str) -> None:
    with speaking(language):
        assert nearest("chalenge") == "challenge"
        assert nearest("histroy") == "history"
        assert nearest("chalenge", without=["challenge"]) != "challenge"
        assert nearest("64") is None
        assert nearest("x" * 5000) is None
        assert "challenge" in not_understood("chalenge", answering("62"))
        assert "history" in not_understood("histroy", claiming("62", "43"))


def test_no_guess_is_a_word_that_does_not_belong_to_the_decision() -> None:
    assert "Did you mean" not in not_understood("acceptt", claiming("62", "43"))
