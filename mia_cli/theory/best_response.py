"""The best response of one seat to fixed players in all others: the one place that works it out.

A round is walked from the highest standing claim down to none: with the same lives, a stage leads
only to stages with a higher one. At its own decisions the seat that responds takes what is worth
most to it (as roller a claim for each roll, when answering the better answer to each claim); at
those of others it gets the mean over what they do. Rounds are put together by lives, fewer first:
``best_response_values`` here, ``gain`` for all states of a solution, ``stats.readable.exploit`` for
many players side by side. The shark (``players.shark.response``) walks the one round it is in by
other steps, because it does so at every decision; a test holds the two equal to the last digit.

Arrays begin with [claims], from the lowest legal one, or [21 rolls, claims]; what follows is up
to the caller: states, or players and pairs of lives. All values are chances to win the match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from mia_cli.theory.grid import Grid, starting_lives
from mia_cli.theory.rule_arrays import (
    CHANCES,
    CLAIM_COUNT,
    FORCED,
    LEGAL,
    SUPPORTS,
    Bools,
    Floats,
    Ints,
)
from mia_cli.theory.strategies import Masses, Strategy, TablesByLives, tabulate


class Responder(Protocol):
    """Decides for the seat that responds, and says what its decisions are worth."""

    def claim(self, standing: int, held: Floats, caught: Floats) -> Floats:
        """[...] value before its roll. Each claim is worth ``held`` with a roll that supports it,
        ``caught`` [claims, ...] with one that does not."""
        ...

    def answer(self, standing: int, challenged: Floats, passed: Floats) -> Floats:
        """[...] value before the claim. What each claim [claims, ...] adds to it, being made as
        often as it is, if it is challenged or accepted; 21 has to be challenged."""
        ...


class BestValues:
    """The ``Responder`` that wants to know the value alone."""

    def claim(self, standing: int, held: Floats, caught: Floats) -> Floats:
        """The best claim for each roll."""
        best = by_roll(standing, held, caught).max(axis=1)
        return np.asarray(np.einsum("r,r...->...", CHANCES, best))

    def answer(self, standing: int, challenged: Floats, passed: Floats) -> Floats:
        """The better answer to each claim."""
        better = better_answers(standing, challenged, passed)
        return np.asarray(np.where(better, challenged, passed).sum(axis=0))


def walk_round(
    play: Sequence[Masses], lost: Sequence[Floats], value: Floats, responder: Responder
) -> None:
    """Fill in the values of one round for the seat at place 0, other seats in playing order.

    ``play[place]``: what is done when the seat at ``place`` rolls, each [21 standings, 21 claims,
    ...]: its true and false claims (not read for place 0), the challenges of the next seat (not
    read where that is place 0). ``lost[place]`` [21 claims, ...]: values of the round that
    follows when that seat loses this one over a claim. ``value`` [22 standings, places, ...] is
    filled in for every seat that may roll; its last standing, 21, leads nowhere and stays 0.
    """
    seats = len(lost)
    for standing in reversed(range(CLAIM_COUNT)):
        for place, (true, false, challenges) in enumerate(play):
            following = (place + 1) % seats
            held, caught = lost[following][standing:], lost[place][standing:]
            worth = held, caught, value[standing + 1 :, following]
            if place == 0:
                here = responder.claim(
                    standing, *claim_values(challenges[standing, standing:], *worth)
                )
            else:
                masses = true[standing, standing:], false[standing, standing:]
                if following == 0:
                    here = responder.answer(standing, *answer_values(*masses, *worth))
                else:
                    here = watched_value(*masses, challenges[standing, standing:], *worth)
            value[standing, place] = here


def claim_values(
    challenges: Floats, held: Floats, caught: Floats, accepted: Floats
) -> tuple[Floats, Floats]:
    """Values of claims that hold, and of claims that do not, challenged as often as ``challenges``.

    ``held``, ``caught``, ``accepted``: if a true, a false claim is challenged, and if it is not.
    """
    passed = (1.0 - challenges) * accepted
    return challenges * held + passed, challenges * caught + passed


def answer_values(
    true: Floats, false: Floats, held: Floats, caught: Floats, accepted: Floats
) -> tuple[Floats, Floats]:
    """What claims made so often as true and as false ones add if challenged, and if accepted."""
    return true * held + false * caught, (true + false) * accepted


def watched_value(  # noqa: PLR0913, PLR0917 - what is done and what it leads to
    true: Floats, false: Floats, challenges: Floats, held: Floats, caught: Floats, accepted: Floats
) -> Floats:
    """[...] value when two other seats claim and answer."""
    challenged = challenges * (true * held + false * caught)
    return np.asarray((challenged + (1.0 - challenges) * (true + false) * accepted).sum(axis=0))


def by_roll(standing: int, held: Floats, caught: Floats) -> Floats:
    """[21 rolls, claims, ...] values of the claims above ``standing`` with each roll."""
    supports = SUPPORTS[:, standing:].reshape(CLAIM_COUNT, *_along_claims(standing, held))
    return np.where(supports, held, caught)


def better_answers(standing: int, challenged: Floats, passed: Floats) -> Bools:
    """[claims, ...] where a challenge is worth more; 21 has to be challenged."""
    forced = FORCED[standing:].reshape(_along_claims(standing, challenged))
    return np.asarray((challenged > passed) | forced)


def _along_claims(standing: int, values: Floats) -> tuple[int, ...]:
    return CLAIM_COUNT - standing, *[1] * (values.ndim - 1)


def best_response_values(
    players: Sequence[Strategy | None],
    lives: int | Sequence[int],
    penalty_21: int,
    responder: Callable[[Ints], Responder] = lambda _: BestValues(),
) -> Floats:
    """[leader] win chance of the one seat that is None, answering best to the other players.

    ``lives`` as in ``evaluate``. ``responder`` is asked who decides where lives are [states, living
    seats], its own first. No strategy wins more, nor does one that remembers: fixed players
    give it nothing to learn. Raises BadRuleSet.
    """
    start = starting_lives(len(players), lives)
    grid = Grid(start, penalty_21)
    seat = players.index(None)
    others = tabulate([player for player in players if player is not None], start)
    alike = all(table.constant for table in others)
    tabled: list[TablesByLives | None] = [*others[:seat], None, *others[seat:]]
    known: dict[tuple[int, ...], list[Masses]] = {}
    value = np.zeros((CLAIM_COUNT, grid.seats, len(grid.lives)))
    value[:, :, grid.living == 1 << seat] = 1.0
    for living, states in grid.groups():
        if seat not in living:
            continue
        first = living.index(seat)
        order = (*living[first:], *living[:first])
        if not alike or living not in known:
            some = grid.lives[states[:1] if alike else states]
            known[living] = [_masses(tabled, order, place, some) for place in range(len(order))]
        lost = [_lost(grid, value, states, loser) for loser in order]
        here = np.zeros((CLAIM_COUNT + 1, len(order), len(states)))
        walk_round(known[living], lost, here, responder(grid.lives[states][:, order]))
        value[:, np.array(order)[:, None], states] = here[:CLAIM_COUNT]
    return value[0, :, -1].copy()


def _masses(
    tabled: Sequence[TablesByLives | None], order: Sequence[int], place: int, lives: Ints
) -> Masses:
    """Each [21 standings, 21 claims, rows of ``lives``]: what is done when the seat at ``place`` of
    ``order`` rolls; 0 for the seat without tables."""
    turned = (*order[place:], *order[:place])
    roller, answering = tabled[turned[0]], tabled[turned[1]]
    found = np.zeros((3, *LEGAL.shape, len(lives)))
    for row, left in enumerate(lives):
        seen = tuple(int(left[seat]) for seat in turned)
        if roller is not None:
            found[0, ..., row], found[1, ..., row], _ = roller(seen)
        if answering is not None:
            found[2, ..., row] = answering(seen)[2]
    return found[0], found[1], found[2]


def _lost(grid: Grid, value: Floats, states: Ints, loser: int) -> Floats:
    """[21 claims, states] values of the rounds that follow when ``loser`` loses one."""
    kinds: list[Floats] = []
    for kind in range(2):
        follow, leader = grid.follow(states, loser, kind)
        kinds.append(value[0, leader, follow])
    return np.where(FORCED[:, None], kinds[1], kinds[0])
