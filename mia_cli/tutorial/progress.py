"""How far the person has come, as a value and as JSON (``mia.tutorial/1``).

Everything goes by the ids of lessons and steps, never by their numbers. Ids this version does not
know are kept as they are: a lesson that was finished stays finished, whichever version saves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mia_cli.records.head import ruleset_to_json
from mia_cli.records.shapes import seed_from_json, seed_to_json
from mia_cli.rules.errors import BadRecord, BadRuleSet
from mia_cli.rules.ruleset import RuleSet
from mia_cli.tutorial.lesson_match import PracticeMatch
from mia_cli.tutorial.steps import Lesson, Step, by_id

SCHEMA = "mia.tutorial/1"
_PREFIX = "mia.tutorial/"


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """``done``: finished once, for good. ``step``: where the person is, None when not inside.

    ``passed``: ids of the steps that were answered since the lesson was last begun; ``missed``: of
    those answered wrong to the end, which come back. ``comes_back``: the person is at these.
    """

    done: bool = False
    step: str | None = None
    passed: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    comes_back: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """Lessons by id, the lesson the person is in, and the practice match that is being played."""

    lessons: Mapping[str, LessonProgress] = field(default_factory=dict)
    current: str | None = None
    practice: PracticeMatch | None = None
    extra: Mapping[str, object] = field(default_factory=dict)

    def of(self, lesson: Lesson) -> LessonProgress:
        """The progress in one lesson."""
        return self.lessons.get(lesson.id, LessonProgress())

    def step_of(self, lesson: Lesson) -> int:
        """Index of the step to go on with, 0 for a lesson that was not begun or is finished.

        A step that this version no longer has is the first one that was not passed.
        """
        known = self.of(lesson)
        if known.step is None:
            return 0
        found = lesson.position(known.step)
        if found is not None:
            return found
        rest = (at for at, step in enumerate(lesson.steps) if step.id not in known.passed)
        return next(rest, len(lesson.steps) - 1)

    def at(self, lesson: Lesson, index: int, passed: Sequence[str] = ()) -> Progress:
        """The person stands before the step ``index``; steps in ``passed`` are behind it."""
        before = self.of(lesson)
        if index == 0 and not passed:
            now = LessonProgress(before.done, lesson.steps[0].id)
        else:
            both = tuple(dict.fromkeys((*before.passed, *passed)))
            now = replace(before, step=lesson.steps[index].id, passed=both)
        return self._with(lesson, now)

    def taken(self, lesson: Lesson, step: Step, right: bool | None) -> Progress:
        """The step was answered, or skipped (None). One that is not right comes back, once."""
        before = self.of(lesson)
        answered = () if right is None else (step.id,)
        missed = [one for one in before.missed if one != step.id]
        if right is False and not before.comes_back:
            missed.append(step.id)
        passed = tuple(dict.fromkeys((*before.passed, *answered)))
        return self._with(lesson, replace(before, passed=passed, missed=tuple(missed)))

    def coming_back(self, lesson: Lesson, index: int) -> Progress:
        """The person stands before the step ``index``, which has come back."""
        now = replace(self.of(lesson), step=lesson.steps[index].id, comes_back=True)
        return self._with(lesson, now)

    def ended(self, lesson: Lesson) -> Progress:
        """The lesson is over, and done if any step of it was answered."""
        known = self.of(lesson)
        return self.finished(lesson, done=known.done or bool(known.passed))

    def finished(self, lesson: Lesson, *, done: bool = True) -> Progress:
        """The person is out of the lesson."""
        return replace(self._with(lesson, LessonProgress(done)), current=None)

    def _with(self, lesson: Lesson, known: LessonProgress) -> Progress:
        return replace(self, lessons={**self.lessons, lesson.id: known}, current=lesson.id)

    def next_lesson(
        self, lessons: Sequence[Lesson], left_out: Collection[str] = ()
    ) -> Lesson | None:
        """The lesson the person is in, else the first that is not done; None when all are.

        Lessons whose ids are in ``left_out`` are passed over.
        """
        current = by_id(lessons, self.current)
        if current is not None and self.of(current).step is not None:
            return current
        open_ = (one for one in lessons if not self.of(one).done and one.id not in left_out)
        return next(open_, None)


def to_document(progress: Progress) -> dict[str, object]:
    """The JSON object of a progress."""
    return {
        **progress.extra,
        "schema": SCHEMA,
        "current": progress.current,
        "lessons": [
            {
                "lesson": key,
                "done": one.done,
                "step": one.step,
                "passed": list(one.passed),
                "missed": list(one.missed),
                "comes_back": one.comes_back,
            }
            for key, one in progress.lessons.items()
        ],
        "practice": None if progress.practice is None else _practice_document(progress.practice),
    }


def _practice_document(practice: PracticeMatch) -> dict[str, object]:
    return {
        "step": practice.step,
        "seed": seed_to_json(practice.seed),
        "ruleset": ruleset_to_json(practice.rules),
        "decisions": list(practice.decisions),
    }


def from_document(document: object) -> Progress:
    """Read the JSON object of a progress.

    Raises BadRecord: ``newer_schema`` (value, allowed), otherwise ``not_progress`` (field). A
    practice match that the rules contradict is left out: it can be started again.
    """
    if not isinstance(document, dict):
        raise BadRecord("not_progress", field="schema")
    _require_schema(document.get("schema"))
    current = document.get("current")
    if not (current is None or isinstance(current, str)):
        raise BadRecord("not_progress", field="current")
    listed = document.get("lessons")
    if not isinstance(listed, list):
        raise BadRecord("not_progress", field="lessons")
    known = ("schema", "current", "lessons", "practice")
    return Progress(
        lessons=dict(map(_lesson, listed)),
        current=current,
        practice=_practice(document.get("practice")),
        extra={key: value for key, value in document.items() if key not in known},
    )


def _require_schema(value: object) -> None:
    if value == SCHEMA:
        return
    number = value.removeprefix(_PREFIX) if isinstance(value, str) else ""
    if isinstance(value, str) and value.startswith(_PREFIX) and number.isdecimal():
        raise BadRecord("newer_schema", value=value, allowed=SCHEMA)
    raise BadRecord("not_progress", field="schema")


def _lesson(entry: object) -> tuple[str, LessonProgress]:
    if isinstance(entry, dict):
        key, done = entry.get("lesson"), entry.get("done")
        step, comes_back = entry.get("step"), entry.get("comes_back", False)
        passed, missed = entry.get("passed", []), entry.get("missed", [])
        if (
            isinstance(key, str)
            and isinstance(done, bool)
            and (step is None or isinstance(step, str))
            and isinstance(comes_back, bool)
            and _are_ids(passed)
            and _are_ids(missed)
        ):
            return key, LessonProgress(done, step, tuple(passed), tuple(missed), comes_back)
    raise BadRecord("not_progress", field="lessons")


def _are_ids(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _practice(value: object) -> PracticeMatch | None:
    if not isinstance(value, dict):
        return None
    rules, step, decisions = value.get("ruleset"), value.get("step"), value.get("decisions")
    if not (isinstance(rules, dict) and isinstance(step, str) and isinstance(decisions, list)):
        return None
    try:
        practice = PracticeMatch(
            step=step,
            seed=seed_from_json(value.get("seed")),
            rules=RuleSet(rules.get("lives", 0), rules.get("penalty_21", 0)),
            decisions=tuple(map(str, decisions)),
        )
    except (ValueError, BadRuleSet):
        return None
    return practice if practice.is_sound() else None
