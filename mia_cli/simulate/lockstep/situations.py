"""What the kernel has to know between turns, as numbers: lives, who rolls, and what follows.

Seats are counted as places from the seat that leads the first round, which is place 0. A situation
is a vector of lives by place and the place that rolls; the table of what follows each event is
generated from ``rules``. The last situations, one for each place, are matches won by that place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb

import numpy as np

from mia_cli.rules.match import in_playing_order, next_living
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep.alias_tables import CODES, Numbers
from mia_cli.theory.rule_arrays import CLAIM_COUNT, FORCED, Lives, leaders, lives_after, losses

ACCEPTED_TRUE, ACCEPTED_BLUFF, HELD, CAUGHT, HELD_21, CAUGHT_21 = range(6)
"""How a turn ends: the claim is accepted, or challenged and holds, or challenged and does not; the
last two for a claim of 21."""
ROLLER_LOSES = (CAUGHT, CAUGHT_21)
"""Events that cost the seat that rolled lives; the other challenges cost the one that answered."""
EVENTS = 8
"""Room for events in an index: a power of two."""


@dataclass(frozen=True, slots=True)
class Situations:
    """All situations that can follow from equal lives at the start.

    ``lives[s, place]``; ``roller[s]`` and ``answering[s]`` are places; ``follow[s * 8 + event]``
    is the next situation. ``start`` has place 0 rolling. Situations from ``over`` on are won, by
    place ``s - over``.
    """

    places: int
    lives: Numbers
    roller: Numbers
    answering: Numbers
    follow: Numbers
    start: int
    over: int

    def lives_in_order(self, situation: int) -> Lives:
        """Lives of the living seats in playing order from the one that rolls."""
        lives = self.lives[situation].tolist()
        return in_playing_order(lives, int(self.roller[situation]) + 1)


def turn_events() -> Numbers:
    """[2 * code + challenged] the event of a turn.

    A claim of 21 is challenged whatever the number said.
    """
    code, challenged = np.divmod(np.arange(2 * CODES), 2)
    holds = code & 1
    forced = FORCED[(code >> 1) % CLAIM_COUNT]
    accepted = np.where(holds, ACCEPTED_TRUE, ACCEPTED_BLUFF)
    at_21 = np.where(holds, HELD_21, CAUGHT_21)
    below = np.where(holds, HELD, CAUGHT)
    events: Numbers = np.where(forced, at_21, np.where(challenged, below, accepted))
    return events


def standing_after() -> Numbers:
    """[2 * code + challenged] the standing claim of the next turn: none after a challenge."""
    claim = (np.arange(2 * CODES) >> 2) % CLAIM_COUNT
    events = turn_events()
    standing: Numbers = np.where(events <= ACCEPTED_BLUFF, claim + 1, 0)
    return standing


def lives_lost(rules: RuleSet) -> Numbers:
    """[event] lives that the loser of a challenge loses, if it has as many."""
    loss = losses(rules.penalty_21)
    found = np.zeros(EVENTS, dtype=np.int64)
    found[[HELD, CAUGHT]] = loss[~FORCED].max()
    found[[HELD_21, CAUGHT_21]] = loss[FORCED].max()
    return found


def situation_count(places: int, rules: RuleSet) -> int:
    """How many situations there are that are not won, without making them."""
    return sum(
        comb(places, living) * rules.lives**living * living for living in range(2, places + 1)
    )


@cache
def situations(places: int, rules: RuleSet) -> Situations:
    """The situations of a table with ``places`` seats."""
    shape = (rules.lives + 1,) * places
    vectors = np.indices(shape).reshape(places, -1).T
    living = (vectors > 0) @ (1 << np.arange(places))
    more = (vectors > 0).sum(axis=1) > 1
    vector, roller = np.nonzero((vectors > 0) & more[:, None])
    number = np.full((len(vectors), places), -1, dtype=np.int64)
    number[vector, roller] = np.arange(len(vector))
    for place in range(places):
        number[living == 1 << place, place] = len(vector) + place
    answering = next_living_places(places)[living[vector], roller]
    follow = np.zeros((len(vector) + places, EVENTS), dtype=np.int64)
    follow[: len(vector), ACCEPTED_TRUE] = number[vector, answering]
    follow[:, ACCEPTED_BLUFF] = follow[:, ACCEPTED_TRUE]
    for event, amount in enumerate(lives_lost(rules).tolist()):
        if not amount:
            continue
        loser = roller if event in ROLLER_LOSES else answering
        after = vectors[vector]
        rows = np.arange(len(vector))
        after[rows, loser] = lives_after()[after[rows, loser], amount]
        left = (after > 0) @ (1 << np.arange(places))
        leader = leaders(places)[left, loser]
        follow[: len(vector), event] = number[np.ravel_multi_index(tuple(after.T), shape), leader]
    start = int(number[np.ravel_multi_index((rules.lives,) * places, shape), 0])
    return Situations(
        places, vectors[vector], roller, answering, follow.ravel(), start, len(vector)
    )


def next_living_places(places: int) -> Numbers:
    """[living set, place] the next place with lives; bit i of a set stands for place i."""
    table = np.zeros((2**places, places), dtype=np.int64)
    for living, place in product(range(1, 2**places), range(places)):
        lives = tuple(living >> seat & 1 for seat in range(places))
        table[living, place] = next_living(lives, place + 1) - 1
    return table
