"""Sentences and tables of ``mia solve``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from mia_cli.rules.rolls import CLAIMS, ROLLS, claim_at, claims_above
from mia_cli.text.actions import action_text
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import TIE, comma
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.table import Lines, Shown, TextTable

if TYPE_CHECKING:
    from mia_cli.theory import Solution
    from mia_cli.theory.advice import Advice

_RARE = 0.005
_LISTED = 6
_SHOWN_STANDINGS = (0, 4, 8, 11, 14, 16)
"""Standing claims whose columns are shown: none, and some from low to high."""


def solving(players: int, done: int, total: int) -> str:
    """Progress of a solve, on a terminal."""
    return _("Solving Mia for up to {players} seats: {share}").format(
        players=players, share=percent(done / total, 0)
    )


def title(players: int, lives: int, penalty_21: int) -> str:
    """What was solved."""
    each = ngettext("{lives} life each", "{lives} lives each", lives).format(lives=lives)
    return _("The best play of Mia: {players} seats, {each}, 21 costs {penalty}.").format(
        players=players, each=each, penalty=penalty_21
    )


def seat_values(values: Sequence[float]) -> Lines:
    """Chance of every seat to win, from the leader on, and what leading is worth."""
    rows = [(str(seat), percent(value, 2)) for seat, value in enumerate(values, start=1)]
    head = (_("Seat from the leader"), _("Win rate"))
    fair = 1.0 / len(values)
    return [
        TextTable(head, rows, right=(0, 1)),
        _("Leading is worth {points} points over a fair share of {fair}.").format(
            points=points(values[0] - fair), fair=percent(fair)
        ),
    ]


def points(difference: float) -> str:
    """A difference of chances in percentage points, with its sign."""
    return f"{'+' if difference > 0 else ''}{percent(difference, 2)}".removesuffix("%").rstrip()


def proof(gain: float, players: int) -> str:
    """How near the solution is to exact, and what that means at this table."""
    largest = _("No seat can gain more than {gain} by playing otherwise").format(gain=f"{gain:.0e}")
    if players == 2:
        return _("{largest}: this cannot be beaten.").format(largest=largest)
    return _("{largest} alone; several together can.").format(largest=largest)


def opening_play(solution: Solution, lives: Sequence[int]) -> Lines:
    """What to claim with every roll at the start of a round; rolls that play alike share a row."""
    chances = solution.claim_probabilities(lives, 0)
    played = [(roll.name, _mix(row.tolist())) for roll, row in zip(ROLLS, chances, strict=True)]
    rows: list[tuple[str, str]] = []
    for mix, alike in groupby(played, key=lambda entry: entry[1]):
        names = [name for name, _mixed in alike]
        rows.append((names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}", mix))
    return [
        _("Opening play: what to claim with a roll"),
        TextTable((_("Roll"), _("Claims")), rows, wraps=(1,)),
    ]


def _mix(chances: Sequence[float]) -> str:
    """The most frequent claims of a row with their chances."""
    pairs = zip(CLAIMS, chances, strict=True)
    played = sorted(
        ((claim.name, chance) for claim, chance in pairs if chance >= _RARE),
        key=lambda part: part[1],
        reverse=True,
    )
    shown = [
        name if chance > 1.0 - _RARE else f"{name}{TIE}{percent(chance, 0)}"
        for name, chance in played[:_LISTED]
    ]
    return comma().join([*shown, "…"] if len(played) > _LISTED else shown)


def challenge_table(solution: Solution, lives: Sequence[int]) -> Lines:
    """How often the next seat should challenge each claim, by the claim that stood before."""
    columns = [solution.challenge_probabilities(lives, standing) for standing in _SHOWN_STANDINGS]
    names = [_("none"), *(claim_at(standing).name for standing in _SHOWN_STANDINGS if standing)]
    rows = [
        (
            claim.name,
            *(
                percent(float(column[claim.position - 1]), 0)
                if _legal(claim.position, standing)
                else ""
                for column, standing in zip(columns, _SHOWN_STANDINGS, strict=True)
            ),
        )
        for claim in CLAIMS
    ]
    head = (_("Claim"), *names)
    return [
        _("How often to challenge a claim, by the claim that stood before it"),
        TextTable(head, rows, right=range(1, len(head))),
    ]


def _legal(position: int, standing: int) -> bool:
    return claim_at(position) in claims_above(claim_at(standing) if standing else None)


def every_table(
    rows: Iterable[tuple[int, int, int, Sequence[float], float]],
) -> Lines:
    """One line per table: seats, lives, penalty, chances by seat from the leader, largest gain."""
    cells = [
        (
            str(players),
            str(lives),
            str(penalty),
            " ".join(percent(value) for value in values),
            f"{gain:.0e}",
        )
        for players, lives, penalty, values, gain in rows
    ]
    head = (_("Seats"), _("Lives"), _("21"), _("Wins by seat from the leader"), _("Gain"))
    return [TextTable(head, cells, right=(0, 1, 2), keys=3, wraps=(3,))]


def advice_table(advice: Advice, chosen: str) -> Lines:
    """The options at one decision, how often the solution takes them, and what they win."""
    rows = [
        (action_text(option.action), percent(option.probability), percent(option.win, 2))
        for option in advice.options
    ]
    lines: list[Shown | TextTable] = [
        chosen,
        TextTable((_("Action"), _("How often"), _("Win rate")), rows, right=(1, 2)),
    ]
    if advice.holds is not None and advice.expected:
        lines.append(_("The claim holds in {share}.").format(share=percent(advice.holds)))
    elif advice.holds is not None:
        lines.append(_("The best play never makes this claim."))
    return lines


def decision_title(lives: Sequence[int], claim: str | None, roll: str | None) -> str:
    """Which decision is looked at."""
    listed = comma().join(map(str, lives))
    if roll is None:
        return _("Lives {lives}; to answer: a claim of {claim}.").format(lives=listed, claim=claim)
    if claim is None:
        return _("Lives {lives}; to claim with {roll}, anything.").format(lives=listed, roll=roll)
    return _("Lives {lives}; to claim with {roll} over {claim}.").format(
        lives=listed, roll=roll, claim=claim
    )


def ceiling_line(level: str, players: int, lives: int, penalty_21: int, mean: float) -> str:
    """The ceiling of a level as a sentence."""
    each = ngettext("{lives} life each", "{lives} lives each", lives).format(lives=lives)
    if players == 2:
        text = _(
            "A best response wins {share} against {level} (2 seats, {each}, 21 costs {penalty})."
        )
    else:
        text = _(
            "A best response wins {share} against {level} in all other seats "
            "({players} seats, {each}, 21 costs {penalty})."
        )
    return text.format(
        share=percent(mean, 2), level=level, players=players, each=each, penalty=penalty_21
    )
