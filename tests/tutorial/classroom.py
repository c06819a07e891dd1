"""The tutorial in this process: a screen that remembers, and a pupil who answers by a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mia_cli.cli.dialog import Dialog
from mia_cli.cli.play.help_used import Adviser
from mia_cli.cli.tutorial.course import Course, ProgressSaver
from mia_cli.cli.tutorial.room import Room
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.line import Line, plain
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.progress import LessonProgress, Progress
from mia_cli.tutorial.steps import Lesson
from mia_cli.tutorial.store import ProgressStore

# Written down by hand, from the rules: the lines that answer each step as it asks.
RIGHT: dict[str, list[str]] = {
    "rolls/name": ["64"],
    "rolls/ordinary": ["62"],
    "rolls/doubles": ["11"],
    "rolls/mia": ["21"],
    "rolls/order": ["rank"],
    "claims/truth": ["54"],
    "claims/understate": ["44"],
    "claims/holds": ["no"],
    "claims/bluff": ["62"],
    "answers/accept": ["accept", "62"],
    "answers/look": ["no"],
    "answers/pressed": ["accept", "65"],
    "answers/doubt": ["challenge"],
    "reveal/equal": ["1"],
    "reveal/short": ["2"],
    "reveal/shown": ["3"],
    "reveal/latest": ["challenge"],
    "mia/forced": ["challenge"],
    "mia/own": ["21"],
    "mia/after66": ["challenge"],
    "mia/price": ["1"],
    "lives/loser-leads": ["2"],
    "lives/out": ["1"],
    "lives/passed-over": ["3"],
    "lives/floor": ["0"],
    "lives/last": ["challenge"],
    "think/odds": ["odds", "accept", "62"],
    "think/squeezed": ["challenge"],
    "think/hint": ["hint", "accept", "22"],
}
# One wrong answer to each question.
WRONG = {
    "rolls/name": "53",
    "rolls/ordinary": "54",
    "rolls/doubles": "65",
    "rolls/mia": "66",
    "claims/holds": "yes",
    "answers/look": "yes",
    "reveal/equal": "2",
    "reveal/short": "1",
    "reveal/shown": "2",
    "mia/price": "3",
    "lives/loser-leads": "1",
    "lives/out": "2",
    "lives/passed-over": "2",
    "lives/floor": "1",
}
BEFORE_PRACTICE = LESSONS[:-1]


def right_lines(rules: RuleSet = RuleSet()) -> list[str]:  # noqa: B008 - a frozen value
    """Everything a perfect pupil types before the practice matches."""
    lines = [line for typed in RIGHT.values() for line in typed]
    lines[lines.index("1", lines.index("21", 20))] = str(rules.penalty_21)
    return lines


@dataclass
class Recorder:
    """A screen: ``said`` has every line, a prompt with what follows it on a line of its own."""

    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def say(self, line: Line | str = "") -> None:
        self.said.append(line if isinstance(line, str) else plain(line))

    def ask(self, line: Line | str) -> None:
        self.asked.append(line if isinstance(line, str) else plain(line))
        self.said.append(self.asked[-1])


class Pupil:
    """A keyboard: answers each prompt by a rule; None ends the input."""

    def __init__(self, screen: Recorder, rule: Callable[[str], str | None]) -> None:
        self._screen = screen
        self._rule = rule
        self.typed: list[str] = []

    def read(self) -> str | None:
        line = self._rule(self._screen.asked[-1])
        if line is not None:
            self.typed.append(line)
        return line


class Visit:
    """One run of the tutorial with a pupil; ``said`` is the whole transcript."""

    def __init__(
        self,
        rule: Callable[[str], str | None],
        *,
        rules: RuleSet | None = None,
        lessons: Sequence[Lesson] = LESSONS,
        progress: Progress | None = None,
        store: ProgressStore | None = None,
        only: Lesson | None = None,
        seed: int = 3,
    ) -> None:
        rules = rules or RuleSet()
        screen = Recorder()
        self.pupil = Pupil(screen, rule)
        adviser = Adviser(rules, 2, tutors=True, note=lambda _aid: None)
        room = Room(rules, adviser, Dialog(screen, self.pupil, None))  # type: ignore[arg-type]
        saver = ProgressSaver(store, progress or Progress())
        self.code = Course(lessons, room, saver, preset="standard", seed=seed).take(only)
        self.progress = saver.progress
        self.said = screen.said
        self.asked = screen.asked


def typing(lines: Sequence[str]) -> Callable[[str], str | None]:
    """A rule: these lines in order, then the end of the input."""
    left = iter(lines)
    return lambda _prompt: next(left, None)


def done(*lessons: Lesson) -> Progress:
    """Progress with these lessons done."""
    return Progress({lesson.id: LessonProgress(done=True) for lesson in lessons})


def at_step(lesson: Lesson, index: int) -> Progress:
    """Everything before a step is behind the pupil."""
    before = LESSONS[: LESSONS.index(lesson)]
    return done(*before).at(lesson, index)


def play_on(prompt: str) -> str:
    """A rule for practice matches: never wrong, always an end."""
    if "Challenge?" in prompt or "challenge?" in prompt:
        return "challenge"
    if "Only 21" in prompt:
        return "21"
    return "66" if "higher than" in prompt else "43"
