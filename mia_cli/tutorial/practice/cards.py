"""What was asked and when it comes back: a card for each question, in boxes.

The boxes are those of Sebastian Leitner, "So lernt man lernen" (1972): a right answer moves a card
one box up, where it rests longer; a wrong one takes it back to the first box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from mia_cli.files.documents import Document
from mia_cli.rules.errors import BadRecord, MiaError
from mia_cli.tutorial.practice.question import KINDS, PracticeQuestion, question_from

SCHEMA = "mia.practice/1"
_PREFIX = "mia.practice/"
WAITS = (1, 3, 7, 21, 60)
"""Days until a card comes back, by box; after a right answer in the last box it rests for good."""
_MOST_DAYS = 400


@dataclass(frozen=True, slots=True)
class Card:
    """A question that was asked. ``source``: the match it is from, and ``played`` what was done
    there; both None for a position that was made up. ``due`` is None for a card that rests."""

    question: PracticeQuestion
    source: str | None = None
    played: str | None = None
    box: int = 0
    due: date | None = None
    asked: int = 0
    right: int = 0

    def answered(self, right: bool, today: date) -> Card:
        """The card after an answer."""
        if right and self.box == len(WAITS) - 1:
            return replace(self, due=None, asked=self.asked + 1, right=self.right + 1)
        # A card that was never asked starts in the box of its first answer.
        box = 0 if not right else self.box + 1
        due = today + timedelta(days=WAITS[box])
        return replace(self, box=box, due=due, asked=self.asked + 1, right=self.right + right)


@dataclass(frozen=True, slots=True)
class PracticeRecord:
    """All cards by the ids of their questions, and how each day went: asked and right."""

    cards: Mapping[str, Card] = field(default_factory=dict)
    days: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)

    def due(self, today: date) -> list[Card]:
        """Cards to be asked again, the longest overdue first."""
        waiting = [card for card in self.cards.values() if card.due and card.due <= today]
        return sorted(waiting, key=lambda card: (card.due, card.question.id))

    def answered(self, card: Card, right: bool, today: date) -> PracticeRecord:
        """The record after an answer to ``card``."""
        day = today.isoformat()
        asked, good = self.days.get(day, (0, 0))
        days = {**self.days, day: (asked + 1, good + right)}
        kept = dict(sorted(days.items())[-_MOST_DAYS:])
        return replace(
            self,
            cards={**self.cards, card.question.id: card.answered(right, today)},
            days=kept,
        )

    def by_kind(self) -> dict[str, tuple[int, int, int]]:
        """Cards, questions asked and right answers of every kind that was met."""
        found: dict[str, tuple[int, int, int]] = {}
        for kind in KINDS:
            cards = [card for card in self.cards.values() if card.question.kind == kind]
            if cards:
                counts = (sum(card.asked for card in cards), sum(card.right for card in cards))
                found[kind] = (len(cards), *counts)
        return found


def to_document(record: PracticeRecord) -> Document:
    """The JSON object that is kept."""
    return {
        **record.extra,
        "schema": SCHEMA,
        "cards": [_card_json(card) for card in record.cards.values()],
        "days": [
            {"day": day, "asked": asked, "right": right}
            for day, (asked, right) in record.days.items()
        ],
    }


def _card_json(card: Card) -> Document:
    return {
        **card.question.as_json(),
        "source": card.source,
        "played": card.played,
        "box": card.box,
        "due": None if card.due is None else card.due.isoformat(),
        "asked": card.asked,
        "right": card.right,
    }


def from_document(document: object) -> PracticeRecord:
    """Read it. Raises BadRecord: ``newer_schema`` (value, allowed), ``not_practice`` (field)."""
    if not isinstance(document, dict):
        raise BadRecord("not_practice", field="schema")
    _require_schema(document.get("schema"))
    cards, days = document.get("cards"), document.get("days")
    if not isinstance(cards, list):
        raise BadRecord("not_practice", field="cards")
    if not isinstance(days, list):
        raise BadRecord("not_practice", field="days")
    read = [_card(entry) for entry in cards]
    return PracticeRecord(
        cards={card.question.id: card for card in read},
        days=dict(_days(days)),
        extra={key: document[key] for key in document.keys() - {"schema", "cards", "days"}},
    )


def _require_schema(value: object) -> None:
    if value == SCHEMA:
        return
    if isinstance(value, str) and value.removeprefix(_PREFIX).isdecimal():
        raise BadRecord("newer_schema", value=value, allowed=SCHEMA)
    raise BadRecord("not_practice", field="schema")


def _card(entry: object) -> Card:
    try:
        assert isinstance(entry, dict)
        counts = tuple(entry[name] for name in ("box", "asked", "right"))
        texts = (entry["source"], entry["played"])
        assert all(type(count) is int and count >= 0 for count in counts)
        assert counts[0] < len(WAITS)
        assert all(text is None or isinstance(text, str) for text in texts)
        due = None if entry["due"] is None else date.fromisoformat(entry["due"])
        question = question_from(entry)
    except (AssertionError, KeyError, TypeError, ValueError, MiaError):
        raise BadRecord("not_practice", field="cards") from None
    return Card(question, *texts, counts[0], due, counts[1], counts[2])


def _days(entries: Iterable[object]) -> Iterator[tuple[str, tuple[int, int]]]:
    for entry in entries:
        try:
            assert isinstance(entry, dict)
            day = date.fromisoformat(entry["day"]).isoformat()
            asked, right = entry["asked"], entry["right"]
            assert type(asked) is int and type(right) is int and 0 <= right <= asked
        except (AssertionError, KeyError, TypeError, ValueError):
            raise BadRecord("not_practice", field="days") from None
        yield day, (asked, right)
