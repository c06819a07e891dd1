"""``mia stats`` as one page of HTML and as a picture: everything inside, no script, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from mia_cli.files.documents import Document
from mia_cli.records.head import HUMAN
from mia_cli.text import page as frame
from mia_cli.text import pictures
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.numbers import day
from mia_cli.text.stats import readable as words
from mia_cli.text.stats.short import trend_sentence, weakness_sentences
from mia_cli.text.stats.tables import (
    dice_of,
    dice_sentence,
    group_name,
    headline,
    heat_title,
    of_whom,
    players,
    sections,
    subject,
    verdict,
)

_MOST_BARS = 24


def page(document: Document) -> str:
    """The whole page."""
    title = _("How you play Mia") if document["with_person"] else _("Matches of Mia")
    return frame.page(title, _body(document))


def _body(document: Document) -> Iterator[str]:
    if verdict(document):
        yield frame.answer(verdict(document))
    for text in headline(document):
        yield frame.paragraph(text)
    if not document["matches"]:
        return
    curve, shares, dice, heat = _pictures(document)
    if curve is not None:
        yield frame.figure(curve)
        yield frame.paragraph(trend_sentence(document))
    if document["with_person"] and document["finished"]:
        yield frame.heading(_("To work on"))
        yield frame.bullets(weakness_sentences(document))
    yield frame.figure(shares)
    for title, figures in sections(document):
        yield frame.heading(title)
        yield frame.html_table(figures)
    yield frame.heading(_("Dice"))
    for name, dice_figures in dice_of(document):
        yield frame.paragraph(of_whom(name, dice_sentence(dice_figures)))
    yield frame.figure(dice)
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
    if readable["habits"]:
        yield frame.bullets(map(words.habit_sentence, readable["habits"]))
    if readable["parts"]:
        yield frame.html_table(words.parts_table(readable))
        yield frame.paragraph(words.change_sentence(readable))


def _pictures(
    document: Document,
) -> tuple[pictures.Picture | None, pictures.Picture, pictures.Picture, pictures.Picture]:
    """The curve over time, where there is one, then shares, dice and the map of claims."""
    who, curve = subject(document), None
    shares = _("Matches won, with 95% interval; the upright mark is the expected share")
    dice = _("Rolls; the level mark is what fair dice give")
    if document["trend"] is not None:
        label = _("Matches won over time, with 95% interval; the level mark is the expected share")
        points: list[pictures.Point] = [
            (day(part["since"]), part["win_rate"], (part["ci95"][0], part["ci95"][1]))
            for part in document["over_time"]
        ]
        curve = pictures.svg_curve(points, document["expected_win_rate"], label)
    return (
        curve,
        pictures.svg_shares(_bars(document), shares),
        pictures.svg_dice(document["dice"][who], dice),
        pictures.svg_heat(document["roll_by_claim"][who], heat_title(document)),
    )


def _bars(document: Document) -> list[pictures.Bar]:
    named = players(document)
    by, person = document["by"], document["with_person"]
    if by == "cpu" and person:  # a level is a player's too: say whose share this is
        named = [pair for pair in named if pair[1].get("player", HUMAN) == HUMAN]
    label = _("you, against {group}") if by == "cpu" and person else "{group}"
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
    return pictures.svg_file([one for one in _pictures(document) if one is not None])
