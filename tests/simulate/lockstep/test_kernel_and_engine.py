"""The kernel and the engine play the same match from the same numbers, event by event.

They share the rules only through tables generated from them, so what is compared here is who acts,
what a claim is worth, what is lost, who leads next, and when it is over.
"""

from collections import defaultdict

import numpy as np
import pytest

from mia_cli.players.registry import strategies
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    MatchOver,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.engine_match import TablePlayer, play_match
from mia_cli.simulate.lockstep import situations as turn
from mia_cli.simulate.lockstep.alias_tables import ROLL_OF_OUTCOME
from mia_cli.simulate.lockstep.draws import Draws
from mia_cli.simulate.lockstep.kernel import Kernel
from mia_cli.simulate.seating import seatings

SEED = 20


def turns_of(events, seating):
    """A match as the kernel sees it: a list of turns, and the place that won."""
    seats = len(seating.order)
    turns, lives, state = [], None, {}
    for event in events:
        match event:
            case RoundStarted():
                lives = event.lives
            case Rolled(seat, roll):
                by_place = (*lives[seating.leader - 1 :], *lives[: seating.leader - 1])
                state = {"lives": by_place, "roller": (seat - seating.leader) % seats}
                state["roll"] = roll
            case Claimed(_, claim):
                state["claim"] = claim
            case Accepted():
                holds = state["roll"].supports(state["claim"])
                state["event"] = turn.ACCEPTED_TRUE if holds else turn.ACCEPTED_BLUFF
                turns.append(state)
            case Revealed(_, _, claim, holds):
                at_21 = claim.must_be_challenged
                kinds = (turn.CAUGHT_21, turn.HELD_21) if at_21 else (turn.CAUGHT, turn.HELD)
                state["event"] = kinds[holds]
                turns.append(state)
            case MatchOver(winner):
                return turns, (winner - seating.leader) % seats
    raise AssertionError("the match has no end")


def kernel_turns(kernel, first, count, **options):
    """The kernel's turns by match, each as those of ``turns_of``."""
    found = defaultdict(list)
    known = kernel.nodes.situations

    def keep(turns):
        rows = zip(
            *(getattr(turns, name).tolist() for name in turns.__dataclass_fields__), strict=True
        )
        for match, number, seating, situation, outcome, code, event in rows:
            assert number == len(found[match])
            assert seating == match % kernel.nodes.seatings
            found[match].append(
                {
                    "lives": tuple(known.lives[situation].tolist()),
                    "roller": int(known.roller[situation]),
                    "roll": ROLLS[ROLL_OF_OUTCOME[outcome]],
                    "claim": CLAIMS[(code >> 1) % len(CLAIMS)],
                    "event": event,
                }
            )

    tally = kernel.play(first, count, trace=keep, **options)
    return found, tally


def check(players, rules, kind="rotate", first=0, count=300, **options):
    found_tables = strategies(players, rules)
    seats = seatings(len(players), kind)
    kernel = Kernel(rules, found_tables, seats, SEED, **options)
    found, tally = kernel_turns(kernel, first, count, slots=64)
    assert sorted(found) == list(range(first, first + count))
    pool = kernel.nodes.pool
    sitting = [TablePlayer(pool, pool.players.index(table)) for table in found_tables]
    wins = np.zeros_like(tally.wins)
    for match in range(first, first + count):
        seating = seats[match % len(seats)]
        events = play_match(rules, sitting, seating, Draws(SEED, match))
        turns, winner = turns_of(events, seating)
        assert found[match] == turns, match
        wins[match % len(seats), winner] += 1
    assert (tally.wins == wins).all()
    return tally


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize("lives", [2, 3, 5])
@pytest.mark.parametrize(
    "players",
    [
        ("easy", "hard"),
        ("expert", "normal"),
        ("normal", "easy", "hard"),
        ("hard", "easy", "normal", "hard", "easy"),
    ],
)
def test_same_turns(players, lives, penalty):
    check(players, RuleSet(lives, penalty))


@pytest.mark.parametrize("players", [("expert", "easy", "hard"), ("expert",) * 3])
@pytest.mark.parametrize("most_nodes", [0, 1 << 16])
def test_both_ways_of_numbering_nodes(players, most_nodes):
    check(players, RuleSet(2, 2), most_nodes=most_nodes)


def test_six_seats():
    check(("easy", "normal", "hard", "easy", "normal", "hard"), RuleSet(5, 2), first=700, count=60)


def test_late_matches_of_a_long_run():
    check(("easy", "hard"), RuleSet(3, 1), first=2**52, count=50)


def test_fixed_seats():
    tally = check(("easy", "hard", "normal"), RuleSet(3, 1), kind="fixed")
    assert tally.played.tolist() == [300]


def test_tables_that_are_dropped_when_the_pool_is_full():
    """Small pools build tables again and again, with the same results."""
    rules, players = RuleSet(2, 1), ("expert", "easy", "hard")
    wanted = Kernel(rules, strategies(players, rules), seatings(3, "rotate"), 1).play(0, 500)
    kernel = Kernel(rules, strategies(players, rules), seatings(3, "rotate"), 1)
    kernel.nodes.pool._most_bytes = 1
    found = kernel.play(0, 500, slots=100)
    assert (found.events == wanted.events).all() and (found.wins == wanted.wins).all()


@pytest.mark.parametrize("slots", [1, 7, 1000])
def test_slots_and_blocks_do_not_matter(slots):
    rules = RuleSet(3, 1)
    kernel = Kernel(rules, strategies(("easy", "hard", "hard"), rules), seatings(3, "rotate"), 1)
    whole = kernel.play(0, 200)
    parts = kernel.play(0, 77, slots=slots) + kernel.play(77, 123, slots=slots)
    assert whole.to_json() == parts.to_json()
    assert whole.matches == whole.wins.sum() == 200


def test_statistics_are_left_out_where_only_wins_are_wanted():
    rules = RuleSet(3, 1)
    kernel = Kernel(rules, strategies(("easy", "hard"), rules), seatings(2, "rotate"), 1)
    wins = kernel.play(0, 200, statistics=False)
    assert wins.turns == 0
    assert (wins.wins == kernel.play(0, 200).wins).all()


def test_another_player_leaves_the_dice_and_the_other_seats_numbers():
    """All is the same up to the first decision that differs, and that is the new player's."""
    rules, seats = RuleSet(3, 1), seatings(2, "rotate")
    found_tables = strategies(("hard", "easy", "normal"), rules)
    pool = Kernel(rules, found_tables, seatings(3, "rotate"), SEED).nodes.pool
    hard, easy, normal = (TablePlayer(pool, pool.players.index(one)) for one in found_tables)
    same = 0
    for match in range(200):
        seating = seats[match % 2]
        one, other = (
            play_match(rules, (hard, against), seating, Draws(SEED, match))
            for against in (easy, normal)
        )
        differs = [a != b for a, b in zip(one, other, strict=False)]
        at = differs.index(True) if True in differs else len(differs)
        same += at
        if at < len(differs):
            assert isinstance(one[at], Claimed | Accepted | Challenged)
            assert seating.order[one[at].seat - 1] == 1
    assert same > 200 * 8
    # With the same player in both seats the whole match is the same.
    again = [play_match(rules, (hard, easy), seats[0], Draws(SEED, 4)) for _ in range(2)]
    assert again[0] == again[1]
