"""What a player is: something that decides from an Observation and a number of its own."""

from __future__ import annotations

from typing import Protocol

from mia_cli.rules.match import Answer, Observation
from mia_cli.rules.rolls import Claim


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
