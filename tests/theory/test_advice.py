"""Advice at a decision: its chances add up to the values, and say what a choice costs."""

from random import Random

import pytest
from hypothesis import given, settings

from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.match import (
    Accept,
    Challenge,
    MakeClaim,
    in_playing_order,
    legal_actions,
    observation,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS, claim_at, claims_above, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import advise, advise_answer, advise_claim, solve
from tests.random_play import RANDOMS, decisions

TABLES = [((3, 3), 1), ((1, 3), 1), ((1, 1, 3), 2), ((2, 2, 2), 2), ((3, 1, 2), 1)]


@pytest.fixture(scope="module")
def solved():
    return {penalty: solve(4, 3, penalty) for penalty in (1, 2)}


def standing_claim(standing):
    return claim_at(standing) if standing else None


@pytest.mark.parametrize(("lives", "penalty"), TABLES)
def test_claims_add_up_to_the_value_of_the_roller(solved, lives, penalty):
    for standing in range(21):
        above = standing_claim(standing)
        total = 0.0
        for roll in ROLLS:
            advice = advise_claim(solved[penalty], lives, above, roll)
            assert [option.action.claim for option in advice.options] == list(claims_above(above))
            check_mix(advice)
            total += roll.ways / 36 * advice.win
        assert total == pytest.approx(solved[penalty].values(lives, standing)[0], abs=1e-12)


@pytest.mark.parametrize(("lives", "penalty"), TABLES)
def test_answers_add_up_to_the_value_of_the_next_seat(solved, lives, penalty):
    for standing in range(21):
        above = standing_claim(standing)
        claims = solved[penalty].claim_probabilities(lives, standing)
        total = 0.0
        for claim in claims_above(above):
            advice = advise_answer(solved[penalty], lives, above, claim)
            check_mix(advice)
            made = [
                roll.ways / 36 * claims[roll.position - 1, claim.position - 1] for roll in ROLLS
            ]
            assert advice.expected == (sum(made) > 0)
            if advice.expected:
                true = sum(m for m, roll in zip(made, ROLLS, strict=True) if roll.supports(claim))
                assert advice.holds == pytest.approx(true / sum(made), abs=1e-9)
            total += sum(made) * advice.win
        assert total == pytest.approx(solved[penalty].values(lives, standing)[1], abs=1e-12)


def check_mix(advice):
    """What is advised costs nothing, also where the claim is never made."""
    assert sum(option.probability for option in advice.options) == pytest.approx(1, abs=1e-12)
    for option in advice.options:
        assert 0 <= option.win <= 1
        assert advice.cost(option.action) == pytest.approx(advice.best - option.win, abs=1e-15)
        if option.probability > 1e-12:
            assert advice.cost(option.action) < 1e-9
    assert advice.holds is None or 0 <= advice.holds <= 1


def test_obvious_decisions(solved):
    mia = advise_claim(solved[1], (3, 3), parse_claim("66"), parse_roll("21"))
    assert [option.action.claim.name for option in mia.options] == ["21"]
    fresh = advise_claim(solved[1], (3, 3), None, parse_roll("21"))
    assert fresh.cost(MakeClaim(parse_claim("21"))) < 1e-12
    assert fresh.cost(MakeClaim(parse_claim("31"))) > 0.05
    forced = advise_answer(solved[1], (3, 3), parse_claim("31"), parse_claim("21"))
    assert [option.action for option in forced.options] == [Challenge()]
    low = advise_answer(solved[1], (3, 3), None, parse_claim("31"))
    assert low.holds == 1
    assert low.cost(Challenge()) > 0.2
    assert low.cost(Accept()) == 0
    with pytest.raises(NotAllowed):
        forced.cost(Accept())


@settings(max_examples=15)
@given(RANDOMS)
def test_advice_from_what_a_seat_sees(random: Random):
    solution = solve(4, 2, 1)
    seats = random.randint(2, 4)
    for match, history in decisions(random, seats):
        seen = observation(match, match.to_act, history)
        advice = advise(solution, seen)
        assert tuple(option.action for option in advice.options) == legal_actions(match)
        lives = [match.lives[(match.roller - 1 + step) % seats] for step in range(seats)]
        assert list(in_playing_order(match.lives, match.roller)) == [one for one in lives if one]
        if match.phase == "claim":
            assert advice == advise_claim(solution, lives, match.above, match.roll)
        else:
            assert advice == advise_answer(solution, lives, match.above, match.claim)


def test_a_solution_of_another_table(solved):
    match, history = next(decisions(Random(1), 3))
    seen = observation(match, match.to_act, history)
    with pytest.raises(BadRuleSet, match="not_solved"):
        advise(solved[2], seen)  # the match costs 1 life over 21
    assert seen.rules == RuleSet(lives=2)
    with pytest.raises(BadRuleSet, match="not_solved"):
        advise(solve(2, 2, 1), seen)


def test_impossible_situations(solved):
    roll, claim = ROLLS[3], CLAIMS[7]
    with pytest.raises(BadRuleSet, match="bad_standing"):
        advise_claim(solved[1], (3, 3), CLAIMS[20], roll)
    with pytest.raises(BadRuleSet, match="bad_lives"):
        advise_claim(solved[1], (0, 3), None, roll)
    for above in (CLAIMS[7], CLAIMS[8], CLAIMS[20]):
        with pytest.raises(NotAllowed, match="claim_too_low") as caught:
            advise_answer(solved[1], (3, 3), above, claim)
        assert caught.value.fields == {"claim": claim.name, "above": above.name}
