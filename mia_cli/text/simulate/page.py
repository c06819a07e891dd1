"""``mia simulate`` as one page of HTML and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mia_cli.files.documents import Document
from mia_cli.text import page as frame
from mia_cli.text import pictures
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import space
from mia_cli.text.simulate.answer import answer, fair_share, labels, ranking, rating_margin
from mia_cli.text.simulate.lines import (
    about_distances,
    about_habits,
    about_table,
    cross_table,
    distances_table,
    habits_table,
    title,
    totals,
    wins_table,
)


def page(found: Document) -> str:
    """The whole page, of a run or of a round-robin."""
    if "table" in found:
        return frame.page(_("Who beats whom at Mia"), _of_round_robin(found))
    return frame.page(_("Who wins at Mia"), _of_run(found))


def picture(found: Document) -> str:
    """The pictures alone, as an SVG file."""
    return pictures.svg_file(_pictures(found))


def _of_run(found: Document) -> Iterator[str]:
    yield from _said(answer(found), found)
    yield from map(frame.figure, _pictures(found))
    yield frame.html_table(wins_table(found))
    yield frame.heading(about_habits())
    yield frame.html_table(habits_table(found))
    yield frame.heading(about_distances())
    yield frame.html_table(distances_table(found))
    yield from map(frame.paragraph, totals(found))


def _of_round_robin(found: Document) -> Iterator[str]:
    yield from _said(ranking(found), found)
    yield from map(frame.figure, _pictures(found))
    yield frame.html_table(cross_table(found))
    yield from map(frame.paragraph, about_table(found))


def _said(sentences: Sequence[str], found: Document) -> Iterator[str]:
    """The answer, the other sentences together, and what was played."""
    yield from map(frame.answer, sentences[:1])
    yield frame.paragraph(space().join((*sentences[1:], title(found))))


def _pictures(found: Document) -> list[pictures.Picture]:
    names, players = labels(found["players"]), found["players"]
    if "table" in found:
        rates = [
            [None if one is None else one["win_rate"] for one in row] for row in found["table"]
        ]
        ratings = [
            (name, one["rating"], rating_margin(one) or 0.0)
            for name, one in zip(names, players, strict=True)
        ]
        return [
            pictures.svg_cross(names, rates, _("How often the row beats the column")),
            pictures.svg_ratings(ratings, _("Ratings, with 95% interval")),
        ]
    fair = fair_share(found)
    bars: list[pictures.Bar] = [
        (name, one["win_rate"], fair, tuple(one["ci95"]) if one["ci95"] else None)
        for name, one in zip(names, players, strict=True)
    ]
    label = _("Matches won, with 95% interval; the upright mark is a fair share")
    return [pictures.svg_shares(bars, label)]
