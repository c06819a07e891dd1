"""The kernels and the engine play the same match from the same numbers, event by event.

They share the rules only through tables generated from them, so what is compared here is who acts,
what a claim is worth, what is lost, who leads next, and when it is over.
"""

import pytest

from mia_cli.players.registry import strategies
from mia_cli.rules.events import Accepted, Challenged, Claimed, Rolled
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.blocks import count_match, empty_tally
from mia_cli.simulate.engine_match import TablePlayer, play_match
from mia_cli.simulate.lockstep.alias_tables import ROLL_OF_OUTCOME, Pool
from mia_cli.simulate.lockstep.compiled_kernel import CompiledKernel
from mia_cli.simulate.lockstep.draws import Draws
from mia_cli.simulate.lockstep.kernel import OUTCOME_SHIFT, KernelGame
from mia_cli.simulate.lockstep.numpy_kernel import NumpyKernel
from mia_cli.simulate.seating import seatings
from mia_cli.simulate.setup import Setup
from tests.simulate.lockstep.random_games import compiled_library

SEED = 20


def compiled(game, **options):
    return CompiledKernel(compiled_library(), game, **options)


KERNELS = [NumpyKernel, compiled]


def game_of(setup):
    players = strategies(setup.players, setup.rules)
    return KernelGame(setup.rules, players, setup.seatings, setup.seed)


def turns_of(events):
    """Roll, claim and whether it was challenged, turn by turn."""
    turns = []
    for event in events:
        match event:
            case Rolled(_, roll):
                turns.append([roll])
            case Claimed(_, claim):
                turns[-1].append(claim)
            case Accepted() | Challenged():
                turns[-1].append(isinstance(event, Challenged))
    return turns


def traced_turn(turn):
    claim = CLAIMS[(turn >> 2 & 0x3FFF) % len(CLAIMS)]
    roll = ROLLS[ROLL_OF_OUTCOME[turn >> OUTCOME_SHIFT]]
    assert turn >> 1 & 1 == roll.supports(claim)
    return [roll, claim, bool(turn & 1) or claim.must_be_challenged]


def check(kernel, players, rules, *, kind="rotate", first=0, count=300, **options):
    """The same turns; and the same tally, which says who acted and who won."""
    setup = Setup(rules, players, SEED, kind)
    game = game_of(setup)
    tally, traced = kernel(game, **options).trace(first, count)
    pool = Pool(list({id(player): player for player in game.players}.values()))
    sitting = [TablePlayer(pool, pool.players.index(table)) for table in game.players]
    wanted, begin = empty_tally(setup), 0
    for match, end in zip(range(first, first + count), traced.ends.tolist(), strict=True):
        events = play_match(rules, sitting, setup.seating_of(match), Draws(SEED, match))
        assert list(map(traced_turn, traced.turns[begin:end].tolist())) == turns_of(events)
        count_match(wanted, setup, match, events)
        begin = end
    assert tally.to_json() == wanted.to_json()
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
@pytest.mark.parametrize("kernel", KERNELS)
def test_same_turns(kernel, players, lives, penalty):
    check(kernel, players, RuleSet(lives, penalty), count=100)


@pytest.mark.parametrize("players", [("expert", "easy", "hard"), ("expert",) * 3])
@pytest.mark.parametrize("most_nodes", [0, 1 << 14])
@pytest.mark.parametrize("kernel", KERNELS)
def test_both_ways_of_numbering_nodes(kernel, players, most_nodes):
    check(kernel, players, RuleSet(2, 2), count=100, most_nodes=most_nodes)


@pytest.mark.parametrize("kernel", KERNELS)
def test_six_seats(kernel):
    players = ("easy", "normal", "hard", "easy", "normal", "hard")
    check(kernel, players, RuleSet(5, 2), first=700, count=60)


@pytest.mark.parametrize("kernel", KERNELS)
def test_late_matches_of_a_long_run(kernel):
    check(kernel, ("easy", "hard"), RuleSet(3, 1), first=2**52, count=50)


@pytest.mark.parametrize("kernel", KERNELS)
def test_fixed_seats(kernel):
    tally = check(kernel, ("easy", "hard", "normal"), RuleSet(3, 1), kind="fixed")
    assert tally.played.tolist() == [300]


@pytest.mark.parametrize("slots", [1, 7, 1000])
def test_slots_and_blocks_do_not_matter(slots):
    game = game_of(Setup(RuleSet(3, 1), ("easy", "hard", "hard"), 1))
    whole, kernel = NumpyKernel(game).play(0, 200), NumpyKernel(game, slots=slots)
    parts = kernel.play(0, 77) + kernel.play(77, 123)
    assert whole.to_json() == parts.to_json()
    assert whole.matches == whole.wins.sum() == 200


def test_another_player_leaves_the_dice_and_the_other_seats_numbers():
    """All is the same up to the first decision that differs, and that is the new player's."""
    rules, seats = RuleSet(3, 1), seatings(2, "rotate")
    found_tables = strategies(("hard", "easy", "normal"), rules)
    pool = Pool(found_tables)
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
