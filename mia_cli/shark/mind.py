"""What one shark knows and risks at one seat: models of the others, and its credit.

It reads the events of matches in order and says at any time how it would play. The same events
lead to the same state, whoever replays them, in one go or one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mia_cli.rules.events import Event
from mia_cli.shark.ground import Ground, Grounds
from mia_cli.shark.model import SeatModel, Settings
from mia_cli.shark.notice import Log, Notice
from mia_cli.shark.reader import Reader, Stage
from mia_cli.shark.respond import Habits, Plan, respond
from mia_cli.shark.risk import Credit, Limits
from mia_cli.shark.tables import Tables, answering, gift, idle, rolling
from mia_cli.theory.tables import SUPPORTS


@dataclass(frozen=True, slots=True)
class _Planned:
    """A best response for these lives."""

    lives: tuple[int, ...]
    plan: Plan


class Mind:
    """One seat's view of a series of matches. ``credit``: what it may still lose."""

    def __init__(self, seat: int, grounds: Grounds, settings: Settings, limits: Limits) -> None:
        self.seat = seat
        self.credit = Credit(limits)
        self._grounds, self._settings = grounds, settings
        self._models: dict[int, SeatModel] = {}
        self._logs: dict[int, Log] = {}
        self._reader = Reader(seat)
        self._planned: _Planned | None = None

    def copy(self) -> Mind:
        """A mind that goes on by itself from here."""
        other = Mind(self.seat, self._grounds, self._settings, self.credit.limits)
        other.credit.left = self.credit.left
        other._models = {seat: model.copy() for seat, model in self._models.items()}
        other._logs = {seat: log.copy() for seat, log in self._logs.items()}
        other._reader, other._planned = self._reader.copy(), self._planned
        return other

    def hear(self, events: Iterable[Event]) -> None:
        """Take in what happened next; of rolls only those that this seat may know.

        Raises BadRuleSet("not_solved") beyond the solved tables.
        """
        for event in events:
            stage = self._reader.hear(event)
            if stage is not None:
                if self.seat in (stage.roller, stage.answering):
                    self._settle(stage)
                self._learn(stage, {})
                self._planned = None

    def remember(self, events: Iterable[Event], seats: Mapping[int, int]) -> None:
        """Learn from a match that is over: no roll that was not shown, and nothing of credit.

        ``seats``: which seat here a seat of that match is; others are left out. Raises BadRuleSet.
        """
        reader = Reader(None)
        there = {old: seats.get(old, 0) for old in range(1, 7)}
        for event in events:
            stage = reader.hear(event)
            if stage is not None:
                self._learn(stage, there)
        self._planned = None

    def tables(self, lives: tuple[int, ...], roller: int) -> Tables:
        """How it plays with these lives by seat while the seat ``roller`` rolls.

        Raises BadRuleSet("not_solved") beyond the solved tables.
        """
        ground, place = self._ground(lives, roller, self.seat)
        if place > 1:
            return idle(ground)
        found = self._plan(lives)
        if place == 0:
            return rolling(ground, found.plan, self.credit)
        return answering(ground, found.plan, self.credit)

    def noticed(self, seat: int) -> tuple[Notice, ...]:
        """What stands out in another seat's play, the most telling first."""
        return self._logs[seat].notices(seat) if seat in self._logs else ()

    def _learn(self, stage: Stage, there: Mapping[int, int]) -> None:
        """``there``: seats of the stage as seats here, 0 for a seat that is nobody here."""
        ground, _ = self._ground(stage.lives, stage.roller, stage.roller)
        roller = there.get(stage.roller, stage.roller)
        answered = there.get(stage.answering, stage.answering)
        if roller not in (0, self.seat):
            model, log = self._model(roller)
            model.claimed(ground.solved, stage.standing, stage.claim, stage.shown)
            log.claimed(ground.solved, stage)
        if answered not in (0, self.seat):
            model, log = self._model(answered)
            model.answered(ground.solved, stage.standing, stage.claim, stage.shown is not None)
            log.answered(ground.solved, stage)

    def _settle(self, stage: Stage) -> None:
        ground, place = self._ground(stage.lives, stage.roller, self.seat)
        if not self.tables(stage.lives, stage.roller).free[stage.standing]:
            self.credit.settle(gift(ground, place, stage))
            return
        if stage.shown is None:
            end = ground.accepted
        else:
            end = ground.held if SUPPORTS[stage.shown, stage.claim] else ground.caught
        before = ground.values[stage.standing, place]
        if place == 0 and stage.own is not None:
            before = ground.rolls[stage.standing, stage.own]
        self.credit.settle(float(end[stage.claim, place] - before))

    def _plan(self, lives: tuple[int, ...]) -> _Planned:
        if self._planned is None or self._planned.lives != lives:
            order = (*range(self.seat, len(lives) + 1), *range(1, self.seat))
            seats = [seat for seat in order if lives[seat - 1]]
            grounds = [self._ground(lives, seat, seat)[0] for seat in seats]
            habits = [
                self._habits(seat, grounds[at], grounds[at - 1])
                for at, seat in enumerate(seats)
                if at
            ]
            self._planned = _Planned(lives, respond(grounds, habits))
        return self._planned

    def _habits(self, seat: int, rolls: Ground, answers: Ground) -> Habits:
        model, _ = self._model(seat)
        return Habits(*model.masses(rolls.solved), model.challenges(answers.solved))

    def _model(self, seat: int) -> tuple[SeatModel, Log]:
        if seat not in self._models:
            self._models[seat], self._logs[seat] = SeatModel(self._settings), Log()
        return self._models[seat], self._logs[seat]

    def _ground(self, lives: tuple[int, ...], roller: int, seat: int) -> tuple[Ground, int]:
        """The ground from where ``roller`` sits, and the place of ``seat`` from there."""
        turned = (*lives[roller - 1 :], *lives[: roller - 1])
        between = turned[: (seat - roller) % len(lives)]
        living = tuple(left for left in turned if left)
        return self._grounds(living), sum(left > 0 for left in between)
