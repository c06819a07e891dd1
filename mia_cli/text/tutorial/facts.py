"""The values that the tutorial's sentences are filled with, computed from the rules."""

from __future__ import annotations

from mia_cli.rules.match import loss
from mia_cli.rules.rolls import (
    MIA,
    OUTCOMES,
    ROLLS,
    Claim,
    Roll,
    claim_at,
    parse_claim,
    parse_roll,
    ways_at_least,
    ways_to_beat,
)
from mia_cli.rules.ruleset import PENALTIES, RuleSet
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import comma, plain
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.words import Word, no, shown, yes
from mia_cli.text.play.seats import SeatNames, lives_text
from mia_cli.tutorial.answers import right_answer
from mia_cli.tutorial.steps import (
    Compare,
    Holds,
    LivesCount,
    MayRollFirst,
    NameRoll,
    Practice,
    Question,
    Scene,
    Step,
    TypeWord,
    WhichSeat,
)

_AIDS: tuple[Word, ...] = ("odds", "rank", "hint")
_ORDINARY = tuple(roll for roll in ROLLS if roll.ways > 1 and roll.name != MIA)
_DOUBLES = tuple(roll for roll in ROLLS if roll.ways == 1)


def odds(ways: int) -> str:
    """Ways of 36, and the same as a percentage."""
    return _("{ways} of {outcomes} ({share})").format(
        ways=ways, outcomes=OUTCOMES, share=percent(ways / OUTCOMES)
    )


def at_least(claim: Claim) -> str:
    """How often a fresh roll supports a claim."""
    return odds(ways_at_least(claim))


def beats(claim: Claim) -> str:
    """How often a fresh roll may truthfully be claimed over ``claim``."""
    return odds(ways_to_beat(claim))


def seat_name(seat: int, seating: SeatNames) -> str:
    """Ada, Bo, or you."""
    return _("you") if seating.is_you(seat) else plain(seating.name(seat))


def seat_choices(seats: int, seating: SeatNames) -> str:
    """The seats as numbered answers: ``1 you, 2 Ada, 3 Bo``."""
    return comma().join(f"{seat} {seat_name(seat, seating)}" for seat in range(1, seats + 1))


def answer_text(question: Question, rules: RuleSet, seating: SeatNames) -> str:
    """The right answer to a question as a person would say it; empty for a word to type."""
    right = right_answer(question, rules)
    match question:
        case TypeWord():
            return ""
        case WhichSeat():
            return seat_name(_number(right), seating)
        case LivesCount():
            return lives_text(_number(right))
        case Holds() | MayRollFirst():
            return yes() if right else no()
        case _:
            return _name(right)


def facts(step: Step, rules: RuleSet, seating: SeatNames) -> dict[str, str]:
    """The fields that the sentences of a step may use."""
    common = {
        "mia": MIA,
        "lowest": ROLLS[0].name,
        "best": _ORDINARY[-1].name,
        "least": _DOUBLES[0].name,
        "most": _DOUBLES[-1].name,
        "count": str(len(ROLLS)),
        "odds_word": shown("odds"),
        "hint_word": shown("hint"),
        "aids": comma().join(map(shown, _AIDS)),
        "yes": yes(),
        "no": no(),
        "lives": lives_text(rules.lives),
        "price": lives_text(loss(rules, parse_claim(MIA))),
    }
    return {**common, **_own(step, rules, seating)}


def _own(step: Step, rules: RuleSet, seating: SeatNames) -> dict[str, str]:
    own: dict[str, str] = {}
    match step:
        case NameRoll(dice=(first, second)):
            roll = _name(right_answer(step, rules))
            own = {"first": str(first), "second": str(second), "roll": roll}
        case Compare():
            own = _compared(step, rules)
        case Holds(roll=roll, claim=claim):
            own = {"roll": roll, "claim": claim}
        case MayRollFirst(claim=claim):
            own = {"claim": claim, "beats": beats(parse_claim(claim))}
        case TypeWord(word=word):
            own = {"word": shown(word)}
        case WhichSeat():
            own = _seats(step, rules, seating)
        case LivesCount():
            own = _counted(step, rules)
        case Scene(wishes=wishes, lives=lives):
            each = rules.lives if lives is None else min(lives)
            own = {"example": wishes[0].example, "each": lives_text(each)}
        case Practice():
            pass
    return own


def _counted(step: LivesCount, rules: RuleSet) -> dict[str, str]:
    return {
        "roll": step.roll,
        "had": lives_text(rules.lives if step.before is None else step.before),
        "low": str(min(PENALTIES)),
        "high": str(max(PENALTIES)),
    }


def _compared(step: Compare, rules: RuleSet) -> dict[str, str]:
    first, second = step.rolls
    roll = _name(right_answer(step, rules))
    other = second if roll == first else first
    return {
        "first": first,
        "second": second,
        "roll": roll,
        "other": other,
        "die": roll[0],
        "other_die": other[0],
        "ways": odds(parse_roll(roll).ways),
        "other_ways": odds(parse_roll(other).ways),
    }


def _seats(step: WhichSeat, rules: RuleSet, seating: SeatNames) -> dict[str, str]:
    before = parse_claim(step.claim).position - 1 if step.claim else 1
    return {
        "seats": seat_choices(len(step.lives), seating),
        "roll": step.roll,
        "claim": step.claim,
        "first": claim_at(before).name,
        "left": lives_text(step.lives[step.seat - 1]),
        "yours": lives_text(step.lives[0]),
        "his": str(step.lives[-1]),
    }


def _name(value: object) -> str:
    assert isinstance(value, Roll)
    return value.name


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
