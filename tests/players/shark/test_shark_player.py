"""The shark as a player: legal, blind, the same again, also after an interruption."""

from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

from mia_cli.engine.driver import SeededDice, Table, next_action
from mia_cli.engine.policy import PolicyPlayer
from mia_cli.engine.seed import Stream
from mia_cli.players import levels
from mia_cli.players.shark import make_shark
from mia_cli.players.shark.stage_solution import StageSolutions
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.events import Accepted, Challenged, Claimed, Rolled, seen_by
from mia_cli.rules.match import MakeClaim, legal_actions, observation, start
from mia_cli.rules.rolls import ROLLS
from mia_cli.rules.ruleset import PENALTIES, RuleSet
from mia_cli.theory import solve
from tests.random_play import decisions, disguised

SEATS = (2, 3, 6)
RULES = RuleSet(2)


@cache
def solution(seats, penalty=1):
    return solve(seats, 2, penalty)


def shark(seats, penalty=1, memory=None):
    return make_shark(RuleSet(2, penalty), seats, solution(seats, penalty), memory)


def decision(chosen, seen, uniform):
    if seen.decision == "claim":
        return MakeClaim(chosen.claim(seen, uniform))
    return chosen.answer(seen, uniform)


def played(chosen, seed, seats=2, others="normal", rules=RULES):
    """The events of a match with the shark at seat 1, which hears of its end."""
    table = Table(*start(rules, seats, 1 + seed % seats))
    players = [chosen, *[PolicyPlayer(levels.policy(others, rules))] * (seats - 1)]
    streams = [Stream(seed, f"seat {seat}") for seat in range(1, seats + 1)]
    while table.match.phase != "over":
        table.step(next_action(table, players, SeededDice(seed), streams))
    chosen.end_match(table.events)
    return tuple(table.events)


def scrambled(events, keep=None):
    """The events with other rolls wherever they were not shown, but for the seat ``keep``."""
    random, shown, found = Random(3), [], []
    for at, event in enumerate(events):
        if isinstance(event, Challenged):
            shown.append(max(k for k in range(at) if isinstance(events[k], Rolled)))
    for at, event in enumerate(events):
        hidden = isinstance(event, Rolled) and at not in shown and event.seat != keep
        found.append(replace(event, roll=random.choice(ROLLS)) if hidden else event)
    return tuple(found)


def play_of(chosen, lives=(2, 2)):
    """Everything a shark at seat 1 would do at these lives, and its credit."""
    beliefs = chosen.beliefs(1)
    rolling, answering = beliefs.tables(lives, 1), beliefs.tables(lives, len(lives))
    return rolling.claims, answering.challenges, beliefs.credit.left


def same(one, other):
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("seats", SEATS)
def test_every_decision_is_legal_and_repeatable(seats, penalty):
    chosen, random = shark(seats, penalty), Random(seats)
    for _ in range(3):
        for match, history in decisions(random, seats):
            seen = observation(match, match.to_act, history)
            for uniform in (0.0, 1.0 - 2.0**-53, random.random()):
                action = decision(chosen, seen, uniform)
                assert action in legal_actions(match)
                assert decision(chosen, seen, uniform) == action


@pytest.mark.parametrize("seats", SEATS)
def test_hidden_dice_of_others_change_no_decision(seats):
    chosen, random = shark(seats), Random(seats)
    for match, history in decisions(random, seats):
        uniform = random.random()
        true = decision(chosen, observation(match, match.to_act, history), uniform)
        other_match, other_history = disguised(match, history, random)
        other = observation(other_match, other_match.to_act, other_history)
        assert decision(chosen, other, uniform) == true


def test_rolls_never_shown_reach_neither_sessions_nor_memory():
    chosen, other = shark(2), shark(2)
    history = [played(chosen, seed) for seed in range(4)]
    assert all(scrambled(events) != events for events in history)
    assert any(scrambled(events, keep=1) != events for events in history)
    for events in history:
        other.end_match(scrambled(events, keep=1))
    assert same(play_of(chosen), play_of(other))
    seats = {1: 1, 2: 2}
    known = shark(2, memory=[(events, seats) for events in history])
    told = shark(2, memory=[(scrambled(events), seats) for events in history])
    public = shark(2)
    for events in history:
        public.learn([seen_by(event, None) for event in events], seats)
    assert same(play_of(known), play_of(told))
    assert same(play_of(known), play_of(public))
    assert not same(play_of(known), play_of(shark(2)))


def test_memory_follows_the_person_to_another_seat():
    """What seat 2 did in an earlier match of two is what seat 3 is expected to do now."""
    chosen = shark(3)
    teacher = shark(2)
    for seed in range(6):
        chosen.learn(played(teacher, seed, others="easy"), {2: 3})
    assert not chosen.noticed(1, 2)
    assert {notice.seat for notice in chosen.noticed(1, 3)} == {3}


def test_memory_of_a_larger_table_teaches_a_smaller_one():
    """Where its lives and seats are not solved, the nearest that are stand in."""
    teacher, chosen = make_shark(RuleSet(5), 4, solve(4, 5, 1)), shark(2)
    at_first = play_of(chosen)
    for seed in range(3):
        chosen.learn(played(teacher, seed, 4, "easy", RuleSet(5)), {3: 2})
    assert not same(play_of(chosen), at_first)
    assert {notice.seat for notice in chosen.noticed(1, 2)} == {2}


def test_lives_worked_out_together_are_the_same_as_one_by_one():
    vectors = list(product((1, 2), repeat=3))
    together = StageSolutions(solution(3))
    together.prepare(vectors)
    for lives in vectors:
        one, other = StageSolutions(solution(3))(lives), together(lives)
        for name in ("held", "caught", "accepted", "values", "rolls"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        assert np.array_equal(one.solved.claims, other.solved.claims)
        assert np.array_equal(one.solved.challenges, other.solved.challenges)


def test_a_match_taken_up_in_the_middle_goes_on_the_same():
    """By a shark that is new at that moment and is told of the matches before."""
    earlier = shark(2)
    before = [played(earlier, seed) for seed in range(3)]
    events = played(earlier, 3)
    watching = shark(2)
    for ended in before:
        watching.end_match(ended)
    decided = 0
    for at, event in enumerate(events):
        seen = tuple(seen_by(one, 1) for one in events[: at + 1])
        here = watching.beliefs(1, seen)
        if isinstance(event, Claimed | Accepted):
            fresh = shark(2)
            for ended in before:
                fresh.end_match(ended)
            beliefs = fresh.beliefs(1, seen)
            assert beliefs.credit.left == here.credit.left
            for roller in (1, 2):
                one, other = beliefs.tables((2, 2), roller), here.tables((2, 2), roller)
                assert np.array_equal(one.claims, other.claims)
                assert np.array_equal(one.challenges, other.challenges)
            decided += 1
    assert decided > 1


def test_the_same_seeds_give_the_same_session():
    one, other = shark(3), shark(3)
    assert [played(one, seed, 3) for seed in range(3)] == [
        played(other, seed, 3) for seed in range(3)
    ]


def test_forgetting_leaves_the_memory():
    memory = [(played(shark(2), seed), {2: 2}) for seed in range(3)]
    chosen, fresh = shark(2, memory=memory), shark(2, memory=memory)
    at_first = play_of(fresh)
    played(chosen, 9)
    assert not same(play_of(chosen), at_first)
    chosen.forget()
    assert same(play_of(chosen), at_first)


def test_a_solution_of_another_table_is_refused():
    for rules, seats in ((RuleSet(2, 2), 2), (RuleSet(3), 2), (RuleSet(2), 3)):
        with pytest.raises(BadRuleSet, match="not_solved"):
            make_shark(rules, seats, solution(2))


def test_what_is_noticed_is_what_can_be_counted():
    chosen = shark(2)
    events = [event for seed in range(12) for event in played(chosen, seed, others="easy")]
    notices = {notice.code: notice for notice in chosen.noticed(1, 2)}
    asked, challenged = 0, 0
    for event, after in pairwise(events):
        if isinstance(event, Claimed) and event.seat == 1 and not event.claim.must_be_challenged:
            asked += 1
            challenged += isinstance(after, Challenged)
    found = notices["challenged"]
    assert (found.times, found.of, found.seat) == (challenged, asked, 2)
    assert 0 <= found.usual <= 1
    below = notices["challenged_none_below"]
    assert below.times == 0 < below.of < asked
    assert all(notice.times <= notice.of for notice in notices.values())
