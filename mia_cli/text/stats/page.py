"""``mia stats`` as one page of HTML and as a picture: everything inside, no script, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from mia_cli.files.documents import Document
from mia_cli.text import page as frame
from mia_cli.text import pictures
from mia_cli.text.language.catalogue import _
from mia_cli.text.stats import readable as words
from mia_cli.text.stats.tables import (
    dice_of,
    dice_sentence,
    group_name,
    headline,
    heat_title,
    of_whom,
    player_name,
    sections,
    subject,
)

_MOST_BARS = 24


def page(document: Document) -> str:
    """The whole page."""
    title = _("How you play Mia") if document["with_person"] else _("Matches of Mia")
    return frame.page(title, _body(document))


def _body(document: Document) -> Iterator[str]:
    for text in headline(document):
        yield frame.paragraph(text)
    if not document["matches"]:
        return
    shares, dice, heat = _pictures(document)
    yield frame.figure(shares)
    for title, figures in sections(document):
        yield frame.heading(title)
        yield frame.html_table(figures)
    title = _("Dice")
    yield frame.heading(title)
    for name, dice_figures in dice_of(document):
        yield frame.paragraph(of_whom(name, dice_sentence(dice_figures)))
    yield frame.figure(dice)
    yield frame.heading(heat_title(document))
    yield frame.figure(heat)
    if "readable" in document:
        yield from _readable(document["readable"])
    if document["skipped_count"]:
        text = _("Skipped: {number}").format(number=document["skipped_count"])
        yield f"<footer>{escape(text)}</footer>"


def _readable(readable: Document) -> Iterator[str]:
    yield frame.heading(words.title())
    for text in words.sentences(readable):
        yield frame.paragraph(text)
    habits = "".join(f"<li>{escape(words.habit_sentence(one))}</li>" for one in readable["habits"])
    if habits:
        yield f"<ul>{habits}</ul>"
    if readable["parts"]:
        yield frame.html_table(words.parts_table(readable))
        yield frame.paragraph(words.change_sentence(readable))


def _pictures(document: Document) -> list[pictures.Picture]:
    who = subject(document)
    shares = _("Matches won, with 95% interval; the upright mark is the expected share")
    dice = _("Rolls; the level mark is what fair dice give")
    heat = heat_title(document)
    return [
        pictures.svg_shares(_bars(document), shares),
        pictures.svg_dice(document["dice"][who], dice),
        pictures.svg_heat(document["roll_by_claim"][who], heat),
    ]


def _bars(document: Document) -> list[pictures.Bar]:
    named = [(player_name(player), player) for player in document["players"]]
    by = document["by"]
    # A level is a player's too: say whose share this is.
    label = _("you, against {group}") if by == "cpu" and document["with_person"] else "{group}"
    named += [
        (label.format(group=group_name(by, group["key"])), group) for group in document["groups"]
    ]
    return [
        (
            name,
            figures["win_rate"],
            figures["expected_win_rate"],
            tuple(figures["ci95"]) if figures["ci95"] else None,
        )
        for name, figures in named[:_MOST_BARS]
    ]


def picture(document: Document) -> str:
    """The pictures alone, as an SVG file."""
    return pictures.svg_file(_pictures(document))
