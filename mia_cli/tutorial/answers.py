"""What is right at a step, by the rules: answers to questions, and wishes at a table."""

from __future__ import annotations

from mia_cli.rules.match import (
    Accept,
    Action,
    Challenge,
    MakeClaim,
    Observation,
    legal_answers,
    lose,
    loss,
    next_leader,
    next_living,
)
from mia_cli.rules.rolls import (
    CLAIMS,
    MIA,
    Claim,
    Roll,
    parse_claim,
    parse_roll,
    roll_of_dice,
)
from mia_cli.rules.ruleset import RuleSet
from mia_cli.tutorial.steps import (
    Compare,
    Holds,
    LivesCount,
    NameRoll,
    Question,
    TypeWord,
    WhichSeat,
    Wish,
)

PERSON = 1
"""The person's seat at every table of the tutorial."""
Value = Roll | bool | int
"""An answer to a question: a roll, yes or no, or a seat or number of lives."""


def right_answer(question: Question, rules: RuleSet) -> Value:
    """The answer the rules give. A word to be typed is right by itself: True."""
    match question:
        case NameRoll(dice=dice):
            return roll_of_dice(*dice)
        case Compare(rolls=(first, second)):
            return parse_roll(first if _supports(first, second) else second)
        case Holds(roll=roll, claim=claim):
            return _supports(roll, claim)
        case WhichSeat():
            return _seat(question)
        case LivesCount():
            return _lives(question, rules)
        case _:
            return isinstance(question, TypeWord)  # nobody may roll before answering


def _supports(roll: str, claim: str) -> bool:
    return parse_roll(roll).supports(parse_claim(claim))


def _seat(question: WhichSeat) -> int:
    if question.about == "loser":
        return PERSON if _supports(question.roll, question.claim) else question.seat
    if question.about == "leader":
        return next_leader(question.lives, question.seat)
    return (
        question.seat if question.about == "shown" else next_living(question.lives, question.seat)
    )


def _lives(question: LivesCount, rules: RuleSet) -> int:
    before = rules.lives if question.before is None else question.before
    (left,) = lose((before,), 1, loss(rules, parse_claim(MIA)))
    return left if question.about == "left" else before - left


def kind_of_claim(claim: Claim, roll: Roll) -> str:
    """``truth``, ``understate`` or ``bluff``."""
    if claim.exceeds(roll):
        return "bluff"
    return "understate" if claim.understates(roll) else "truth"


def fits(wish: Wish, action: Action, seen: Observation) -> bool:
    """True when ``action`` is what the wish is about."""
    if wish.want in ("any", "either"):
        return True
    if isinstance(action, MakeClaim):
        assert seen.roll is not None
        return kind_of_claim(action.claim, seen.roll) == wish.want
    return wish.want == ("accept" if isinstance(action, Accept) else "challenge")


def example(wish: Wish, seen: Observation) -> Action:
    """The wish's own example, or the lowest claim there is where that may not be made."""
    if seen.decision == "claim":
        claim = parse_claim(wish.example)
        legal = claim if claim.beats(seen.above) else lowest_above(seen.above)
        return MakeClaim(legal)
    assert seen.claim is not None
    wanted = Accept() if wish.example == "accept" else Challenge()
    return wanted if wanted in legal_answers(seen.claim) else Challenge()


def lowest_above(above: Claim | None) -> Claim:
    """The lowest claim that may follow ``above``."""
    return next(claim for claim in CLAIMS if claim.beats(above))
