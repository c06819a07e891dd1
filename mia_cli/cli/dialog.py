"""A conversation with a person: lines that are said, and questions that are answered by a line."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from mia_cli.cli.lines import LineSource
from mia_cli.cli.screen import Screen, is_terminal, screen
from mia_cli.text.language.line import Line
from mia_cli.text.language.plain import printable

if TYPE_CHECKING:
    from mia_cli.cli.keyboard import Keyboard

_LONGEST_ECHO = 200


def _keyboard() -> Keyboard | None:
    """Where somebody sits at both ends of a terminal that can move its cursor, and the system
    can edit lines."""
    if os.environ.get("TERM") == "dumb" or not (_is_at(sys.stdin, 0) and _is_at(sys.stdout, 1)):
        return None
    try:
        from mia_cli.cli.keyboard import keyboard
    except ImportError:
        return None
    return keyboard()


def _is_at(stream: TextIO | None, number: int) -> bool:
    """True for a terminal that the system calls by this number, as line editing needs it."""
    return stream is not None and is_terminal(stream) and stream.fileno() == number


@dataclass
class Dialog:
    """Where a person reads and types: a terminal with line editing, or pipes.

    In a pipe what was typed is repeated, so that a transcript reads like a session.
    """

    screen: Screen = field(default_factory=screen)
    source: LineSource = field(default_factory=LineSource)
    keyboard: Keyboard | None = field(default_factory=_keyboard)

    @property
    def is_live(self) -> bool:
        """True when somebody sits at a terminal that can do more than print."""
        return self.keyboard is not None

    def say(self, line: Line | str = "") -> None:
        """Print one line."""
        self.screen.say(line)

    def hear(self, question: Line | str) -> str | None:
        """Ask, and return the line that was typed, or None at the end of the input.

        Raises KeyboardInterrupt. The line of a question without an answer is closed.
        """
        try:
            answer = self._answer(question)
        except KeyboardInterrupt:
            self.screen.say()
            raise
        if answer is None:
            self.screen.say()
        return answer

    def _answer(self, question: Line | str) -> str | None:
        ahead = None if self.keyboard is None else self.keyboard.typed_ahead()
        if self.keyboard is not None and ahead is None:
            return self.keyboard.read(self.screen.last_row(question))
        self.screen.ask(question)
        answer = self.source.read() if ahead is None else ahead
        if answer is not None and (ahead is not None or not is_terminal(sys.stdin)):
            self.screen.say(printable(answer[:_LONGEST_ECHO]))
        return answer

    def pause(self, seconds: float) -> None:
        """Wait, at a terminal; an empty line that is typed meanwhile ends it.

        From a pause to the next question nothing that is typed is shown.
        """
        if self.keyboard is not None:
            self.keyboard.pause(seconds)
