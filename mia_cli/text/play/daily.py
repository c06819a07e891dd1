"""What is said of the match of a day, and the lines of it to paste anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import Line, joined, space, styled
from mia_cli.text.language.numbers import percent

SIGNS, PLAIN_SIGNS = "▁▃▅█", ".:*#"
"""A sign a round, by the chance to win that was given away in it."""
_STEPS = (0.005, 0.02, 0.05)


def opening_line(day: str, tries: int) -> Line:
    """Which day's match it is, and whether it was finished ``tries`` times before."""
    told = styled(_("The match of {day}.").format(day=day), "strong")
    if not tries:
        return told
    return joined(
        (told, styled(_("It was finished before: this one does not count."), "")), space()
    )


def lines_to_paste(
    day: str, number: int, *, won: bool, lost: Sequence[float], signs: str
) -> list[str]:
    """Date, result, rounds, and what was given away, round by round; which try it was, where it
    was not the first."""
    rounds = len(lost)
    if won:
        text = ngettext("won in {rounds} round", "won in {rounds} rounds", rounds)
    else:
        text = ngettext("lost in {rounds} round", "lost in {rounds} rounds", rounds)
    points = percent(sum(lost)).removesuffix("%").rstrip()
    row = "".join(signs[sum(one >= step for step in _STEPS)] for one in lost)
    given = _("{row} {points} points given away").format(row=row, points=points)
    date = day if number == 1 else _("{day}, try {number}").format(day=day, number=number)
    return ["", f"mia {date}: {text.format(rounds=rounds)}", given]
