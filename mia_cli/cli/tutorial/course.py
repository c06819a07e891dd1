"""Leads through lessons step by step and keeps the person's place after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mia_cli.cli import outcome, streams
from mia_cli.cli.tutorial.lesson_match import play_practice
from mia_cli.cli.tutorial.question import ask_question
from mia_cli.cli.tutorial.room import GoBack, Leave, Room, SkipStep
from mia_cli.cli.tutorial.scene import play_scene
from mia_cli.engine.seed import draw_seed
from mia_cli.rules.errors import MiaError
from mia_cli.text.tutorial import frame as text
from mia_cli.tutorial.lesson_match import PracticeMatch
from mia_cli.tutorial.progress import Progress
from mia_cli.tutorial.steps import Lesson, Practice, Scene, Step
from mia_cli.tutorial.store import ProgressStore

_ABOUT_RULES = ("mia", "lives", "practice")
"""Lessons whose text depends on the rules in use; these are shown before them."""


class ProgressSaver:
    """Saves progress; says once when that does not work, and keeps trying."""

    def __init__(self, store: ProgressStore | None, progress: Progress) -> None:
        self._store = store
        self._complained = store is None
        self.progress = progress
        self.saved = store is not None

    def keep(self, progress: Progress) -> None:
        """Take over ``progress`` and save it; never raises for a file system's reasons."""
        self.progress = progress
        if self._store is None:
            return
        try:
            self._store.save(progress)
            self.saved = True
        except MiaError as error:
            self.saved = False
            if not self._complained:
                self._complained = True
                streams.say_error(f"mia: {text.cannot_keep(error)}")


class Course:
    """The lessons, the room they take place in, and the person's place.

    ``preset`` names the rules in use. ``seed`` gives the practice matches their dice; None draws
    one for each.
    """

    def __init__(
        self,
        lessons: Sequence[Lesson],
        room: Room,
        saver: ProgressSaver,
        *,
        preset: str,
        seed: int | None = None,
    ) -> None:
        self._lessons = lessons
        self._room = room
        self._saver = saver
        self._preset = preset
        self._seed = seed
        self._is_first = True

    def take(self, only: Lesson | None) -> int:
        """Go on from the person's place, or take one lesson; returns the exit code.

        Raises KeyboardInterrupt after having said how to go on.
        """
        try:
            self._all() if only is None else self._one(only)
        except Leave as leave:
            self._left()
            return self._code(outcome.UNFINISHED if leave.ended else outcome.DONE)
        except BrokenPipeError:  # nobody reads any more; the place is kept
            streams.silence()
            return self._code(outcome.UNFINISHED)
        except KeyboardInterrupt:
            self._left()
            raise
        return self._code(outcome.DONE)

    def _code(self, code: int) -> int:
        return code if self._saver.saved else outcome.FILES

    def _left(self) -> None:
        self._room.say([text.left(self._saver.saved)])

    def _all(self) -> None:
        taken: set[str] = set()
        while (lesson := self._saver.progress.next_lesson(self._lessons, taken)) is not None:
            self._lesson(lesson)
            taken.add(lesson.id)
        self._close()

    def _one(self, lesson: Lesson) -> None:
        self._lesson(lesson)
        self._close()

    def _close(self) -> None:
        left = self._saver.progress.next_lesson(self._lessons)
        self._room.say(text.all_done() if left is None else [text.go_on()])

    def _lesson(self, lesson: Lesson) -> None:
        """From the step where the person is to the end of the lesson."""
        index = self._saver.progress.step_of(lesson)
        number = self._lessons.index(lesson) + 1
        self._room.space()
        self._room.say(text.heading(lesson, number, len(self._lessons), index))
        if self._is_first or lesson.id in _ABOUT_RULES:
            self._room.say([text.rules_line(self._room.rules, self._preset)])
        self._is_first = False
        if not self._saver.progress.of(lesson).comes_back:
            self._steps(lesson, lesson.steps, index, Progress.at)
        ids = self._saver.progress.of(lesson).missed
        missed = [step for step in lesson.steps if step.id in ids]
        if missed:
            self._room.space()
            self._room.say([text.comes_back(len(missed))])
        self._steps(lesson, missed, 0, Progress.coming_back)
        ended = self._saver.progress.ended(lesson)
        self._saver.keep(replace(ended, practice=None))
        self._room.space()
        self._room.say(text.lesson_over(number, ended.of(lesson)))
        if lesson == self._lessons[-1]:
            self._room.say([text.to_practice()])

    def _steps(
        self,
        lesson: Lesson,
        steps: Sequence[Step],
        index: int,
        before: Callable[[Progress, Lesson, int], Progress],
    ) -> None:
        """Take these steps of a lesson from ``index`` on; ``before`` gives the place at each."""
        while index < len(steps):
            step = steps[index]
            at = lesson.steps.index(step)
            self._saver.keep(before(self._saver.progress, lesson, at))
            right: bool | None = None
            try:
                right = self._step(lesson, step)
            except GoBack:
                if index == 0:
                    self._room.say([text.nothing_before()])
                index = max(0, index - 1)
                continue
            except SkipStep:
                self._room.say([text.skipped()])
            self._saver.progress = self._saver.progress.taken(lesson, step, right)
            index += 1

    def _step(self, lesson: Lesson, step: Step) -> bool:
        """Take a step; False where it was answered wrong to the end."""
        self._room.space()
        if isinstance(step, Practice):
            play_practice(self._room, lesson, step, self._practice(lesson, step), self._keep)
            return True
        if isinstance(step, Scene):
            return play_scene(self._room, lesson, step)
        return ask_question(self._room, lesson, step)

    def _practice(self, lesson: Lesson, step: Practice) -> PracticeMatch:
        """The match that was left at this step, or a new one."""
        kept = self._saver.progress.practice
        if kept is not None and kept.step == step.id:
            if kept.rules == self._room.rules:
                return kept
            self._room.say([text.practice_starts_anew()])
        seed = draw_seed() if self._seed is None else self._seed + lesson.steps.index(step)
        match = PracticeMatch(step.id, seed, self._room.rules)
        self._keep(match)
        return match

    def _keep(self, match: PracticeMatch) -> None:
        self._saver.keep(replace(self._saver.progress, practice=match))
