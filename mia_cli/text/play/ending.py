"""What is said when a match is over, or left before its end."""

from __future__ import annotations

from typing import Literal

from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import space
from mia_cli.text.play.opening import sealed

Kept = Literal["all", "some", "another", "nothing"]
"""What the file has of a match: every action, the first ones, what another program has played, or
there is none."""


def closing(match_id: str, seed: int, fingerprint: str, rounds: int, kept: Kept) -> list[str]:
    """The summary of a finished match."""
    played = ngettext("{rounds} round played.", "{rounds} rounds played.", rounds)
    lines = [space().join((played.format(rounds=rounds), sealed(seed, fingerprint)))]
    if kept == "all":
        lines.append(_("Match {id} is saved.").format(id=match_id))
    elif kept != "nothing":
        lines.append(_not_all(match_id, kept))
    return lines


def left(match_id: str, kept: Kept) -> str:
    """The line after leaving a match before its end."""
    if kept == "all":
        return _("Match {id} is saved. Go on with: mia play --resume {id}").format(id=match_id)
    return _not_all(match_id, kept)


def _not_all(match_id: str, kept: Kept) -> str:
    if kept == "another":
        text = _("Match {id} is as another program left it, without what was played here since.")
    elif kept == "some":
        text = _("Match {id} is saved up to the action at which saving failed, and no further.")
    else:
        text = _("Match {id} could not be saved and is lost.")
    return text.format(id=match_id)
