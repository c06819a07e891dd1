"""Every reason is true of the position it is given for, recomputed from the solution's tables."""

from functools import cache
from itertools import product

import pytest

from mia_cli.rules.match import Accept, Challenge, MakeClaim, lose, loss, next_leader
from mia_cli.rules.rolls import CLAIMS, ROLLS, claims_above, ways_to_beat
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.advice import reason_line
from mia_cli.text.language import catalogue
from mia_cli.text.language.line import plain
from mia_cli.theory import solve
from mia_cli.theory.advice import advise_answer, advise_claim
from mia_cli.theory.reasons import EVEN, objection

TABLES = [(2, lives) for lives in product((1, 2, 3), repeat=2)] + [
    (3, (2, 1, 3)),
    (4, (1, 2, 1, 2)),
]
EDGE = 1e-9


class Outcomes:
    """Chances to win of the roller and of the next seat, from ``values`` and the rules alone."""

    def __init__(self, solution, lives, penalty):
        self.solution, self.lives = solution, lives
        self.rules = RuleSet(3, penalty)

    def lost_by(self, loser, claim, who):
        """For seat ``who`` (0 rolls, 1 answers) once seat ``loser`` lost over ``claim``."""
        after = lose(self.lives, loser + 1, loss(self.rules, claim))
        if sum(left > 0 for left in after) == 1:
            return float(after[who] > 0)
        leader = next_leader(after, loser + 1) - 1
        order = [*range(leader, len(after)), *range(leader)]
        values = self.solution.values(tuple(after[seat] for seat in order))
        return float(values[order.index(who)])

    def accepted(self, claim, who):
        order = [*range(1, len(self.lives)), 0]
        values = self.solution.values(tuple(self.lives[seat] for seat in order), claim.position)
        return float(values[order.index(who)])


def positions(seats, lives):
    if seats == 2:
        return [None, *CLAIMS[:-1]]
    return [None, *CLAIMS[3:-1:5]]


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize(("seats", "lives"), TABLES)
def test_a_reason_for_an_answer_holds(seats, lives, penalty):
    solution = solve(4 if seats == 4 else 3, 3, penalty)
    ends = Outcomes(solution, lives, penalty)
    for above in positions(seats, lives):
        for claim in claims_above(above):
            advice = advise_answer(solution, lives, above, claim)
            reason, holds = advice.reason, advice.holds
            true, false = (ends.lost_by(loser, claim, 1) for loser in (1, 0))
            assert reason.claim == claim and reason.share == holds
            assert (advice.if_true, advice.if_false) == pytest.approx((true, false))
            if claim.must_be_challenged:
                assert reason.code == "must_challenge"
                continue
            taken = ends.accepted(claim, 1)
            doubted = holds * true + (1 - holds) * false
            win = {option.action: option.win for option in advice.options}
            assert (win[Accept()], win[Challenge()]) == pytest.approx((taken, doubted))
            right = {
                "challenge_even_if_true": min(true, false) >= taken - EVEN - EDGE,
                "accept_even_if_false": max(true, false) <= taken + EVEN + EDGE,
                "even_answers": abs(doubted - taken) < EVEN + EDGE,
                "surely_true": holds > 1 - EVEN - EDGE and taken > doubted,
                "probably_true": doubted > taken and 0.5 <= holds < reason.need,
                "too_often_false": doubted > taken and holds < min(0.5, reason.need),
                "true_enough": taken > doubted and holds > reason.need,
            }
            assert right[reason.code], (lives, above, claim, reason)
            if reason.need:
                even = reason.need * true + (1 - reason.need) * false
                assert even == pytest.approx(taken)


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize(("seats", "lives"), TABLES)
def test_a_reason_for_a_claim_holds(seats, lives, penalty):
    solution = solve(4 if seats == 4 else 3, 3, penalty)
    for above in positions(seats, lives):
        standing = 0 if above is None else above.position
        doubts = solution.challenge_probabilities(lives, standing)
        made = solution.claim_probabilities(lives, standing)
        for roll in ROLLS:
            options = advise_claim(solution, lives, above, roll).options
            reason = advise_claim(solution, lives, above, roll).reason
            win = {option.action.claim: option.win for option in options}
            true = [claim for claim in win if roll.supports(claim)]
            bluffs = [win[claim] for claim in win if claim not in true]
            assert (
                made[roll.position - 1, reason.claim.position - 1] == made[roll.position - 1].max()
            )
            assert reason.share == pytest.approx(doubts[reason.claim.position - 1])
            claimed, top = win[reason.claim], max(win.values())
            assert claimed > top - 1e-6
            flat = top - min(win.values()) < EVEN + EDGE
            doubted = all(doubts[claim.position - 1] > 1 - EVEN - EDGE for claim in win)
            right = {
                "only_21_true": len(win) == 1 and bool(true),
                "only_21_false": len(win) == 1 and not true,
                "all_challenged": not true and flat and doubted,
                "caught_once": not true and not flat and doubted,
                "nothing_at_stake": flat,
                "true_claim": reason.claim in true and reason.share > 0,
                "true_claim_believed": reason.claim in true and reason.share < EVEN + EDGE,
                "true_for_cover": reason.claim in true and claimed >= max(bluffs, default=0) - EVEN,
                "bluff_beats_truth": reason.claim not in true
                and max(win[claim] for claim in true) < claimed + EDGE
                if true
                else False,
                "bluff_believed": reason.claim not in true
                and bool(true)
                and reason.share < EVEN + EDGE
                and max((win[claim] for claim in true), default=1) < claimed + EDGE,
                "must_bluff": not true and reason.claim not in true,
            }
            assert right[reason.code], (lives, above, roll, reason)
            worst = objection(reason, MakeClaim(CLAIMS[-1]), roll)
            if worst.code == "false_21":
                assert not roll.supports(CLAIMS[-1]) and len(win) > 1
                assert doubts[-1] == 1.0 and win[CLAIMS[-1]] <= top + EDGE


@cache
def reasons():
    """A reason of every code, with the claim to beat there."""
    solution = solve(3, 3, 2)
    seen = {}
    for lives in ((2, 2), (2, 2, 2), (3, 1)):
        for above in [None, *CLAIMS[:-1]]:
            for roll in ROLLS:
                advised = advise_claim(solution, lives, above, roll).reason
                refused = objection(advised, MakeClaim(CLAIMS[-1]), roll)
                for reason in (advised, refused):
                    seen.setdefault(reason.code, (reason, above))
            for claim in claims_above(above):
                reason = advise_answer(solution, lives, above, claim).reason
                seen.setdefault(reason.code, (reason, above))
    return seen


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_every_reason_is_a_sentence_in_every_language(language):
    catalogue.use(language)
    said = {}
    for code, (reason, above) in reasons().items():
        text = plain(reason_line(reason, above))
        assert len(text) > 8 and "{" not in text and text not in said.values()
        said[code] = text
        if code == "challenge_even_if_true":
            assert str(ways_to_beat(reason.claim)) in text and reason.claim.name in text
    assert len(said) >= 15
