"""Values of the solved game: published figures, fractions, and what must hold for every table."""

import hashlib
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.rolls import parse_claim
from mia_cli.theory import Solution, evaluate, solve
from mia_cli.theory.cache import ALGORITHM
from mia_cli.theory.induction import expected
from tests.theory.exact import last_life


@pytest.fixture(scope="module")
def two():
    return {penalty: solve(2, 5, penalty) for penalty in (1, 2)}


@pytest.fixture(scope="module")
def four():
    return {penalty: solve(4, 5, penalty) for penalty in (1, 2)}


@pytest.mark.parametrize(
    ("lives", "penalty", "leader"),
    [
        ((1, 1), 1, 0.647939009157),
        ((2, 2), 1, 0.580445076221),
        ((3, 3), 1, 0.559140086375),
        ((1, 1), 2, 0.647939009157),
        ((2, 2), 2, 0.575593984219),
        ((3, 3), 2, 0.556480976674),
        ((2, 1), 1, 0.876053058726),
        ((1, 2), 1, 0.228114049570),
    ],
)
def test_published_values(two, lives, penalty, leader):
    assert two[penalty].values(lives) == pytest.approx([leader, 1 - leader], abs=1e-12)


@pytest.mark.parametrize(("penalty", "leader"), [(1, 0.542653), (2, 0.541139)])
def test_published_values_at_five_lives(two, penalty, leader):
    assert two[penalty].values((5, 5))[0] == pytest.approx(leader, abs=1e-6)


@pytest.mark.parametrize("penalty", [1, 2])
def test_last_life_in_fractions(two, penalty):
    fractions = last_life()
    assert fractions[0] == Fraction(4078225781, 6294150720)
    found = [two[penalty].values((1, 1), standing)[0] for standing in range(21)]
    assert found == pytest.approx([float(value) for value in fractions], abs=1e-15)
    assert found[0] == pytest.approx(43259 / 66764, abs=1e-9)


@pytest.mark.parametrize("penalty", [1, 2])
def test_last_life_play(two, penalty):
    challenge = two[penalty].challenge_probabilities((1, 1), 0)
    known = {"31": 0, "52": 0, "53": 1 / 8, "54": 2 / 9, "61": 0.3, "65": 0.5, "66": 10 / 17}
    for name, chance in known.items():
        assert challenge[parse_claim(name).position - 1] == pytest.approx(chance, abs=1e-12)
    assert challenge[: parse_claim("52").position].max() == 0
    for standing in range(parse_claim("52").position, 21):
        above = two[penalty].challenge_probabilities((1, 1), standing)
        assert above[standing:] == pytest.approx(np.ones(21 - standing), abs=1e-12)


def test_values_are_chances_that_sum_to_one(four):
    for solution in four.values():
        table = solution.table[:, :, 1:]
        assert table.min() >= 0
        assert np.abs(table.sum(axis=1) - 1).max() < 1e-13
        living = np.arange(4)[:, None] < solution.states.living[1:]
        assert (table[:, ~living] == 0).all()
        # Every seat still has a chance before any roll of a fresh round.
        assert (table[0][living] > 0).all()


def test_the_same_figures_in_any_company(four):
    """Bit by bit: solved with a larger table, among other states, or alone."""
    for penalty, solution in four.items():
        small = solve(3, 3, penalty)
        for state, lives in enumerate(small.states.vectors[1:], start=1):
            large = solution.table[:, :3, solution.state(lives)]
            assert (large == small.table[:, :, state]).all()
            for standing in (0, 3, 9, 20):
                ahead, play = small.stages(np.array([state]), standing)
                assert (expected(ahead, play)[:, 0] == small.table[standing, :, state]).all()


def test_figures_change_only_with_the_algorithm_number(four):
    """Stored solutions are trusted by ALGORITHM: whoever changes a figure raises it."""
    figures = [np.round(four[penalty].table, 10) + 0.0 for penalty in (1, 2)]
    digest = hashlib.sha256(np.stack(figures).astype("<f8").tobytes()).hexdigest()
    assert (ALGORITHM, digest[:16]) == (2, "7624c18205171a2b")


def test_strategies_are_legal_and_complete(four):
    for penalty, lives in ((1, (3, 3)), (2, (5, 2, 5, 1)), (2, (2, 2, 2)), (1, (1, 4, 2))):
        solution = four[penalty]
        both = solution.tables(lives)
        for standing in range(21):
            claims = solution.claim_probabilities(lives, standing)
            challenge = solution.challenge_probabilities(lives, standing)
            assert claims.shape == (21, 21)
            assert challenge.shape == (21,)
            assert claims.sum(axis=1) == pytest.approx(np.ones(21), abs=1e-12)
            assert claims.min() >= 0
            assert claims[:, :standing].max(initial=0) == 0
            assert challenge.min() >= 0
            assert challenge.max() <= 1
            assert challenge[20] == 1
            assert (both[0][standing] == claims).all()
            assert (both[1][standing] == challenge).all()


def test_tables_of_many_lives_are_those_of_each(four):
    vectors = list(product((1, 3, 5), repeat=4))
    _, claims, challenges = four[2].many_tables(vectors)
    for at in range(0, len(vectors), 9):
        alone = four[2].tables(vectors[at])
        assert (claims[at] == alone[0]).all()
        assert (challenges[at] == alone[1]).all()


def test_a_seat_that_is_out(four):
    solution = four[1]
    values = solution.values((3, 0, 2, 1, 0))
    assert values[[1, 4]].tolist() == [0, 0]
    assert (values[[0, 2, 3]] == solution.values((3, 2, 1))).all()
    assert (
        solution.claim_probabilities((3, 0, 2), 5) == solution.claim_probabilities((3, 2), 5)
    ).all()


@pytest.mark.parametrize(("lives", "penalty"), [((2, 3), 1), ((2, 2, 1), 2), ((1, 2, 1, 2), 1)])
def test_evaluating_the_solution_gives_its_values(four, lives, penalty):
    solution = four[penalty]
    result = evaluate([solution] * len(lives), lives, penalty)
    for leader in range(len(lives)):
        order = [(leader + step) % len(lives) for step in range(len(lives))]
        values = solution.values([lives[seat] for seat in order])
        assert result.wins[leader, order] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize(
    ("size", "key"),
    [
        ((1, 3, 1), "players"),
        ((7, 3, 1), "players"),
        ((2.0, 3, 1), "players"),
        ((2, 0, 1), "lives"),
        ((2, 6, 1), "lives"),
        ((2, True, 1), "lives"),
        ((2, 3, 3), "penalty_21"),
        ((2, 3, 0), "penalty_21"),
    ],
)
def test_impossible_sizes(size, key):
    with pytest.raises(BadRuleSet) as caught:
        solve(*size)
    assert (caught.value.code, caught.value.fields["key"]) == ("bad_rule", key)


@pytest.mark.parametrize("lives", [(3, 3, 3), (4, 1)])
def test_lives_beyond_what_was_solved(lives):
    solution = solve(2, 3, 1)
    for asked in (
        lambda: solution.values(lives),
        lambda: solution.claim_probabilities(lives, 0),
        lambda: solution.tables(lives),
    ):
        with pytest.raises(BadRuleSet) as caught:
            asked()
        assert caught.value.code == "not_solved"


def test_bad_questions():
    solution = solve(2, 2, 1)
    assert isinstance(solution, Solution)
    for ask in (
        solution.values,
        solution.claim_probabilities,
        solution.challenge_probabilities,
    ):
        with pytest.raises(BadRuleSet, match="bad_standing"):
            ask((2, 2), 21)
        with pytest.raises(BadRuleSet, match="bad_lives"):
            ask((0, 2), 0)


def test_progress_counts_every_state():
    told = []
    solve(3, 2, 1, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (4 + 8, 4 + 8)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
