"""Sentences and tables of ``mia solve``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from mia_cli.rules.rolls import CLAIMS, NAMES, ROLLS, claim_at, claims_above
from mia_cli.text.actions import action_text
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import TIE, comma
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.table import Lines, Shown, TextTable
from mia_cli.text.pictures import Signs, heat_map, shade_legend

if TYPE_CHECKING:
    from mia_cli.theory import Solution
    from mia_cli.theory.advice import Advice
    from mia_cli.theory.weak_points import WeakHabit, WeakPoint

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


NO_CLAIM = "--"
"""The row of a map where no claim stands."""


def claim_map_title() -> str:
    """Over the map of ``opening_play``."""
    return _("Opening play as a picture: rolls down, claims across, bluffs to the right")


def challenge_map_title() -> str:
    """Over the map of ``challenge_table``."""
    return _("How often a claim (across) is challenged, by the claim before it (down)")


ChanceMap = tuple[list[list[float]], Sequence[str]]
"""Chances by row and claim, and the names of the rows."""


def maps(solution: Solution, lives: Sequence[int]) -> tuple[ChanceMap, ChanceMap]:
    """First claims by roll, and challenges by standing claim."""
    rows = [NO_CLAIM, *(claim.name for claim in CLAIMS if not claim.must_be_challenged)]
    challenged = [solution.challenge_probabilities(lives, at).tolist() for at in range(len(rows))]
    return (solution.claim_probabilities(lives, 0).tolist(), NAMES), (challenged, rows)


def best_play_maps(solution: Solution, lives: Sequence[int], signs: Signs) -> Lines:
    """Both maps for a terminal, with what the shades mean."""
    claims, challenges = maps(solution, lives)
    return [
        claim_map_title(),
        *heat_map(claims[0], signs, claims[1], whole=1.0),
        "",
        challenge_map_title(),
        *heat_map(challenges[0], signs, challenges[1], whole=1.0),
        "",
        shade_legend(signs),
    ]


_LOST: Mapping[tuple[WeakHabit, bool], str] = {
    ("honest", True): N_("Its first claims of {claims} are bluffs in {share} only: accept them."),
    ("honest", False): N_("Its later claims of {claims} are bluffs in {share} only: accept them."),
    ("bluffs", True): N_("Its first claims of {claims} are bluffs in {share}: challenge them."),
    ("bluffs", False): N_("Its later claims of {claims} are bluffs in {share}: challenge them."),
    ("accepts", True): N_("It challenges first claims of {claims} in {share} only: bluff so."),
    ("accepts", False): N_("It challenges later claims of {claims} in {share} only: bluff so."),
    ("challenges", True): N_("It challenges first claims of {claims} in {share}: make true ones."),
    ("challenges", False): N_("It challenges later claims of {claims} in {share}: make true ones."),
}
_NAMED = 4
_WORTH_SAYING = 0.0005
"""Chance to win for each round."""


def where_it_loses(points_: Sequence[WeakPoint]) -> Lines:
    """What costs a level most against its best response, in points for each round."""
    told = [point for point in points_ if point.cost >= _WORTH_SAYING]
    if not told:
        return [_("No habit of it can be punished.")]
    rows = []
    for point in told:
        names = [claim.name for claim in point.claims]
        listed = comma().join([*names[:_NAMED], "…"] if len(names) > _NAMED else names)
        text = translate(_LOST[point.habit, point.first])
        rows.append((points(point.cost), text.format(claims=listed, share=percent(point.share, 0))))
    return [
        _("Where it loses, in points of the chance to win for each round:"),
        TextTable((_("Points"), _("Habit")), rows, right=(0,), wraps=(1,)),
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
            "An opponent wins at most {share} against the level {level} "
            "(2 seats, {each}, 21 costs {penalty})."
        )
    else:
        text = _(
            "A seat wins at most {share} where the level {level} has all others "
            "({players} seats, {each}, 21 costs {penalty})."
        )
    return text.format(
        share=percent(mean, 2), level=level, players=players, each=each, penalty=penalty_21
    )
