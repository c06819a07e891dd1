"""How questions are put and answers read: as text, or as one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mia_cli.cli import outputs, streams
from mia_cli.cli.dialog import Dialog
from mia_cli.cli.lines import LineSource
from mia_cli.cli.play.person import legal_answer, legal_claim, why_not
from mia_cli.cli.rules.page import command_for
from mia_cli.cli.screen import columns
from mia_cli.rules.errors import MiaError
from mia_cli.rules.match import Action, Observation
from mia_cli.text import practice as text
from mia_cli.text.language.catalogue import speaking
from mia_cli.text.language.line import Line
from mia_cli.text.language.words import understand
from mia_cli.text.play import asides, prompts
from mia_cli.text.rules import brief
from mia_cli.theory.advice_json import action_name
from mia_cli.tutorial.practice.cards import Card

if TYPE_CHECKING:
    from mia_cli.theory.advice import Advice
    from mia_cli.tutorial.practice.question import Verdict

SCHEMA = "mia.event/1"


def decided(typed: str, seen: Observation) -> Action:
    """The decision that was typed. Raises MiaError for anything else."""
    return legal_claim(typed, seen) if seen.decision == "claim" else legal_answer(typed, seen)


class TextDrill:
    """Questions at a screen, with the real prompts."""

    def __init__(self) -> None:
        self._dialog = Dialog()

    def open(self, count: int) -> None:
        """What is coming."""
        self._dialog.say(text.welcome(count))

    def ask(self, card: Card, number: int, count: int) -> Action | None:
        """Ask until a decision is legal; None when the person leaves or the input ends."""
        seen = card.question.seen()
        names = text.seat_names(seen)
        self._dialog.say()
        for line in text.question_lines(card, seen, number, count):
            self._dialog.say(line)
        while True:
            typed = self._dialog.hear(prompts.prompt(seen, names))
            word = None if typed is None else understand(typed)
            if typed is None or word == "quit":
                return None
            if word is not None and word not in ("accept", "challenge"):
                self._tell(word, seen)
                continue
            try:
                return decided(typed, seen)
            except MiaError as error:
                self._dialog.say(why_not(error, typed, seen)())

    def _tell(self, word: str, seen: Observation) -> None:
        lines: Sequence[Line | str]
        if word == "rank":
            lines = asides.order_lines(seen)
        elif word == "odds":
            lines = asides.odds_lines(seen)
        elif word == "score":
            lines = asides.score_lines(seen, text.seat_names(seen))
        elif word == "hint":
            lines = [text.no_hint()]
        elif word == "rules":
            told = brief.at_decision(seen, command_for(seen.rules, len(seen.lives)))
            lines = brief.in_rows(told, columns())
        else:
            lines = [*asides.decision_help(seen), *text.words_here()]
        for line in lines:
            self._dialog.say(line)

    def judge(self, card: Card, action: Action, advice: Advice, verdict: Verdict) -> None:
        """Verdict, figures, reason, what was played in the match, and when it comes back."""
        for line in text.verdict_lines(card, action, advice, verdict):
            self._dialog.say(line)

    def leave(self, asked: int, right: int) -> None:
        """The person leaves before the last question."""
        self._dialog.say(text.left(asked, right))

    def close(self, asked: int, right: int) -> None:
        """All questions were asked."""
        self._dialog.say()
        for line in text.closing_lines(asked, right):
            self._dialog.say(line)


class JsonDrill:
    """Questions and verdicts for a program, as ``mia.event/1``."""

    def __init__(self) -> None:
        self._source = LineSource()

    def open(self, count: int) -> None:
        """Nothing: the first question opens."""

    def ask(self, card: Card, number: int, count: int) -> Action | None:
        """A question, and errors until the reply is legal; None at the end of the input."""
        question, seen = card.question, card.question.seen()
        asked = {"id": question.id, "kind": question.kind, **question.as_json()}
        self._write({"event": "question", **asked, "source": card.source})
        while True:
            typed = self._source.read()
            if typed is None or understand(typed) == "quit":
                return None
            try:
                return decided(typed, seen)
            except MiaError as error:
                with speaking("en"):
                    self._write({"event": "error", "message": why_not(error, typed, seen)()})
            self._write({"event": "question", **asked, "source": card.source})

    def judge(self, card: Card, action: Action, advice: Advice, verdict: Verdict) -> None:
        """Right or not, what it gave away, what is best, and when it comes back."""
        best = [
            {"action": action_name(option.action), "win_probability": option.win}
            for option in sorted(advice.options, key=lambda option: -option.win)
            if advice.best - option.win < text.ALIKE
        ]
        self._write(
            {
                "event": "verdict",
                "id": card.question.id,
                "right": verdict.right,
                "win_lost": verdict.lost,
                "best": best,
                "due": None if card.due is None else card.due.isoformat(),
            }
        )

    def leave(self, asked: int, right: int) -> None:
        """Nothing: the exit code says it."""

    def close(self, asked: int, right: int) -> None:
        """Nothing more to say."""

    def _write(self, fields: Mapping[str, object]) -> None:
        outputs.write_json({"schema": SCHEMA, **fields})
        streams.flush()
