"""Cards come back after one, three and seven days, and survive being written."""

import json
from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.rules.errors import BadRecord
from mia_cli.rules.rolls import CLAIMS, ROLLS, claims_above
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import solve
from mia_cli.tutorial.practice.cards import (
    WAITS,
    Card,
    PracticeRecord,
    from_document,
    to_document,
)
from mia_cli.tutorial.practice.question import (
    KINDS,
    PracticeQuestion,
    judged,
    question_from,
)
from mia_cli.tutorial.practice.stock import AT_STAKE, made_up

TODAY = date(2026, 11, 30)


def questions():
    """Any position with a choice or without."""

    def build(table):
        lives, penalty, above, claim, roll, answers = table
        higher = claims_above(above)
        if answers:
            return PracticeQuestion(lives, penalty, above, higher[claim % len(higher)], None)
        return PracticeQuestion(lives, penalty, above, None, roll)

    return st.tuples(
        st.lists(st.integers(1, 5), min_size=2, max_size=6).map(tuple),
        st.sampled_from((1, 2)),
        st.sampled_from((None, *CLAIMS[:-1])),
        st.integers(0, 20),
        st.sampled_from(ROLLS),
        st.booleans(),
    ).map(build)


@given(
    st.lists(st.tuples(questions(), st.lists(st.booleans(), min_size=1, max_size=9)), max_size=4)
)
def test_a_record_survives_being_written(asked):
    record = PracticeRecord(extra={"later": 1})
    for question, answers in asked:
        for day, right in enumerate(answers):
            card = record.cards.get(question.id, Card(question, "k7", "55"))
            record = record.answered(card, right, TODAY + timedelta(days=day))
    assert from_document(json.loads(json.dumps(to_document(record)))) == record
    assert sum(asked for asked, _right in record.days.values()) == sum(
        card.asked for card in record.cards.values()
    )


@given(questions())
def test_a_question_survives_being_written_and_is_seen_from_seat_1(question):
    assert question_from(question.as_json()) == question
    assert question.kind in KINDS
    seen = question.seen()
    assert seen.lives == question.lives and seen.seat == 1 and seen.history == ()
    assert seen.rules.lives >= max(seen.lives)
    assert (seen.roller == 1) == (question.decision == "claim")


def test_wrong_comes_back_tomorrow_and_right_climbs():
    card = Card(PracticeQuestion((3, 3), 1, None, None, ROLLS[0]))
    waits = []
    day = TODAY
    card = card.answered(False, day)
    for _ in range(len(WAITS)):
        assert card.due is not None
        waits.append((card.due - day).days)
        day = card.due
        card = card.answered(True, day)
    assert waits == list(WAITS) == sorted(WAITS) and waits[:3] == [1, 3, 7]
    assert card.due is None and card.right == len(WAITS)
    record = PracticeRecord().answered(card, False, TODAY)
    assert not record.due(TODAY)
    assert [found.question for found in record.due(TODAY + timedelta(days=1))] == [card.question]


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "mia.practice/2"},
        {"schema": "mia.match/1"},
        {"cards": None},
        {"days": [{"day": "2026-13-01", "asked": 1, "right": 1}]},
        {"days": [{"day": "2026-12-01", "asked": 1, "right": 2}]},
        *({"cards": [{"lives": lives}]} for lives in ([3], [0, 1], [1] * 7, ["3", 3])),
        *({"cards": [change]} for change in ({"claim": "77"}, {"box": 9}, {"roll": "31"})),
    ],
)
def test_what_is_no_record_of_practice_is_refused(change):
    kept = to_document(
        PracticeRecord().answered(Card(PracticeQuestion((3, 1), 1, None, CLAIMS[9])), True, TODAY)
    )
    if change.get("cards"):
        change = {"cards": [{**kept["cards"][0], **change["cards"][0]}]}
    with pytest.raises(BadRecord):
        from_document({**kept, **change})


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize("seats", [2, 3])
def test_positions_are_made_up_of_every_kind_with_something_at_stake(seats, penalty):
    rules, solution = RuleSet(3, penalty), solve(3, 3, penalty)
    found = made_up(rules, seats, solution, Random(1))
    cards = [next(found) for _ in range(3 * len(KINDS))]
    kinds = {card.question.kind for card in cards}
    assert kinds == {kind for kind in KINDS if kind != "many_seats" or seats > 2}
    for card in cards:
        advice = card.question.advice(solution)
        wins = [option.win for option in advice.options]
        assert card.question.is_open and max(wins) - min(wins) >= AT_STAKE
        verdicts = [judged(card.question, solution, option.action) for option in advice.options]
        assert any(verdict.right for verdict in verdicts)
        assert any(not verdict.right for verdict in verdicts)
        for option, verdict in zip(advice.options, verdicts, strict=True):
            assert verdict.right or option.probability < 0.005 or option.action.claim == CLAIMS[-1]
    again = made_up(rules, seats, solution, Random(1))
    assert [next(again) for _ in cards] == cards


def test_a_needless_false_21_is_never_right():
    solution = solve(2, 3, 1)
    for above in (None, *CLAIMS[:-2]):
        for roll in ROLLS[:-1]:
            question = PracticeQuestion((2, 3), 1, above, None, roll)
            advice = question.advice(solution)
            assert not judged(question, solution, advice.options[-1].action).right


def test_a_kind_that_the_table_lacks_gives_none():
    assert list(made_up(RuleSet(), 2, solve(2, 3, 1), Random(1), "many_seats")) == []
