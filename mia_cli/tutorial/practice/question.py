"""A decision as a question: a position, what is to be decided there, and what kind it is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mia_cli.engine.policy import position
from mia_cli.files.documents import Document
from mia_cli.rules.match import Accept, MakeClaim, Observation
from mia_cli.rules.rolls import Claim, Roll, claims_above, parse_claim, parse_roll
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet

if TYPE_CHECKING:
    from mia_cli.rules.match import Action
    from mia_cli.theory.advice import Advice
    from mia_cli.theory.solution import Solution

KINDS = (
    *("first_claim", "must_bluff", "true_claim", "answer_low", "answer_middle"),
    *("answer_double", "answer_top", "last_life", "many_seats"),
)
"""A question is of the last kind in this list that fits."""
PERSON = 1
"""The seat of the person at the table of a question."""
CLOSE = 0.005
"""Chance to win below which a decision gives away too little to be called wrong."""
RARE = 0.005
"""An action that the best play takes less often than this is not part of its mix."""


@dataclass(frozen=True, slots=True)
class PracticeQuestion:
    """``lives`` of the living seats from the one to act, in playing order.

    ``claim`` is the claim to be answered, None where a claim above ``above`` is to be made with
    ``roll``.
    """

    lives: tuple[int, ...]
    penalty_21: int
    above: Claim | None = None
    claim: Claim | None = None
    roll: Roll | None = None

    @property
    def decision(self) -> str:
        """``claim`` or ``answer``."""
        return "claim" if self.claim is None else "answer"

    @property
    def is_open(self) -> bool:
        """True when there is a choice."""
        if self.claim is not None:
            return not self.claim.must_be_challenged
        return len(claims_above(self.above)) > 1

    @property
    def kind(self) -> str:
        """One of KINDS."""
        if len(self.lives) > min(SEATS):
            return "many_seats"
        if self.lives[0] == 1:
            return "last_life"
        if self.claim is not None:
            return _kind_of_answer(self.claim)
        if self.above is None:
            return "first_claim"
        assert self.roll is not None
        return "true_claim" if self.roll.supports(claims_above(self.above)[0]) else "must_bluff"

    @property
    def id(self) -> str:
        """The same for the same position, whichever match it is from."""
        text = json.dumps(self.as_json(), sort_keys=True)
        return hashlib.sha256(f"mia-practice/1:{text}".encode()).hexdigest()[:10]

    def as_json(self) -> Document:
        """The position as a question says it."""
        return {
            "decision": self.decision,
            "lives": list(self.lives),
            "penalty_21": self.penalty_21,
            "above": None if self.above is None else self.above.name,
            "claim": None if self.claim is None else self.claim.name,
            "roll": None if self.roll is None else self.roll.name,
        }

    def seen(self) -> Observation:
        """What the person knows: in seat 1, the others in playing order after it."""
        rules = RuleSet(min(n for n in LIVES if n >= max(self.lives)), self.penalty_21)
        return Observation(
            seat=PERSON,
            rules=rules,
            lives=self.lives,
            round=1,
            decision="claim" if self.claim is None else "answer",
            roller=PERSON if self.claim is None else len(self.lives),
            above=self.above,
            roll=self.roll,
            claim=self.claim,
            history=(),
        )

    def advice(self, solution: Solution) -> Advice:
        """What each action is worth. Raises BadRuleSet for a solution of a smaller table."""
        from mia_cli.theory.advice import advise

        return advise(solution, self.seen())


@dataclass(frozen=True, slots=True)
class Verdict:
    """``lost``: chance to win given away. ``is_close``: right, though something else is better."""

    right: bool
    lost: float
    is_close: bool


def judged(question: PracticeQuestion, solution: Solution, action: Action) -> Verdict:
    """Right is what the best play may do, and what gives away next to nothing.

    A dominated action is never right, though it may tie: see ``theory.dominance``.
    """
    advice = question.advice(solution)
    chosen = next(option for option in advice.options if option.action == action)
    lost = max(0.0, advice.cost(action))
    if _is_dominated(question, solution, action):
        return Verdict(right=False, lost=lost, is_close=False)
    played = chosen.probability >= RARE
    return Verdict(right=played or lost < CLOSE, lost=lost, is_close=not played and lost < CLOSE)


def _is_dominated(question: PracticeQuestion, solution: Solution, action: Action) -> bool:
    from mia_cli.theory.dominance import dominated

    if isinstance(action, MakeClaim):
        assert question.roll is not None
        claims = dominated(solution, [question.lives]).claims
        standing = position(question.above)
        return bool(claims[standing, question.roll.position - 1, action.claim.position - 1, 0])
    assert question.claim is not None
    found = dominated(solution, [(question.lives[-1], *question.lives[:-1])])
    table = found.accepts if isinstance(action, Accept) else found.challenges
    return bool(table[question.claim.position - 1, 0])


def _kind_of_answer(claim: Claim) -> str:
    if claim.must_be_challenged or not claims_above(claim)[1:]:
        return "answer_top"
    if claim.name[0] == claim.name[1]:
        return "answer_double"
    return "answer_middle" if claim.name[0] == "6" else "answer_low"


def question_from(document: Document) -> PracticeQuestion:
    """Read ``as_json``. Raises ValueError, KeyError, TypeError or MiaError for anything else."""
    lives = tuple(document["lives"])
    known = all(type(left) is int and 1 <= left <= max(LIVES) for left in lives)
    above, claim, roll = (document[name] for name in ("above", "claim", "roll"))
    if not known or len(lives) not in SEATS or document["penalty_21"] not in PENALTIES:
        raise ValueError(lives)
    question = PracticeQuestion(
        lives=lives,
        penalty_21=document["penalty_21"],
        above=None if above is None else parse_claim(above),
        claim=None if claim is None else parse_claim(claim),
        roll=None if roll is None else parse_roll(roll),
    )
    made = claims_above(question.above)
    if (roll is None) == (claim is None) or not made or question.claim not in (None, *made):
        raise ValueError(document)
    return question
