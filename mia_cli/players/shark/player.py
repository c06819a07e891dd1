"""The ``shark`` as a player of the engine, with what it keeps from match to match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mia_cli.engine.policy import position, sample
from mia_cli.players.shark.beliefs import Beliefs, Memory
from mia_cli.players.shark.model import LearningSettings
from mia_cli.players.shark.notice import Notice
from mia_cli.players.shark.risk import RiskLimits
from mia_cli.players.shark.stage_solution import StageSolutions
from mia_cli.players.shark.stage_tables import StageTables
from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.events import Event, seen_by
from mia_cli.rules.match import (
    Accept,
    Action,
    Answer,
    Challenge,
    MakeClaim,
    Observation,
)
from mia_cli.rules.rolls import Claim, Roll, claims_above
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory.solution import Solution

History = tuple[Event, ...]
REMEMBERED = 60
"""Matches of a memory that are used, the latest: older ones would weigh next to nothing."""


@dataclass(frozen=True, slots=True)
class Intent:
    """The legal actions with their chances; ``leaves``: a habit is turned to account, otherwise
    the solution is played."""

    options: tuple[tuple[Action, float], ...]
    leaves: bool


class _Seat:
    """Beliefs before the current match, and after some of it was read."""

    def __init__(self, before: Beliefs) -> None:
        self.before = before
        self.read: History = ()
        self.now = before.copy()

    def at(self, history: History) -> Beliefs:
        """The beliefs after these events of the current match."""
        known = len(self.read)
        if history[:known] != self.read:
            self.now, known = self.before.copy(), 0
        self.now.hear(history[known:])
        self.read = history
        return self.now


class Shark:
    """Learns from ``seen.history`` as a match goes on; ``end_match`` takes it to the next.

    Its decisions follow from the memory it was made with, the matches ended since, the
    observation and the number: nothing else. A match that is taken up again in the middle,
    with the same matches before it, goes on with the same decisions. One object may sit at
    several seats: what a seat sees stays at that seat.
    """

    def __init__(
        self,
        solution: Solution,
        memory: Memory = (),
        settings: LearningSettings | None = None,
        limits: RiskLimits | None = None,
    ) -> None:
        self._solutions = StageSolutions(solution)
        self._settings, self._limits = settings or LearningSettings(), limits or RiskLimits()
        self.memory = tuple(memory)[-REMEMBERED:]
        self._ended: list[History] = []
        self._known: Beliefs | None = None
        self._seats: dict[int, _Seat] = {}

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Sample a claim. Raises BadRuleSet("not_solved") beyond the solved tables."""
        row = self._tables(seen).claims[0, _row(seen.roll)]
        return claims_above(seen.above)[sample(row[position(seen.above) :].tolist(), uniform)]

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Sample an answer. Raises BadRuleSet("not_solved") beyond the solved tables."""
        assert seen.claim is not None, "an answer is asked of the seat that heard a claim"
        if seen.claim.must_be_challenged:
            return Challenge()
        probability = self._tables(seen).challenges[0, _row(seen.claim)]
        return Challenge() if uniform < probability else Accept()

    def intent(self, seen: Observation) -> Intent:
        """What it would do, without deciding. Raises BadRuleSet("not_solved")."""
        tables = self._tables(seen)
        leaves = bool(tables.free[0])
        if seen.decision == "claim":
            row = tables.claims[0, _row(seen.roll)].tolist()
            claims = claims_above(seen.above)
            options = tuple((MakeClaim(claim), row[_row(claim)]) for claim in claims)
            return Intent(options, leaves)
        assert seen.claim is not None, "an answer is asked of the seat that heard a claim"
        if seen.claim.must_be_challenged:
            return Intent(((Challenge(), 1.0),), False)
        probability = float(tables.challenges[0, _row(seen.claim)])
        return Intent(((Accept(), 1.0 - probability), (Challenge(), probability)), leaves)

    def _tables(self, seen: Observation) -> StageTables:
        """How it plays after the claim that stands here, and no other."""
        here = range(position(seen.above), position(seen.above) + 1)
        return self.beliefs(seen.seat, seen.history).tables(seen.lives, seen.roller, here)

    def beliefs(self, seat: int, history: History = ()) -> Beliefs:
        """What this seat knows after these events of the current match; not to be changed."""
        if seat not in self._seats:
            beliefs = self._knowing().at_seat(seat)
            for ended in self._ended:
                beliefs.hear(seen_by(event, seat) for event in ended)
            self._seats[seat] = _Seat(beliefs)
        return self._seats[seat].at(history)

    def end_match(self, history: Sequence[Event]) -> None:
        """Keep what a finished match taught. Rolls of others that it may hold are not read."""
        ended = tuple(history)
        self._ended.append(ended)
        for seat, known in self._seats.items():
            beliefs = known.at(tuple(seen_by(event, seat) for event in ended))
            self._seats[seat] = _Seat(beliefs.copy())

    def learn(self, history: Sequence[Event], seats: Mapping[int, int]) -> None:
        """Add an earlier match to the memory: its public part only, rolls never shown left out.

        ``seats``: which seat here a seat of that match is. To be called between matches.
        """
        match = (tuple(history), dict(seats))
        self.memory, self._known = (*self.memory, match)[-REMEMBERED:], None
        for known in self._seats.values():
            known.before.remember([match])
            known.read, known.now = (), known.before.copy()

    def forget(self) -> None:
        """Start a new session: everything but the memory is as at the beginning."""
        self._ended.clear()
        self._seats.clear()

    def _knowing(self) -> Beliefs:
        """What the memory teaches at any seat: it is read once."""
        if self._known is None:
            self._known = Beliefs(0, self._solutions, self._settings, self._limits)
            self._known.remember(self.memory)
        return self._known

    def noticed(self, seat: int, other: int, history: History = ()) -> tuple[Notice, ...]:
        """What the shark at ``seat`` noticed of ``other``, the most telling first.

        ``history`` as ``seat`` sees it: the current match, or nothing after ``end_match``.
        """
        return self.beliefs(seat, history).noticed(other)


def _row(name: Roll | Claim | None) -> int:
    assert name is not None, "a claim is asked of the seat that rolled"
    return name.position - 1


def make_shark(
    rules: RuleSet, seats: int, solution: Solution, memory: Memory | None = None
) -> Shark:
    """A shark for a table. Raises BadRuleSet("not_solved") when the solution is not of that
    table."""
    if rules.penalty_21 != solution.penalty_21:
        raise BadRuleSet("not_solved", penalty_21=rules.penalty_21)
    solution.state((rules.lives,) * seats)
    return Shark(solution, memory or ())
