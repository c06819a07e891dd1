"""What a player is: something that decides from an Observation and a number of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mia_cli.rules.match import Accept, Action, Answer, Challenge, MakeClaim, Observation
from mia_cli.rules.rolls import Claim


class Decider:
    """A player by one function that decides on either question; numbers are not needed."""

    def __init__(self, decide: Callable[[Observation], Action]) -> None:
        self._decide = decide

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """The claim that was decided on. Raises what deciding raises."""
        del uniform
        action = self._decide(seen)
        assert isinstance(action, MakeClaim)
        return action.claim

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """The answer that was decided on. Raises what deciding raises."""
        del uniform
        action = self._decide(seen)
        assert isinstance(action, Accept | Challenge)
        return action


class Player(Protocol):
    """Decides for one seat.

    ``uniform`` is this decision's number in [0, 1) from the seat's own stream: the same
    observation and number give the same decision, so a match can be replayed.
    """

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """The claim for the roll ``seen.roll``; must beat ``seen.above``."""
        ...

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Accept or challenge ``seen.claim``."""
        ...
