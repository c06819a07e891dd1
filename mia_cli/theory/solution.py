"""The solved game: values and strategies of an equilibrium for every table up to a size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mia_cli.rules.errors import BadRuleSet
from mia_cli.rules.rolls import Claim, parse_claim
from mia_cli.theory.induction import all_payoffs, payoffs
from mia_cli.theory.rule_arrays import (
    CLAIM_COUNT,
    STANDINGS,
    Floats,
    Ints,
    Lives,
    require_lives,
    require_standing,
)
from mia_cli.theory.stage import StageEquilibrium, solve_stage
from mia_cli.theory.states import Ahead, States

_FEW = 64
"""Vectors of lives for which all standing claims are solved together: of more, half of that
work, for claims that are not legal, would cost more than the calls that it saves."""


class Solution:
    """An equilibrium of every state with up to ``max_players`` seats and ``max_lives`` lives.

    With two seats its strategy cannot be beaten; with more it is one equilibrium of many, and
    does not protect against seats that collude. Only values are stored: the strategies of a state
    follow from the values of the states after it, in about a millisecond.

    ``lives`` runs in playing order from the seat that rolls; a 0 is a seat that is out, never the
    first. ``standing`` is the position 1..20 of the claim to beat, 0 for none: the claim that
    stood *before* the one that is answered. Arrays over rolls and claims are indexed by
    position - 1. Every method raises BadRuleSet for lives or standing claims that cannot be
    (``bad_lives``, ``bad_standing``) or were not solved (``not_solved``).
    """

    def __init__(self, states: States, values: Floats, penalty_21: int) -> None:
        self.states = states
        self.table = values
        """[21 standings, place from the roller, state] chance to win; see ``States``."""
        self.penalty_21 = penalty_21

    @property
    def max_players(self) -> int:
        """Seats at the largest table solved."""
        return self.states.max_players

    @property
    def max_lives(self) -> int:
        """Most lives of a seat."""
        return self.states.max_lives

    def values(self, lives: Sequence[int], standing: int = 0) -> Floats:
        """[seats] chance of each seat to win before the roll, in the order of ``lives``."""
        seats = require_lives(lives)
        found = self.table[require_standing(standing), :, self.state(seats)]
        values = np.zeros(len(seats))
        values[np.array(seats) > 0] = found[: sum(left > 0 for left in seats)]
        return values

    def claim_probabilities(self, lives: Sequence[int], standing: int) -> Floats:
        """[21 rolls, 21 claims] chance of each claim given the roll; rows sum to 1."""
        claims, _ = self._strategies(lives, standing)
        return claims

    def challenge_probabilities(self, lives: Sequence[int], standing: int) -> Floats:
        """[21 claims] chance that the next seat challenges a claim made over ``standing``.

        0 for claims that may not be made. A claim that the equilibrium never makes is answered
        as a careless opponent deserves who made it, within what keeps it unprofitable.
        """
        _, challenge = self._strategies(lives, standing)
        return challenge

    def tables(self, lives: Sequence[int]) -> tuple[Floats, Floats]:
        """Claims [21 standings, 21 rolls, 21 claims] and challenges [21 standings, 21 claims]."""
        _, claims, challenges = self.many_tables([require_lives(lives)])
        return claims[0], challenges[0]

    def many_tables(self, lives: Sequence[Lives]) -> tuple[Ints, Floats, Floats]:
        """``tables`` of many lives, which takes little longer than those of one.

        See ``strategies.ManyTabled``; here all lives have tables of their own.
        """
        states = np.array([self.state(one) for one in lives])
        claims = np.zeros((len(lives), len(STANDINGS), CLAIM_COUNT, CLAIM_COUNT))
        challenges = np.zeros((len(lives), len(STANDINGS), CLAIM_COUNT))
        if len(lives) <= _FEW:
            play = solve_stage(0, all_payoffs(self.ahead(states)))
            shape = (CLAIM_COUNT, len(STANDINGS), len(lives))
            claims[:] = play.claims().reshape(CLAIM_COUNT, *shape).transpose(3, 2, 0, 1)
            challenges[:] = play.challenge.reshape(shape).T
            return np.arange(len(lives)), claims, challenges
        for standing, play in enumerate(self.plays(states)):
            claims[:, standing, :, standing:] = np.moveaxis(play.claims(), -1, 0)
            challenges[:, standing, standing:] = play.challenge.T
        return np.arange(len(lives)), claims, challenges

    def to_efg(self, lives: Sequence[int], above: Claim | str | None = None) -> str:
        """One stage as a Gambit extensive form game, see ``efg``: ``lives`` from the roller in
        playing order, ``above`` the claim to beat. Raises CannotRead for a name of no claim."""
        from mia_cli.theory.efg import extensive_form

        return extensive_form(self, lives, parse_claim(above) if isinstance(above, str) else above)

    def ahead(self, some: Ints, standing: int = 0) -> Ahead:
        """What stages of many states (numbers of ``states``) lead to.

        Of accepted claims only those above ``standing`` are filled in.
        """
        ahead = Ahead(self.table, self.states, some, self.penalty_21)
        for higher in range(standing + 1, len(STANDINGS)):
            ahead.reach(higher)
        return ahead

    def stages(self, some: Ints, standing: int) -> tuple[Ahead, StageEquilibrium]:
        """What stages of many states (numbers of ``states``) lead to, and how they are played.

        One standing claim for all; of accepted claims only those above it are filled in.
        """
        ahead = self.ahead(some, standing)
        return ahead, solve_stage(standing, payoffs(ahead, standing))

    def plays(self, some: Ints) -> list[StageEquilibrium]:
        """The strategies of many states after each standing claim, 0 to 20."""
        ahead = self.ahead(some)
        return [
            solve_stage(standing, payoffs(ahead, standing)) for standing in range(len(STANDINGS))
        ]

    def masses(self, seats: int, most_lives: int) -> dict[Lives, tuple[Floats, Floats, Floats]]:
        """Claims that hold, claims that do not, and challenges, for every state up to a size.

        By lives of living seats in playing order, each [21 standings, 21 claims]: the chance to
        make a claim truthfully, to make it as a bluff, and that it is challenged.
        """
        self.state((most_lives,) * seats)
        numbers = [
            number
            for number, lives in enumerate(self.states.vectors)
            if 1 < len(lives) <= seats and max(lives) <= most_lives
        ]
        found = np.zeros((len(numbers), 3, len(STANDINGS), CLAIM_COUNT))
        for standing, play in enumerate(self.plays(np.array(numbers))):
            for which, masses in enumerate((*play.masses(), play.challenge)):
                found[:, which, standing, standing:] = masses.T
        return {
            self.states.vectors[number]: (found[at, 0], found[at, 1], found[at, 2])
            for at, number in enumerate(numbers)
        }

    def state(self, lives: Lives) -> int:
        """The number of the state with these lives. Raises BadRuleSet("not_solved")."""
        living = tuple(left for left in lives if left)
        if len(living) > self.max_players or max(living) > self.max_lives:
            raise BadRuleSet(
                "not_solved", value=tuple(lives), players=self.max_players, lives=self.max_lives
            )
        return self.states.number(living)

    def _strategies(self, lives: Sequence[int], standing: int) -> tuple[Floats, Floats]:
        standing = require_standing(standing)
        _, play = self.stages(np.array([self.state(require_lives(lives))]), standing)
        claims = np.zeros((CLAIM_COUNT, CLAIM_COUNT))
        claims[:, standing:] = play.claims()[:, :, 0]
        challenge = np.zeros(CLAIM_COUNT)
        challenge[standing:] = play.challenge[:, 0]
        return claims, challenge

    def __repr__(self) -> str:
        return f"Solution({self.max_players}, {self.max_lives}, {self.penalty_21})"
