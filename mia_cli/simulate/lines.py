"""Lines of a log from the turns that a kernel traced: the bytes of ``record.line``, put together.

The functions of the rules lead from round to round and every event is encoded as always, but each
only once: a line is joined from pieces that are there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mia_cli.records.codec import encode_with
from mia_cli.records.record import compact
from mia_cli.rules.events import Accepted, Challenged, Claimed, Event, MatchOver, Revealed, Rolled
from mia_cli.rules.match import Match, after_loss, loss, next_living, start
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.simulate.lockstep.alias_tables import ROLL_OF_OUTCOME
from mia_cli.simulate.lockstep.kernel import OUTCOME_SHIFT, TracedTurns
from mia_cli.simulate.record import line, match_id
from mia_cli.simulate.setup import Setup
from mia_cli.theory.rule_arrays import CLAIM_COUNT, FORCED, SUPPORTS

KEPT = 1 << 14
"""Rounds and turns that are kept, each: all that there are at small tables."""
_CHALLENGED, _HOLDS, _WHAT_SHIFT = 1, 2, 2


@dataclass(frozen=True, slots=True)
class _Round:
    """A round that starts, or the match being over; with the events that lead to it.

    ``next_seats[seat]``: the next living seat.
    """

    lives: tuple[int, ...]
    number: int
    leader: int
    next_seats: tuple[int, ...]
    events: bytes


class MatchLines:
    """Writes the lines of the matches of a run between tables, players without a session."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._losses = [loss(setup.rules, claim) for claim in CLAIMS]
        self._head = lru_cache(KEPT)(self._make_head)
        self._tail = lru_cache(KEPT)(self._make_tail)
        self._first_round = lru_cache(KEPT)(self._make_first_round)
        self._round_after = lru_cache(KEPT)(self._make_round_after)
        self._turn = lru_cache(KEPT)(self._make_turn)

    def lines(self, first: int, traced: TracedTurns) -> bytes:
        """The lines of the matches from ``first`` on."""
        turns = _said(traced)
        pieces: list[bytes] = []
        begin = 0
        for match, end in enumerate(traced.ends.tolist(), start=first):
            self._add(pieces, match, turns[begin:end])
            begin = end
        return b"".join(pieces)

    def _add(self, pieces: list[bytes], match: int, turns: Iterable[int]) -> None:
        """Add the pieces of a match."""
        setup = self._setup
        number, mark = setup.seating_number(match), _mark(setup, match)
        before, between, after = self._head(number)
        round_ = self._first_round(setup.seatings[number].leader)
        roller = round_.leader
        pieces += before, mark, between, mark, after, round_.events
        for turn in turns:
            answering = round_.next_seats[roller]
            pieces.append(self._turn(roller, answering, turn))
            if turn & _CHALLENGED:
                loser = answering if turn & _HOLDS else roller
                amount = self._losses[(turn >> _WHAT_SHIFT) % CLAIM_COUNT]
                round_ = self._round_after(round_.lives, round_.number, loser, amount)
                pieces.append(round_.events)
                roller = round_.leader
            else:
                roller = answering
        before, after = self._tail(roller)
        pieces += before, b"%d" % (match + 1), after

    def _make_head(self, number: int) -> list[bytes]:
        """What stands before, between and after the two ids of a match with this seating."""
        whole = line(self._setup, number, (MatchOver(1),))
        return whole.partition(b',{"event":"match_over"')[0].split(_mark(self._setup, number))

    def _make_tail(self, winner: int) -> list[bytes]:
        """What stands before and after the number of a match, behind its events."""
        whole = line(self._setup, 0, (MatchOver(winner),))
        before, found, after = whole.rpartition(b'],"winner":')
        before, number, rest = after.partition(b'"match":1,')
        return [found + before + number[:-2], number[-1:] + rest]

    def _make_turn(self, roller: int, answering: int, turn: int) -> bytes:
        roll, claim = divmod(turn >> _WHAT_SHIFT, CLAIM_COUNT)
        said = Rolled(roller, ROLLS[roll]), Claimed(roller, CLAIMS[claim])
        if not turn & _CHALLENGED:
            return self._events(*said, Accepted(answering))
        shown = Revealed(roller, ROLLS[roll], CLAIMS[claim], bool(turn & _HOLDS))
        return self._events(*said, Challenged(answering), shown)

    def _make_first_round(self, leader: int) -> _Round:
        setup = self._setup
        return self._round(*start(setup.rules, len(setup.players), leader))

    def _make_round_after(
        self, lives: tuple[int, ...], number: int, loser: int, amount: int
    ) -> _Round:
        return self._round(
            *after_loss(Match(self._setup.rules, lives, number, loser), loser, amount)
        )

    def _round(self, match: Match, events: Iterable[Event]) -> _Round:
        seats = range(1, len(match.lives) + 1)
        next_seats = (0, *(next_living(match.lives, seat) for seat in seats))
        leader = match.winner or match.roller
        return _Round(match.lives, match.round, leader, next_seats, self._events(*events))

    def _events(self, *events: Event) -> bytes:
        """Events in a list, behind others."""
        return b"".join(b"," + compact(encode_with(event, self._setup.seed)) for event in events)


def _mark(setup: Setup, match: int) -> bytes:
    return b'"%b"' % match_id(setup.seed, match).encode()


def _said(traced: TracedTurns) -> list[int]:
    """Of each turn ``(roll * 21 + claim) << 2``, whether it holds, whether it is challenged."""
    turns = traced.turns.astype(np.int64)
    roll = ROLL_OF_OUTCOME[turns >> OUTCOME_SHIFT]
    claim = ((turns & (1 << OUTCOME_SHIFT) - 1) >> 2) % CLAIM_COUNT
    what = (roll * CLAIM_COUNT + claim) << _WHAT_SHIFT
    found = what | SUPPORTS[roll, claim] * _HOLDS | (turns & 1 | FORCED[claim]) * _CHALLENGED
    said: list[int] = found.tolist()
    return said
