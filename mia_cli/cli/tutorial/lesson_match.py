"""Plays a practice match: a real match on the engine, kept with the tutorial and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mia_cli.cli.play.person import why_not
from mia_cli.cli.tutorial.room import Room, fields_of, filled, seating, step_text
from mia_cli.cli.tutorial.scene import TRIES, decision
from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.player import Decider
from mia_cli.engine.seed import Stream
from mia_cli.players.registry import make
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import MatchOver, RoundStarted
from mia_cli.rules.match import Action, Observation
from mia_cli.text.advice import comment_lines
from mia_cli.text.play.narrate import Narrator
from mia_cli.text.play.prompts import prompt
from mia_cli.text.tutorial import frame as text
from mia_cli.text.tutorial import reasons
from mia_cli.text.tutorial.words import understand_anywhere
from mia_cli.tutorial.answers import PERSON
from mia_cli.tutorial.lesson_match import SEATS, PracticeMatch
from mia_cli.tutorial.steps import Lesson, Practice

Keep = Callable[[PracticeMatch], None]


def play_practice(
    room: Room, lesson: Lesson, step: Practice, match: PracticeMatch, keep: Keep
) -> None:
    """Play ``match`` to its end; ``keep`` saves it after every action, before it is shown.

    Raises Leave, SkipStep, GoBack.
    """
    sentences, fields = step_text(lesson, step), fields_of(step, room.rules, SEATS)
    told = [filled(sentence, fields) for sentence in sentences.tell]
    room.say(told)
    table, narrator = match.table(), Narrator(seating(SEATS, match.rules))
    _begin(room, match, table, narrator)
    trainee = Trainee(room, told, comments=step.comments)
    players = [Decider(trainee.decide), make(step.level, match.rules, SEATS)]
    streams = [Stream(match.seed, f"seat {seat}") for seat in range(1, SEATS + 1)]
    for events in run(table, players, SeededDice(match.seed), lambda seat: streams[seat - 1]):
        match = match.after(events)
        if table.match.winner is None:
            keep(match)
        room.say_all(narrator.tell(events))
    won = isinstance(last := table.events[-1], MatchOver) and last.winner == PERSON
    room.say([filled(sentences.after["won" if won else "lost"], fields)])


def _begin(room: Room, match: PracticeMatch, table: Table, narrator: Narrator) -> None:
    if not match.decisions:
        room.say_all(narrator.tell(table.events))
        return
    room.say([text.practice_goes_on()])
    starts = [at for at, event in enumerate(table.events) if isinstance(event, RoundStarted)]
    retold = Narrator(seating(SEATS, match.rules), retold=True)
    room.say_all(retold.tell_all(table.events[starts[-1] :]))


class Trainee:
    """The person in a practice match; every legal decision stands."""

    def __init__(self, room: Room, told: Sequence[str], *, comments: bool) -> None:
        self._room = room
        self._told = told
        self._comments = comments

    def decide(self, seen: Observation) -> Action:
        """Ask until a decision is legal; every legal one stands."""
        misses = 0
        while True:
            typed = self._room.hear(prompt(seen, seating(SEATS, seen.rules)))
            word = understand_anywhere(typed)
            if word is not None and word not in ("accept", "challenge"):
                self._room.at_decision(word, seen, self._told)
                continue
            try:
                action = decision(typed, seen)
            except MiaError as error:
                misses += 1
                self._room.say([why_not(error, typed, seen)()])
                if misses % TRIES == 0:
                    self._room.say([text.way_out()])
                continue
            if self._comments:
                self._comment(action, seen)
            return action

    def _comment(self, action: Action, seen: Observation) -> None:
        self._room.say(reasons.decision_reason(action, seen))
        objection = self._room.adviser.objection(seen, action)
        if objection is not None:
            self._room.say(comment_lines(objection, seen, action))
