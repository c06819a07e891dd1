"""``mia play --choose``: asks line by line what the table shall be, and offers to keep it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from mia_cli.cli.bots import Bots, read_bots
from mia_cli.cli.dialog import Dialog
from mia_cli.cli.play.request import RANDOM, PlayRequest, first_seat
from mia_cli.cli.screen import columns
from mia_cli.players.names import is_bot
from mia_cli.presets import Preset, TableSettings, write
from mia_cli.presets.settings import levels, number
from mia_cli.rules.errors import MiaError, NotAllowed
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet
from mia_cli.text.errors.sentences import sentence
from mia_cli.text.language.words import by_chance, is_random, understand, yes_or_no
from mia_cli.text.levels import level_lines
from mia_cli.text.play import choosing as text
from mia_cli.text.rules.presets import written

T = TypeVar("T")


class NothingChosen(Exception):
    """The person leaves before the table is settled: by ``quit``, or as the input has ended."""

    def __init__(self, *, ended: bool) -> None:
        super().__init__(ended)
        self.ended = ended


def choose(request: PlayRequest, environ: Mapping[str, str] = os.environ) -> PlayRequest:
    """The request with what the person chose; options that were given stand in the brackets.

    Raises NothingChosen; MiaError for options that make no sense.
    """
    if request.as_json:
        raise NotAllowed("not_together", option="--choose", other="--json")
    settings = request.settings(environ)
    first_seat(request.first, settings.players)
    bots = read_bots(request.bots, request.bot_time)
    return _Chooser(Dialog(), bots, environ).table(request, settings)


class _Chooser:
    """Asks one thing after the other; Enter takes what stands in the brackets."""

    def __init__(self, dialog: Dialog, bots: Bots, environ: Mapping[str, str]) -> None:
        self._dialog = dialog
        self._bots = bots
        self._environ = environ

    def table(self, request: PlayRequest, settings: TableSettings) -> PlayRequest:
        """Ask for everything, and offer to keep it."""
        players = self._number("--players", text.seats, settings.players, SEATS)
        for line in level_lines(columns()):
            self._dialog.say(line)
        cpus: list[str] = []
        for seat in range(2, players + 1):
            known = settings.cpus[seat - 2 : seat - 1] or (cpus[-1:] or settings.cpus[-1:])
            asked = text.level(seat, known[0])
            cpus.append(self._asked(asked, known[0], self._level))
        rules = RuleSet(
            lives=self._number("--lives", text.lives, settings.rules.lives, LIVES),
            penalty_21=self._number(
                "--penalty-21", text.penalty, settings.rules.penalty_21, PENALTIES
            ),
        )
        leads = request.first if request.first in map(str, range(1, players + 1)) else RANDOM
        shown = by_chance() if leads == RANDOM else leads
        first = self._asked(
            text.first(players, shown),
            leads,
            lambda typed: RANDOM if is_random(typed) else first_seat(typed, players),
        )
        # Who leads is no part of a preset.
        name = self._keep(text.keep(), lambda name: Preset(name, rules, players, tuple(cpus)))
        return replace(
            request,
            players=str(players),
            cpus=tuple(cpus),
            rules=name or request.rules,
            lives=str(rules.lives),
            penalty_21=str(rules.penalty_21),
            first=first,
        )

    def _number(
        self, place: str, question: Callable[[int], str], known: int, allowed: tuple[int, ...]
    ) -> int:
        return self._asked(question(known), known, lambda typed: number(place, typed, allowed))

    def _level(self, typed: str) -> str:
        (level,) = levels("--cpu", [typed])
        if is_bot(level):
            self._bots.require(level)
        return level

    def _keep(self, question: str, preset: Callable[[str], Preset]) -> str:
        """Ask for a name and write the preset under it; empty where it is not kept."""

        def read(typed: str) -> str:
            wanted = yes_or_no(typed)
            if wanted is not None:  # no name, and one has to be asked for
                return self._keep(text.name(), preset) if wanted else ""
            name = typed.strip()
            path = write(preset(name), self._environ)
            for line in written(path, name):
                self._dialog.say(line)
            return name

        return self._asked(question, "", read)

    def _asked(self, question: str, known: T, read: Callable[[str], T]) -> T:
        while True:
            typed = self._dialog.hear(question)
            if typed is None or understand(typed) == "quit":
                raise NothingChosen(ended=typed is None)
            if not typed.strip():
                return known
            try:
                return read(typed)
            except MiaError as error:
                self._dialog.say(sentence(error))
