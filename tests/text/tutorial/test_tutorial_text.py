"""The tutorial's sentences: every one is reached, fits a line, and has the odds right."""

import ast
import re
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter

import pytest

import mia_cli.text
from mia_cli.cli.tutorial.room import joined
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language import words
from mia_cli.text.language.catalogue import LANGUAGES, speaking, translate
from mia_cli.text.language.plain import display_width
from mia_cli.text.tutorial import words as tutorial_words
from mia_cli.text.tutorial.facts import odds
from mia_cli.text.tutorial.words import understand_anywhere
from mia_cli.tutorial.lessons import LESSONS
from tests.rules_oracle import ORDER, WAYS, holds, name_of_dice
from tests.tutorial.classroom import (
    BEFORE_PRACTICE,
    RIGHT,
    WRONG,
    Visit,
    at_step,
    done,
    right_lines,
    typing,
)

FOLDER = Path(mia_cli.text.__file__).parent
WIDEST = 79


def visits(visit=Visit):
    """Transcripts that together go everywhere: right, wrong, nonsense, asking, every claim."""
    for rules in (RuleSet(), RuleSet(3, 2), RuleSet(2, 1), RuleSet(5, 1)):
        yield visit(typing([*right_lines(rules), "skip", "skip"]), rules=rules)
    yield visit(typing([""] * 80), lessons=BEFORE_PRACTICE)
    yield visit(typing(["zzz"] * 80), lessons=BEFORE_PRACTICE)
    for lesson in LESSONS:
        for index, step in enumerate(lesson.steps):
            key = f"{lesson.id}/{step.id}"
            start = at_step(lesson, index)
            words_ = ["help", "repeat", "rank", "odds", "hint", "score", "history", "back"]
            yield visit(typing(words_), progress=start)
            yield visit(typing([WRONG.get(key, "zzz")] * 2), progress=start)
            for answer, claim in product(("accept", "challenge"), ("21", "66", "64", "31", "43")):
                yield visit(answering(answer, claim), lessons=[alone(lesson, step)])
    for seed in (3, 25, 26):
        yield visit(steady, progress=done(*BEFORE_PRACTICE), seed=seed)
    yield visit(reckless, progress=done(*BEFORE_PRACTICE), seed=5)
    yield visit(typing(["a", "64 "]), progress=done(*BEFORE_PRACTICE), rules=RuleSet(5, 2))
    left = visit(
        typing(["46"]), progress=visit(typing(["43"]), progress=done(*BEFORE_PRACTICE)).progress
    )
    yield left
    yield visit(typing([]), progress=left.progress, rules=RuleSet(5, 2))
    yield visit(typing(["46"]))
    yield visit(typing(["c"]), only=LESSONS[4])
    yield visit(
        typing([line for key in RIGHT if key.startswith("mia/") for line in RIGHT[key]]),
        only=LESSONS[4],
    )
    yield visit(typing([]), progress=done(*LESSONS))
    for command in ("challenge", "accept"):
        yield visit(answering(command, "65"), progress=done(*BEFORE_PRACTICE), seed=11)


def answering(answer, claim):
    """A rule for scenes: this answer and this claim, until the questions get boring."""
    left = iter(range(6))

    def rule(prompt):
        if next(left, None) is None:
            return None
        return answer if "allenge?" in prompt else claim

    return rule


def steady(prompt):
    """Wins a practice match now and then: believes low claims, and claims as little as it can."""
    name = re.search(r"(?:claims|higher than) (\d\d)", prompt)
    if "allenge?" in prompt:
        return "accept" if ORDER.index(name[1]) < ORDER.index("61") else "challenge"
    return "21" if "Only 21" in prompt else ORDER[ORDER.index(name[1]) + 1] if name else "43"


def reckless(prompt):
    """Loses a practice match."""
    if "It must be challenged" in prompt:
        return "challenge"
    return "accept" if "allenge?" in prompt else "21"


def alone(lesson, step):
    return type(lesson)(lesson.id, (step,))


@pytest.fixture(scope="module")
def said():
    lines = {line for visit in visits() for line in visit.said}
    return sorted(lines)


def templates():
    """Every sentence of the tutorial's modules, as its template."""
    for path in sorted(FOLDER.glob("tutorial*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("_", "N_", "ngettext"):
                yield from (one.value for one in node.args if isinstance(one, ast.Constant))


def pattern(template):
    parts = Formatter().parse(template)
    return "".join(
        re.escape(text) + (".+?" if name is not None else "") for text, name, _s, _c in parts
    )


# Said on stderr or in a list, where the tests of the command line look; and lists of words.
ELSEWHERE = {
    *("Welcome back.", "Learn Mia by playing: {count} short lessons, about ten minutes."),
    "At every prompt: {words}. Your place is kept.",
    "Your progress cannot be kept: {problem} The tutorial goes on without.",
    "{problem} It is kept as {path}, and the tutorial starts anew.",
    *("Lesson", "State", "step {step} of {steps}", "done; {state}", "done", "not begun"),
    "Your place is kept. Go on with: {command}",
    *("repeat again", "back b", "skip next", "yes y", "no n"),
}


def test_every_sentence_is_reached(said):
    everything = "\n".join(said)
    unreached = [
        template
        for template in templates()
        if template not in ELSEWHERE and not re.search(pattern(template), everything)
    ]
    assert unreached == []


# Sentences of a match, which the tutorial repeats as they are.
OF_A_MATCH = ("Also: {words}.",)


@cache
def typed_in_english():
    """What is typed in each visit, so that other languages go the same way."""
    found = []

    def visit(rule, **fields):
        typed = []

        def listening(prompt):
            line = rule(prompt)
            typed.extend([] if line is None else [line])
            return line

        done_ = Visit(listening, **fields)
        found.append((typed, fields))
        return done_

    for _visit in visits(visit):
        pass
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_but_the_odds_of_a_match_is_wider_than_a_line(language):
    visited = typed_in_english()
    with speaking(language):
        of_a_match = [pattern(translate(template)) for template in OF_A_MATCH]
        told = {line for typed, fields in visited for line in Visit(typing(typed), **fields).said}
    assert len(told) > 300
    # Lists of figures have semicolons.
    wide = [line for line in sorted(told) if display_width(line) > WIDEST and "; " not in line]
    assert [line for line in wide if not any(re.match(one, line) for one in of_a_match)] == []


THROWS = [name_of_dice(first, second) for first in range(1, 7) for second in range(1, 7)]


def at_least(claim):
    return sum(holds(roll, claim) for roll in THROWS)


def above(claim):
    return sum(roll in ORDER[ORDER.index(claim) + 1 :] for roll in THROWS)


ODDS = r"(\d+) of 36 \(([\d.]+)%\)"
RECKONED = (
    (r"fresh roll supports (\d\d) in ", at_least),
    (r"go above (\d\d)\. A fresh roll does so truly in ", above),
    (r"your roll beats (\d\d) in ", above),
    (r"had to beat (\d\d): in ", lambda claim: 36 - above(claim)),
    (r"only if you beat (\d\d), in ", above),
    (r"above \d\d: (\d\d) falls in ", lambda roll: WAYS[roll]),
    (r"\), (\d\d) in ", lambda roll: WAYS[roll]),
)


def test_all_odds_that_are_said_are_those_of_the_dice(said):
    found = dict.fromkeys((before for before, _reckon in RECKONED), 0)
    for line in said:
        reckoned = 0
        for before, reckon in RECKONED:
            for name, ways, share in re.findall(before + ODDS, line):
                found[before] += 1
                reckoned += 1
                assert int(ways) == reckon(name), line
                assert float(share) == pytest.approx(100 * int(ways) / 36, abs=0.051), line
        assert reckoned == line.count(" of 36 "), line
    assert all(found.values()), found


@pytest.mark.parametrize("ways", range(37))
def test_odds_as_a_phrase(ways):
    assert odds(ways) == f"{ways} of 36 ({ways / 36:.1%})"


def test_short_sentences_share_a_line_and_long_ones_do_not():
    assert joined("Right.", "", "Good.") == ["Right. Good."]
    assert joined("a" * 40, "b" * 40) == ["a" * 40, "b" * 40]


def test_the_words_of_the_tutorial_clash_with_none_of_a_match():
    of_a_match = {word for listed in words.table().values() for word in listed}
    own = tutorial_words.table()
    steering = {word for name in ("repeat", "back", "skip") for word in own[name]}
    assert not steering & of_a_match
    said_yes, said_no = words.answers()
    assert not steering & {*said_yes, *said_no}
    # Yes and no answer a claim too, and mean the same there.
    assert set(said_yes) <= set(words.table()["accept"])
    assert set(said_no) <= set(words.table()["challenge"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((" Repeat", "repeat"), ("AGAIN", "repeat"), ("ｂａｃｋ", "back"), ("skip ", "skip")),
        *(("quit", "quit"), ("a", "accept"), ("", None), ("repeat!", None)),
    ],
)
def test_words_are_understood_in_any_case(typed, meant):
    assert understand_anywhere(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"), [("YES", True), ("y ", True), ("No", False), ("accept", None), ("", None)]
)
def test_yes_and_no(typed, meant):
    assert words.yes_or_no(typed) is meant
