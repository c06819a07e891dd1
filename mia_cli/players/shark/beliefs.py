"""What one shark knows and risks at one seat: models of the others, and its credit.

It reads the events of matches in order and says at any time how it would play. The same events
lead to the same state, whoever replays them, in one go or one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mia_cli.players.shark.model import LearningSettings, SeatModel
from mia_cli.players.shark.notice import Notice, NoticeLog
from mia_cli.players.shark.reader import PublicStage, Reader
from mia_cli.players.shark.response import ALL_STANDINGS, ExpectedTables, Plan, respond
from mia_cli.players.shark.risk import Credit, RiskLimits
from mia_cli.players.shark.stage_solution import StageSolution, StageSolutions
from mia_cli.players.shark.stage_tables import StageTables, answering, gift, idle, rolling
from mia_cli.rules.events import Event
from mia_cli.rules.match import in_playing_order
from mia_cli.theory.rule_arrays import SUPPORTS

Memory = Sequence[tuple[Sequence[Event], Mapping[int, int]]]
"""Matches of earlier days with, for each, which seat here a seat of that match is."""
_TOGETHER = 200
"""Stages of a memory whose solutions are worked out at once."""


@dataclass(frozen=True, slots=True)
class _Planned:
    """A best response for these lives and standing claims."""

    lives: tuple[int, ...]
    standings: range
    plan: Plan


class Beliefs:
    """One seat's view of a series of matches. ``credit``: what it may still lose."""

    def __init__(
        self, seat: int, solutions: StageSolutions, settings: LearningSettings, limits: RiskLimits
    ) -> None:
        self.seat = seat
        self.credit = Credit(limits)
        self._solutions, self._settings = solutions, settings
        self._models: dict[int, SeatModel] = {}
        self._logs: dict[int, NoticeLog] = {}
        self._reader = Reader(seat)
        self._planned: _Planned | None = None

    def copy(self) -> Beliefs:
        """Beliefs that go on by themselves from here."""
        other = self.at_seat(self.seat)
        other.credit.left = self.credit.left
        other._reader, other._planned = self._reader.copy(), self._planned
        return other

    def at_seat(self, seat: int) -> Beliefs:
        """What is known of the other seats, with a new credit, between two matches."""
        other = Beliefs(seat, self._solutions, self._settings, self.credit.limits)
        others = [known for known in self._models if known != seat]
        other._models = {known: self._models[known].copy() for known in others}
        other._logs = {known: self._logs[known].copy() for known in others}
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
                self._learn(stage, stage.roller, stage.answering)
                self._planned = None

    def remember(self, matches: Memory) -> None:
        """Learn from matches that are over: no roll that was not shown, and nothing of credit.

        What lies beyond the solved tables is learned by the nearest lives that are solved.
        """
        heard = [(stage, seats) for events, seats in matches for stage in _public(events, seats)]
        for first in range(0, len(heard), _TOGETHER):
            some = heard[first : first + _TOGETHER]
            self._solutions.prepare(self._near(stage) for stage, _ in some)
            for stage, seats in some:
                self._learn(stage, seats.get(stage.roller, 0), seats.get(stage.answering, 0))
        self._planned = None

    def tables(
        self, lives: tuple[int, ...], roller: int, standings: range = ALL_STANDINGS
    ) -> StageTables:
        """How it plays with these lives by seat while the seat ``roller`` rolls.

        One standing claim takes a third of the time of all. Raises BadRuleSet("not_solved")
        beyond the solved tables.
        """
        solution, place = self._stage_solution(lives, roller, self.seat)
        if place > 1:
            return idle(solution, standings)
        play, plan = (answering if place else rolling), self._plan(lives, standings)
        return play(solution, plan, self.credit, standings)

    def noticed(self, seat: int) -> tuple[Notice, ...]:
        """What stands out in another seat's play, the most telling first."""
        return self._logs[seat].notices(seat) if seat in self._logs else ()

    def _learn(self, stage: PublicStage, roller: int, answered: int) -> None:
        """``roller`` and ``answered`` are the seats here, 0 for a seat that is nobody here."""
        solution = self._solutions(self._near(stage))
        if roller not in (0, self.seat):
            model, log = self._model(roller)
            model.claimed(solution.solved, stage.standing, stage.claim, stage.shown)
            log.claimed(solution.solved, stage)
        if answered not in (0, self.seat):
            model, log = self._model(answered)
            model.answered(solution.solved, stage.standing, stage.claim, stage.shown is not None)
            log.answered(solution.solved, stage)

    def _settle(self, stage: PublicStage) -> None:
        solution, place = self._stage_solution(stage.lives, stage.roller, self.seat)
        here = range(stage.standing, stage.standing + 1)
        if not self.tables(stage.lives, stage.roller, here).free[0]:
            self.credit.settle(gift(solution, place, stage))
            return
        if stage.shown is None:
            end = solution.accepted
        else:
            end = solution.held if SUPPORTS[stage.shown, stage.claim] else solution.caught
        before = solution.values[stage.standing, place]
        if place == 0 and stage.own is not None:
            before = solution.rolls[stage.standing, stage.own]
        self.credit.settle(float(end[stage.claim, place] - before))

    def _plan(self, lives: tuple[int, ...], standings: range) -> Plan:
        known = self._planned
        if known is None or (known.lives, known.standings) != (lives, standings):
            order = (*range(self.seat, len(lives) + 1), *range(1, self.seat))
            seats = [seat for seat in order if lives[seat - 1]]
            solutions = [self._stage_solution(lives, seat, seat)[0] for seat in seats]
            habits = [
                self._habits(seat, solutions[at], solutions[at - 1])
                for at, seat in enumerate(seats)
                if at
            ]
            known = _Planned(lives, standings, respond(solutions, habits, standings))
            self._planned = known
        return known.plan

    def _habits(self, seat: int, rolls: StageSolution, answers: StageSolution) -> ExpectedTables:
        model, _ = self._model(seat)
        return ExpectedTables(*model.masses(rolls.solved), model.challenges(answers.solved))

    def _model(self, seat: int) -> tuple[SeatModel, NoticeLog]:
        if seat not in self._models:
            self._models[seat], self._logs[seat] = SeatModel(self._settings), NoticeLog()
        return self._models[seat], self._logs[seat]

    def _stage_solution(
        self, lives: tuple[int, ...], roller: int, seat: int
    ) -> tuple[StageSolution, int]:
        """The stage from where ``roller`` sits, solved, and the place of ``seat`` from there."""
        between = (*lives, *lives)[roller - 1 : roller - 1 + (seat - roller) % len(lives)]
        return self._solutions(in_playing_order(lives, roller)), sum(left > 0 for left in between)

    def _near(self, stage: PublicStage) -> tuple[int, ...]:
        return self._solutions.near(in_playing_order(stage.lives, stage.roller))


def _public(events: Iterable[Event], seats: Mapping[int, int]) -> Iterator[PublicStage]:
    """The stages of a match in which one of ``seats`` acts, as everybody may know them."""
    reader = Reader(None)
    for event in events:
        stage = reader.hear(event)
        if stage is not None and (stage.roller in seats or stage.answering in seats):
            yield stage
