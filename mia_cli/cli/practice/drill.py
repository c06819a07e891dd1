"""From the options of ``mia practice`` to questions that are asked one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from mia_cli.cli import outcome, outputs, streams
from mia_cli.cli.practice.views import JsonDrill, TextDrill
from mia_cli.cli.screen import screen
from mia_cli.cli.solving import solution_for
from mia_cli.presets import TableSettings, resolve
from mia_cli.rules.errors import BadRecord, CannotRead, MiaError, NotAllowed
from mia_cli.text import practice as text
from mia_cli.text.errors.sentences import sentence
from mia_cli.tutorial.practice.cards import Card, PracticeRecord, from_document, to_document
from mia_cli.tutorial.practice.question import KINDS, judged
from mia_cli.tutorial.practice.stock import MATCHES, made_up, own_questions
from mia_cli.tutorial.store import KeptFile, tutorial_dir

if TYPE_CHECKING:
    from mia_cli.records.record import MatchRecord
    from mia_cli.review.decisions import Decision

FILE = "practice.json"
MOST = 1000
"""Questions in one go."""
_QUICK = (3, 3)
"""Seats and lives up to which a match is gone through: larger tables take long to solve."""


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """The options of ``mia practice`` as they were typed."""

    number: str | None = None
    match: str | None = None
    kind: str | None = None
    restart: bool = False
    rules: str | None = None
    lives: str | None = None
    penalty_21: str | None = None
    players: str | None = None
    as_json: bool = False

    def count(self) -> int:
        """How many questions. Raises CannotRead."""
        if self.number is None:
            return 10
        plain = self.number.strip()
        if not (plain.isascii() and plain.isdecimal() and 1 <= int(plain[:6]) <= MOST):
            raise CannotRead(
                "bad_choice", value=self.number, place="-n", allowed=("1", "...", str(MOST))
            )
        return int(plain)

    def settings(self, environ: Mapping[str, str]) -> TableSettings:
        """The rules and seats of positions that are made up. Raises MiaError."""
        if self.kind is not None and self.kind not in KINDS:
            raise CannotRead("bad_choice", value=self.kind, place="--kind", allowed=KINDS)
        plain = {key: value for key, value in environ.items() if key != "MIA_CPU"}
        return resolve(
            plain,
            rules=self.rules,
            lives=self.lives,
            penalty_21=self.penalty_21,
            players=self.players,
            cpus=(),
        )


def list_cards(request: PracticeRequest, environ: Mapping[str, str] = os.environ) -> int:
    """Show what is due, how each kind stands, and the trend."""
    request.settings(environ)
    record, today = _store().load(), _today()
    if request.as_json:
        outputs.write_json(text.list_document(record, today))
        return outcome.DONE
    shown = screen()
    for line in text.list_lines(record, today):
        shown.say(line)
    return outcome.DONE


def drill(request: PracticeRequest, environ: Mapping[str, str] = os.environ) -> int:
    """Ask the questions; returns the exit code. Raises MiaError for bad options."""
    try:
        return _drill(request, environ)
    except BrokenPipeError:  # nobody reads any more; what was answered is kept
        streams.silence()
        return outcome.UNFINISHED


def _drill(request: PracticeRequest, environ: Mapping[str, str]) -> int:
    count, settings = request.count(), request.settings(environ)
    if request.match is not None:
        _require_finished(request.match)  # is said before anything else
    store, record = _opened(restart=request.restart)
    view = JsonDrill() if request.as_json else TextDrill()
    asked = right = 0
    cards = islice(_cards(request, settings, record), count)
    if request.match is not None:  # there are as many as there are
        listed = list(cards)
        count, cards = len(listed), islice(listed, count)
    if count:
        view.open(count)
    for card in cards:
        question = card.question
        solution = solution_for(len(question.lives), max(question.lives), question.penalty_21)
        advice = question.advice(solution)
        asked += 1
        action = view.ask(card, asked, count)
        if action is None:
            view.leave(asked - 1, right)
            return outcome.UNFINISHED
        verdict = judged(question, solution, action)
        right += verdict.right
        record = record.answered(card, verdict.right, _today())
        _keep(store, record)
        view.judge(record.cards[question.id], action, advice, verdict)
    view.close(asked, right)
    return outcome.DONE


def _cards(
    request: PracticeRequest, settings: TableSettings, record: PracticeRecord
) -> Iterator[Card]:
    """Cards that are due, then the person's decisions, then positions that are made up."""
    known = set(record.cards)

    def fits(card: Card) -> bool:
        return request.kind in (None, card.question.kind) and (
            request.match is None or card.source is not None
        )

    if request.match is None:
        yield from filter(fits, record.due(_today()))
    for card in filter(fits, own_questions(_records(request.match), _decisions)):
        if request.match is not None or card.question.id not in known:
            yield record.cards.get(card.question.id, card)
    if request.match is not None:
        return
    seats, rules = settings.players, settings.rules
    solution = solution_for(seats, rules.lives, rules.penalty_21)
    answers = sum(card.asked for card in record.cards.values())
    random = Random(f"mia-practice/1:{_today()}:{answers}")
    for card in made_up(rules, seats, solution, random, request.kind):
        if card.question.id not in known:
            known.add(card.question.id)
            yield card


def _records(match: str | None) -> Iterator[MatchRecord]:
    """One match, or the latest finished ones whose tables are quick to solve."""
    from mia_cli.files.folders import matches_dir
    from mia_cli.records.store import MatchStore

    store = MatchStore(matches_dir())
    if match is not None:
        yield store.load(match)
        return
    found = 0
    for match_id in reversed(store.ids()):
        try:
            record = store.load(match_id)
        except MiaError as error:
            streams.say_error(f"mia: {text.left_out(sentence(error))}")
            continue
        seats, lives = _QUICK
        quick = len(record.seats) <= seats and record.ruleset.lives <= lives
        if record.winner is not None and record.human and quick:
            found += 1
            yield record
        if found == MATCHES:
            return


def _require_finished(match: str) -> None:
    """Raise NotAllowed("not_finished") for a match whose dice must stay hidden."""
    record = next(_records(match))
    if record.winner is None:
        raise NotAllowed("not_finished", id=record.id)


def _decisions(record: MatchRecord) -> list[Decision]:
    from mia_cli.review.decisions import review

    return [found for found in review(record, solution_for).decisions if found.seat == record.human]


def _today() -> date:
    return datetime.now(UTC).date()


def _store() -> KeptFile[PracticeRecord]:
    path = tutorial_dir() / FILE
    return KeptFile(path, PracticeRecord(), from_document, to_document)


def _opened(*, restart: bool) -> tuple[KeptFile[PracticeRecord] | None, PracticeRecord]:
    """The answers so far and where they are kept; None where nothing can be kept, which is said.

    Raises BadRecord("newer_schema"). A damaged file is moved aside.
    """
    try:
        store = _store()
        try:
            record = store.load()
        except BadRecord as error:
            if error.code == "newer_schema":
                raise
            streams.say_error(f"mia: {text.set_aside(sentence(error), store.keep_aside().name)}")
            record = PracticeRecord()
        store.check_writable()
    except BadRecord:
        raise
    except MiaError as error:
        streams.say_error(f"mia: {text.cannot_keep(sentence(error))}")
        return None, PracticeRecord()
    return store, (replace(record, cards={}, days={}) if restart else record)


def _keep(store: KeptFile[PracticeRecord] | None, record: PracticeRecord) -> None:
    if store is None:
        return
    try:
        store.save(record)
    except MiaError as error:
        streams.say_error(f"mia: {text.cannot_keep(sentence(error))}")
