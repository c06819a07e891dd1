"""How the levels of CPU players play, in a sentence each."""

from __future__ import annotations

from collections.abc import Mapping

from mia_cli.players.names import CPU_WORDS
from mia_cli.text.language.catalogue import N_, translate
from mia_cli.text.language.wrap import wrapped

_SENTENCES: Mapping[str, str] = {
    # Translators: these stand behind the name of a level, which is masculine where that matters.
    "easy": N_("a beginner: mostly honest, easy to read"),
    "normal": N_("plays by the odds, with habits one can learn"),
    "hard": N_("mixes small and big bluffs: hard to read"),
    "expert": N_("knows the best play, and keeps to it"),
    "shark": N_("learns how you play, and makes use of it"),
    "bot:NAME": N_("a program of your own, see mia help bots"),
}


def level_sentence(level: str) -> str:
    """How a level plays, without its name."""
    return translate(_SENTENCES.get(level, _SENTENCES["bot:NAME"]))


_WIDEST = 79


def level_lines(columns: int = _WIDEST) -> list[str]:
    """All levels, weakest first, and programs; a sentence goes on below its start."""
    width = max(map(len, CPU_WORDS))
    return [
        row
        for level in CPU_WORDS
        for row in wrapped(f"  {level.ljust(width)}  ", level_sentence(level), columns)
    ]
