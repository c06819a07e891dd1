"""Plays one match with the person: drives the engine, saves after every action, shows the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from mia_cli.cli import outcome, streams
from mia_cli.cli.bots import close_bots, fault_lines
from mia_cli.cli.play.help_used import FIELD as HELP_FIELD
from mia_cli.cli.play.help_used import HelpUsed
from mia_cli.cli.play.person import Left, PersonView
from mia_cli.cli.play.shark import Noticed, noticed
from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.player import Player
from mia_cli.engine.seed import Stream
from mia_cli.players.bot.fault import BotFault
from mia_cli.records.record import FINISHED, UNFINISHED, MatchRecord
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import Event, MatchOver
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.play import prompts as text
from mia_cli.text.play.ending import Kept

if TYPE_CHECKING:
    from mia_cli.cli.play.summary import Summary


@dataclass(frozen=True, slots=True)
class Opening:
    """A match as it begins or goes on.

    ``preset``: its name where somebody chose one. ``seed_is_known``: the person has typed it.
    ``memory``: how many matches of the person a shark at the table knows; None: it is off.
    ``waiting``: enough of the id of another match, which was left. ``tries``: how often the match
    of a day was finished before.
    """

    record: MatchRecord
    preset: str | None
    seed_is_known: bool = False
    memory: int | None = None
    waiting: str | None = None
    tries: int = 0


class MatchView(PersonView, Protocol):
    """A view that also shows the beginning, the events and the end."""

    def start(self, opening: Opening) -> None:
        """What is settled before the first roll."""
        ...

    def resume(self, opening: Opening) -> None:
        """A match that is taken up again."""
        ...

    def show(self, events: Sequence[Event], record: MatchRecord) -> None:
        """The events of one action."""
        ...

    def noticed(self, found: Noticed) -> None:
        """What a shark noticed of the person, when the match is over."""
        ...

    def summarise(self, summary: Summary, kept: Kept) -> None:
        """The story of the match, at the very end."""
        ...

    def wants_another(self) -> bool:
        """Whether the person asks for another match, where somebody is there to be asked."""
        ...

    def leave(self, record: MatchRecord, kept: Kept) -> None:
        """The match was left."""
        ...


class RecordSaver:
    """Saves a record after every action; says once when that stops to work, and keeps trying.

    ``kept``: what the file has, at first of a match that is resumed.
    """

    def __init__(self, store: MatchStore | None, kept: Kept = "nothing") -> None:
        self.store = store
        self._complained = store is None
        self.kept: Kept = kept

    @property
    def saved(self) -> bool:
        """Whether the file has every action."""
        return self.kept == "all"

    def keep(self, record: MatchRecord) -> None:
        """Save ``record``; never raises for a file system's reasons."""
        if self.store is None:
            return
        try:
            self.store.save(record)
            self.kept = "all"
        except MiaError as error:
            is_taken = error.code == "changed_elsewhere"
            if self.kept == "all":
                self.kept = "some"
            if is_taken:
                self.kept = "another"
            if not self._complained:
                self._complained = True
                tell = text.taken_elsewhere if is_taken else text.saving_failed
                streams.say_error(f"mia: {tell(sentence(error))}")


class MatchSession:
    """A match between its record, its table, its saver and its view."""

    def __init__(
        self,
        record: MatchRecord,
        table: Table,
        saver: RecordSaver,
        view: MatchView,
        help_used: HelpUsed,
    ) -> None:
        self.record = record
        self._table = table
        self._saver = saver
        self._view = view
        self._help_used = help_used

    def note(self, aid: str) -> None:
        """Note that the person used an aid, in the record and at once."""
        last_event = len(self.record.events) + 1
        used = {"hints": self._help_used.hints, "take_backs": self._help_used.take_backs}
        used[aid].append(last_event)
        self.record = replace(self.record, extra=with_help_used(self.record, self._help_used))
        self._saver.keep(self.record)

    def play(self, players: Sequence[Player]) -> int:
        """Play to the end or until the person leaves; returns the exit code.

        Every action is saved before it is shown: what was on the screen survives a kill. Raises
        KeyboardInterrupt after having said how to go on.
        """
        try:
            return self._play(players)
        except BrokenPipeError:
            # Nobody reads any more; what was played is saved.
            streams.silence()
            done = outcome.UNFINISHED if self.record.winner is None else outcome.DONE
            return done if self._saver.saved else outcome.FILES

    def _play(self, players: Sequence[Player]) -> int:
        seed = self.record.seed
        actions = run(
            self._table, players, SeededDice(seed), lambda seat: Stream(seed, f"seat {seat}")
        )
        try:
            for events in actions:
                self.record = advanced(self.record, self._table.events, datetime.now(UTC))
                self._saver.keep(self.record)
                self._view.show(events, self.record)
        except Left:
            return self._left()
        except BotFault as fault:
            for line in fault_lines(fault):
                streams.say_error(line)
            return self._left()
        except KeyboardInterrupt:
            self._left()
            raise
        finally:
            close_bots(players, self.record, self._table.events)
        found = noticed(players, self.record)
        if found is not None:
            self._view.noticed(found)
        self._tell_story()
        return outcome.DONE if self._saver.saved else outcome.FILES

    def wants_another(self) -> bool:
        """Whether the match is over and the person asks for another one."""
        return self.record.winner is not None and self._view.wants_another()

    def _tell_story(self) -> None:
        from mia_cli.cli.play.summary import summary_of

        summary = summary_of(self.record, self._saver.store)
        self._view.summarise(summary, self._saver.kept)

    def _left(self) -> int:
        self._view.leave(self.record, self._saver.kept)
        return outcome.UNFINISHED if self._saver.saved else outcome.FILES


def with_help_used(record: MatchRecord, help_used: HelpUsed) -> dict[str, object]:
    """The further fields of the record, the help used among them."""
    return {**record.extra, HELP_FIELD: help_used.as_json()}


def advanced(record: MatchRecord, events: Sequence[Event], now: datetime) -> MatchRecord:
    """The record with all events so far; finished at ``now`` when the last one ends the match."""
    last = events[-1]
    over = isinstance(last, MatchOver)
    return replace(
        record,
        events=tuple(events),
        status=FINISHED if over else UNFINISHED,
        ended=utc_text(now) if over else None,
        winner=last.winner if isinstance(last, MatchOver) else None,
    )


def utc_text(now: datetime) -> str:
    """A moment as records write it, in UTC and to the second."""
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
