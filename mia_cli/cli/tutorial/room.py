"""Where the tutorial takes place: what is said, what is typed, and the words that steer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mia_cli.cli.dialog import Dialog
from mia_cli.cli.play.help_used import Adviser
from mia_cli.cli.rules.page import command_for
from mia_cli.cli.screen import columns
from mia_cli.players.names import LEVELS
from mia_cli.rules.events import Event, RoundStarted
from mia_cli.rules.match import Observation
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.advice import hint_lines
from mia_cli.text.language.catalogue import translate
from mia_cli.text.language.line import Line, space
from mia_cli.text.language.plain import display_width
from mia_cli.text.language.words import Word
from mia_cli.text.play import asides
from mia_cli.text.play.narrate import Narrator
from mia_cli.text.play.seats import DEFAULT_NAME, SeatNames
from mia_cli.text.rules import brief
from mia_cli.text.tutorial import frame as text
from mia_cli.text.tutorial.facts import facts
from mia_cli.text.tutorial.steps import STEPS, StepText
from mia_cli.text.tutorial.words import TutorialWord
from mia_cli.tutorial.answers import PERSON
from mia_cli.tutorial.steps import Lesson, Question, Step

WIDE = 79
OTHERS = ("Ada", "Bo")
LEVEL = LEVELS[0]


class Leave(Exception):
    """The person leaves: by ``quit``, or because the input ended."""

    def __init__(self, *, ended: bool) -> None:
        super().__init__(ended)
        self.ended = ended


class SkipStep(Exception):
    """The person skips a step."""


class GoBack(Exception):
    """The person wants the step before this one."""


def seating(seats: int, rules: RuleSet) -> SeatNames:
    """The table of a scene: the person, Ada, and Bo where there are three."""
    names = (DEFAULT_NAME, *OTHERS)[:seats]
    return SeatNames(
        names=names,
        players=("human", *(LEVEL for _ in names[1:])),
        person=PERSON,
        lives=rules.lives,
    )


@dataclass
class Room:
    """The screen and the keyboard. ``adviser`` gives hints at tables of two."""

    rules: RuleSet
    adviser: Adviser
    dialog: Dialog = field(default_factory=Dialog)

    def say(self, lines: Iterable[Line | str]) -> None:
        """Print lines; empty ones are left out."""
        for line in lines:
            if line:
                self.dialog.say(line)

    def say_all(self, lines: Iterable[Line | str]) -> None:
        """Print lines, empty ones included."""
        for line in lines:
            self.dialog.say(line)

    def space(self) -> None:
        """An empty line."""
        self.dialog.say()

    def hear(self, prompt: Line | str) -> str:
        """Ask, and return the line that was typed. Raises Leave at the end of the input."""
        typed = self.dialog.hear(prompt)
        if typed is None:
            raise Leave(ended=True)
        return typed

    def steer(self, word: Word | TutorialWord) -> None:
        """Leave, skip or go back, if that is what the word says; otherwise do nothing."""
        if word == "quit":
            raise Leave(ended=False)
        if word == "skip":
            raise SkipStep
        if word == "back":
            raise GoBack

    def at_question(
        self, word: Word | TutorialWord, question: Question, told: Sequence[str]
    ) -> None:
        """Answer a word at a question, where no match is played."""
        self.steer(word)
        if word == "repeat":
            self.say(told)
        elif word == "help":
            self.say(text.question_help(question))
        elif word == "rules":
            self._say_rules(brief.without_match(self.rules, command_for(self.rules)))
        elif word == "rank":
            self.say(asides.order_lines())
        else:
            self.say([text.no_match_here()])

    def at_decision(
        self, word: Word | TutorialWord, seen: Observation, told: Sequence[str]
    ) -> None:
        """Answer a word at a decision in a scene or a practice match."""
        self.steer(word)
        table = seating(len(seen.lives), seen.rules)
        if word == "repeat":
            self.say([*told, *Narrator(table, retold=True).tell_all(_this_round(seen))])
        elif word == "help":
            self.say(text.decision_help(seen))
        elif word == "rules":
            self._say_rules(brief.at_decision(seen, command_for(self.rules)))
        elif word == "rank":
            self.say(asides.order_lines(seen))
        elif word == "odds":
            self.say(asides.odds_lines(seen))
        elif word == "score":
            self.say(asides.score_lines(seen, table))
        elif word == "history":
            self.say(Narrator(table, retold=True).tell_all(seen.history))
        elif word == "hint":
            self.say(self.hint(seen))

    def _say_rules(self, paragraphs: Sequence[str]) -> None:
        self.say(brief.in_rows(paragraphs, columns()))

    def hint(self, seen: Observation) -> Sequence[Line | str]:
        """The solver's advice at a table of two."""
        if len(seen.lives) > len(OTHERS):
            return [text.hints_for_two()]
        return hint_lines(self.adviser.hint(seen), seen)


def _this_round(seen: Observation) -> Sequence[Event]:
    starts = [at for at, event in enumerate(seen.history) if isinstance(event, RoundStarted)]
    return seen.history[starts[-1] :]


def step_text(lesson: Lesson, step: Step) -> StepText:
    """The sentences of a step."""
    return STEPS[f"{lesson.id}/{step.id}"]


def fields_of(step: Step, rules: RuleSet, seats: int) -> Mapping[str, str]:
    """What these sentences are filled with."""
    return facts(step, rules, seating(seats, rules))


def filled(sentence: str, fields: Mapping[str, str]) -> str:
    """A sentence in the language in use with its values."""
    return translate(sentence).format_map(fields)


def joined(*sentences: str) -> list[str]:
    """Sentences on one line where they fit, otherwise on a line each."""
    said = [sentence for sentence in sentences if sentence]
    together = space().join(said)
    return [together] if display_width(together) <= WIDE else said
