"""The best response to a player as tables of its own, for every lives a match can come to.

Where several decisions are worth the same it takes the lowest claim, and accepts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mia_cli.rules.errors import BadRuleSet
from mia_cli.theory.best_response import (
    BestValues,
    Responder,
    best_response_values,
    better_answers,
    by_roll,
)
from mia_cli.theory.rule_arrays import CLAIM_COUNT, Bools, Floats, Ints, Lives
from mia_cli.theory.strategies import Strategy

_Choices = tuple[NDArray[np.int8], Bools]
"""[21 standings, 21 rolls] the index of the claim; [21 standings, 21 claims] whether challenged."""
_BEST = BestValues()


class BestResponse:
    """Best decisions by lives, as ``Tabled`` has them. Raises BadRuleSet("not_solved") for others.

    ``choices``: by lives of living seats, its own first.
    """

    def __init__(self, choices: dict[Lives, _Choices]) -> None:
        self._choices = choices

    def tables(self, lives: Lives) -> tuple[Floats, Floats]:
        """Claims [21 standings, 21 rolls, 21 claims] and challenges [21 standings, 21 claims]."""
        try:
            claimed, _ = self._choices[lives]
            # Whoever answers is the second in playing order.
            _, challenged = self._choices[(*lives[1:], lives[0])]
        except KeyError:
            most = max(self._choices, key=lambda one: (len(one), one))
            raise BadRuleSet(
                "not_solved", value=lives, players=len(most), lives=max(most)
            ) from None
        return np.eye(CLAIM_COUNT)[claimed], challenged.astype(np.float64)


def best_response(
    player: Strategy, players: int = 2, lives: int = 3, penalty_21: int = 1
) -> BestResponse:
    """The best response of one seat where ``player`` holds every other one. Raises BadRuleSet."""
    choices: dict[Lives, _Choices] = {}
    recorders: list[_Recorder] = []

    def recorder(own_first: Ints) -> Responder:
        recorders.append(_Recorder(own_first))
        return recorders[-1]

    best_response_values([None, *[player] * (players - 1)], lives, penalty_21, recorder)
    for one in recorders:
        choices.update(one.choices())
    return BestResponse(choices)


class _Recorder:
    """Takes the best decisions, and remembers them: ``lives`` [states, living seats]."""

    def __init__(self, lives: Ints) -> None:
        self._lives = lives
        shape = (CLAIM_COUNT, CLAIM_COUNT, len(lives))
        self._claimed = np.zeros(shape, dtype=np.int8)
        self._challenged = np.zeros(shape, dtype=np.bool_)

    def claim(self, standing: int, held: Floats, caught: Floats) -> Floats:
        """The best claim for each roll."""
        self._claimed[standing] = standing + by_roll(standing, held, caught).argmax(axis=1)
        return _BEST.claim(standing, held, caught)

    def answer(self, standing: int, challenged: Floats, passed: Floats) -> Floats:
        """The better answer to each claim."""
        self._challenged[standing, standing:] = better_answers(standing, challenged, passed)
        return _BEST.answer(standing, challenged, passed)

    def choices(self) -> dict[Lives, _Choices]:
        """What was decided, by lives."""
        return {
            tuple(lives): (self._claimed[..., state], self._challenged[..., state])
            for state, lives in enumerate(self._lives.tolist())
        }
