"""Whole random matches: what holds at every position, whatever is rolled and decided."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli.rules import events as e
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.match import (
    Accept,
    Action,
    Challenge,
    MakeClaim,
    Match,
    Throw,
    apply,
    legal_actions,
    start,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from tests.random_play import RANDOMS, play
from tests.rules_oracle import challenge, rank, seat_after

EVERY_ACTION: list[Action] = [
    *(Throw(roll) for roll in ROLLS),
    *(MakeClaim(claim) for claim in CLAIMS),
    Accept(),
    Challenge(),
]
TABLES = st.tuples(
    st.builds(RuleSet, st.sampled_from([2, 3, 5]), st.sampled_from([1, 2])),
    st.integers(2, 6),
    st.integers(0, 5),
)


class Witness:
    """Somebody at the table who hears the events and keeps score with the oracle's rules."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.penalty = rules.penalty_21
        self.lives = [rules.lives] * seats
        self.round = 0
        self.due: list[e.Event] = []  # events that must come next
        self.roller = self.roll = self.claim = self.above = None

    def hear(self, event: e.Event) -> None:
        if self.due:
            assert event == self.due.pop(0)
        match event:
            case e.RoundStarted(number, leader, lives):
                assert (number, list(lives)) == (self.round + 1, self.lives)
                self.round, self.roller, self.above = number, leader, None
                self.roll = self.claim = None
            case e.Rolled(seat, roll):
                assert (seat, self.roll) == (self.roller, None)
                self.roll = roll
            case e.Claimed(seat, claim):
                assert seat == self.roller and self.roll is not None and self.claim is None
                assert self.above is None or rank(claim.name) > rank(self.above.name)
                self.claim = claim
            case e.Accepted(seat):
                assert seat == seat_after(self.roller, self.lives) and self.claim.name != "21"
                self.roller, self.above, self.roll, self.claim = seat, self.claim, None, None
            case e.Challenged(seat):
                assert seat == seat_after(self.roller, self.lives)
                self.expect_the_outcome()

    def expect_the_outcome(self) -> None:
        before, roll, claim = self.lives, self.roll, self.claim
        loser, after, leader, winner = challenge(
            before, self.roller, roll.name, claim.name, self.penalty
        )
        lost = before[loser - 1] - after[loser - 1]
        assert 1 <= lost <= self.penalty and sum(after) == sum(before) - lost
        self.lives = after
        self.due = [
            e.Revealed(self.roller, roll, claim, loser != self.roller),
            e.LivesLost(loser, lost, tuple(after)),
            *([e.Out(loser)] if after[loser - 1] == 0 else []),
            e.MatchOver(winner) if winner else e.RoundStarted(self.round + 1, leader, tuple(after)),
        ]

    def agrees_with(self, match: Match) -> None:
        assert not self.due
        assert list(match.lives) == self.lives and match.round == self.round
        assert (match.roller, match.roll, match.claim) == (self.roller, self.roll, self.claim)
        assert match.above == self.above
        alive = [seat for seat, left in enumerate(self.lives, start=1) if left]
        assert match.winner == (alive[0] if len(alive) == 1 else None)
        assert match.roller in alive or match.phase == "over"
        asked = {"claim": match.roller, "answer": seat_after(match.roller, self.lives)}
        assert match.to_act == asked.get(match.phase)


def allowed_by_the_rules(match: Match, action: Action) -> bool:
    match action:
        case Throw():
            return match.phase == "roll"
        case MakeClaim(claim):
            above = -1 if match.above is None else rank(match.above.name)
            return match.phase == "claim" and rank(claim.name) > above
        case Accept():
            return match.phase == "answer" and match.claim.name != "21"
        case Challenge():
            return match.phase == "answer"


def check_actions(match: Match) -> None:
    """Exactly the legal actions are accepted; the others raise and change nothing."""
    legal = legal_actions(match)
    assert len(set(legal)) == len(legal)
    snapshot = fields_of(match)
    for action in EVERY_ACTION:
        assert (action in legal) is allowed_by_the_rules(match, action), (match, action)
        if action in legal:
            apply(match, action)
        else:
            with pytest.raises(NotAllowed):
                apply(match, action)
        assert fields_of(match) == snapshot


def fields_of(match: Match) -> tuple:
    return tuple(getattr(match, name) for name in Match.__dataclass_fields__)


@settings(max_examples=60)
@given(TABLES, RANDOMS, st.sampled_from([0.0, 0.5, 0.95]))
def test_what_holds_at_every_position(table, random, patience):
    rules, seats, leader = table
    leader = leader % seats + 1
    witness = Witness(rules, seats)
    claims_in_round = challenges = 0
    for match, events in play(rules, seats, leader, random, patience):
        for event in events:
            witness.hear(event)
            claims_in_round += isinstance(event, e.Claimed)
            challenges += isinstance(event, e.Challenged)
            if isinstance(event, e.RoundStarted):
                claims_in_round = 0
        witness.agrees_with(match)
        assert claims_in_round <= 21
        if random.random() < 0.3 or match.phase == "over":
            check_actions(match)
    assert match.phase == "over" and events[-1] == e.MatchOver(match.winner)
    assert match.lives.count(0) == seats - 1 and match.lives[match.winner - 1] > 0
    assert challenges == match.round <= rules.lives * seats - 1


def test_every_seat_wins_some_match_from_every_leader():
    """Seat 1 counts like the others, and so does the last."""
    won = set()
    for number in range(300):
        seats, leader = 2 + number % 5, 1 + number // 5 % 6
        if leader <= seats:
            random = Random(number)
            *_, (match, _) = play(RuleSet(lives=2), seats, leader, random, 0.3)
            won.add((seats, match.winner))
    assert won == {(seats, seat) for seats in range(2, 7) for seat in range(1, seats + 1)}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_starter_after_an_elimination_wraps_round_the_table(seats):
    """The leader lies 21 until it is out; the next living seat takes over, over the end too."""
    for leader in range(1, seats + 1):
        match, _ = start(RuleSet(lives=2, penalty_21=2), seats, leader)
        leaders = []
        while match.phase != "over":
            leaders.append(match.roller)
            for action in (Throw(parse_roll("31")), MakeClaim(parse_claim("21")), Challenge()):
                match, _ = apply(match, action)
        assert leaders == [(leader - 1 + turn) % seats + 1 for turn in range(seats - 1)]
        assert match.winner == (leader - 2) % seats + 1


@pytest.mark.parametrize("action", [Accept, Challenge, ROLLS[0], "55", None, 3])
def test_what_is_no_action_is_refused(action):
    match, _ = start(RuleSet(), 2, 1)
    for _ in range(3):
        with pytest.raises(NotAllowed) as caught:
            apply(match, action)
        assert caught.value.code == "not_now"
        match, _ = apply(match, legal_actions(match)[0])


def test_refusals_say_which_rule():
    match, _ = start(RuleSet(), 2, 1)
    match, _ = apply(match, Throw(parse_roll("31")))
    claimed, _ = apply(match, MakeClaim(parse_claim("66")))
    accepted, _ = apply(claimed, Accept())
    above_66, _ = apply(accepted, Throw(parse_roll("66")))
    for claim in CLAIMS[:-1]:
        with pytest.raises(NotAllowed) as caught:
            apply(above_66, MakeClaim(claim))
        assert caught.value.code == "claim_too_low"
        assert caught.value.fields == {"claim": claim.name, "above": "66"}
    with pytest.raises(NotAllowed) as caught:
        apply(apply(above_66, MakeClaim(CLAIMS[-1]))[0], Accept())
    assert (caught.value.code, caught.value.fields) == ("must_challenge_21", {"claim": "21"})


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("lives", [2, 3, 5])
def test_the_start(seats, lives):
    for leader in range(1, seats + 1):
        match, events = start(RuleSet(lives=lives), seats, leader)
        assert match.lives == (lives,) * seats and match.seats == seats
        assert (match.round, match.roller, match.phase, match.winner) == (1, leader, "roll", None)
        assert events == (e.RoundStarted(1, leader, match.lives),)


@pytest.mark.parametrize("leader", [0, -1, 4, True, 1.0, "1", None])
def test_a_leader_who_has_no_seat_is_refused(leader):
    with pytest.raises(BadRuleSet) as caught:
        start(RuleSet(), 3, leader)
    assert caught.value.fields == {"key": "first", "value": leader, "allowed": (1, 2, 3)}
