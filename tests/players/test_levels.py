"""The fixed levels: legal, aware of the penalty, and as strong as they are said to be."""

from itertools import pairwise

import pytest

from mia_cli.engine.policy import Policy
from mia_cli.players.habits import HABITS
from mia_cli.players.levels import policy
from mia_cli.rules.rolls import CLAIMS, MIA, ROLLS, claims_above, parse_claim
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet
from mia_cli.theory import ceiling, evaluate

CEILINGS = {"easy": (0.85, 0.95), "normal": (0.70, 0.80), "hard": (0.53, 0.65)}
LEVELS = tuple(HABITS)
STANDINGS = (None, *(claim for claim in CLAIMS if claim.name != MIA))


@pytest.mark.parametrize("level", LEVELS)
def test_the_ceiling_of_a_level_is_where_it_is_said_to_be(level: str) -> None:
    low, high = CEILINGS[level]
    assert low < ceiling(policy(level, RuleSet())).value < high


def test_the_ceilings_quoted_in_the_help_are_the_measured_ones() -> None:
    measured = {level: round(ceiling(policy(level, RuleSet())).value, 2) for level in LEVELS}
    assert measured == {"easy": 0.89, "normal": 0.75, "hard": 0.61}


def wins(first: Policy, second: Policy, rules: RuleSet) -> float:
    """Chance of the first to win, the mean over who leads."""
    result = evaluate([first, second], rules.lives, rules.penalty_21)
    return float(result.wins[:, 0].mean())


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("lives", LIVES)
def test_each_level_beats_the_levels_below_it_on_every_table(lives: int, penalty: int) -> None:
    rules = RuleSet(lives, penalty)
    for weaker, stronger in [*pairwise(LEVELS), (LEVELS[0], LEVELS[-1])]:
        assert wins(policy(stronger, rules), policy(weaker, rules), rules) > 0.52


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


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_dearer_21_is_bluffed_less_often(level: str) -> None:
    cheap, dear = (policy(level, RuleSet(penalty_21=penalty)) for penalty in PENALTIES)
    standing = parse_claim("55")
    bluffs = [
        sum(table.claim_row(standing, roll)[-1] for roll in ROLLS[:-1]) for table in (cheap, dear)
    ]
    assert bluffs[1] < bluffs[0]


def test_hard_does_not_give_its_roll_away_as_the_weaker_levels_do() -> None:
    """How much of a claim over 43 is a bluff: nearly even over the claims at hard only."""

    def bluff_shares(level: str) -> list[float]:
        table, standing = policy(level, RuleSet()), CLAIMS[4]
        shares = []
        for claim in claims_above(standing)[:-1]:
            made = [
                table.claim_row(standing, roll)[claim.position - 1] * roll.ways for roll in ROLLS
            ]
            false = sum(
                mass for mass, roll in zip(made, ROLLS, strict=True) if not roll.supports(claim)
            )
            shares.append(false / sum(made))
        return shares

    spread = {level: max(bluff_shares(level)) - min(bluff_shares(level)) for level in LEVELS}
    assert spread["hard"] < spread["normal"] < spread["easy"]
    assert spread["hard"] < 0.25
