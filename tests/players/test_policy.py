"""Policies: rows of chances, how they are sampled, and a player that is never illegal."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import fsum, inf, nan
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mia_cli.engine.policy import Policy, PolicyPlayer, build, position, sample
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.match import (
    Accept,
    Challenge,
    MakeClaim,
    Match,
    apply,
    legal_actions,
    observation,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS, claims_above
from mia_cli.rules.ruleset import RuleSet
from tests.random_play import RANDOMS, decisions, disguised

STANDINGS = [None, *CLAIMS[:-1]]
LAST = 1 - 2**-53
UNIFORMS = [0.0, 5e-324, 0.25, 0.5, 0.75, LAST]
RULES = RuleSet()


def random_policy(seed: int) -> Policy:
    """Rows with many zeros, tiny weights and certainties."""
    random = Random(seed)

    def weights(standing, roll):
        row = [
            random.choice([0.0, 0.0, 1e-300, 1e-9, random.random()]) for _ in claims_above(standing)
        ]
        row[random.randrange(len(row))] = random.random() + 1e-6
        return row

    return build(weights, lambda standing, claim: random.choice([0.0, 1.0, random.random()]))


def even_policy() -> Policy:
    return build(lambda standing, roll: [1.0] * len(claims_above(standing)), lambda *_: 0.5)


def to_claim(standing, roll) -> Match:
    return Match(RULES, (3, 3), 1, 1, "claim", standing, roll, None)


def to_answer(standing, claim, roll=ROLLS[0]) -> Match:
    return Match(RULES, (3, 3), 1, 1, "answer", standing, roll, claim)


def test_indices_are_positions_with_none_before_them():
    assert [position(standing) for standing in STANDINGS] == list(range(21))


@pytest.mark.parametrize("policy", [even_policy(), random_policy(1), random_policy(2)])
def test_shape_sums_and_the_forced_answer(policy):
    assert len(policy.claims) == len(policy.challenges) == 21
    for standing in STANDINGS:
        barred = position(standing)
        for roll in ROLLS:
            row = policy.claim_row(standing, roll)
            assert len(row) == 21 and min(row) >= 0.0
            assert fsum(row) == pytest.approx(1.0, abs=1e-12)
            assert row[:barred] == (0.0,) * barred
        answers = policy.challenges[barred]
        assert len(answers) == 21 and answers[-1] == 1.0
        assert all(0.0 <= chance <= 1.0 for chance in answers)
        assert answers[:barred] == (0.0,) * barred
        assert policy.challenge_probability(standing, CLAIMS[-1]) == 1.0


def test_every_weight_arrives_at_its_own_claim():
    """Weights that name standing claim, roll and claim, so that no transposition passes."""

    def weight(standing, roll, claim):
        return 1.0 + position(standing) * 441 + roll.position * 21 + claim.position

    def chance(standing, claim):
        return (position(standing) * 21 + claim.position) / 500

    def weights(standing, roll):
        return [weight(standing, roll, claim) for claim in claims_above(standing)]

    policy = build(weights, chance)
    for standing, roll in product(STANDINGS, ROLLS):
        total = sum(weights(standing, roll))
        for claim in claims_above(standing):
            expected = weight(standing, roll, claim) / total
            assert policy.claim_row(standing, roll)[claim.position - 1] == expected
            assert (
                policy.claims[position(standing)][roll.position - 1][claim.position - 1] == expected
            )
    for standing in STANDINGS:
        for claim in claims_above(standing)[:-1]:
            assert policy.challenge_probability(standing, claim) == chance(standing, claim)


def test_chances_are_asked_only_for_what_can_happen():
    asked = []
    build(
        lambda standing, roll: [1.0] * len(claims_above(standing)),
        lambda standing, claim: asked.append((standing, claim)) or 0.5,
    )
    assert asked == [(s, c) for s in STANDINGS for c in claims_above(s) if c.name != "21"]


@pytest.mark.parametrize(
    "bad", [lambda n: [1.0] * (n - 1), lambda n: [1.0] * (n + 1), lambda n: [0.0] * n, lambda n: []]
    + [lambda n, w=w: [1.0] * (n - 1) + [w] for w in (-1e-9, -1.0, nan, inf, 1e308 * 10)],
)  # fmt: skip
def test_weights_that_are_none_are_refused(bad):
    with pytest.raises(BadRuleSet, match="bad_weights"):
        build(lambda standing, roll: bad(len(claims_above(standing))), lambda *_: 0.5)


@pytest.mark.parametrize("bad", [-0.1, 1.1, nan, inf, -inf])
def test_chances_that_are_none_are_refused(bad):
    with pytest.raises(BadRuleSet, match="bad_chance"):
        build(lambda standing, roll: [1.0] * len(claims_above(standing)), lambda *_: bad)


CHANCES = st.lists(
    st.sampled_from([0.0, 0.0, 5e-324, 1e-17, 2**-53, 0.1, 0.2, 0.3, 1 / 3, 1.0]),
    min_size=1,
    max_size=21,
).filter(any)


@given(CHANCES, st.floats(0.0, LAST))
@example([0.1] * 10 + [0.0], LAST)  # ten tenths add up to less than 1
@example([0.0, 1.0, 0.0], 0.0)
@example([0.0, 1.0, 0.0], LAST)
@example([0.0, 5e-324, 1.0], 0.0)
@example([1 / 3] * 3 + [0.0], LAST)
def test_nothing_without_a_chance_is_drawn(weights, uniform):
    total = sum(weights)
    chances = [weight / total for weight in weights]
    index = sample(chances, uniform)
    if any(chances):
        assert chances[index] > 0.0
    # The inverse of the distribution, up to rounding.
    assert fsum(chances[:index]) <= uniform + 1e-12
    assert uniform <= fsum(chances[: index + 1]) + 1e-12


def test_boundaries_of_the_intervals_belong_to_the_next_index():
    chances = [0.25, 0.0, 0.25, 0.5, 0.0]
    drawn = [sample(chances, u) for u in (0.0, 0.25 - 2**-54, 0.25, 0.5 - 2**-54, 0.5, LAST)]
    assert drawn == [0, 0, 2, 2, 3, 3]


@pytest.mark.parametrize("seed", range(4))
def test_frequencies_are_the_chances(seed):
    policy = random_policy(seed)
    for standing, roll in ((None, ROLLS[4]), (CLAIMS[7], ROLLS[20]), (CLAIMS[18], ROLLS[0])):
        row = policy.claim_row(standing, roll)
        seen = observation(to_claim(standing, roll), 1, ())
        number = 4096  # an even grid: each share is right to within one grid step per claim
        player = PolicyPlayer(policy)
        made = Counter(player.claim(seen, n / number).position for n in range(number))
        for place, chance in enumerate(row, start=1):
            assert abs(made[place] / number - chance) <= 2 / number


def test_the_share_of_challenges_is_the_chance():
    policy, player = random_policy(5), PolicyPlayer(random_policy(5))
    for standing, claim in ((s, c) for s in STANDINGS for c in claims_above(s)):
        seen = observation(to_answer(standing, claim), 2, ())
        answers = [player.answer(seen, n / 100) for n in range(100)]
        share = answers.count(Challenge()) / 100
        assert abs(share - policy.challenge_probability(standing, claim)) <= 0.01


def test_certain_answers_are_certain():
    for doubt, answer in ((0.0, Accept()), (1.0, Challenge())):
        player = PolicyPlayer(
            build(lambda s, r: [1.0] * len(claims_above(s)), lambda *_, d=doubt: d)
        )
        seen = observation(to_answer(None, CLAIMS[4]), 2, ())
        assert {player.answer(seen, uniform) for uniform in UNIFORMS} == {answer}


@pytest.mark.parametrize("policy", [even_policy(), random_policy(3), random_policy(4)])
def test_never_illegal_from_any_standing_claim_with_any_roll(policy):
    player = PolicyPlayer(policy)
    for standing, roll, uniform in product(STANDINGS, ROLLS, UNIFORMS):
        match = to_claim(standing, roll)
        claim = player.claim(observation(match, 1, ()), uniform)
        assert MakeClaim(claim) in legal_actions(match)
        assert policy.claim_row(standing, roll)[claim.position - 1] > 0.0
        apply(match, MakeClaim(claim))
    for standing, uniform in product(STANDINGS, UNIFORMS):
        for claim in claims_above(standing):
            match = to_answer(standing, claim)
            answer = player.answer(observation(match, 2, ()), uniform)
            assert answer in legal_actions(match)
            apply(match, answer)


def test_21_is_challenged_even_by_a_table_that_was_rounded():
    policy = even_policy()
    rounded = replace(policy, challenges=tuple((*row[:-1], LAST) for row in policy.challenges))
    for table, standing in product(
        (rounded, replace(rounded, challenges=((0.0,) * 21,) * 21)), STANDINGS
    ):
        seen = observation(to_answer(standing, CLAIMS[-1]), 2, ())
        assert PolicyPlayer(table).answer(seen, LAST) == Challenge()


@settings(max_examples=40)
@given(RANDOMS, st.integers(2, 6))
def test_hidden_dice_of_others_do_not_change_its_decisions(random, seats):
    player = PolicyPlayer(random_policy(6))

    def decides(match, history):
        seen = observation(match, match.to_act, history)
        decide = player.claim if seen.decision == "claim" else player.answer
        return [decide(seen, uniform) for uniform in UNIFORMS]

    for match, history in decisions(random, seats):
        assert decides(*disguised(match, history, random)) == decides(match, history)


def test_asking_for_the_wrong_decision_is_a_defect_not_a_guess():
    player = PolicyPlayer(even_policy())
    with pytest.raises(AssertionError):
        player.claim(observation(to_answer(None, CLAIMS[0]), 2, ()), 0.5)
    with pytest.raises(AssertionError):
        player.answer(observation(to_claim(None, ROLLS[0]), 1, ()), 0.5)
