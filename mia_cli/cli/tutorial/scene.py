"""Plays one scene of a lesson: the engine, settled dice, and the person at real prompts."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.cli.play.person import legal_answer, legal_claim, why_not
from mia_cli.cli.tutorial.room import Room, fields_of, filled, seating, step_text
from mia_cli.engine.driver import Table, run
from mia_cli.engine.player import Decider, Player
from mia_cli.engine.seed import Stream
from mia_cli.rules.errors import MiaError, NotAllowed
from mia_cli.rules.events import Claimed, Event, Rolled, RoundStarted
from mia_cli.rules.match import Action, Observation
from mia_cli.rules.rolls import Claim, Roll
from mia_cli.text.language.line import Line
from mia_cli.text.play.asides import odds_lines
from mia_cli.text.play.narrate import Narrator
from mia_cli.text.play.prompts import prompt
from mia_cli.text.tutorial import frame as text
from mia_cli.text.tutorial import reasons
from mia_cli.text.tutorial.words import understand_anywhere
from mia_cli.tutorial.answers import PERSON, example, fits
from mia_cli.tutorial.scene import Actor, SceneOver, SettledDice, table_of
from mia_cli.tutorial.steps import Lesson, Scene, Wish

TRIES = 2
"""Decisions that are not allowed, or not the one asked for, before a scene goes on regardless."""


def play_scene(room: Room, lesson: Lesson, scene: Scene) -> bool:
    """Play the scene to its end and say why it ended so; False where it strayed from its subject.

    Raises Leave, SkipStep, GoBack.
    """
    sentences, fields = step_text(lesson, scene), fields_of(scene, room.rules, scene.seats)
    told = [filled(sentence, fields) for sentence in sentences.tell]
    room.say(told)
    table = table_of(scene, room.rules)
    narrator = Narrator(seating(scene.seats, room.rules))
    room.say(narrator.tell(table.events))
    learner = Learner(room, scene, told, sentences.tasks)
    players: list[Player] = [
        Decider(learner.decide),
        *(Actor(scene) for _ in range(1, scene.seats)),
    ]
    result, why = _play(room, table, narrator, players, scene)
    closing = "" if learner.strayed else sentences.after.get(result, "")
    room.say([why, filled(closing, fields)])
    return not learner.strayed


def _play(
    room: Room,
    table: Table,
    narrator: Narrator,
    players: Sequence[Player],
    scene: Scene,
) -> tuple[str, Line]:
    streams = [Stream(0, f"seat {seat}") for seat in range(1, scene.seats + 1)]
    try:
        for events in run(table, players, SettledDice(scene), lambda seat: streams[seat - 1]):
            # The next round is no part of the scene.
            room.say(narrator.tell(one for one in events if not isinstance(one, RoundStarted)))
            result = reasons.result_of(events, PERSON)
            if result is not None:
                return result, reasons.result_reason(result, events)
    except SceneOver:
        pass
    return "accepted", reasons.accepted_reason(*_last_claim(table.events))


def _last_claim(events: Sequence[Event]) -> tuple[Claim, Roll]:
    """The person's last claim, and the roll it was about."""
    claim = next(e for e in reversed(events) if isinstance(e, Claimed) and e.seat == PERSON)
    roll = next(e for e in reversed(events) if isinstance(e, Rolled) and e.seat == PERSON)
    assert roll.roll is not None
    return claim.claim, roll.roll


class Learner:
    """The person in a scene: decides by being asked, with a reason for whatever is typed.

    ``strayed`` once a decision stands that is not the one the scene is about.
    """

    def __init__(self, room: Room, scene: Scene, told: Sequence[str], tasks: Sequence[str]) -> None:
        self._room = room
        self._scene = scene
        self._told = told
        self._tasks = tasks
        self._decisions = 0
        self.strayed = False

    def decide(self, seen: Observation) -> Action:
        """Ask for the next decision. Raises SceneOver when the scene has no more to ask."""
        number = self._decisions
        if number == len(self._scene.wishes):
            raise SceneOver
        self._decisions += 1
        told = list(self._told)
        if number < len(self._tasks) and self._tasks[number]:
            above = seen.above.name if seen.above else ""
            task = filled(self._tasks[number], {**_fields(self._room, self._scene), "above": above})
            self._room.say([task])
            told = [task]
        aid = self._scene.aid if number == 0 else None
        return self._asked(seen, self._scene.wishes[number], told, aid)

    def _asked(self, seen: Observation, wish: Wish, told: Sequence[str], aid: str | None) -> Action:
        misses = unread = 0
        while True:
            typed, words = self._line(seen, told)
            aid = None if aid in words else aid
            try:
                action = decision(typed, seen)
            except MiaError as error:
                unread += not isinstance(error, NotAllowed)
                self._room.say([why_not(error, typed, seen)()])
                if not isinstance(error, NotAllowed):
                    self._room.say([text.way_out()] if unread % TRIES == 0 else [])
                    continue
                misses += 1
                if misses < TRIES:
                    continue
                action = example(wish, seen)
                self._room.say([reasons.played_for_you(action)])
            self._room.say(reasons.decision_reason(action, seen))
            if not fits(wish, action, seen):
                misses += 1
                if misses < TRIES:
                    self._room.say([reasons.redirection(wish.want)])
                    continue
                self._room.say([reasons.stands()])
                self.strayed = True
            if aid is not None:
                self._room.say([reasons.not_typed(aid), *self._aid(aid, seen)])
            return action

    def _line(self, seen: Observation, told: Sequence[str]) -> tuple[str, set[str]]:
        """The next line that may be a decision, and the words that were typed before it."""
        words: set[str] = set()
        while True:
            typed = self._room.hear(prompt(seen, seating(len(seen.lives), seen.rules)))
            word = understand_anywhere(typed)
            if word is None or word in ("accept", "challenge"):
                return typed, words
            self._room.at_decision(word, seen, told)
            words.add(word)

    def _aid(self, aid: str, seen: Observation) -> Sequence[Line | str]:
        return odds_lines(seen) if aid == "odds" else self._room.hint(seen)


def decision(typed: str, seen: Observation) -> Action:
    """The decision in a line. Raises CannotRead and NotAllowed as a match does."""
    return legal_claim(typed, seen) if seen.decision == "claim" else legal_answer(typed, seen)


def _fields(room: Room, scene: Scene) -> dict[str, str]:
    return dict(fields_of(scene, room.rules, scene.seats))
