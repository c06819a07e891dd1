"""Who loses, how much, who leads next and who has won: every lives vector against the oracle."""

from itertools import product

import pytest

from mia_cli.rules import match as m
from mia_cli.rules.events import (
    Challenged,
    Event,
    LivesLost,
    MatchOver,
    Out,
    Revealed,
    RoundStarted,
)
from mia_cli.rules.match import Challenge, Match, Throw
from mia_cli.rules.rolls import CLAIMS, ROLLS, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from tests.rules_oracle import ORDER, WORKED_EXAMPLES, challenge, holds, seat_after

RULES = {penalty: RuleSet(lives=5, penalty_21=penalty) for penalty in (1, 2)}
CASES = list(product((1, 2), (True, False), (True, False)))
"""Penalty, does the claim hold, is it 21."""
PAIRS = {
    (true, mia): [
        (roll, claim)
        for roll, claim in product(ROLLS, CLAIMS)
        if holds(roll.name, claim.name) is true and (claim.name == "21") is mia
    ]
    for true, mia in product((True, False), (True, False))
}


def vectors(seats: int) -> list[tuple[int, ...]]:
    """Every distribution of 0 to 5 lives with at least two seats alive."""
    return [
        lives for lives in product(range(6), repeat=seats) if sum(left > 0 for left in lives) >= 2
    ]


def living(lives: tuple[int, ...]) -> list[int]:
    return [seat for seat, left in enumerate(lives, start=1) if left]


def check_challenge(lives, claimer, penalty, roll, claim):
    before = Match(RULES[penalty], lives, 7, claimer, "answer", None, roll, claim)
    challenger = seat_after(claimer, list(lives))
    assert before.to_act == challenger
    after, events = m.apply(before, Challenge())
    loser, left, leader, winner = challenge(list(lives), claimer, roll.name, claim.name, penalty)
    expected: list[Event] = [
        Challenged(challenger),
        Revealed(claimer, roll, claim, holds(roll.name, claim.name)),
        LivesLost(loser, lives[loser - 1] - left[loser - 1], tuple(left)),
    ]
    if left[loser - 1] == 0:
        expected.append(Out(loser))
    if winner is None:
        expected.append(RoundStarted(8, leader, tuple(left)))
    else:
        expected.append(MatchOver(winner))
    assert list(events) == expected, (lives, claimer, penalty, roll, claim)
    assert after.lives == tuple(left) and min(left) >= 0
    assert after.winner == winner
    if winner is None:
        assert (after.phase, after.round, after.roller) == ("roll", 8, leader)
        assert (after.above, after.roll, after.claim) == (None, None, None)
    else:
        assert (after.phase, after.to_act, m.legal_actions(after)) == ("over", None, ())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_small_tables_every_vector_claimer_and_case(seats):
    number = 0
    for lives in vectors(seats):
        for claimer, (penalty, true, mia) in product(living(lives), CASES):
            pairs = PAIRS[true, mia]
            check_challenge(lives, claimer, penalty, *pairs[number % len(pairs)])
            number += 1


@pytest.mark.parametrize("seats", [5, 6])
def test_large_tables_every_vector_with_claimers_and_cases_in_turn(seats):
    seen = set()
    for number, lives in enumerate(vectors(seats)):
        seat = living(lives)
        for turn in range(2):
            # Different strides, so that every claimer meets every case.
            claimer = seat[(number // 8 + turn) % len(seat)]
            case = penalty, true, mia = CASES[(number + 3 * turn) % 8]
            pairs = PAIRS[true, mia]
            check_challenge(lives, claimer, penalty, *pairs[number % len(pairs)])
            seen.add((claimer, len(seat), case))
    positions = {(claimer, alive) for claimer, alive, _ in seen}
    assert len(seen) == 8 * len(positions)
    assert len(positions) == seats * (seats - 1)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_parts_of_a_challenge_for_every_vector_and_seat(seats):
    for lives in vectors(seats):
        listed, alive = list(lives), living(lives)
        assert m.winner(lives) is None
        for seat in range(1, seats + 1):
            after_seat = seat_after(seat, listed)
            assert m.next_living(lives, seat) == after_seat
            assert m.next_leader(lives, seat) == (seat if seat in alive else after_seat)
            for amount in (1, 2):
                left = listed.copy()
                left[seat - 1] -= min(amount, left[seat - 1])
                assert m.lose(lives, seat, amount) == tuple(left)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("left", [1, 2, 5])
def test_the_winner_is_the_only_seat_with_lives_seat_1_like_the_others(seats, left):
    for seat in range(1, seats + 1):
        lives = tuple(left if other == seat else 0 for other in range(1, seats + 1))
        assert m.winner(lives) == seat
        assert m.next_living(lives, seat) == seat


@pytest.mark.parametrize("penalty", [1, 2])
def test_only_a_claim_of_21_costs_the_penalty(penalty):
    losses = {claim.name: m.loss(RULES[penalty], claim) for claim in CLAIMS}
    assert losses == dict.fromkeys(ORDER, 1) | {"21": penalty}


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize(("roll", "claim", "true"), WORKED_EXAMPLES)
def test_worked_examples_from_the_start_of_a_match(roll, claim, true, seats, penalty):
    rules = RuleSet(lives=3, penalty_21=penalty)
    for leader in range(1, seats + 1):
        match, _ = m.start(rules, seats, leader)
        match, _ = m.apply(match, Throw(parse_roll(roll)))
        match, _ = m.apply(match, m.MakeClaim(parse_claim(claim)))
        challenger = leader % seats + 1
        match, events = m.apply(match, Challenge())
        loser = challenger if true else leader
        lost = penalty if claim == "21" else 1
        lives = tuple(3 - lost * (seat == loser) for seat in range(1, seats + 1))
        assert events == (
            Challenged(challenger),
            Revealed(leader, parse_roll(roll), parse_claim(claim), true),
            LivesLost(loser, lost, lives),
            RoundStarted(2, loser, lives),
        )
        assert match.lives == lives


def test_a_worked_example_to_the_end_of_a_match():
    """43 claimed as 21 over and over, for two lives: seat 3 is out, then seat 1; seat 2 wins."""
    match, _ = m.start(RuleSet(lives=3, penalty_21=2), seats=3, leader=3)
    lost = []
    while match.phase != "over":
        for action in (Throw(parse_roll("43")), m.MakeClaim(parse_claim("21")), Challenge()):
            match, events = m.apply(match, action)
        lost += [(event.seat, event.lost) for event in events if isinstance(event, LivesLost)]
    # The second loss takes the one life that is left. After seat 3 comes seat 1, round the table.
    assert lost == [(3, 2), (3, 1), (1, 2), (1, 1)]
    assert (match.lives, match.winner, match.round) == ((0, 3, 0), 2, 4)
