"""What a lesson is made of: questions, scenes at a table, and practice matches.

A step is data. What is right follows from the rules, never from the step itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Want = Literal["truth", "understate", "bluff", "any", "accept", "challenge", "either"]
"""What a scene asks for; ``any`` and ``either`` leave it to the person."""
Reply = Literal["accept", "challenge"]


@dataclass(frozen=True, slots=True)
class NameRoll:
    """Two dice fell, in this order: what is the roll called?"""

    id: str
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Compare:
    """Which of two rolls ranks higher?"""

    id: str
    rolls: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Holds:
    """Does this roll support this claim? Yes or no."""

    id: str
    roll: str
    claim: str


@dataclass(frozen=True, slots=True)
class MayRollFirst:
    """May one roll before one answers ``claim``? The rules say no."""

    id: str
    claim: str


@dataclass(frozen=True, slots=True)
class WhichSeat:
    """Which seat is it? ``about`` names the rule that tells.

    ``loser``: seat ``seat`` claimed ``claim`` with ``roll`` and seat 1 challenges. ``shown``: seat
    ``seat`` claimed last and is challenged. ``leader``: seat ``seat`` has lost and ``lives`` are
    left. ``answers``: seat ``seat`` claims at a table with ``lives``.
    """

    id: str
    about: Literal["loser", "shown", "leader", "answers"]
    seat: int
    lives: tuple[int, ...]
    roll: str = ""
    claim: str = ""


@dataclass(frozen=True, slots=True)
class LivesCount:
    """How many lives? ``lost`` by, or ``left`` to, a seat that had ``before`` (None: all lives).

    It is about a claim of 21.
    """

    id: str
    about: Literal["lost", "left"]
    roll: str
    before: int | None = None


@dataclass(frozen=True, slots=True)
class TypeWord:
    """Type a word that works at every prompt."""

    id: str
    word: Literal["rank"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person is asked to do, and ``example``: a way to do it, should nothing else come."""

    want: Want
    example: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A round on the engine with dice and opponents that are settled beforehand.

    ``dice`` fall in this order, whoever rolls. ``said`` are the claims of the other seats in
    order; where one may not be made, or none is left, they claim as little as they can. ``reply``
    is how the seat after the person answers. ``lives`` None: all seats have all their lives. The
    scene ends with the round, or when the person would have to decide without a wish. With
    ``aid`` the person is asked to type that word first.
    """

    id: str
    dice: tuple[str, ...]
    wishes: tuple[Wish, ...]
    leader: int = 1
    seats: int = 2
    said: tuple[str, ...] = ()
    reply: Reply = "challenge"
    lives: tuple[int, ...] | None = None
    aid: Literal["odds", "hint"] | None = None


@dataclass(frozen=True, slots=True)
class Practice:
    """A whole match against one CPU player, with comments or without."""

    id: str
    level: str
    comments: bool


Question = NameRoll | Compare | Holds | MayRollFirst | WhichSeat | LivesCount | TypeWord
Step = Question | Scene | Practice


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps in order. ``id`` stands in the person's progress for ever."""

    id: str
    steps: tuple[Step, ...]

    def position(self, step_id: str | None) -> int | None:
        """Index of a step, None when this version has no such step."""
        ids = [step.id for step in self.steps]
        return ids.index(step_id) if step_id in ids else None


def by_id(lessons: Sequence[Lesson], lesson_id: str | None) -> Lesson | None:
    """The lesson with this id, or None."""
    return next((lesson for lesson in lessons if lesson.id == lesson_id), None)
