"""A match as immutable values: positions, the actions allowed in them, and what follows.

Chance is an explicit action (``Throw``), so a position and an action determine everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeVar

from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    Event,
    LivesLost,
    MatchOver,
    Out,
    Revealed,
    Rolled,
    RoundStarted,
    seen_by,
)
from mia_cli.rules.rolls import ROLLS, Claim, Roll, claims_above
from mia_cli.rules.ruleset import RuleSet, require_seats

# The events of a turn, of which there are a few hundred, are made once each.
_rolled, _claimed = cache(Rolled), cache(Claimed)
_accepted, _challenged = cache(Accepted), cache(Challenged)

Phase = Literal["roll", "claim", "answer", "over"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Throw:
    """Chance: the seat that holds the dice rolls this."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """The seat that rolled says this."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Accept:
    """The next seat takes the claim and the dice."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """The next seat challenges the claim: the latest roll is shown."""


Answer = Accept | Challenge
Action = Throw | MakeClaim | Accept | Challenge


@dataclass(frozen=True, slots=True)
class Match:
    """A position. Seats count from 1; ``lives[seat - 1]`` are the lives of a seat.

    ``phase`` says what is due: ``roll`` (chance), ``claim`` (the roller), ``answer`` (the next
    living seat) or ``over``. ``above`` is the claim the roller had to beat, None at the start of
    a round. ``roll`` and ``claim`` are the latest ones of the round; ``roll`` is hidden from
    every seat but the roller.
    """

    rules: RuleSet
    lives: tuple[int, ...]
    round: int
    roller: int
    phase: Phase = "roll"
    above: Claim | None = None
    roll: Roll | None = None
    claim: Claim | None = None

    @property
    def seats(self) -> int:
        """Seats at the table, those out of the match included."""
        return len(self.lives)

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None while dice fall and when the match is over."""
        if self.phase == "claim":
            return self.roller
        return next_living(self.lives, self.roller) if self.phase == "answer" else None

    @property
    def winner(self) -> int | None:
        """The only seat with lives once the match is over."""
        return winner(self.lives)

    def __repr__(self) -> str:
        # Positions turn up in tracebacks and logs; the hidden roll must not.
        return (
            f"Match(round={self.round}, lives={self.lives}, phase={self.phase!r}, "
            f"roller={self.roller}, above={self.above}, claim={self.claim})"
        )


@dataclass(frozen=True, slots=True)
class Observation:
    """Exactly what one seat may know when it decides: its information state.

    ``roll`` is the seat's own latest roll while it holds the dice, otherwise None. ``history``
    are the events so far as this seat may know them: its own rolls, no others.
    """

    seat: int
    rules: RuleSet
    lives: tuple[int, ...]
    round: int
    decision: Literal["claim", "answer"]
    roller: int
    above: Claim | None
    roll: Roll | None
    claim: Claim | None
    history: tuple[Event, ...]


def start(rules: RuleSet, seats: int, leader: int) -> tuple[Match, tuple[Event, ...]]:
    """The first position of a match and its first event. Raises BadRuleSet."""
    require_seats(seats)
    if type(leader) is not int or not 1 <= leader <= seats:  # True and 1.0 are no seats
        raise BadRuleSet("bad_rule", key="first", value=leader, allowed=tuple(range(1, seats + 1)))
    return _new_round(rules, (rules.lives,) * seats, number=1, leader=leader)


def next_living(lives: tuple[int, ...], seat: int) -> int:
    """The next seat after ``seat``, by number and round the table, that has lives."""
    seats = len(lives)
    for step in range(seats):
        other = (seat + step) % seats + 1
        if lives[other - 1]:
            return other
    raise AssertionError("a match has a seat with lives")


def in_playing_order(lives: Sequence[int], first: int) -> tuple[int, ...]:
    """Lives of the living seats in playing order, beginning with the seat ``first``."""
    return tuple(left for left in (*lives[first - 1 :], *lives[: first - 1]) if left)


def winner(lives: tuple[int, ...]) -> int | None:
    """The only seat with lives, or None while more than one has."""
    alive = [seat for seat, left in enumerate(lives, start=1) if left]
    return alive[0] if len(alive) == 1 else None


def loss(rules: RuleSet, claim: Claim) -> int:
    """Lives the loser of a challenge over ``claim`` loses, before the floor at zero."""
    return rules.penalty_21 if claim.must_be_challenged else 1


def lose(lives: tuple[int, ...], seat: int, amount: int) -> tuple[int, ...]:
    """Lives after ``seat`` lost ``amount``; never below zero."""
    left = max(0, lives[seat - 1] - amount)
    return (*lives[: seat - 1], left, *lives[seat:])


def next_leader(lives: tuple[int, ...], loser: int) -> int:
    """Who leads after ``loser`` lost: itself while it has lives, else the next living seat."""
    return loser if lives[loser - 1] else next_living(lives, loser)


def legal_actions(match: Match) -> tuple[Action, ...]:
    """Every action the rules allow now, chance included; empty when the match is over."""
    if match.phase == "roll":
        return tuple(Throw(roll) for roll in ROLLS)
    if match.phase == "claim":
        return tuple(MakeClaim(claim) for claim in claims_above(match.above))
    if match.phase == "answer":
        return legal_answers(_known(match.claim))
    return ()


def legal_answers(claim: Claim) -> tuple[Answer, ...]:
    """Accept or challenge; 21 can only be challenged."""
    return (Challenge(),) if claim.must_be_challenged else (Accept(), Challenge())


def apply(match: Match, action: Action) -> tuple[Match, tuple[Event, ...]]:
    """The position after ``action`` and the events it causes.

    Raises NotAllowed: ``claim_too_low`` (claim, above), ``must_challenge_21``, or ``not_now`` for
    an action that is not due.
    """
    if isinstance(action, Throw) and match.phase == "roll":
        after = Match(
            match.rules,
            match.lives,
            match.round,
            match.roller,
            phase="claim",
            above=match.above,
            roll=action.roll,
        )
        return after, (_rolled(match.roller, action.roll),)
    if isinstance(action, MakeClaim) and match.phase == "claim":
        return _claim(match, action.claim)
    if isinstance(action, Accept) and match.phase == "answer":
        return _accept(match)
    if isinstance(action, Challenge) and match.phase == "answer":
        return _challenge(match)
    raise NotAllowed("not_now", action=type(action).__name__, phase=match.phase)


def observation(match: Match, seat: int, history: Iterable[Event]) -> Observation:
    """What ``seat``, whose decision it is, may know; ``history`` are all events so far.

    Raises NotAllowed("not_now") when another seat, or nobody, decides.
    """
    return observed(match, seat, tuple(seen_by(event, seat) for event in history))


def observed(match: Match, seat: int, seen: tuple[Event, ...]) -> Observation:
    """As ``observation``, from events that are already as ``seat`` may know them."""
    if match.to_act != seat:
        raise NotAllowed("not_now", action="Observation", phase=match.phase)
    return Observation(
        seat,
        match.rules,
        match.lives,
        match.round,
        decision="claim" if match.phase == "claim" else "answer",
        roller=match.roller,
        above=match.above,
        roll=match.roll if seat == match.roller else None,
        claim=match.claim,
        history=seen,
    )


def _claim(match: Match, claim: Claim) -> tuple[Match, tuple[Event, ...]]:
    if not claim.beats(match.above):
        above = _known(match.above)
        raise NotAllowed("claim_too_low", claim=claim.name, above=above.name)
    after = Match(
        match.rules,
        match.lives,
        match.round,
        match.roller,
        phase="answer",
        above=match.above,
        roll=match.roll,
        claim=claim,
    )
    return after, (_claimed(match.roller, claim),)


def _accept(match: Match) -> tuple[Match, tuple[Event, ...]]:
    claim = _known(match.claim)
    if claim.must_be_challenged:
        raise NotAllowed("must_challenge_21", claim=claim.name)
    seat = next_living(match.lives, match.roller)
    after = Match(match.rules, match.lives, match.round, roller=seat, above=claim)
    return after, (_accepted(seat),)


def _challenge(match: Match) -> tuple[Match, tuple[Event, ...]]:
    claim, roll = _known(match.claim), _known(match.roll)
    challenger = next_living(match.lives, match.roller)
    holds = roll.supports(claim)
    loser = challenger if holds else match.roller
    after, events = after_loss(match, loser, loss(match.rules, claim))
    return after, (_challenged(challenger), Revealed(match.roller, roll, claim, holds), *events)


def after_loss(match: Match, loser: int, amount: int) -> tuple[Match, tuple[Event, ...]]:
    """The position once ``loser`` has lost lives, at most ``amount``, and the events of that.

    It ends the round: the next one starts, or the match is over.
    """
    lives = lose(match.lives, loser, amount)
    events: list[Event] = [LivesLost(loser, match.lives[loser - 1] - lives[loser - 1], lives)]
    if not lives[loser - 1]:
        events.append(Out(loser))
    won = winner(lives)
    if won is not None:
        events.append(MatchOver(won))
        return replace(match, phase="over", lives=lives), tuple(events)
    after, started = _new_round(match.rules, lives, match.round + 1, next_leader(lives, loser))
    return after, (*events, *started)


def _new_round(
    rules: RuleSet, lives: tuple[int, ...], number: int, leader: int
) -> tuple[Match, tuple[Event, ...]]:
    match = Match(rules=rules, lives=lives, round=number, roller=leader)
    return match, (RoundStarted(number, leader, lives),)


def _known(value: T | None) -> T:
    """A value the phase guarantees; anything else is a defect in this module."""
    if value is None:
        raise AssertionError("the phase of the match promised a value")
    return value
