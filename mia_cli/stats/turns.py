"""The events of a record as turns, read from their bytes at speed.

A turn (one roll, one claim, one answer) is one number of 25 bits, see ``SHIFTS``. The texts of
turns, and of what follows a challenge, repeat from match to match: each is read by the strict
reader once and looked up from then on. What a text cannot tell alone (whose turn it is, what
stands, who has how many lives) is followed here with tables made by ``rules``.
"""

from __future__ import annotations

import json
from array import array
from functools import lru_cache
from typing import Any, NamedTuple

from mia_cli.records.codec import decode
from mia_cli.records.record import FIRST
from mia_cli.rules import match as rules
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    Event,
    LivesLost,
    Out,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.rolls import CLAIMS
from mia_cli.rules.ruleset import RuleSet

SHIFTS = {"seat": 0, "other": 3, "roll": 6, "claim": 11, "above": 16, "answer": 21, "lost": 23}
"""Lowest bit of each part of a turn.

``seat`` claimed, ``other`` answered or is to answer; ``roll``, ``claim`` and ``above`` (the claim
that stood before) are positions, 0 for a roll that is hidden and for no claim; ``answer`` is one
of the three below; ``lost`` are the lives that a challenge cost.
"""
PENDING, ACCEPTED, CHALLENGED = 0, 1, 2
"""Answers; a match may be left before one, or even before the claim."""
_MOST_REMEMBERED = 60_000


class Odd(Exception):
    """Not what the short way knows; the strict reader has the last word."""


class Texts(NamedTuple):
    """The events after ``match_started`` as texts: the first round, then from roll to roll.

    ``separator`` stands between two events. ``match_over`` is left out; ``winner`` is its seat.
    """

    separator: bytes
    opening: bytes
    turns: list[bytes]
    winner: int | None


class _Turn(NamedTuple):
    """One turn as its text tells it. ``end`` is its challenge's loser, 0 without a challenge."""

    code: int
    seat: int
    other: int
    claim: int
    answer: int
    hidden: bool
    loser_claimed: bool


class _End(NamedTuple):
    """What follows a challenge; ``round`` is 0 where the record, or the match, ends there."""

    loser: int
    lost: int
    lives: tuple[int, ...]
    out: int
    round: int
    leader: int
    round_lives: tuple[int, ...]


def _events(text: bytes, separator: bytes, name: bytes) -> list[Event]:
    """Read the events of a text whose first lacks the name."""
    pieces = (name + text).split(separator)
    return [decode(json.loads(b'{"event":' + piece + b"}"), FIRST) for piece in pieces]


class _Memory(dict[bytes, Any]):
    """Texts read before, for one separator."""

    def __init__(self, separator: bytes) -> None:
        super().__init__()
        self.separator = separator

    def __missing__(self, text: bytes) -> Any:
        found = self._read(text)
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[text] = found
        return found

    def _read(self, text: bytes) -> Any:
        raise NotImplementedError


class _Turns(_Memory):
    def _read(self, text: bytes) -> _Turn:
        match _events(text, self.separator, b'"rolled"'):
            case [Rolled(seat, roll)]:
                shown = 0 if roll is None else roll.position
                return _Turn(shown << 6, seat, 0, 0, PENDING, roll is None, False)
            case [Rolled(seat, roll), Claimed(same, claim), *rest] if same == seat:
                code = claim.position << 11
                if roll is not None:
                    code |= roll.position << 6
                hidden = roll is None
                match rest:
                    case []:
                        return _Turn(code, seat, 0, claim.position, PENDING, hidden, False)
                    case [Accepted(other)] if not claim.must_be_challenged:
                        code |= ACCEPTED << 21
                        return _Turn(code, seat, other, claim.position, ACCEPTED, hidden, False)
                    case [Challenged(other), Revealed() as shown_]:
                        real = shown_.roll
                        holds = real.supports(claim)
                        if shown_ != Revealed(seat, real, claim, holds) or roll not in (None, real):
                            raise Odd
                        code |= real.position << 6 | CHALLENGED << 21
                        return _Turn(
                            code, seat, other, claim.position, CHALLENGED, hidden, not holds
                        )
        raise Odd


class _Ends(_Memory):
    def _read(self, text: bytes) -> _End:
        lost, *rest = _events(text, self.separator, b'"lives_lost"')
        assert isinstance(lost, LivesLost)
        out = 0
        if rest and isinstance(rest[0], Out):
            out = rest[0].seat
            rest = rest[1:]
        match rest:
            case []:
                return _End(lost.seat, lost.lost, lost.lives, out, 0, 0, ())
            case [RoundStarted(number, leader, lives)]:
                return _End(lost.seat, lost.lost, lost.lives, out, number, leader, lives)
        raise Odd


_BEATS = [[True, *(claim.beats(above) for claim in CLAIMS)] for above in (None, *CLAIMS)]
"""[above][claim] by position; a claim of 0 is none yet."""
_memories: dict[bytes, tuple[_Turns, _Ends]] = {}
_next_leader = lru_cache(4096)(rules.next_leader)
_lose = lru_cache(4096)(rules.lose)
_winner = lru_cache(4096)(rules.winner)


@lru_cache(1 << 16)
def _others(lives: tuple[int, ...]) -> list[int]:
    """[seat] the next living seat after each; 0 for no seat."""
    return [0, *(rules.next_living(lives, seat) for seat in range(1, len(lives) + 1))]


@lru_cache
def _losses(rule_set: RuleSet) -> list[int]:
    return [0, *(rules.loss(rule_set, claim) for claim in CLAIMS)]


@lru_cache(4096)
def _leader(opening: bytes, seats: int, lives: int) -> int:
    """The seat that leads first."""
    event = decode(json.loads(b'{"event":' + opening + b"}"), FIRST)
    if not isinstance(event, RoundStarted) or not 1 <= event.leader <= seats:
        raise Odd
    if event != RoundStarted(1, event.leader, (lives,) * seats):
        raise Odd
    return event.leader


def follow(
    texts: Texts, rule_set: RuleSet, seats: int, winner: int | None, person: int
) -> tuple[array[int], int]:
    """The turns, and the seat that led first.

    ``winner`` is the record's, None while it is unfinished; ``person`` 0 when only programs play.
    Raises Odd, or an error of the strict reader, where the rules do not lead on.
    """
    if texts.winner != winner:
        raise Odd
    separator = texts.separator
    if separator not in _memories:
        _memories[separator] = (_Turns(separator), _Ends(separator))
    known, ends = _memories[separator]
    course = _Course(rule_set, seats, _leader(texts.opening, seats, rule_set.lives))
    leader = roller = course.leader
    others, above = course.others, 0
    ending = separator + b'"lives_lost"'
    open_to = None if winner is not None else person
    turns: list[int] = []
    for text in texts.turns:
        said, challenged, end = text.partition(ending)
        code, seat, answered, claim, answer, hidden, loser_claimed = known[said]
        other = others[seat]
        # After a turn without an answer, and after the last round, the roller is nobody.
        if seat != roller or not _BEATS[above][claim]:
            raise Odd
        if hidden and (open_to is None or seat == open_to):
            raise Odd
        code |= seat | other << 3 | above << 16
        if answer == ACCEPTED and answered == other and not challenged:
            roller, above = other, claim
        elif answer == CHALLENGED and answered == other and challenged:
            code |= course.lose(ends[end], seat if loser_claimed else other, claim) << 23
            roller, above, others = course.leader, 0, course.others
        elif answer == PENDING and not challenged:
            roller = 0
        else:
            raise Odd
        turns.append(code)
    if course.winner != winner:
        raise Odd
    return array("I", turns), leader


class _Course:
    """Lives, number and leader of the round in play; ``winner`` once the match is over."""

    __slots__ = ("_losses", "leader", "lives", "number", "others", "winner")

    def __init__(self, rule_set: RuleSet, seats: int, leader: int) -> None:
        self._losses = _losses(rule_set)
        self.lives = (rule_set.lives,) * seats
        self.leader, self.number = leader, 1
        self.others = _others(self.lives)
        self.winner: int | None = None

    def lose(self, end: _End, loser: int, claim: int) -> int:
        """Go on to the next round, or to the end of the match; returns the lives lost."""
        before = self.lives
        lives = _lose(before, loser, self._losses[claim])
        lost = before[loser - 1] - lives[loser - 1]
        said, amount, after, out, number, leader, started = end
        if said != loser or amount != lost or after != lives:
            raise Odd
        if out != (0 if lives[loser - 1] else loser):
            raise Odd
        self.lives, self.winner = lives, _winner(lives)
        if self.winner is not None:
            self.leader = 0
            if number:
                raise Odd
            return lost
        self.number += 1
        self.leader, self.others = _next_leader(lives, loser), _others(lives)
        if number != self.number or leader != self.leader or started != lives:
            raise Odd
        return lost
