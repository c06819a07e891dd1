"""The questions of ``mia play --choose``; what Enter takes stands in brackets."""

from __future__ import annotations

from mia_cli.text.language.catalogue import _
from mia_cli.text.language.words import by_chance


def seats(known: int) -> str:
    """How many seats."""
    return _("Seats, you included, 2 to 6 [{known}]: ").format(known=known)


def level(seat: int, known: str) -> str:
    """The level of a CPU seat."""
    return _("Level of seat {seat} [{known}]: ").format(seat=seat, known=known)


def lives(known: int) -> str:
    """How many lives."""
    return _("Lives, 2, 3 or 5 [{known}]: ").format(known=known)


def penalty(known: int) -> str:
    """What 21 costs."""
    return _("Lives lost over a claim of 21, 1 or 2 [{known}]: ").format(known=known)


def first(players: int, known: str) -> str:
    """Who leads the first round."""
    return _("Who leads, {random} or seat 1 to {players} [{known}]: ").format(
        random=by_chance(), players=players, known=known
    )


def keep() -> str:
    """Whether to keep seats, levels and rules."""
    return _("Keep this as a preset? A name, or Enter for no: ")


def name() -> str:
    """Under which name, after a yes."""
    return _("Its name, or Enter for none: ")


def nothing_begun() -> str:
    """The person left before the match."""
    return _("No match was begun.")
