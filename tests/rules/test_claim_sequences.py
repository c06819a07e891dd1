"""Rounds counted as chess programs count moves: C(21, k) legal sequences of k claims."""

from math import comb

import pytest

from mia_cli.rules.match import (
    Accept,
    Challenge,
    MakeClaim,
    Match,
    Throw,
    apply,
    legal_actions,
    start,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS, parse_roll
from mia_cli.rules.ruleset import RuleSet


def after_throw(match: Match, roll: str = "31") -> Match:
    return apply(match, Throw(parse_roll(roll)))[0]


def claim_positions(match: Match) -> list[Match]:
    """The positions after each legal claim."""
    return [apply(match, action)[0] for action in legal_actions(match)]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_sequences_of_every_length_merged_by_standing_claim(seats):
    first, _ = start(RuleSet(), seats, leader=seats)
    reached = {None: (first, 1)}  # standing claim: a position that awaits a throw, ways to it
    counts = []
    while reached:
        following: dict = {}
        total = 0
        for position, ways in reached.values():
            for claimed in claim_positions(after_throw(position)):
                total += ways
                assert Challenge() in legal_actions(claimed)
                if Accept() in legal_actions(claimed):
                    _, before = following.get(claimed.claim, (None, 0))
                    following[claimed.claim] = (apply(claimed, Accept())[0], before + ways)
        counts.append(total)
        reached = following
    # No 22nd claim: the loop ended by itself, and every round ends within 21 claims.
    assert counts == [comb(21, length) for length in range(1, 22)]
    assert sum(counts) == 2**21 - 1


def test_short_sequences_walked_one_by_one():
    def count(match: Match, length: int) -> int:
        claimed = claim_positions(after_throw(match))
        if length == 1:
            return len(claimed)
        accepted = (apply(c, Accept())[0] for c in claimed if Accept() in legal_actions(c))
        return sum(count(match, length - 1) for match in accepted)

    first, _ = start(RuleSet(), 2, leader=1)
    assert [count(first, length) for length in range(1, 5)] == [21, 210, 1330, 5985]


@pytest.mark.parametrize("standing", [None, *CLAIMS[:-1]])
def test_what_may_be_claimed_does_not_depend_on_the_roll(standing):
    match, _ = start(RuleSet(), 2, leader=1)
    if standing is not None:
        claimed, _ = apply(after_throw(match), MakeClaim(standing))
        match, _ = apply(claimed, Accept())
    allowed = {legal_actions(after_throw(match, roll.name)) for roll in ROLLS}
    place = 0 if standing is None else standing.position
    assert allowed == {tuple(MakeClaim(claim) for claim in CLAIMS[place:])}


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_longest_round_names_all_21_claims(seats):
    match, _ = start(RuleSet(), seats, leader=1)
    rollers = []
    for claim in CLAIMS:
        rollers.append(match.roller)
        match, _ = apply(after_throw(match), MakeClaim(claim))
        if not claim.must_be_challenged:
            match, _ = apply(match, Accept())
    assert legal_actions(match) == (Challenge(),)
    assert rollers == [number % seats + 1 for number in range(21)]
