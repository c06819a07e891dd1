"""Examples for whoever explains the rules: what is shown, and how the rules decide it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mia_cli.rules.events import Event, LivesLost, Revealed
from mia_cli.rules.match import Challenge, MakeClaim, Throw, apply, start
from mia_cli.rules.rolls import Claim, Roll, parse_claim, parse_roll
from mia_cli.rules.ruleset import SEATS, RuleSet

DICE = (4, 6)
"""Two dice as they may fall: the lower one first."""
EXAMPLES = (("55", "44"), ("33", "55"), ("44", "44"), ("43", "21"))
"""A roll and what was claimed about it, by name."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A claim that was challenged: whether it held, and the lives the loser lost.

    The challenger loses when it ``holds``, otherwise the seat that claimed.
    """

    roll: Roll
    claim: Claim
    holds: bool
    lost: int


def worked_examples(rules: RuleSet) -> Iterator[WorkedExample]:
    """EXAMPLES, each played as the first challenge of a match by ``rules``."""
    for roll, claim in EXAMPLES:
        yield _played(rules, parse_roll(roll), parse_claim(claim))


def _played(rules: RuleSet, roll: Roll, claim: Claim) -> WorkedExample:
    match, _started = start(rules, SEATS[0], leader=1)
    events: tuple[Event, ...] = ()
    for action in (Throw(roll), MakeClaim(claim), Challenge()):
        match, events = apply(match, action)
    (shown,) = (event for event in events if isinstance(event, Revealed))
    (lost,) = (event for event in events if isinstance(event, LivesLost))
    return WorkedExample(shown.roll, shown.claim, shown.holds, lost.lost)
