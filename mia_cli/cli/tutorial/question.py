"""Asks one question of a lesson until it is answered or explained."""

from __future__ import annotations

from mia_cli.cli.tutorial.room import Room, fields_of, filled, joined, seating, step_text
from mia_cli.rules.errors import CannotRead
from mia_cli.rules.rolls import Roll
from mia_cli.rules.ruleset import LIVES, RuleSet
from mia_cli.text.language.line import Line
from mia_cli.text.language.roll_names import read_roll
from mia_cli.text.language.words import folded, yes_or_no
from mia_cli.text.play.asides import order_lines
from mia_cli.text.play.seats import lives_text
from mia_cli.text.tutorial import frame as text
from mia_cli.text.tutorial.facts import answer_text, seat_name
from mia_cli.text.tutorial.words import understand_anywhere
from mia_cli.tutorial.answers import PERSON, Value, right_answer
from mia_cli.tutorial.steps import (
    Compare,
    Holds,
    Lesson,
    LivesCount,
    MayRollFirst,
    NameRoll,
    Question,
    TypeWord,
    WhichSeat,
)

TRIES = 2
"""Wrong answers after which the right one is explained; a line that is no answer is none."""
_SEATS_NAMED = 3
_YOU = "you"
"""The person in English, which is always understood."""


def ask_question(room: Room, lesson: Lesson, question: Question) -> bool:
    """Ask until the answer is right, or explained after the second wrong one: then False.

    Raises Leave, SkipStep, GoBack.
    """
    sentences, fields = step_text(lesson, question), fields_of(question, room.rules, _SEATS_NAMED)
    told = [filled(sentence, fields) for sentence in sentences.tell]
    why = filled(sentences.why, fields)
    more = [filled(sentence, fields) for sentence in sentences.after.values()]
    right = right_answer(question, room.rules)
    answer = answer_text(question, room.rules, seating(_SEATS_NAMED, room.rules))
    room.say(told)
    misses = unread = 0
    while misses < TRIES:
        typed = room.hear(filled(sentences.ask, fields))
        value = value_of(question, typed)
        if value is not None and value == right:
            room.say(
                [
                    *_shown(question),
                    *joined(text.right(answer), why),
                    *_spelling(value, typed),
                    *more,
                ]
            )
            return True
        if value is None:
            word = understand_anywhere(typed)
            if word is not None and word not in ("accept", "challenge"):
                room.at_question(word, question, told)
                continue
            unread += 1
            room.say([text.not_an_answer(typed, question)])
            room.say([text.way_out()] if unread % TRIES == 0 else [])
            continue
        misses += 1
        if misses < TRIES:
            room.say(joined(text.wrong(), filled(sentences.clue, fields)))
    room.say([*_shown(question), *joined(text.explained(answer), why), *more])
    return False


def value_of(question: Question, typed: str) -> Value | None:
    """The answer in a line, None when it is no answer to this question."""
    match question:
        case NameRoll() | Compare():
            return _roll(question, typed)
        case Holds() | MayRollFirst():
            return yes_or_no(typed)
        case WhichSeat(lives=lives):
            return _seat(typed, len(lives))
        case LivesCount():
            return _lives(typed)
        case TypeWord(word=word):
            return True if understand_anywhere(typed) == word else None


def _roll(question: NameRoll | Compare, typed: str) -> Roll | None:
    try:
        roll = read_roll(typed)
    except CannotRead:
        return None
    listed = isinstance(question, NameRoll) or roll.name in question.rolls
    return roll if listed else None


def _seat(typed: str, seats: int) -> int | None:
    """A seat by its number, its name, or both as the prompt lists them."""
    plain = " ".join(folded(typed).split())
    for seat in range(1, seats + 1):
        names = {folded(seat_name(seat, seating(_SEATS_NAMED, RuleSet())))}
        if seat == PERSON:
            names.add(_YOU)
        if plain in names or plain in {f"{seat} {name}" for name in names}:
            return seat
    return _number(typed, 1, seats)


def _lives(typed: str) -> int | None:
    """A number of lives, alone or as the answer says it."""
    plain = " ".join(folded(typed).split())
    spoken = (left for left in range(max(LIVES) + 1) if plain == folded(lives_text(left)))
    return next(spoken, _number(typed, 0, 99))


def _number(typed: str, least: int, most: int) -> int | None:
    plain = typed.strip()
    # isdecimal also knows full-width digits, which int reads as well.
    if not plain.isdecimal() or len(plain) > len(str(most)):
        return None
    number = int(plain)
    return number if least <= number <= most else None


def _spelling(value: Value, typed: str) -> list[str]:
    if isinstance(value, Roll) and typed.strip() == value.name[::-1] != value.name:
        return [text.reordered(typed.strip(), value.name)]
    return []


def _shown(question: Question) -> list[Line]:
    return order_lines() if isinstance(question, TypeWord) else []
