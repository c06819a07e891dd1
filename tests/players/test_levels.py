"""The fixed levels: legal, as strong as they are said to be, and no more readable."""

import hashlib
from itertools import combinations

import numpy as np
import pytest

from mia_cli.players import registry
from mia_cli.players.habits import HABITS
from mia_cli.players.levels import policy
from mia_cli.players.names import FIXED, TABLES
from mia_cli.rules.rolls import CLAIMS, MIA, ROLLS, claims_above
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet
from mia_cli.theory import ceiling, evaluate, solve
from mia_cli.theory.best_response import best_response_values, better_answers, by_roll
from mia_cli.theory.rule_arrays import CHANCES, FORCED, SUPPORTS

LEVELS = tuple(HABITS)
PAIRS = tuple(combinations(FIXED, 2))
STANDINGS = (None, *(claim for claim in CLAIMS if claim.name != MIA))


def test_the_ceilings_quoted_in_the_readme_are_the_measured_ones() -> None:
    players = {level: registry.strategy(level, RuleSet(), 2) for level in FIXED}
    measured = {level: round(ceiling(player).value, 2) for level, player in players.items()}
    assert measured == {"easy": 0.89, "normal": 0.74, "hard": 0.60, "expert": 0.50}


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("lives", LIVES)
def test_the_ceilings_fall_from_level_to_level(lives: int, penalty: int) -> None:
    rules = RuleSet(lives, penalty)
    found = [
        ceiling(registry.strategy(level, rules, 2), 2, lives, penalty).value for level in FIXED
    ]
    assert found[-1] == pytest.approx(0.5, abs=1e-12)
    assert min(np.diff(found[::-1])) > 0.05


def share(one: str, others: str, rules: RuleSet, seats: int) -> float:
    """Wins of one among others, in fair shares, the mean over who leads."""
    players = registry.strategies([one, *[others] * (seats - 1)], rules)
    wins = evaluate(players, rules.lives, rules.penalty_21).wins[:, 0]
    return float(wins.mean()) * seats


TABLES_TRIED = [
    *((2, lives) for lives in LIVES),
    *((3, 2), (3, 3), (4, 2)),
    *(pytest.param(*table, marks=pytest.mark.slow) for table in ((3, 5), (4, 3), (4, 5))),
]


@pytest.mark.parametrize(("seats", "lives"), TABLES_TRIED)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_each_level_beats_each_below_it(seats: int, lives: int, penalty: int) -> None:
    """Alone among lower ones it wins more than its share, alone among higher ones less."""
    rules = RuleSet(lives, penalty)
    for weaker, stronger in PAIRS:
        assert share(stronger, weaker, rules, seats) > 1.03, (stronger, weaker)
        assert share(weaker, stronger, rules, seats) < 0.97, (weaker, stronger)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_level_claims_legally_with_every_roll_over_every_claim(level: str, penalty: int) -> None:
    table = policy(level, RuleSet(penalty_21=penalty))
    for standing in STANDINGS:
        legal = {claim.position for claim in claims_above(standing)}
        for roll in ROLLS:
            row = table.claim_row(standing, roll)
            assert sum(row) == pytest.approx(1.0)
            assert {at for at, chance in enumerate(row, start=1) if chance} <= legal
        assert table.challenge_probability(standing, CLAIMS[-1]) == 1.0


@pytest.mark.parametrize("level", LEVELS)
def test_21_is_claimed_falsely_only_where_nothing_else_is_left(level: str) -> None:
    table = policy(level, RuleSet())
    for standing in STANDINGS:
        left = len(claims_above(standing))
        said = [table.claim_row(standing, roll)[-1] for roll in ROLLS]
        assert said == ([0.0] * 20 + [1.0] if left > 1 else [1.0] * 21)


def bits(claims: np.ndarray) -> float:
    """What a claim tells of the roll on average, from ``claims`` [roll, claim]."""
    joint = CHANCES[:, None] * claims
    independent = CHANCES[:, None] * joint.sum(axis=0)
    made = joint > 0.0
    return float((joint[made] * np.log2(joint[made] / independent[made])).sum())


class HearsOpenings:
    """A ``Responder`` that plays the solution, but answers the first claim of a round as it likes
    best. ``lives`` [states, seats], its own first."""

    def __init__(self, solution, lives: np.ndarray) -> None:
        claims = [solution.tables(tuple(row))[0] for row in lives.tolist()]
        answers = [solution.tables(tuple(row[::-1]))[1] for row in lives.tolist()]
        self.claims, self.challenges = np.stack(claims, axis=-1), np.stack(answers, axis=-1)

    def claim(self, standing, held, caught):
        worth = by_roll(standing, held, caught)
        worth = (self.claims[standing, :, standing:] * worth).sum(axis=1)
        return CHANCES @ worth

    def answer(self, standing, challenged, passed):
        solved = np.where(FORCED[:, None], 1.0, self.challenges[standing])[standing:]
        best = better_answers(standing, challenged, passed)
        chances = solved if standing else best
        return (chances * challenged + (1.0 - chances) * passed).sum(axis=0)


SITUATIONS = ((1, 1), (2, 2), (3, 3), (5, 5), (1, 3), (3, 1))
"""Lives of the two seats."""


@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_openings_of_hard_do_not_give_its_rolls_away(penalty: int) -> None:
    """They tell hardly more of the roll (4.34 bits) than the solution's do."""
    rules, solution = RuleSet(penalty_21=penalty), solve(2, 5, penalty)
    tables = {level: np.array(policy(level, rules).claims)[0] for level in LEVELS}
    told = {level: bits(table) for level, table in tables.items()}
    rounded = {level: round(one, 2) for level, one in told.items()}
    assert rounded == {"easy": 4.04, "normal": 3.7, "hard": 2.67}
    for lives in SITUATIONS:
        assert told["hard"] < bits(solution.tables(lives)[0][0]) + 0.3
    made, false = (
        (CHANCES[:, None] * tables["hard"] * which).sum(axis=0) for which in (1.0, ~SUPPORTS)
    )
    # Only what a bluff gains nothing with is for one roll alone.
    alone = np.flatnonzero((made > 0.0) & (false == 0.0))
    assert [CLAIMS[row].name for row in alone] == ["52", "21"]


@pytest.mark.parametrize("lives", SITUATIONS)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_what_can_be_won_by_hearing_openings(lives: tuple[int, int], penalty: int) -> None:
    """Matches that the solution wins more if it answers openings best, against each level."""
    rules, solution = RuleSet(penalty_21=penalty), solve(2, 5, penalty)
    gains = {}
    for level in LEVELS:
        player = policy(level, rules)
        heard = best_response_values(
            [None, player], lives, penalty, lambda own_first: HearsOpenings(solution, own_first)
        )
        deaf = evaluate([solution, player], lives, penalty).wins[:, 0]
        gains[level] = float((heard - deaf).mean())
    assert 0.0 < gains["hard"] < 0.025
    assert 2.0 * gains["hard"] < gains["normal"] < 0.75 * gains["easy"]
    if (lives, penalty) == ((3, 3), 1):
        rounded = {level: round(gain, 3) for level, gain in gains.items()}
        assert rounded == {"easy": 0.106, "normal": 0.056, "hard": 0.019}


def test_tables_change_only_with_their_version() -> None:
    """Records name a version: whoever changes what a level does raises it (and the program's)."""

    def digest(level: str) -> str:
        hashed = hashlib.sha256()
        for penalty in PENALTIES:
            table = policy(level, RuleSet(penalty_21=penalty))
            for part in (table.claims, table.challenges):
                hashed.update((np.round(np.array(part), 10) + 0.0).astype("<f8").tobytes())
        return hashed.hexdigest()[:12]

    found = {level: (TABLES[level], digest(level)) for level in LEVELS}
    assert found == {
        "easy": (2, "10cb372ee167"),
        "normal": (2, "58dab36a4e33"),
        "hard": (3, "9a5083eb7eae"),
    }
