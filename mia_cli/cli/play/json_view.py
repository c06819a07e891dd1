"""A match as one JSON object per line, so that a program can play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from mia_cli.cli import outputs, streams
from mia_cli.cli.lines import LineSource
from mia_cli.cli.play.shark import is_at
from mia_cli.cli.rules.page import command_for
from mia_cli.records.days import day_named
from mia_cli.rules.events import Event, seen_by
from mia_cli.rules.match import Action, Observation
from mia_cli.rules.rolls import Claim
from mia_cli.text.language.catalogue import speaking
from mia_cli.text.language.line import plain
from mia_cli.text.language.words import Word
from mia_cli.text.play import asides
from mia_cli.text.play.ending import Kept
from mia_cli.text.rules.brief import at_decision

if TYPE_CHECKING:
    from mia_cli.cli.play.session import Opening
    from mia_cli.cli.play.shark import Noticed
    from mia_cli.cli.play.summary import Summary
    from mia_cli.players.shark import Intent
    from mia_cli.records.record import MatchRecord
    from mia_cli.theory.advice import Advice

SCHEMA = "mia.event/1"


class JsonView:
    """Writes the events as the person's seat may know them, prompts and errors included."""

    def __init__(self, person: int) -> None:
        self._person = person
        self._lines = LineSource()

    def start(self, opening: Opening) -> None:
        """The head of the match and its first event, and what a shark remembers (null: off)."""
        from mia_cli.records.codec import match_started

        day = day_named(opening.record)
        told = {} if day is None else {"daily": day}
        self._write({**match_started(opening.record), **told})
        if is_at(opening.record):
            self._write({"event": "remembered", "matches": opening.memory})

    def resume(self, opening: Opening) -> None:
        """All events so far, as they were written when they happened."""
        self.start(opening)
        self.show(opening.record.events, opening.record)

    def show(self, events: Iterable[Event], record: MatchRecord) -> None:
        """The events of one action."""
        from mia_cli.records.codec import encode_with

        for event in events:
            self._write(encode_with(seen_by(event, self._person), record.seed))

    def hear(self, seen: Observation) -> str | None:
        """Write a prompt (what is to be decided, and over what), and read the answer."""
        if seen.decision == "claim":
            asked: dict[str, object] = {"decision": "claim", "above": _name(seen.above)}
        else:
            asked = {"decision": "answer", "claim": _name(seen.claim), "above": _name(seen.above)}
        self._write({"event": "prompt", **asked, "seat": seen.seat, "lives": list(seen.lives)})
        return self._lines.read()

    def problem(self, message: Callable[[], str]) -> None:
        """Why the line did not count, in English."""
        with speaking("en"):
            self._write({"event": "error", "message": message()})

    def tell(self, word: Word, seen: Observation) -> None:
        """Answer a word that is no decision; history and rank have commands of their own."""
        with speaking("en"):
            if word == "odds":
                text = [plain(line) for line in asides.odds_lines(seen)]
            elif word == "rules":
                text = at_decision(seen, command_for(seen.rules, len(seen.lives)))
            else:
                text = asides.help_lines(seen)
        self._write({"event": "note", "topic": word, "text": text})

    def advise(self, advice: Advice, seen: Observation, shark: Intent | None) -> None:
        """A hint: every option with its probability in the solution and its chance to win, and
        with what probability a shark would take it."""
        from mia_cli.theory.advice_json import advice_json, second_json

        told = {} if shark is None else {"shark": _intent_json(shark)}
        said = {**advice_json(advice, seen.decision), **second_json(advice)}
        self._write({"event": "hint", **said, **told})

    def comment(self, advice: Advice, seen: Observation, action: Action) -> None:
        """The tutor's comment on a decision; the same line again makes it final."""
        from mia_cli.theory.advice_json import action_name, advice_json, second_json

        said = {"action": action_name(action), "cost": advice.cost(action)}
        self._write(
            {"event": "tutor", **said, **advice_json(advice, seen.decision), **second_json(advice)}
        )

    def noticed(self, found: Noticed) -> None:
        """Every habit of the person that the shark noticed."""
        habits = [
            {
                "code": notice.code,
                "times": notice.times,
                "of": notice.of,
                "usual": notice.usual,
                "claim": _name(notice.claim),
            }
            for notice in found.notices
        ]
        said = {"seat": found.seat, "person": found.person, "earlier_matches": found.earlier}
        self._write({"event": "noticed", **said, "habits": habits})

    def summarise(self, summary: Summary, kept: Kept) -> None:
        """The facts of the story."""
        self._write({"event": "summary", **summary.as_json()})

    def wants_another(self) -> bool:
        """No: a program starts the next one itself."""
        return False

    def leave(self, record: MatchRecord, kept: Kept) -> None:
        """The match was left before its end."""
        self._write({"event": "left", "match": record.id, "saved": kept == "all"})

    def _write(self, fields: Mapping[str, object]) -> None:
        outputs.write_json({"schema": SCHEMA, **fields})
        streams.flush()


def _name(claim: Claim | None) -> str | None:
    return None if claim is None else claim.name


def _intent_json(intent: Intent) -> dict[str, object]:
    """What a shark would do, and whether it leaves the solution for it."""
    from mia_cli.theory.advice_json import action_name

    options = [
        {"action": action_name(action), "probability": probability}
        for action, probability in intent.options
    ]
    return {"leaves_solution": intent.leaves, "options": options}
