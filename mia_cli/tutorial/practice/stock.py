"""Where questions come from: decisions of the person's own matches, and the solution.

From each match every decision with a choice counts. Those that gave away most come first; for each
there is one that was right, or every question would give its answer away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from random import Random
from typing import TYPE_CHECKING, Protocol

from mia_cli.rules.rolls import CLAIMS, OUTCOMES, Claim, Roll, claims_above, roll_of_dice
from mia_cli.rules.ruleset import RuleSet
from mia_cli.tutorial.practice.cards import Card
from mia_cli.tutorial.practice.question import CLOSE, KINDS, PracticeQuestion

if TYPE_CHECKING:
    from mia_cli.records.record import MatchRecord
    from mia_cli.rules.match import Action, Match
    from mia_cli.theory.advice import Advice
    from mia_cli.theory.solution import Solution

MATCHES = 30
"""The latest finished matches that questions are taken from."""
AT_STAKE = 0.02
"""Chance to win that the options of a question must differ by, unless it was answered wrong."""
_TRIES = 400


class Decided(Protocol):
    """A decision of a match, as a review tells it; ``lost``: chance to win given away."""

    @property
    def seat(self) -> int: ...
    @property
    def match(self) -> Match: ...
    @property
    def action(self) -> Action: ...
    @property
    def lost(self) -> float: ...
    @property
    def advice(self) -> Advice: ...


def own_questions(
    records: Iterable[MatchRecord], decisions: Callable[[MatchRecord], Sequence[Decided]]
) -> list[Card]:
    """Cards from matches, mistakes and right decisions in turn, the dearest mistake first.

    ``decisions`` gives the person's decisions of a finished match.
    """
    wrong: list[tuple[float, Card]] = []
    right: list[Card] = []
    for record in records:
        for decision in decisions(record):
            card = _card(record, decision)
            if not card.question.is_open:
                continue
            wins = [option.win for option in decision.advice.options]
            if decision.lost >= CLOSE:
                wrong.append((decision.lost, card))
            elif max(wins) - min(wins) >= AT_STAKE:
                right.append(card)
    wrong.sort(key=lambda item: (-item[0], item[1].question.id))
    # As many right ones as wrong ones, of the latest matches.
    mixed = zip_longest((card for _, card in wrong), right[: max(len(wrong), 1)])
    return list({card.question.id: card for card in chain.from_iterable(mixed) if card}.values())


def _card(record: MatchRecord, decision: Decided) -> Card:
    match = decision.match
    living = [seat for seat, left in enumerate(match.lives, start=1) if left]
    at = living.index(decision.seat)
    order = (*living[at:], *living[:at])
    question = PracticeQuestion(
        lives=tuple(match.lives[seat - 1] for seat in order),
        penalty_21=record.ruleset.penalty_21,
        above=match.above,
        claim=match.claim,
        roll=match.roll if match.claim is None else None,
    )
    claim = getattr(decision.action, "claim", None)
    action = type(decision.action).__name__.lower() if claim is None else claim.name
    return Card(question, record.id, action)


def made_up(
    rules: RuleSet,
    seats: int,
    solution: Solution,
    random: Random,
    kind: str | None = None,
) -> Iterator[Card]:
    """Cards of positions as the best play meets them, of every kind in turn, without end.

    A kind that this table does not have gives none; then the iterator ends.
    """
    wanted = [name for name in KINDS if name != "many_seats" or seats > 2]
    wanted = [name for name in wanted if kind in (None, name)]
    missing = 0
    while wanted and missing < len(wanted):
        missing = 0
        for name in wanted:
            found = _of_kind(name, rules, seats, solution, random)
            missing += found is None
            if found is not None:
                yield Card(found)


def _of_kind(
    kind: str, rules: RuleSet, seats: int, solution: Solution, random: Random
) -> PracticeQuestion | None:
    for _try in range(_TRIES):
        question = _drawn(kind, rules, seats, solution, random)
        if question.kind == kind and question.is_open:
            wins = [option.win for option in question.advice(solution).options]
            if max(wins) - min(wins) >= AT_STAKE:
                return question
    return None


def _drawn(
    kind: str, rules: RuleSet, seats: int, solution: Solution, random: Random
) -> PracticeQuestion:
    at_table = seats if kind == "many_seats" else 2
    lives = [random.randint(1, rules.lives) for _seat in range(at_table)]
    if kind == "last_life":
        lives[0] = 1
    above = random.choice([None, *CLAIMS[: len(CLAIMS) - 2]]) if kind != "first_claim" else None
    first, second = divmod(random.randrange(OUTCOMES), 6)
    roll = roll_of_dice(1 + first, 1 + second)
    if kind.startswith("answer") or (kind in ("last_life", "many_seats") and random.random() < 0.5):
        claim = _claimed(solution, (lives[-1], *lives[:-1]), above, roll, random)
        return PracticeQuestion(tuple(lives), rules.penalty_21, above, claim, None)
    return PracticeQuestion(tuple(lives), rules.penalty_21, above, None, roll)


def _claimed(
    solution: Solution, lives: Sequence[int], above: Claim | None, roll: Roll, random: Random
) -> Claim:
    """What the best play claims with ``roll``; ``lives`` from the roller."""
    from mia_cli.theory.advice import advise_claim

    options = advise_claim(solution, lives, above, roll).options
    legal = claims_above(above)
    return random.choices(legal, [option.probability for option in options])[0]
