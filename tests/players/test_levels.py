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
from mia_cli.theory.rule_arrays import CHANCES, SUPPORTS

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


class AnswersOpenings:
    """The solution, but for the first claim of a round, which it answers knowing the opponent's
    openings."""

    def __init__(self, solution, openings: np.ndarray) -> None:
        said = CHANCES[:, None] * openings
        self.solution = solution
        self.true, self.false = (said * SUPPORTS).sum(axis=0), (said * ~SUPPORTS).sum(axis=0)

    def tables(self, lives):
        claims, challenges = self.solution.tables(lives)
        ahead = self.solution.ahead(np.array([self.solution.state(lives)]))
        held, caught, accepted = (
            end[:, 1, 0] for end in (ahead.held, ahead.caught, ahead.accepted)
        )
        gain = self.true * (held - accepted) + self.false * (caught - accepted)
        challenges[0, :-1] = gain[:-1] > 0.0
        return claims, challenges


def test_the_openings_of_hard_tell_little() -> None:
    """Bits that the first claim tells of the roll (4.34 bits), and matches won by hearing them."""
    solution = solve(2, 3, 1)
    told, gains = {}, {}
    for level in LEVELS:
        player = policy(level, RuleSet())
        openings = np.array(player.claims)[0]
        told[level] = round(bits(openings), 2)
        heard = evaluate([AnswersOpenings(solution, openings), player], 3, 1).wins[:, 0].mean()
        deaf = evaluate([solution, player], 3, 1).wins[:, 0].mean()
        gains[level] = round(float(heard - deaf), 3)
    told["expert"] = round(bits(solution.tables((3, 3))[0][0]), 2)
    assert told == {"easy": 4.04, "normal": 3.7, "hard": 3.01, "expert": 2.66}
    assert gains == {"easy": 0.106, "normal": 0.054, "hard": 0.024}


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
        "hard": (2, "d24ee98e2de6"),
    }
