"""A practice match as it is kept: its seed and the decisions so far, from which it is replayed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mia_cli.engine.driver import SeededDice, Table
from mia_cli.engine.seed import first_leader
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import Accepted, Challenged, Claimed, Event
from mia_cli.rules.match import Accept, Action, Challenge, MakeClaim, Throw, start
from mia_cli.rules.rolls import parse_claim
from mia_cli.rules.ruleset import RuleSet

SEATS = 2
_WORDS: dict[str, Action] = {"accept": Accept(), "challenge": Challenge()}


@dataclass(frozen=True, slots=True)
class PracticeMatch:
    """``decisions`` are the claims and answers of both seats in order, as words."""

    step: str
    seed: int
    rules: RuleSet
    decisions: tuple[str, ...] = ()

    def table(self) -> Table:
        """The table after all decisions. Raises NotAllowed or CannotRead for impossible ones."""
        match, events = start(self.rules, SEATS, first_leader(self.seed, SEATS))
        table, dice = Table(match, events), SeededDice(self.seed)
        for word in self.decisions:
            _throw_if_due(table, dice)
            table.step(_WORDS[word] if word in _WORDS else MakeClaim(parse_claim(word)))
        # The roll that was on the screen is thrown again when the match goes on: same seed.
        return table

    def after(self, events: Iterable[Event]) -> PracticeMatch:
        """The match with the decision among ``events`` added."""
        words = tuple(word for event in events for word in _word(event))
        return replace(self, decisions=self.decisions + words)

    def is_sound(self) -> bool:
        """True when the rules allow every decision and the match is not over."""
        try:
            return self.table().match.winner is None
        except MiaError:
            return False


def _throw_if_due(table: Table, dice: SeededDice) -> None:
    if table.match.phase == "roll":
        table.step(Throw(dice(table.rolls)))


def _word(event: Event) -> tuple[str, ...]:
    match event:
        case Claimed(claim=claim):
            return (claim.name,)
        case Accepted():
            return ("accept",)
        case Challenged():
            return ("challenge",)
        case _:
            return ()
