"""One stage with payoffs of any kind: nobody gains, and ties fall on the careless."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.players import levels
from mia_cli.players.habits import HABITS
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import evaluate, solve, stage, tie_breaking
from mia_cli.theory.induction import payoffs as payoffs_of
from mia_cli.theory.stage import Payoffs, solve_stage
from tests.theory.habits import T, erratic

STAGES = 40


def payoffs(random, standing, kind):
    """Values drawn at random; ``kind`` is a set of oddities that are allowed."""
    rows = 21 - standing
    accepted, passed = random.random((2, rows, STAGES))
    held, caught, lost, won = (np.repeat(random.random((1, STAGES)), rows, 0) for _ in range(4))
    if "likes being caught" not in kind:
        held, caught = np.maximum(held, caught), np.minimum(held, caught)
    if "likes losing" not in kind:
        lost, won = np.minimum(lost, won), np.maximum(lost, won)
    if "ordered" in kind:
        accepted, passed = np.sort(accepted, 0), np.sort(passed, 0)[::-1]
    if "dear" in kind:
        # A dearer 21 changes what it leads to; being accepted is then better than being caught.
        accepted = caught + (1.2 - caught) * accepted
        held[-1], caught[-1] = random.random((2, STAGES))
        caught[-1] = np.minimum(caught[-1], caught[0])
        held[-1] = np.maximum(held[-1], caught[-1])
    return Payoffs(held, caught, accepted, lost - passed, won - passed)


KINDS = st.one_of(
    st.sets(st.sampled_from(["likes losing", "likes being caught", "ordered"])),
    st.sets(st.just("ordered")).map(lambda kind: {"dear", *kind}),
)
"""A dearer 21 goes with neither of the first two: that does not occur, see ``stage``."""


@given(st.integers(0, 2**32 - 1), st.integers(0, 20), KINDS)
def test_nobody_gains_in_any_stage(seed, standing, kind):
    pay = payoffs(np.random.default_rng(seed), standing, kind)
    play = solve_stage(standing, pay)
    claims = play.claims()
    assert claims.min() >= 0
    assert claims.sum(axis=1) == pytest.approx(np.ones((21, STAGES)), abs=1e-12)
    assert play.challenge.min() >= 0
    assert play.challenge.max() <= 1
    assert (play.challenge[-1] == 1).all()
    check_roller(standing, pay, play, claims)
    check_answers(standing, pay, play, claims)


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 20), min_size=1, max_size=4), KINDS)
def test_stages_of_several_standing_claims_are_solved_together(seed, standings, kind):
    random = np.random.default_rng(seed)
    pays = [payoffs(random, standing, kind) for standing in standings]
    filled = [
        np.concatenate(
            [
                np.vstack([np.full((standing, STAGES), lacking), getattr(pay, name)])
                for standing, pay in zip(standings, pays, strict=True)
            ],
            axis=1,
        )
        for name, lacking in zip(Payoffs.__slots__, [-np.inf] * 3 + [np.nan] * 2, strict=False)
    ]
    together = solve_stage(0, Payoffs(*filled, np.repeat(standings, STAGES)))
    masses = np.reshape(together.masses(), (2, 21, -1, STAGES))
    claims = together.claims().reshape(21, 21, -1, STAGES)
    challenge = together.challenge.reshape(21, -1, STAGES)
    for at, (standing, pay) in enumerate(zip(standings, pays, strict=True)):
        apart = solve_stage(standing, pay)
        assert np.array_equal(claims[:, standing:, at], apart.claims())
        assert np.array_equal(challenge[standing:, at], apart.challenge)
        assert np.array_equal(masses[:, standing:, at], apart.masses())
        assert not claims[:, :standing, at].any()
        assert not challenge[:standing, at].any()
        assert not masses[:, :, at][:, :standing].any()


def check_roller(standing, pay, play, claims):
    challenge = play.challenge
    true = challenge * pay.held + (1 - challenge) * np.where(challenge == 1, 0, pay.accepted)
    bluff = challenge * pay.caught + (1 - challenge) * np.where(challenge == 1, 0, pay.accepted)
    for roll in ROLLS:
        holds = np.array([[roll.supports(claim)] for claim in CLAIMS[standing:]])
        worth = np.where(holds, true, bluff)
        got = (claims[roll.position - 1] * worth).sum(axis=0)
        assert (worth.max(axis=0) - got).max() < 1e-11


def check_answers(standing, pay, play, claims):
    chances = np.array([roll.ways / 36 for roll in ROLLS])[:, None, None]
    holds = np.array([[roll.supports(claim) for claim in CLAIMS[standing:]] for roll in ROLLS])
    said = claims * chances
    true = (said * holds[:, :, None]).sum(axis=0)
    false = (said * ~holds[:, :, None]).sum(axis=0)
    assert np.stack(play.masses()) == pytest.approx(np.stack([true, false]), abs=1e-14)
    gain = (true * pay.challenge_true + false * pay.challenge_false)[:-1]
    chance = play.challenge[:-1]
    assert np.where(gain > 0, gain * (1 - chance), -gain * chance).max(initial=0) < 1e-11


def test_ties_cost_rules_of_thumb_more(monkeypatch):
    """The same solver with every surplus bluff on 21, as a blind choice might have it."""
    others = [T, erratic(1), *(levels.policy(name, RuleSet()) for name in HABITS)]
    kept = solve(2, 3, 1)
    chosen = [evaluate([kept, other], 3, 1).wins[:, 0].mean() for other in others]
    hopes = np.zeros((21, 21))
    hopes[:, :-1] = 2.0  # nothing is hoped of any claim but 21
    monkeypatch.setattr(stage.tie_breaking, "challenges", lambda: hopes)
    blind = solve(2, 3, 1)
    assert blind.table == pytest.approx(kept.table, abs=1e-12)
    assert (blind.tables((3, 3))[0] != kept.tables((3, 3))[0]).any()
    for other, better in zip(others, chosen, strict=True):
        assert better > evaluate([blind, other], 3, 1).wins[:, 0].mean() + 0.005
    assert chosen[0] > 0.55


def test_claims_that_are_never_made_are_answered_as_the_careless_deserve():
    """As often challenged as no roll gains by, where that pays; else as seldom as bluffs allow."""
    solution = solve(3, 3, 1)
    said_true, said_false = tie_breaking.claims()
    more = 0
    for standing in range(21):
        ahead, play = solution.stages(np.arange(1, len(solution.states)), standing)
        pay = payoffs_of(ahead, standing)
        true, false = play.masses()
        free = (true + false == 0) & (pay.challenge_true < 0) & (pay.challenge_false > 0)
        pays = (
            said_true[standing, standing:, None] * pay.challenge_true
            + said_false[standing, standing:, None] * pay.challenge_false
        )
        worth = play.challenge * pay.held + (1 - play.challenge) * pay.accepted
        bluff = play.challenge * pay.caught + (1 - play.challenge) * pay.accepted
        for row, column in np.argwhere(free):
            chance = play.challenge[row, column]
            if pays[row, column] <= 0:
                assert chance == 0 or bluff[:, column].max() - bluff[row, column] < 1e-12
            elif chance < 1:
                # The lowest roll that supports the claim is just indifferent.
                claims = play.claims()[standing + row, :, column]
                made = int(claims.argmax())
                told = bluff if made > row else worth
                assert worth[row, column] == pytest.approx(told[made, column], abs=1e-12)
            more += pays[row, column] > 0
    assert more > 50
