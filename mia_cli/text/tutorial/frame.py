"""The frame of the tutorial: titles, headings, help, the list of lessons, and the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mia_cli.rules.errors import MiaError
from mia_cli.rules.match import Observation
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import Line, comma, line, space, styled
from mia_cli.text.language.plain import printable
from mia_cli.text.language.table import TextTable
from mia_cli.text.language.words import no, shown, yes
from mia_cli.text.play import asides
from mia_cli.text.play.seats import lives_text
from mia_cli.text.tutorial.words import ORDER, STEERING, shown_word
from mia_cli.tutorial.progress import LessonProgress, Progress
from mia_cli.tutorial.steps import (
    Compare,
    Holds,
    Lesson,
    MayRollFirst,
    NameRoll,
    Question,
    TypeWord,
)

COMMAND = "mia tutorial"
TITLES: Mapping[str, str] = {
    "rolls": N_("Reading a roll"),
    "claims": N_("Roll and claim"),
    "answers": N_("Accept or challenge"),
    "reveal": N_("What a challenge shows"),
    "mia": N_("21, the Mia"),
    "lives": N_("Lives, and who leads"),
    "think": N_("How to think"),
    "practice": N_("Your first matches"),
}


def title(lesson: Lesson) -> str:
    """The title of a lesson."""
    return translate(TITLES[lesson.id])


def welcome(lessons: int) -> str:
    """The first line of a first start."""
    return _("Learn Mia by playing: {count} short lessons, about ten minutes.").format(
        count=lessons
    )


def words_line() -> str:
    """The words that steer the tutorial."""
    listed = comma().join((shown("help"), *map(shown_word, ORDER), shown("quit")))
    return _("At every prompt: {words}. Your place is kept.").format(words=listed)


def welcome_back() -> str:
    """The first line of every later start."""
    return _("Welcome back.")


def heading(lesson: Lesson, number: int, count: int, step: int) -> list[Line]:
    """The line above a lesson, or above the step where it goes on."""
    fields = {"number": number, "count": count, "title": title(lesson)}
    if step == 0:
        text = line(_("Lesson {number} of {count}: {title}"), **fields)
    else:
        text = line(
            _("Lesson {number} of {count}: {title}, step {step} of {steps}"),
            **fields,
            step=step + 1,
            steps=len(lesson.steps),
        )
    return [styled("".join(part for part, _style in text), "strong")]


def rules_line(rules: RuleSet, preset: str) -> str:
    """The rules in use, before a lesson whose text depends on them."""
    return _("Rules: preset {preset}, {lives}, 21 costs {price}.").format(
        preset=printable(preset), lives=lives_text(rules.lives), price=lives_text(rules.penalty_21)
    )


def question_help(question: Question) -> list[str]:
    """What can be typed at a question."""
    return [wanted(question), *other_words()]


def decision_help(seen: Observation) -> list[str]:
    """What can be typed at a decision."""
    return [*asides.decision_help(seen), *other_words()]


def other_words() -> list[str]:
    """The words that are no answers, with what they do."""
    steering = [(shown_word(word), translate(STEERING[word])) for word in ORDER]
    others = [(shown(word), translate(meaning)) for word, meaning in asides.MEANINGS.items()]
    return asides.word_lines([*steering, *others])


def wanted(question: Question) -> str:
    """The kind of answer a question takes."""
    match question:
        case NameRoll():
            return _("Type the roll as two digits, such as 53.")
        case Compare(rolls=(first, second)):
            return _("Type {first} or {second}.").format(first=first, second=second)
        case Holds() | MayRollFirst():
            return _("Type {yes} or {no}.").format(yes=yes(), no=no())
        case TypeWord(word=word):
            return _("Type {word}.").format(word=shown(word))
        case _:
            return _("Type a number.")


def right(answer: str) -> str:
    """A question was answered rightly."""
    return _("Right: {answer}.").format(answer=answer) if answer else _("Right.")


def wrong() -> str:
    """A question was answered wrongly."""
    return _("Not quite.")


def explained(answer: str) -> str:
    """Before the reason, when the answer is given away."""
    return _("The answer is: {answer}.").format(answer=answer) if answer else ""


def reordered(typed: str, roll: str) -> str:
    """A roll that was typed lower die first."""
    return _("{typed} is understood too, but the name is {roll}.").format(typed=typed, roll=roll)


def not_an_answer(typed: str, question: Question) -> str:
    """A line that is no answer to a question."""
    if not typed.strip():
        return wanted(question)
    refused = _("“{text}” is no answer here.").format(text=printable(typed[:40]))
    return space().join((refused, wanted(question)))


def no_match_here() -> str:
    """A word of a match, at a question."""
    return _("There is no match at this question. To see it again, type {repeat}.").format(
        repeat=shown_word("repeat")
    )


def hints_for_two() -> str:
    """A hint was asked for at a larger table."""
    return _("Hints here are for two seats. Type {odds} instead.").format(odds=shown("odds"))


def skipped() -> str:
    """A step was skipped."""
    return _("Skipped.")


def way_out() -> str:
    """After lines that could not be read."""
    return _("To go on without it, type {skip}.").format(skip=shown_word("skip"))


def nothing_before() -> str:
    """Back, at the first step of a lesson."""
    return _("This is the first step of the lesson.")


def practice_goes_on() -> str:
    """The practice match is taken up again."""
    return _("The match goes on.")


def practice_starts_anew() -> str:
    """The practice match that was kept had other rules."""
    return _("The match that you left had other rules, so a new one starts.")


def comes_back(number: int) -> str:
    """Before the steps that were answered wrong twice."""
    return ngettext("One step once more:", "{number} steps once more:", number).format(
        number=number
    )


def lesson_over(number: int, known: LessonProgress) -> list[Line | str]:
    """The end of a lesson."""
    if not known.done:
        return [_("Lesson {number} was skipped; it stays open.").format(number=number)]
    return [styled(_("Lesson {number} is done.").format(number=number), "good")]


def to_practice() -> str:
    """After the last lesson."""
    return _("To train decisions, and your own mistakes: {command}").format(command="mia practice")


def all_done() -> list[str]:
    """The end of the last lesson that was open."""
    return [
        _("You know Mia now. For a match of your own, type: {command}").format(command="mia play"),
        _("To see a lesson again: {command}").format(command=f"{COMMAND} --lesson 1"),
    ]


def go_on() -> str:
    """After one lesson that was asked for, with others left."""
    return _("Go on with: {command}").format(command=COMMAND)


def left(saved: bool) -> str:
    """The tutorial was left."""
    if saved:
        return _("Your place is kept. Go on with: {command}").format(command=COMMAND)
    return _("Your place could not be kept.")


def cannot_keep(error: MiaError) -> str:
    """Said once, on stderr, when progress cannot be saved."""
    return _("Your progress cannot be kept: {problem} The tutorial goes on without.").format(
        problem=sentence(error)
    )


def set_aside(error: MiaError, path: str) -> str:
    """Said on stderr of a damaged file that was moved out of the way."""
    return _("{problem} It is kept as {path}, and the tutorial starts anew.").format(
        problem=sentence(error), path=printable(path)
    )


def list_lines(lessons: Sequence[Lesson], progress: Progress) -> TextTable:
    """One row per lesson: number, title, how far."""
    rows = [
        (str(number), title(lesson), status_text(lesson, progress))
        for number, lesson in enumerate(lessons, start=1)
    ]
    return TextTable(("", _("Lesson"), _("State")), rows, right=(0,), wraps=(1, 2))


def status_text(lesson: Lesson, progress: Progress) -> str:
    """Done, at a step, or not begun."""
    known = progress.of(lesson)
    if known.step is not None:
        state = _("step {step} of {steps}").format(
            step=progress.step_of(lesson) + 1, steps=len(lesson.steps)
        )
        return _("done; {state}").format(state=state) if known.done else state
    return _("done") if known.done else _("not begun")
