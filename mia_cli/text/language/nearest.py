"""Guesses what was meant by a word that is not one of those that are understood."""

from __future__ import annotations

from collections.abc import Iterable

from mia_cli.text.language.catalogue import _

_SHORTEST = 3
"""Characters below which nothing is like anything."""
_LONGEST = 40
_LIKE = 0.7


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """The one of ``known`` that ``typed`` is most like, or None."""
    listed = [word for word in known if len(word) >= _SHORTEST]
    if not _SHORTEST <= len(typed) <= _LONGEST or not listed:
        return None
    from difflib import get_close_matches

    return next(iter(get_close_matches(typed, listed, n=1, cutoff=_LIKE)), None)


def did_you_mean(word: str) -> str:
    """A guess, behind a sentence about a word that is not understood."""
    return _("Did you mean {word}?").format(word=word)
