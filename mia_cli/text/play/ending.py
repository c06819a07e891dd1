"""What is said when a match is over, or left before its end."""

from __future__ import annotations

from typing import Literal

from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import Line, line
from mia_cli.text.language.words import again, no, yes
from mia_cli.text.play.opening import command, sealed

Kept = Literal["all", "some", "another", "nothing"]
"""What the file has of a match: every action, the first ones, what another program has played, or
there is none."""


def closing(match_id: str, seed: int, fingerprint: str, kept: Kept) -> list[str]:
    """The seed of a finished match, and what became of its record."""
    lines = [sealed(seed, fingerprint)]
    if kept != "nothing":
        lines.append(kept_line(match_id, kept))
    return lines


def another() -> str:
    """Whether to play once more."""
    return _("Another match? Type {word}, or Enter to leave: ").format(word=again())


def left(match_id: str, kept: Kept) -> Line:
    """The line after leaving a match before its end."""
    if kept == "all":
        resume = command("mia play --resume", match_id)
        return line(_("Match {id} is saved. Go on with: {command}"), id=match_id, command=resume)
    return line("{text}", text=kept_line(match_id, kept))


def kept_line(match_id: str, kept: Kept) -> str:
    """What became of the match on the disk."""
    if kept == "all":
        text = _("Match {id} is saved.")
    elif kept == "another":
        text = _("Match {id} is as another program left it, without what was played here since.")
    elif kept == "some":
        text = _("Match {id} is saved up to the action at which saving failed, and no further.")
    else:
        text = _("Match {id} could not be saved and is lost.")
    return text.format(id=match_id)


def discarded(match_id: str) -> str:
    """A match was thrown away."""
    return _("Match {id} is thrown away.").format(id=match_id)


def not_discarded(match_id: str) -> str:
    """A match was not thrown away after all."""
    return _("Match {id} stays.").format(id=match_id)


def discard_question(match_id: str, number: int, lives: Line) -> Line:
    """Whether a match in this round, with these lives, shall be thrown away."""
    return line(
        _("Throw away match {id} (round {number}; {lives}) for good? {yes} or {no}: "),
        id=match_id,
        number=number,
        lives=lives,
        yes=yes(),
        no=no(),
    )
