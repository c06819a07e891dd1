"""One finished match, decision by decision: what was known, what was lost, what was luck.

The yardstick is the solution: chances to win the match if everybody plays it from there on. With
two seats it cannot be beaten; with more it is one equilibrium, and other players can change it.

The chance of every seat to win moves from its value before the first roll to 1 or 0. Each move
belongs to one event, and the moves of an event are split into parts that add up to it:

- a roll moves from the value before it to the value of the roll: luck of the dice;
- a claim moves from there to the value of the roll and the claim, answered as in the solution.
  For the seat that claims this is never a gain: what it gives away;
- an answer is worth, for what the answering seat could know, the value of its choice less that of
  the solution's mix: what it gives away. The rest of the move depends on the roll nobody else
  knew: luck of the hidden dice.

What a claim says about the roll is the solution's chance that it holds; for a claim that the
solution never makes it is the chance with a careless player (see ``theory.advice``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from mia_cli.players import registry
from mia_cli.players.levels import SolutionSource
from mia_cli.players.names import TABLES_FIELD, other_tables
from mia_cli.records.record import MatchRecord
from mia_cli.records.replay import action_of, replay
from mia_cli.review.stage_values import StageValues
from mia_cli.rules.errors import NotAllowed
from mia_cli.rules.events import Event
from mia_cli.rules.match import (
    Action,
    MakeClaim,
    Match,
    Throw,
    apply,
    in_playing_order,
    start,
)
from mia_cli.rules.rolls import Roll
from mia_cli.theory.advice import Advice, advise_answer, advise_claim
from mia_cli.theory.rule_arrays import Floats
from mia_cli.theory.second_opinion import SecondOpinion, against
from mia_cli.theory.solution import Solution

FINE, DOUBTFUL, BAD = "fine", "doubtful", "bad"
DOUBTFUL_FROM, BAD_FROM = 0.005, 0.02
"""Chance to win given away from which a decision is doubtful, and bad."""
WORTH_PUNISHING = 0.02
"""Chance to win that using a habit must gain to be told of."""
PARTS = ("skill", "own_rolls", "other_rolls", "hidden_dice", "others")
"""Own decisions, own rolls, rolls of other seats, what hidden dice turned out to be at an answer,
decisions of other seats."""
LEVELS = (
    (0.001, "flawless"),
    (0.006, "strong"),
    (0.013, "solid"),
    (0.022, "uneven"),
    (1.0, "careless"),
)
"""Largest mean chance to win given away by a decision with a choice, and its word.

Measured over many matches, ``hard`` gives away 0.0125, ``normal`` 0.0146 and ``easy`` 0.0219.
"""


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What an answer looks like once the roll is known: it was never known to the seat."""

    roll: str
    holds: bool
    lost: float


@dataclass(frozen=True, slots=True)
class Punishment:
    """What would have been better against the habits of another seat's level.

    ``gain``: chance to win over what was played, against those habits in this round. ``habit``:
    how often such a claim holds, or how often such a claim is challenged, for that level.
    """

    seat: int
    level: str
    action: Action
    gain: float
    habit: float


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. ``event`` is its number in the record, ``match_started`` being 1.

    ``match`` is the position before it, of which only what the seat could see is shown. ``lost``
    is the chance to win given away against the best option.
    """

    event: int
    seat: int
    match: Match
    action: Action
    advice: Advice
    lost: float
    hindsight: Hindsight | None
    punishment: Punishment | None

    @property
    def kind(self) -> str:
        """``claim`` or ``answer``."""
        return "claim" if isinstance(self.action, MakeClaim) else "answer"

    @property
    def shown_lost(self) -> int:
        """What was given away in tenths of a point, as the two chances are printed."""
        chosen = next(one.win for one in self.advice.options if one.action == self.action)
        return max(0, round(1000 * self.advice.choice.win) - round(1000 * chosen))

    @property
    def is_forced(self) -> bool:
        """True when there was nothing to choose."""
        return len(self.advice.options) == 1

    @property
    def verdict(self) -> str:
        """FINE, DOUBTFUL or BAD."""
        if self.lost >= BAD_FROM:
            return BAD
        return DOUBTFUL if self.lost >= DOUBTFUL_FROM else FINE


@dataclass(frozen=True, slots=True)
class Move:
    """How a roll or a decision, of whichever seat, moved a seat's chance to win.

    ``event`` is its number in the record, ``match_started`` being 1.
    """

    event: int
    round: int
    kind: Literal["decision", "roll"]
    before: float
    after: float


@dataclass
class SeatReview:
    """A seat's match: chance to win at the start and at the end, and PARTS of the change."""

    seat: int
    start: float
    end: float
    parts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    decisions: list[Decision] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)

    @property
    def now(self) -> float:
        """Chance to win after what has been booked so far."""
        return min(1.0, max(0.0, self.start + sum(self.parts.values())))

    @property
    def lost(self) -> float:
        """Chance to win given away by all decisions."""
        return sum(decision.lost for decision in self.decisions)

    @property
    def shown_lost(self) -> float:
        """The same as the decisions are printed, so that it is their sum."""
        return sum(decision.shown_lost for decision in self.decisions) / 1000

    def shown_parts(self) -> dict[str, float]:
        """PARTS rounded so that start, parts and end add up as they are printed."""
        left = round(1000 * self.end) - round(1000 * self.start)
        fixed = {"skill": -round(1000 * self.shown_lost)}
        free = {name: 1000 * self.parts[name] for name in PARTS if name not in fixed}
        shown = {name: math.floor(value) for name, value in free.items()}
        missing = left - sum(fixed.values()) - sum(shown.values())
        # The largest remainders first; where skill is rounded otherwise, a part takes more.
        order = sorted(free, key=lambda name: shown[name] - free[name])
        for at in range(abs(missing)):
            shown[order[at % len(order)]] += 1 if missing > 0 else -1
        return {name: (fixed | shown)[name] / 1000 for name in PARTS}

    @property
    def level(self) -> str | None:
        """A word of LEVELS for the decisions with a choice; None without any."""
        chosen = [decision.lost for decision in self.decisions if not decision.is_forced]
        if not chosen:
            return None
        mean = sum(chosen) / len(chosen)
        return next(word for most, word in LEVELS if mean <= most)

    def verdicts(self) -> dict[str, int]:
        """How many decisions got each verdict."""
        given = [decision.verdict for decision in self.decisions]
        return {verdict: given.count(verdict) for verdict in (FINE, DOUBTFUL, BAD)}

    @property
    def hindsight_lost(self) -> float:
        """Chance to win lost by answers against what the hidden dice turned out to be."""
        return sum(item.hindsight.lost for item in self.decisions if item.hindsight)


@dataclass(frozen=True, slots=True)
class Review:
    """All seats, the person first, then by number."""

    record: MatchRecord
    players: tuple[SeatReview, ...]

    @property
    def decisions(self) -> list[Decision]:
        """All decisions as they were made."""
        found = [decision for player in self.players for decision in player.decisions]
        return sorted(found, key=lambda decision: decision.event)


def review(record: MatchRecord, solver: SolutionSource) -> Review:
    """Review a finished match.

    Raises NotAllowed("not_finished") (id) for one that goes on, whose dice must stay hidden, and
    BadRecord for a record that does not follow from the rules.
    """
    if record.winner is None:
        raise NotAllowed("not_finished", id=record.id)
    replay(record)
    rules = record.ruleset
    solution = solver(len(record.seats), rules.lives, rules.penalty_21)
    reviewer = _Reviewer(record, solution)
    for event, match, action in _actions(record):
        before = [player.now for player in reviewer.players]
        reviewer.take(event, match, action)
        kind: Literal["decision", "roll"] = "roll" if isinstance(action, Throw) else "decision"
        for player, chance in zip(reviewer.players, before, strict=True):
            player.moves.append(Move(event, match.round, kind, chance, player.now))
    order = sorted(reviewer.players, key=lambda player: (player.seat != record.human, player.seat))
    return Review(record, tuple(order))


def _actions(record: MatchRecord) -> Iterator[tuple[int, Match, Action]]:
    """Number of the event, position before it, and action, for every action of the match."""
    opening = record.events[0]
    match, events = start(record.ruleset, len(record.seats), _leader(opening))
    at = len(events)
    while at < len(record.events):
        event = record.events[at]
        action = action_of(event, getattr(event, "roll", None))
        assert action is not None, "a replayed record goes from action to action"
        yield at + 2, match, action
        match, events = apply(match, action)
        at += len(events)


def _leader(event: Event) -> int:
    leader: int = getattr(event, "leader", 1)
    return leader


def _changed_levels(record: MatchRecord) -> Mapping[str, int]:
    """The levels of the match that have other habits now than those they played with."""
    found = record.extra.get(TABLES_FIELD)
    names = (seat.player for seat in record.seats)
    return other_tables(found if isinstance(found, dict) else {}, names)


class _Reviewer:
    """Takes the actions of a match one by one and books what each moved."""

    def __init__(self, record: MatchRecord, solution: Solution) -> None:
        self._solution = solution
        self._policies = {
            seat.seat: registry.policies(seat.player, record.ruleset, lambda *_: solution)
            for seat in record.seats
            if seat.player not in _changed_levels(record)
        }
        self._names = {seat.seat: seat.player for seat in record.seats}
        leader = _leader(record.events[0])
        lives = (record.ruleset.lives,) * len(record.seats)
        values = solution.values(in_playing_order(lives, leader)).tolist()
        self.players = [
            SeatReview(
                seat,
                start=values[(seat - leader) % len(lives)],
                end=float(seat == record.winner),
            )
            for seat in range(1, len(lives) + 1)
        ]
        self._stage: StageValues | None = None

    def take(self, event: int, match: Match, action: Action) -> None:
        """Book one action."""
        if isinstance(action, Throw):
            self._stage = StageValues(self._solution, match)
            self._book_roll(self._stage, action.roll)
            return
        stage = self._stage
        assert stage is not None and match.roll is not None
        if isinstance(action, MakeClaim):
            self._take_claim(event, match, action, stage, match.roll)
        else:
            self._take_answer(event, match, action, stage, match.roll)

    def _book(self, stage: StageValues, moved: Floats, actor: int, own: str, others: str) -> None:
        for seat, value in zip(stage.order, moved.tolist(), strict=False):
            parts = self.players[seat - 1].parts
            parts[own if seat == actor else others] += value

    def _book_roll(self, stage: StageValues, roll: Roll) -> None:
        moved = stage.of_roll(roll) - stage.before
        self._book(stage, moved, stage.order[0], "own_rolls", "other_rolls")

    def _take_claim(
        self, event: int, match: Match, action: MakeClaim, stage: StageValues, roll: Roll
    ) -> None:
        lives = in_playing_order(match.lives, match.roller)
        advice = advise_claim(self._solution, lives, match.above, roll)
        moved = stage.of_claim(roll, action.claim) - stage.of_roll(roll)
        self._book(stage, moved, match.roller, "skill", "others")
        self._note(
            event,
            match.roller,
            match,
            action,
            advice,
            None,
            self._second(match, advice, stage),
        )

    def _take_answer(
        self, event: int, match: Match, action: Action, stage: StageValues, roll: Roll
    ) -> None:
        claim, seat = match.claim, match.to_act
        assert claim is not None and seat is not None
        lives = in_playing_order(match.lives, match.roller)
        advice = advise_answer(self._solution, lives, match.above, claim)
        assert advice.holds is not None
        chosen = stage.of_answer(action, claim, advice.holds)
        mixed = stage.of_mix(claim, advice.holds)
        decided = chosen - mixed
        after = stage.of_answer(action, claim, float(roll.supports(claim)))
        hidden = after - stage.of_claim(roll, claim) - decided
        self._book(stage, decided, seat, "skill", "others")
        self._book(stage, hidden, seat, "hidden_dice", "hidden_dice")
        holds = roll.supports(claim)
        wins = [
            float(stage.of_answer(option.action, claim, float(holds))[1])
            for option in advice.options
        ]
        hindsight = Hindsight(roll.name, holds, max(wins) - float(after[1]))
        self._note(
            event, seat, match, action, advice, hindsight, self._second(match, advice, stage)
        )

    def _note(  # noqa: PLR0913, PLR0917 - one per field of the decision
        self,
        event: int,
        seat: int,
        match: Match,
        action: Action,
        advice: Advice,
        hindsight: Hindsight | None,
        second: SecondOpinion | None,
    ) -> None:
        lost = max(0.0, advice.cost(action))
        told = replace(advice, second=second)
        decision = Decision(
            event, seat, match, action, told, lost, hindsight, _punishment(second, action)
        )
        self.players[seat - 1].decisions.append(decision)

    def _second(self, match: Match, advice: Advice, stage: StageValues) -> SecondOpinion | None:
        """What is better against the other seat, if its habits are known."""
        other = stage.order[1] if match.claim is None else match.roller
        policies = self._policies.get(other)
        if policies is None:
            return None
        policy = policies.at(match.lives, match.roller)
        wins = against(advice, policy, match.above, match.claim)
        return SecondOpinion(other, self._names[other], wins) if wins else None


def _punishment(second: SecondOpinion | None, action: Action) -> Punishment | None:
    """The option that beats what was played by enough."""
    if second is None or second.gain(action) < WORTH_PUNISHING:
        return None
    best, gain = second.best, second.gain(action)
    return Punishment(second.seat, second.level, best, gain, second.wins[best][1])


def punished(players: Sequence[SeatReview]) -> list[Decision]:
    """Decisions with a punishment, the most worthwhile first."""
    found = [item for player in players for item in player.decisions if item.punishment]
    return sorted(found, key=lambda item: -(item.punishment.gain if item.punishment else 0.0))
