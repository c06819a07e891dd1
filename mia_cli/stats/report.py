"""What ``mia stats`` tells of the matches that were chosen: from its sources to its document."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.documents import Document
from mia_cli.files.folders import cache_dir, matches_dir
from mia_cli.players import registry
from mia_cli.players.levels import SolutionSource
from mia_cli.rules.errors import CannotRead, NotAllowed
from mia_cli.stats.choice import Choice
from mia_cli.stats.gather import STDIN, Gathered, WriteTurns, gather
from mia_cli.stats.summary import summary
from mia_cli.stats.totals import Totals
from mia_cli.theory.solution import Solution


@dataclass(frozen=True, slots=True)
class StatsRequest:
    """Which records, and which of their matches: files, folders and ``"-"``; none: one's own."""

    sources: Sequence[Path | str] = ()
    choice: Choice = field(default_factory=Choice)


def report(
    request: StatsRequest,
    *,
    stdin: BinaryIO | None = None,
    solved: SolutionSource = registry.solution,
    write_turns: WriteTurns = len,
) -> tuple[Document | None, Gathered]:
    """The document, schema ``mia.stats/1``, and what it was counted from.

    None where the sources hold no record at all. With ``choice.latest``, the document has
    ``readable`` too; with ``choice.turns``, ``write_turns`` is given rows. Raises
    CannotRead("no_place_beside") where stdin is named twice, NotAllowed("no_person_matches") where
    nobody is there to be read, and what ``gather`` raises.
    """
    sources = _sources(request.sources)
    found = gather(sources, request.choice, cache=cache_dir(), stdin=stdin, write_turns=write_turns)
    if found.empty and not found.grouped.all.matches.sum():
        return None, found
    values = _SeatValues(found.grouped.all, solved)
    document = summary(found, values, request.choice.by)
    document["own"] = not request.sources
    if request.choice.latest:
        if document["matches"] and not document["with_person"]:
            raise NotAllowed("no_person_matches", option="--readable")
        from mia_cli.stats.readable.report import readable

        latest = found.grouped.latest.batch
        document["readable"] = readable(latest, finished(document), values.solution)
    return document, found


def finished(document: Document) -> int:
    """Finished matches with a person."""
    return sum(int(document[name]["finished"]) for name in ("without_aids", "with_aids"))


def _sources(named: Sequence[Path | str]) -> Sequence[Path | str]:
    if list(named).count(STDIN) > 1:
        raise CannotRead("no_place_beside", value=STDIN, option=STDIN)
    if named:
        return named
    own = matches_dir()
    return [own] if os.path.lexists(own) else []


class _SeatValues:
    """Chances of the places at a table; one solution for all tables of one penalty."""

    def __init__(self, totals: Totals, solved: SolutionSource) -> None:
        spots = [spot for record in totals.players.values() for spot in record.spots]
        self._largest = {
            penalty: tuple(max(spot[at] for spot in spots if spot[2] == penalty) for at in (0, 1))
            for penalty in {spot[2] for spot in spots}
        }
        self._known: dict[tuple[int, int, int], list[float]] = {}
        self._solved: dict[int, Solution] = {}
        self._solve = solved

    def __call__(self, seats: int, lives: int, penalty_21: int) -> list[float]:
        key = (seats, lives, penalty_21)
        if key not in self._known:
            solution = self.solution(penalty_21)
            self._known[key] = solution.values((lives,) * seats).tolist()
        return self._known[key]

    def solution(self, penalty_21: int) -> Solution:
        """The solution of the largest table with this penalty."""
        if penalty_21 not in self._solved:
            seats, lives = self._largest[penalty_21]
            self._solved[penalty_21] = self._solve(seats, lives, penalty_21)
        return self._solved[penalty_21]
