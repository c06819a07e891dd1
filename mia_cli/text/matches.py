"""Rules and players of a match, as they stand in tables."""

from __future__ import annotations

from mia_cli.records.head import HUMAN
from mia_cli.text.language.catalogue import ngettext
from mia_cli.text.language.plain import printable
from mia_cli.text.play.seats import your_name


def rules_text(lives: int, penalty_21: int) -> str:
    """A rule set: lives, and what 21 costs."""
    text = ngettext("{lives} life, 21 costs {penalty}", "{lives} lives, 21 costs {penalty}", lives)
    return text.format(lives=lives, penalty=penalty_21)


def with_kind(name: str, kind: str) -> str:
    """A name with the level behind it; the person is called as in a match."""
    return your_name(name) if kind == HUMAN else printable(f"{name} ({kind})")
