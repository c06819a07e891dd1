"""What somebody does, in a word: a claim by its name, or accept or challenge."""

from __future__ import annotations

from mia_cli.rules.match import Action, Challenge, MakeClaim
from mia_cli.text.language.catalogue import _


def action_text(action: Action) -> str:
    """The name of a claim, or accept or challenge inside a sentence."""
    if isinstance(action, MakeClaim):
        return action.claim.name
    return _("challenge") if isinstance(action, Challenge) else _("accept")
