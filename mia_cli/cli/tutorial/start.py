"""From the options of ``mia tutorial`` to a list of lessons or a course that is ready to go."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mia_cli.cli import outcome, outputs, streams
from mia_cli.cli.play.help_used import Adviser
from mia_cli.cli.tutorial.course import Course, ProgressSaver
from mia_cli.cli.tutorial.room import Room
from mia_cli.engine.seed import parse_seed
from mia_cli.presets import TableSettings, resolve
from mia_cli.rules.errors import BadRecord, CannotRead, MiaError, NotAllowed
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.catalogue import speaking
from mia_cli.text.tutorial import frame as text
from mia_cli.tutorial.lesson_match import SEATS
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.progress import Progress
from mia_cli.tutorial.steps import Lesson, by_id
from mia_cli.tutorial.store import ProgressStore, tutorial_dir

_TABLE_VARIABLES = ("MIA_PLAYERS", "MIA_CPU")


@dataclass(frozen=True, slots=True)
class TutorialRequest:
    """The options of ``mia tutorial`` as they were typed."""

    show_list: bool = False
    lesson: str | None = None
    restart: bool = False
    rules: str | None = None
    seed: str | None = None
    as_json: bool = False

    def check(self) -> None:
        """Refuse options that make no sense together. Raises NotAllowed."""
        if self.as_json and not self.show_list:
            raise NotAllowed("needs_option", option="--json", other="--list")
        if self.show_list:
            for option, given in (("--lesson", self.lesson), ("--restart", self.restart or None)):
                if given is not None:
                    raise NotAllowed("not_together", option="--list", other=option)


def wanted_lesson(typed: str | None) -> Lesson | None:
    """The lesson of ``--lesson``, by number or id; None without. Raises CannotRead."""
    if typed is None:
        return None
    plain = typed.strip()
    numbers = {str(number): lesson for number, lesson in enumerate(LESSONS, start=1)}
    lesson = numbers.get(plain) or by_id(LESSONS, plain.lower())
    if lesson is None:
        raise CannotRead("bad_choice", value=typed, place="--lesson", allowed=tuple(numbers))
    return lesson


def settings(rules: str | None, environ: Mapping[str, str]) -> TableSettings:
    """The rules in use; the seats and levels of a match do not matter here. Raises MiaError."""
    plain = {key: value for key, value in environ.items() if key not in _TABLE_VARIABLES}
    return resolve(plain, rules=rules, lives=None, penalty_21=None, players=None, cpus=())


def list_lessons(request: TutorialRequest) -> int:
    """Show the lessons and how far the person is; exit code 4 when that cannot be read."""
    code = outcome.DONE
    try:
        progress = ProgressStore(tutorial_dir()).load()
    except MiaError as error:
        streams.say_error(f"mia: {sentence(error)}")
        progress, code = Progress(), outcome.FILES
    if request.as_json:
        with speaking("en"):
            outputs.write_json(document(progress))
        return code
    outputs.say([text.list_lines(LESSONS, progress)])
    return code


def document(progress: Progress) -> dict[str, object]:
    """The list as JSON: ``step`` counts from 1 and is null where nobody is inside the lesson."""
    following = progress.next_lesson(LESSONS)
    return {
        "schema": "mia.lessons/1",
        "lessons": [
            {
                "lesson": number,
                "id": lesson.id,
                "title": text.title(lesson),
                "done": (known := progress.of(lesson)).done,
                "step": None if known.step is None else progress.step_of(lesson) + 1,
                "steps": len(lesson.steps),
            }
            for number, lesson in enumerate(LESSONS, start=1)
        ],
        "next": None if following is None else following.id,
    }


def take_lessons(request: TutorialRequest, environ: Mapping[str, str] = os.environ) -> int:
    """Take the lessons; returns the exit code. Raises MiaError for bad options."""
    only = wanted_lesson(request.lesson)
    chosen = settings(request.rules, environ)
    seed = None if request.seed is None else parse_seed(request.seed)
    saver, is_new = _saver(restart=request.restart)
    adviser = Adviser(chosen.rules, SEATS, tutors=True, note=_not_noted)
    room = Room(chosen.rules, adviser)
    greeting = text.welcome(len(LESSONS)) if is_new else text.welcome_back()
    try:
        room.say([greeting, text.words_line()])
    except BrokenPipeError:  # nobody reads even the greeting
        streams.silence()
        return outcome.UNFINISHED
    return Course(LESSONS, room, saver, preset=chosen.preset, seed=seed).take(only)


def _not_noted(_aid: str) -> None:
    """Hints in the tutorial go into no record."""


def _saver(*, restart: bool) -> tuple[ProgressSaver, bool]:
    """Progress and where it is kept, and whether the person is new.

    Raises BadRecord("newer_schema"): the file of a newer version is left alone. A damaged file is
    moved aside; where nothing can be kept, the tutorial runs all the same.
    """
    try:
        store = ProgressStore(tutorial_dir())
        progress = _loaded(store)
        store.check_writable()
    except BadRecord:
        raise
    except MiaError as error:
        streams.say_error(f"mia: {text.cannot_keep(error)}")
        return ProgressSaver(None, Progress()), True
    if restart:
        progress = replace(progress, lessons={}, current=None, practice=None)
    return ProgressSaver(store, progress), not progress.lessons


def _loaded(store: ProgressStore) -> Progress:
    try:
        return store.load()
    except BadRecord as error:
        if error.code == "newer_schema":
            raise
        streams.say_error(f"mia: {text.set_aside(error, store.keep_aside().name)}")
        return Progress()
