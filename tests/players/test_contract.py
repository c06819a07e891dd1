"""One contract for every level: legal, repeatable, blind to what its seat may not know."""

import pickle
from collections import Counter
from functools import cache
from random import Random

import pytest

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.player import Player
from mia_cli.engine.seed import Stream
from mia_cli.players import registry
from mia_cli.players.names import LEVELS
from mia_cli.rules.match import MakeClaim, apply, legal_actions, observation, start
from mia_cli.rules.ruleset import PENALTIES, RuleSet
from tests.random_play import decisions, disguised

SEATS = (2, 3, 6)


@cache
def player(level: str, penalty: int, seats: int) -> Player:
    return registry.make(level, RuleSet(2, penalty), seats)


def decision(chosen: Player, seen, uniform: float):
    if seen.decision == "claim":
        return MakeClaim(chosen.claim(seen, uniform))
    return chosen.answer(seen, uniform)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("seats", SEATS)
def test_every_decision_is_legal_and_repeatable(level: str, penalty: int, seats: int) -> None:
    chosen, random = player(level, penalty, seats), Random(seats)
    edges = (0.0, 0.5, 1.0 - 2.0**-53)
    for _ in range(6):
        for match, history in decisions(random, seats):
            seen = observation(match, match.to_act, history)
            for uniform in (*edges, random.random()):
                action = decision(chosen, seen, uniform)
                assert action in legal_actions(match)
                assert decision(chosen, seen, uniform) == action


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", SEATS)
def test_hidden_dice_of_others_change_no_decision(level: str, seats: int) -> None:
    chosen, random = player(level, 1, seats), Random(seats)
    for match, history in decisions(random, seats):
        uniform = random.random()
        true = decision(chosen, observation(match, match.to_act, history), uniform)
        other_match, other_history = disguised(match, history, random)
        other = observation(other_match, other_match.to_act, other_history)
        assert decision(chosen, other, uniform) == true


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_travels_to_another_process(level: str) -> None:
    chosen, random = registry.make(level, RuleSet(2), 3), Random(4)
    seen = [observation(match, match.to_act, history) for match, history in decisions(random, 3)]
    before = [decision(chosen, one, 0.4) for one in seen[: len(seen) // 2]]
    other = pickle.loads(pickle.dumps(chosen))
    assert [decision(other, one, 0.4) for one in seen[: len(before)]] == before
    assert [decision(other, one, 0.4) for one in seen] == [
        decision(chosen, one, 0.4) for one in seen
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_a_seed_gives_the_same_match_again(level: str) -> None:
    def events():
        rules = RuleSet(2)
        table = Table(*start(rules, 3, 1))
        players = [player(level, 1, 3)] * 3
        for _ in run(table, players, SeededDice(5), lambda seat: Stream(5, f"seat {seat}")):
            pass
        return table.events

    assert events() == events()


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_bluffs_and_tells_the_truth_accepts_and_challenges(level: str) -> None:
    """A player that does only one of these would pass every other test here."""
    chosen, random, done = player(level, 1, 2), Random(9), Counter()
    for _ in range(60):
        match, history = start(RuleSet(2), 2, 1)
        events = list(history)
        while match.phase != "over":
            if match.to_act is None:
                action = random.choice(legal_actions(match))
            else:
                seen = observation(match, match.to_act, events)
                action = decision(chosen, seen, random.random())
                bluff = isinstance(action, MakeClaim) and action.claim.exceeds(match.roll)
                done[type(action).__name__, bluff] += 1
            match, caused = apply(match, action)
            events += caused
    assert len(done) == 4, done
    assert min(done.values()) > 10
