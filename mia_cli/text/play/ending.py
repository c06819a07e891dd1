"""What is said when a match is over, or left before its end."""

from __future__ import annotations

from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import space
from mia_cli.text.play.opening import sealed


def closing(match_id: str, seed: int, fingerprint: str, rounds: int, saved: bool) -> list[str]:
    """The summary of a finished match."""
    played = ngettext("{rounds} round played.", "{rounds} rounds played.", rounds)
    lines = [space().join((played.format(rounds=rounds), sealed(seed, fingerprint)))]
    if saved:
        lines.append(_("Match {id} is saved.").format(id=match_id))
    return lines


def left(match_id: str, saved: bool) -> str:
    """The line after leaving a match before its end."""
    if saved:
        return _("Match {id} is saved. Go on with: mia play --resume {id}").format(id=match_id)
    return _("Match {id} could not be saved and is lost.").format(id=match_id)
