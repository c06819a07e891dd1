"""A match on a screen: lines of text, and prompts at the end of a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mia_cli.cli.dialog import Dialog
from mia_cli.cli.play.pace import wait_before
from mia_cli.cli.play.shark import is_at
from mia_cli.cli.screen import columns, is_terminal
from mia_cli.cli.streams import can_show
from mia_cli.records.days import day_named
from mia_cli.records.record import FIRST
from mia_cli.rules.events import Event, RoundStarted
from mia_cli.rules.match import Action, Observation
from mia_cli.text.language.line import Line
from mia_cli.text.language.words import Word, is_again
from mia_cli.text.play import ending, prompts
from mia_cli.text.play import opening as opening_text
from mia_cli.text.play.narrate import Narrator
from mia_cli.text.play.seats import SeatNames

if TYPE_CHECKING:
    from mia_cli.cli.play.session import Opening
    from mia_cli.cli.play.shark import Noticed
    from mia_cli.cli.play.summary import Summary
    from mia_cli.players.shark import Intent
    from mia_cli.records.record import MatchRecord
    from mia_cli.theory.advice import Advice


_TOLD = 2
"""Habits that are told after a match."""


class TextView:
    """Shows a match to the person in ``seating``; never anything that seat may not know.

    ``pace``: seconds before something that another seat does, at a terminal.
    """

    def __init__(self, seating: SeatNames, pace: float) -> None:
        self._seating = seating
        self._pace = pace
        self._dialog = Dialog()
        self._narrator = Narrator(seating)
        self._tries = 0

    def start(self, opening: Opening) -> None:
        """What is settled before the first roll; a match that waits comes before it all."""
        if opening.waiting is not None:
            self._dialog.say(opening_text.waiting(opening.waiting))
        self._head(opening, (opening.record.ruleset.lives,) * len(opening.record.seats))

    def resume(self, opening: Opening) -> None:
        """The head again with the lives there are now, and the round so far."""
        events = opening.record.events
        self._dialog.say(opening_text.resumed(opening.record.id))
        at, begun = max((at, one) for at, one in enumerate(events) if isinstance(one, RoundStarted))
        self._head(opening, begun.lives)
        for text in Narrator(self._seating, retold=True).tell_all(events[at:]):
            self._dialog.say(text)

    def _head(self, opening: Opening, lives: Sequence[int]) -> None:
        record = opening.record
        day = day_named(record)
        if day is not None:
            self._tries = opening.tries
            from mia_cli.text.play import daily

            self._dialog.say(daily.opening_line(day, opening.tries))
        seed = record.seed if opening.seed_is_known else None
        seal = opening_text.sealed(seed, record.seed_fingerprint)
        lines = opening_text.head(record.ruleset, opening.preset, self._seating, lives, seal)
        if is_at(record):
            from mia_cli.text.play import shark as shark_text

            lines.append(shark_text.memory_line(opening.memory))
        for text in lines:
            self._dialog.say(text)

    def show(self, events: Sequence[Event], _record: MatchRecord) -> None:
        """The events of one action, after a pause where another seat acts."""
        if self._pace:
            self._dialog.pause(self._pace * wait_before(events, self._seating.person))
        for text in self._narrator.tell(events):
            self._dialog.say(text)

    def hear(self, seen: Observation) -> str | None:
        """The prompt, and the line that answers it."""
        return self._dialog.hear(prompts.prompt(seen, self._seating))

    def problem(self, message: Callable[[], str]) -> None:
        """Why the line did not count."""
        self._dialog.say(message())

    def tell(self, word: Word, seen: Observation) -> None:
        """Answer a word that is no decision."""
        for text in self._told(word, seen):
            self._dialog.say(text)

    def _told(self, word: Word, seen: Observation) -> Sequence[Line | str]:
        from mia_cli.text.play import asides

        if word == "rules":
            from mia_cli.cli.rules.page import command_for
            from mia_cli.text.rules import brief

            command = command_for(seen.rules, len(seen.lives))
            return brief.in_rows(brief.at_decision(seen, command), columns())
        if word == "rank":
            return asides.order_lines(seen)
        if word == "odds":
            return asides.odds_lines(seen)
        if word == "score":
            return asides.score_lines(seen, self._seating)
        if word == "history":
            return Narrator(self._seating, retold=True).tell_all(seen.history)
        return asides.help_lines(seen)

    def advise(self, advice: Advice, seen: Observation, shark: Intent | None) -> None:
        """Show a hint."""
        from mia_cli.text.advice import hint_lines
        from mia_cli.text.play import shark as shark_text

        for text in hint_lines(advice, seen, self._seating):
            self._dialog.say(text)
        if shark is not None:
            self._dialog.say(shark_text.intent_line(shark))

    def comment(self, advice: Advice, seen: Observation, action: Action) -> None:
        """Show the tutor's comment."""
        from mia_cli.text.advice import tutor_lines

        for text in tutor_lines(advice, seen, action, self._seating):
            self._dialog.say(text)

    def noticed(self, found: Noticed) -> None:
        """What the shark noticed: the two most telling habits."""
        from mia_cli.players.shark.notice import in_short
        from mia_cli.text.play import shark as shark_text

        lines = shark_text.noticed_lines(in_short(found.notices, _TOLD), found.earlier)
        for text in (*lines, ()) if lines else ():
            self._dialog.say(text)

    def summarise(self, summary: Summary, kept: ending.Kept) -> None:
        """The story of the match, and what proves its dice."""
        for text in self._story(summary):
            self._dialog.say(text)
        record = summary.record
        for proof in ending.closing(record.id, record.seed, record.seed_fingerprint, kept):
            self._dialog.say(proof)
        if is_terminal(sys.stdout) and kept == "all" and summary.is_worth_practice:
            from mia_cli.text.play import story

            self._dialog.say(story.practice_line(record.id))
        day = day_named(record)
        if day is not None:
            for row in self._to_paste(day, summary):
                self._dialog.say(row)

    def _to_paste(self, day: str, summary: Summary) -> Sequence[str]:
        from mia_cli.text.play import daily

        lost = [0.0] * summary.rounds
        for decision in summary.review.decisions if summary.review else ():
            lost[decision.match.round - 1] += decision.shown_lost / 1000
        signs = daily.SIGNS if can_show(daily.SIGNS) else daily.PLAIN_SIGNS
        won = summary.record.winner == summary.person
        return daily.lines_to_paste(day, self._tries + 1, won=won, lost=lost, signs=signs)

    def _story(self, summary: Summary) -> Iterator[Line]:
        from mia_cli.text.play import story

        yield from story.filled_rows(story.own_lines(summary.rounds, summary.own), columns())
        turned = summary.turning_point
        if turned is not None:
            what = story.event_text(summary.record.events, turned.event - FIRST, self._seating)
            yield story.turning_line(turned.round, what, turned.before, turned.after)
        yield story.given_away_line(summary.review.shown_lost if summary.review else None)
        others = (
            story.opponent_line(self._seating.name(seat), done)
            for seat, done in enumerate(summary.stories, start=1)
            if not self._seating.is_you(seat)
        )
        yield from story.filled_rows(others, columns())
        yield story.score_line(summary.score.matches, summary.score.wins, summary.score.streak)

    def wants_another(self) -> bool:
        """Ask, at a terminal; only the word is a yes."""
        if not self._dialog.is_live:
            return False
        typed = self._dialog.hear(ending.another())
        return typed is not None and is_again(typed)

    def leave(self, record: MatchRecord, kept: ending.Kept) -> None:
        """The match was left before its end."""
        over = record.winner is not None
        said = ending.kept_line if over else ending.left
        self._dialog.say(said(record.id, kept))
