"""The events of records as turns, read from their bytes at speed, many records together.

A turn (one roll, one claim, one answer) is one number of 25 bits, see ``SHIFTS``. The texts of
turns, and of what follows a challenge, repeat from match to match: the strict reader reads each
of them once, and from then on it is looked up as the number of a row in a table (``Texts``).
What a text cannot tell alone (whose turn it is, what stands, who has how many lives) is checked
for all records at once, with arrays made by ``rules`` (``follow``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mia_cli.files.strict_json import decode_json
from mia_cli.records.codec import decode
from mia_cli.records.record import FIRST
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
from mia_cli.rules.match import next_living
from mia_cli.rules.rolls import CLAIMS
from mia_cli.rules.ruleset import PENALTIES, SEATS, RuleSet
from mia_cli.theory.rule_arrays import leaders, lives_after, losses

WIDTHS = {"seat": 3, "other": 3, "roll": 5, "claim": 5, "above": 5, "answer": 2, "lost": 2}
"""Bits of each part of a turn, the lowest part first.

``seat`` claimed, ``other`` answered or is to answer; ``roll``, ``claim`` and ``above`` (the claim
that stood before) are positions, 0 for a roll that is hidden and for no claim; ``answer`` is one
of the three below; ``lost`` are the lives that a challenge cost.
"""
SHIFTS = dict(zip(WIDTHS, accumulate(WIDTHS.values(), initial=0), strict=False))
"""Lowest bit of each part of a turn."""
PENDING, ACCEPTED, CHALLENGED = 0, 1, 2
"""Answers; a match may be left before one, or even before the claim."""
_MOST_REMEMBERED = 100_000
_MOST_SEATS = max(SEATS)
_BITS = 3
"""Bits of the lives of a seat in a number for all of them."""

_NONE = (0,) * _MOST_SEATS

Counts = NDArray[np.int64]
PackedTurns = NDArray[np.uint32]


class Odd(Exception):
    """Not what the short way knows; the strict reader has the last word."""


class EncodedMatch(NamedTuple):
    """A record's events, by numbers of texts, and what its head says of the match.

    ``turns`` of all rounds; ``rounds``: how many turns each has, from the first round on, and
    ``ends`` the text between one and the next. ``winner`` and ``person`` are 0 for none.
    """

    turns: list[int]
    rounds: list[int]
    ends: list[int]
    opening: bytes
    rules: RuleSet
    seats: int
    winner: int
    person: int


def packed(lives: Sequence[int]) -> int:
    """Lives of all seats, and how many seats there are, in one number."""
    return sum(
        left << _BITS * seat for seat, left in enumerate((*lives, *_NONE[len(lives) :], len(lives)))
    )


class _Rows(dict[bytes, int]):
    """Numbers of texts, and a table with a row of numbers for each of them."""

    def __init__(self, separator: bytes, width: int) -> None:
        super().__init__()
        self._separator = separator
        self._table = np.zeros((1024, width), dtype=np.int64)

    def __missing__(self, text: bytes) -> int:
        row = self.read(self._events(text))
        number = len(self)
        if number == len(self._table):
            self._table = np.concatenate((self._table, np.zeros_like(self._table)))
        self._table[number] = row
        self[text] = number
        return number

    def read(self, events: list[Event]) -> tuple[int, ...]:
        """The row of these events. Raises Odd."""
        raise NotImplementedError

    def _events(self, text: bytes) -> list[Event]:
        """The events of a text, whose first one lacks its name."""
        pieces = (self.name + text).split(self._separator)
        return [decode(decode_json(b'{"event":' + piece + b"}"), FIRST) for piece in pieces]

    name = b""

    def column(self, at: int) -> Counts:
        """[numbers] one value of each row."""
        found: Counts = self._table[:, at]
        return found


_CODE, _SEAT, _ANSWERED, _CLAIM, _ANSWER, _HIDDEN, _LOSER_CLAIMED = range(7)


class _TurnRows(_Rows):
    """Rows: code without seats and standing claim, seat, who answered, claim, answer, whether the
    roll is hidden, whether the claimer loses."""

    name = b'"rolled"'

    def read(self, events: list[Event]) -> tuple[int, ...]:
        match events:
            case [Rolled(seat, roll)]:
                shown = 0 if roll is None else roll.position
                return shown << SHIFTS["roll"], seat, 0, 0, PENDING, roll is None, False
            case [Rolled(seat, roll), Claimed(same, claim), *rest] if same == seat:
                shown = 0 if roll is None else roll.position
                other, answer, real = 0, PENDING, roll
                match rest:
                    case []:
                        pass
                    case [Accepted(other)] if not claim.must_be_challenged:
                        answer = ACCEPTED
                    case [Challenged(other), Revealed(roll=real) as reveal]:
                        answer = CHALLENGED
                        holds = reveal.roll.supports(claim)
                        expected = Revealed(seat, reveal.roll, claim, holds)
                        if reveal != expected or roll not in (None, reveal.roll):
                            raise Odd
                        shown = reveal.roll.position
                    case _:
                        raise Odd
                code = shown << SHIFTS["roll"] | claim.position << SHIFTS["claim"]
                code |= answer << SHIFTS["answer"]
                caught = answer == CHALLENGED and real is not None and claim.exceeds(real)
                return code, seat, other, claim.position, answer, roll is None, caught
        raise Odd


_LOSER, _LOST, _AFTER, _OUT, _NUMBER, _LEADER, _STARTED = range(7)


class _EndRows(_Rows):
    """Rows: loser, lives lost, lives after it, who is out, then number, leader and lives of the
    next round, or 0."""

    name = b'"lives_lost"'

    def read(self, events: list[Event]) -> tuple[int, ...]:
        match events:
            case [LivesLost(seat, lost, lives), *rest]:
                out = rest.pop(0).seat if rest and isinstance(rest[0], Out) else 0  # type: ignore[union-attr]
                row = seat, lost, packed(lives), out
                match rest:
                    case []:
                        return *row, 0, 0, 0
                    case [RoundStarted(number, leader, started)] if len(started) == len(lives):
                        return *row, number, leader, packed(started)
        raise Odd


class Texts:
    """The tables of the texts written with one separator between events."""

    def __init__(self, separator: bytes) -> None:
        self.separator = separator
        self.rolled = separator + _TurnRows.name
        self.lost = separator + _EndRows.name
        self.over = separator + b'"match_over"'
        self.clear()

    def clear(self) -> None:
        """Forget all texts; the numbers given so far mean nothing any more."""
        self.turns = _TurnRows(self.separator, 7)
        self.ends = _EndRows(self.separator, 7)
        self.leaders: dict[tuple[bytes, int, int], int] = {}

    @property
    def is_full(self) -> bool:
        """True when it is time to forget."""
        return max(len(self.turns), len(self.ends)) > _MOST_REMEMBERED

    def first_leader(self, opening: bytes, seats: int, lives: int) -> int:
        """The seat that leads first. Raises Odd."""
        key = (opening, seats, lives)
        if key not in self.leaders:
            event = decode(decode_json(b'{"event":' + opening + b"}"), FIRST)
            if not isinstance(event, RoundStarted) or event.leader > seats:
                raise Odd
            if event != RoundStarted(1, event.leader, (lives,) * seats):
                raise Odd
            if len(self.leaders) > _MOST_REMEMBERED:
                self.leaders.clear()
            self.leaders[key] = event.leader
        return self.leaders[key]


_BEATS = np.array([[True, *(claim.beats(above) for claim in CLAIMS)] for above in (None, *CLAIMS)])
"""[above, claim] by position; a claim of 0 is none yet."""


@cache
def _others() -> Counts:
    """[living seats as bits, seat] the next living seat; 0 where nobody lives."""
    found = np.zeros((1 << _MOST_SEATS, _MOST_SEATS + 2), dtype=np.int64)
    for living in range(1, 1 << _MOST_SEATS):
        lives = tuple(living >> seat & 1 for seat in range(_MOST_SEATS))
        for seat in range(1, _MOST_SEATS + 1):
            found[living, seat] = next_living(lives, seat)
    return found


@cache
def _losses() -> Counts:
    """[what 21 costs, claim by position] lives lost; 0 for no claim."""
    found = np.zeros((max(PENALTIES) + 1, len(CLAIMS) + 1), dtype=np.int64)
    for penalty in PENALTIES:
        found[penalty, 1:] = losses(penalty)
    return found


def _living(lives: Counts) -> Counts:
    """The living seats as bits, of lives in one number."""
    living = np.zeros_like(lives)
    for seat in range(_MOST_SEATS):
        living |= ((lives >> _BITS * seat & (1 << _BITS) - 1) > 0).astype(np.int64) << seat
    return living


class _Rounds(NamedTuple):
    """All rounds of many records: which record and which of its rounds, lives and leader at its
    start, the number of its first turn and of the one after its last, and its end, -1 for none."""

    match: Counts
    place: Counts
    lives: Counts
    leader: Counts
    first: Counts
    last: Counts
    end: Counts


def follow(
    texts: Texts, matches: Sequence[EncodedMatch], first: Sequence[int]
) -> list[PackedTurns | None]:
    """The turns of each record, None where the rules do not lead on; ``first``: who leads first."""
    if not matches:
        return []
    bad = np.zeros(len(matches), dtype=bool)
    numbers = np.array([turn for match in matches for turn in match.turns], dtype=np.int64)
    counts = np.array([len(match.turns) for match in matches], dtype=np.int64)
    rounds = _rounds(texts, matches, first, bad)
    codes = _check_turns(texts, matches, rounds, numbers, bad)
    _check_ends(texts, matches, rounds, numbers, codes, bad)
    parts = np.split(codes.astype("<u4"), counts.cumsum()[:-1])
    return [None if wrong else part for wrong, part in zip(bad.tolist(), parts, strict=True)]


def _rounds(
    texts: Texts, matches: Sequence[EncodedMatch], leader: Sequence[int], bad: NDArray[np.bool_]
) -> _Rounds:
    """The rounds, with the lives and leaders that the texts between them tell."""
    sizes = [len(match.rounds) for match in matches]
    match = np.repeat(np.arange(len(matches)), sizes)
    begins = np.cumsum([0, *sizes[:-1]])
    place = np.arange(len(match)) - begins[match]
    turns = np.array([count for one in matches for count in one.rounds], dtype=np.int64)
    end = np.full(len(match), -1, dtype=np.int64)
    for at, one in zip(begins.tolist(), matches, strict=True):
        end[at : at + len(one.ends)] = one.ends
    after, started, leads = (texts.ends.column(at) for at in (_AFTER, _STARTED, _LEADER))
    start = np.array([packed((one.rules.lives,) * one.seats) for one in matches], dtype=np.int64)
    before = np.roll(end, 1)
    lives = np.where(place == 0, start[match], after[before])
    leaders_ = np.where(place == 0, np.array(leader, dtype=np.int64)[match], leads[before])
    wrong = (place > 0) & (started[before] != lives)
    bad[match[wrong]] = True
    last = turns.cumsum()
    return _Rounds(match, place, lives, leaders_, last - turns, last, end)


def _check_turns(
    texts: Texts,
    matches: Sequence[EncodedMatch],
    rounds: _Rounds,
    numbers: Counts,
    bad: NDArray[np.bool_],
) -> Counts:
    """Check whose turn it is, what stands and who answers; returns the codes without losses."""
    code, seat, answered, claim, answer, hidden = (
        texts.turns.column(at)[numbers]
        for at in (_CODE, _SEAT, _ANSWERED, _CLAIM, _ANSWER, _HIDDEN)
    )
    round_ = np.repeat(np.arange(len(rounds.first)), rounds.last - rounds.first)
    match = rounds.match[round_]
    opens = np.arange(len(numbers)) == rounds.first[round_]
    standing = np.where(opens, 0, np.roll(claim, 1))
    due = np.where(opens, rounds.leader[round_], np.roll(answered, 1))
    goes_on = opens | (np.roll(answer, 1) == ACCEPTED)
    other = _others()[_living(rounds.lives)[round_], seat]
    person = np.array([one.person for one in matches])[match]
    over = np.array([one.winner > 0 for one in matches])[match]
    wrong = (seat != due) | ~goes_on | ~_BEATS[standing, claim]
    wrong |= (answer != PENDING) & (answered != other)
    wrong |= (hidden > 0) & (over | (seat == person))
    bad[match[wrong]] = True
    codes: Counts = code | seat | other << SHIFTS["other"] | standing << SHIFTS["above"]
    return codes


def _check_ends(  # noqa: PLR0913, PLR0917 - what the other passes found
    texts: Texts,
    matches: Sequence[EncodedMatch],
    rounds: _Rounds,
    numbers: Counts,
    codes: Counts,
    bad: NDArray[np.bool_],
) -> None:
    """Check what challenges cost and what follows them; puts the losses into ``codes``."""
    size = rounds.last - rounds.first
    ended = rounds.end >= 0
    is_last = np.append(rounds.match[1:] != rounds.match[:-1], True)
    winner = np.array([one.winner for one in matches], dtype=np.int64)[rounds.match]
    # A round is empty only where a match was left at its start.
    bad[rounds.match[ended & (size == 0)]] = True
    bad[rounds.match[ended == (is_last & (winner == 0))]] = True
    kept = size > 0
    final = numbers[(rounds.last - 1)[kept]]
    challenged = texts.turns.column(_ANSWER)[final] == CHALLENGED
    bad[rounds.match[kept][challenged != ended[kept]]] = True
    which = np.flatnonzero(kept & ended)
    turn = numbers[rounds.last[which] - 1]
    end = rounds.end[which]
    seat, answered, claim, caught = (
        texts.turns.column(at)[turn] for at in (_SEAT, _ANSWERED, _CLAIM, _LOSER_CLAIMED)
    )
    loser = np.where(caught > 0, seat, np.maximum(answered, 1))
    shift = _BITS * (loser - 1)
    match = rounds.match[which]
    penalty = np.array([one.rules.penalty_21 for one in matches])[match]
    before = rounds.lives[which] >> shift & (1 << _BITS) - 1
    left = lives_after()[np.minimum(before, len(lives_after()) - 1), _losses()[penalty, claim]]
    lost = before - left
    after = rounds.lives[which] - (lost << shift)
    living = _living(after)
    over = (living & (living - 1)) == 0
    told = [texts.ends.column(at)[end] for at in (_LOSER, _LOST, _AFTER, _OUT, _NUMBER, _LEADER)]
    out = np.where(left == 0, loser, 0)
    leads = leaders(_MOST_SEATS)[living, loser - 1] + 1
    number = rounds.place[which] + 2
    expected = (loser, lost, after, out, np.where(over, 0, number), np.where(over, 0, leads))
    wrong = over != (is_last[which] & (winner[which] > 0))
    wrong |= over & (living != 1 << np.maximum(winner[which] - 1, 0))
    for said, due in zip(told, expected, strict=True):
        wrong |= said != due
    bad[match[wrong]] = True
    codes[rounds.last[which] - 1] |= lost << SHIFTS["lost"]
