"""Help in the middle of a match: hints, the tutor, and what the record says about both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mia_cli.cli.solving import solution_for
from mia_cli.players import registry
from mia_cli.rules.match import Action, Observation, next_living
from mia_cli.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from mia_cli.players.shark import Intent, Shark
    from mia_cli.theory.advice import Advice

COSTLY = 0.02
"""Chance to win that a decision may give away before the tutor says something."""
FIELD = "aids"


@dataclass
class HelpUsed:
    """What helped the person in a match, as the record keeps it under ``aids``.

    ``hints`` and ``take_backs`` list the number of the record's last event at that moment,
    ``match_started`` being 1.
    """

    tutor: bool = False
    hints: list[int] = field(default_factory=list)
    take_backs: list[int] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """The field of the record."""
        return {
            "tutor": self.tutor,
            "hints": list(self.hints),
            "take_backs": list(self.take_backs),
        }


def read_help_used(value: object) -> HelpUsed:
    """The help used in a match that is resumed; anything unreadable counts as none."""
    if not isinstance(value, dict):
        return HelpUsed()
    return HelpUsed(
        tutor=value.get("tutor") is True,
        hints=_numbers(value.get("hints")),
        take_backs=_numbers(value.get("take_backs")),
    )


def _numbers(value: object) -> list[int]:
    return [item for item in value if type(item) is int] if isinstance(value, list) else []


class Adviser:
    """Advises from the solution, which is fetched when it is first needed.

    ``note`` is called with the name of an aid, ``hints`` or ``take_backs``, when it is used.
    ``shark``: hints tell what a shark would do as well. ``players``: who sits where, seat 1 first;
    against levels of habits there is a second opinion.
    """

    def __init__(
        self,
        rules: RuleSet,
        seats: int,
        *,
        tutors: bool,
        note: Callable[[str], None],
        shark: bool = False,
        players: Sequence[str] = (),
    ) -> None:
        self._rules = rules
        self._seats = seats
        self._has_shark = shark
        self._players = players
        self._shark: Shark | None = None
        self.tutors = tutors
        self.note = note

    def hint(self, seen: Observation) -> Advice:
        """Advice at this decision, noted in the record."""
        advice = self._advise(seen)
        self.note("hints")
        return advice

    def intent(self, seen: Observation) -> Intent | None:
        """What a shark in the person's seat would do that saw the same; None without a shark.

        It knows this match only: of the others at the table there is no memory.
        """
        if not self._has_shark:
            return None
        if self._shark is None:
            self._shark = registry.shark(self._rules, self._seats, solution_for)
        return self._shark.intent(seen)

    def objection(self, seen: Observation, action: Action) -> Advice | None:
        """Advice when the tutor is on and ``action`` gives away more than ``COSTLY``."""
        if not self.tutors:
            return None
        advice = self._advise(seen)
        return advice if advice.cost(action) > COSTLY else None

    def _advise(self, seen: Observation) -> Advice:
        from mia_cli.theory.advice import advise

        rules = self._rules
        solution = solution_for(self._seats, rules.lives, rules.penalty_21)
        return self._with_second(advise(solution, seen), seen)

    def _with_second(self, advice: Advice, seen: Observation) -> Advice:
        """With what is better against the seat that answers, or has claimed."""
        from mia_cli.theory.second_opinion import SecondOpinion, against

        claims = seen.decision == "claim"
        other = next_living(seen.lives, seen.seat) if claims else seen.roller
        level = self._players[other - 1] if self._players else ""
        policies = registry.policies(level, self._rules, solution_for)
        if policies is None:
            return advice
        policy = policies.at(seen.lives, seen.roller)
        wins = against(advice, policy, seen.above, None if claims else seen.claim)
        return replace(advice, second=SecondOpinion(other, level, wins)) if wins else advice
