"""``mia solve`` as one page of HTML: the best play for a wall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mia_cli.text import page as frame
from mia_cli.text import pictures
from mia_cli.text.language.table import Lines as Screen
from mia_cli.text.language.table import TextTable
from mia_cli.text.solve import lines as text

if TYPE_CHECKING:
    from mia_cli.theory import Solution
    from mia_cli.theory.rule_arrays import Lives


def page(title: str, solution: Solution, lives: Lives, proof: str) -> str:
    """The whole page for a table where a match starts with ``lives``, from the leader on."""
    return frame.page(title, _parts(solution, lives, proof))


def _parts(solution: Solution, lives: Lives, proof: str) -> Iterator[str]:
    table, leading = text.seat_values(solution.values(lives).tolist())
    yield frame.answer(str(leading))
    claims, challenges = text.maps(solution, lives)
    yield from _part(text.opening_play(solution, lives), text.claim_map_title(), claims)
    yield from _part(text.challenge_table(solution, lives), text.challenge_map_title(), challenges)
    assert isinstance(table, TextTable)
    yield frame.html_table(table)
    yield frame.paragraph(proof)


def _part(lines: Screen, title: str, drawn: text.ChanceMap) -> Iterator[str]:
    heading, table = lines
    assert isinstance(table, TextTable)
    yield frame.heading(str(heading))
    cells, rows = drawn
    yield frame.figure(pictures.svg_heat(cells, title, rows, whole=1.0))
    yield frame.html_table(table)
