"""Decisions as numbers, and what a seat may know as an array: the same for every bridge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mia_cli.engine.policy import position
from mia_cli.rules.match import Accept, Action, Challenge, MakeClaim, Match, Throw, legal_actions
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.rules.ruleset import LIVES, RuleSet

MOVES: tuple[Action, ...] = (*(MakeClaim(claim) for claim in CLAIMS), Accept(), Challenge())
"""Decisions by number: 0 to 20 claim 31 to 21, 21 accepts, 22 challenges."""
THROWS: tuple[Action, ...] = tuple(Throw(roll) for roll in ROLLS)
"""Outcomes of chance by number: 0 to 20 for rolls 31 to 21."""
_NUMBERS = {
    **{action: number for number, action in enumerate(MOVES)},
    **{action: number for number, action in enumerate(THROWS)},
}


def number_of(action: Action) -> int:
    """The number of a decision in MOVES, or of a throw in THROWS."""
    return _NUMBERS[action]


def name_of(action: Action) -> str:
    """A decision or a throw in words."""
    match action:
        case Throw(roll):
            return f"roll {roll.name}"
        case MakeClaim(claim):
            return f"claim {claim.name}"
    return type(action).__name__.lower()


def legal_numbers(match: Match) -> list[int]:
    """The numbers of the legal decisions, or of the rolls while dice fall; they ascend."""
    return [number_of(action) for action in legal_actions(match)]


def returns(winner: int | None, seats: int) -> list[float]:
    """By seat: 1 for the winner, -1 divided among the others; zeros while a match goes on."""
    if winner is None:
        return [0.0] * seats
    return [1.0 if seat == winner else -1.0 / (seats - 1) for seat in range(1, seats + 1)]


def most_decisions(rules: RuleSet, seats: int) -> int:
    """Decisions of a match at most: each round loses a life and goes through every claim."""
    return (seats * rules.lives - 1) * 2 * len(CLAIMS)


def view_size(seats: int) -> int:
    """Length of what ``view`` gives."""
    return 2 * seats + len(ROLLS) + 2 * (len(CLAIMS) + 1)


def view(match: Match, seat: int) -> npt.NDArray[np.float32]:
    """What ``seat`` may know and needs for its decision, [view_size] numbers from 0 to 1.

    Seats begin with the own one and go round the table: their lives as a share of the most there
    can be; which of them holds the dice; the own roll while one holds them; the claim to beat and
    the claim just made, the first of each 22 for none. Nothing else of the past changes what is
    worth what; it can tell how the others play.
    """
    around = [(seat - 1 + step) % match.seats for step in range(match.seats)]
    own = match.roll if seat == match.roller else None
    return np.concatenate(
        [
            np.array([match.lives[other] / max(LIVES) for other in around], np.float32),
            _one_of(match.seats, around.index(match.roller - 1)),
            _one_of(len(ROLLS), None if own is None else own.position - 1),
            _one_of(len(CLAIMS) + 1, position(match.above)),
            _one_of(len(CLAIMS) + 1, position(match.claim)),
        ]
    )


def mask(numbers: Sequence[int]) -> npt.NDArray[np.int8]:
    """1 for the decisions that are legal, [moves]."""
    found = np.zeros(len(MOVES), np.int8)
    found[list(numbers)] = 1
    return found


def _one_of(size: int, index: int | None) -> npt.NDArray[np.float32]:
    found = np.zeros(size, np.float32)
    if index is not None:
        found[index] = 1.0
    return found
