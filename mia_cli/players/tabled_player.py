"""A player by tables that follow the lives on the table."""

from __future__ import annotations

from mia_cli.engine.policy import position, sample
from mia_cli.rules.match import Accept, Answer, Challenge, Observation, in_playing_order
from mia_cli.rules.rolls import Claim, claims_above
from mia_cli.theory.rule_arrays import Floats, Lives
from mia_cli.theory.strategies import Tabled

_MOST_KEPT = 256


class TabledPlayer:
    """Samples tables as a player, and has them itself: theory and simulator take it for the tables.

    ``tables`` as in ``Tabled``; those of the latest lives are kept.
    """

    def __init__(self, tabled: Tabled) -> None:
        self._tabled = tabled
        self._kept: dict[Lives, tuple[Floats, Floats]] = {}

    def tables(self, lives: Lives) -> tuple[Floats, Floats]:
        """Claims [21 standings, 21 rolls, 21 claims] and challenges [21 standings, 21 claims]."""
        if lives not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[lives] = self._tabled.tables(lives)
        return self._kept[lives]

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Sample a claim."""
        assert seen.roll is not None, "a claim is asked of the seat that rolled"
        claims, _ = self.tables(in_playing_order(seen.lives, seen.roller))
        standing = position(seen.above)
        row = claims[standing, seen.roll.position - 1, standing:].tolist()
        return claims_above(seen.above)[sample(row, uniform)]

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Sample an answer; 21 is always challenged."""
        assert seen.claim is not None, "an answer is asked of the seat that heard a claim"
        _, challenges = self.tables(in_playing_order(seen.lives, seen.roller))
        probability = challenges[position(seen.above), seen.claim.position - 1]
        return Challenge() if seen.claim.must_be_challenged or uniform < probability else Accept()
