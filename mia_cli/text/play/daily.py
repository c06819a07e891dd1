"""What is said of the match of a day, and the lines of it to paste anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import Line, joined, space, styled
from mia_cli.text.language.numbers import percent

SIGNS, PLAIN_SIGNS = "▁▃▅█", ".:*#"
"""A sign a round, by the chance to win that was given away in it."""
_STEPS = (0.005, 0.02, 0.05)


def opening_line(day: str, *, counts: bool) -> Line:
    """Which day's match it is, and whether it is the one that counts."""
    told = styled(_("The match of {day}.").format(day=day), "strong")
    if counts:
        return told
    return joined(
        (told, styled(_("It was finished before: this one does not count."), "")), space()
    )


def lines_to_paste(day: str, *, won: bool, lost: Sequence[float], signs: str) -> list[str]:
    """Date, result, rounds, and what was given away, round by round."""
    rounds = len(lost)
    if won:
        text = ngettext("won in {rounds} round", "won in {rounds} rounds", rounds)
    else:
        text = ngettext("lost in {rounds} round", "lost in {rounds} rounds", rounds)
    points = percent(sum(lost)).removesuffix("%").rstrip()
    row = "".join(signs[sum(one >= step for step in _STEPS)] for one in lost)
    given = _("{row} {points} points given away").format(row=row, points=points)
    return ["", f"mia {day}: {text.format(rounds=rounds)}", given]
