"""Only the values of the rules make a rule set or a table."""

from itertools import product

import pytest

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.ruleset import RuleSet, require_seats

NO_NUMBERS = [True, False, None, "3", "", 3.0, 2.0, 1.0, float("nan"), [3], (2,), b"3", 3 + 0j]


def test_every_legal_pair():
    for lives, penalty in product((2, 3, 5), (1, 2)):
        rules = RuleSet(lives=lives, penalty_21=penalty)
        assert (rules.lives, rules.penalty_21) == (lives, penalty)
        assert hash(rules) == hash(RuleSet(lives, penalty))
    assert RuleSet() == RuleSet(lives=3, penalty_21=1)


@pytest.mark.parametrize("lives", [0, 1, 4, 6, -3, 10**30, *NO_NUMBERS], ids=repr)
def test_other_lives_are_refused_with_what_is_allowed(lives):
    with pytest.raises(BadRuleSet) as caught:
        RuleSet(lives=lives)
    assert caught.value.code == "bad_rule"
    assert caught.value.fields == {"key": "lives", "value": lives, "allowed": (2, 3, 5)}


@pytest.mark.parametrize("penalty", [0, 3, -1, *NO_NUMBERS], ids=repr)
def test_other_penalties_are_refused(penalty):
    with pytest.raises(BadRuleSet) as caught:
        RuleSet(penalty_21=penalty)
    assert caught.value.fields == {"key": "penalty_21", "value": penalty, "allowed": (1, 2)}


@pytest.mark.parametrize("seats", [0, 1, 7, -2, *NO_NUMBERS], ids=repr)
def test_other_tables_are_refused(seats):
    with pytest.raises(BadRuleSet) as caught:
        require_seats(seats)
    assert caught.value.fields == {"key": "players", "value": seats, "allowed": (2, 3, 4, 5, 6)}


def test_tables_of_two_to_six():
    assert [require_seats(seats) for seats in range(2, 7)] == [2, 3, 4, 5, 6]


def test_a_rule_set_cannot_be_changed_past_its_checks():
    with pytest.raises(AttributeError):
        RuleSet().lives = 4
