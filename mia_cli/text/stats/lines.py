"""``mia stats`` as lines: what stands on the screen, from its JSON object."""

from __future__ import annotations

from mia_cli.files.documents import Document
from mia_cli.text import pictures
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import styled
from mia_cli.text.language.table import Lines
from mia_cli.text.stats.readable import readable_lines
from mia_cli.text.stats.short import short_lines, trend_lines
from mia_cli.text.stats.tables import (
    dice_of,
    dice_sentence,
    headline,
    heat_title,
    of_whom,
    sections,
    subject,
)


def stats_lines(document: Document, signs: pictures.Signs, *, full: bool) -> Lines:
    """One screen of it, or everything, as text; and how readable somebody is where that is told."""
    if not full:
        yield from short_lines(document, signs)
    else:
        yield from headline(document)
        if document["matches"]:
            yield from _figures(document, signs)
    if "readable" in document:
        yield from readable_lines(document["readable"])


def _figures(document: Document, signs: pictures.Signs) -> Lines:
    """Tables and pictures."""
    if document["trend"] is not None:
        yield ""
        yield from trend_lines(document, signs)
    for title, figures in sections(document):
        yield ""
        yield styled(title, "strong")
        yield figures
    who = subject(document)
    yield ""
    yield styled(_("Dice"), "strong")
    for name, dice in dice_of(document):
        yield "  " + of_whom(name, dice_sentence(dice))
    yield from pictures.dice_bars(document["dice"][who], signs)
    if document["claims"]["total"]:
        yield ""
        yield styled(heat_title(document), "strong")
        yield from pictures.heat_map(document["roll_by_claim"][who], signs)
        yield pictures.heat_legend(signs)
