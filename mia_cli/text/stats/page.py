"""``mia stats`` as one page of HTML and as a picture: everything inside, no script, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from mia_cli.files.documents import Document
from mia_cli.files.outputs import GENERATOR
from mia_cli.text import pictures
from mia_cli.text.language.catalogue import _, language
from mia_cli.text.language.table import TextTable
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
_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1b1b;--soft:#6a6a6a;--line:#d9d9d9}
@media (prefers-color-scheme:dark){:root{--paper:#161616;--ink:#ececec;
--soft:#a3a3a3;--line:#3a3a3a}}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
.wide{overflow-x:auto;margin:1rem 0}
@media (max-width:30rem){th,td{padding:.25rem .35rem}}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid var(--line);overflow-wrap:normal}
td.n,th.n{text-align:right;white-space:nowrap}
footer{margin-top:2rem;color:var(--soft);font-size:.85rem}
""".strip()


def page(document: Document) -> str:
    """The whole page."""
    body = "\n".join(_body(document))
    title = escape(_("How you play Mia") if document["with_person"] else _("Matches of Mia"))
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{GENERATOR}\n<title>{title}</title>\n<style>\n{_STYLE}\n{pictures.STYLE}\n</style>\n</head>\n"
        f"<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _body(document: Document) -> Iterator[str]:
    for text in headline(document):
        yield f"<p>{escape(text)}</p>"
    if not document["matches"]:
        return
    shares, dice, heat = _pictures(document)
    yield _figure(shares)
    for title, figures in sections(document):
        yield f"<h2>{escape(title)}</h2>"
        yield _table(figures)
    title = _("Dice")
    yield f"<h2>{escape(title)}</h2>"
    for name, dice_figures in dice_of(document):
        yield f"<p>{escape(of_whom(name, dice_sentence(dice_figures)))}</p>"
    yield _figure(dice)
    yield f"<h2>{escape(heat_title(document))}</h2>"
    yield _figure(heat)
    if "readable" in document:
        yield from _readable(document["readable"])
    if document["skipped_count"]:
        text = _("Skipped: {number}").format(number=document["skipped_count"])
        yield f"<footer>{escape(text)}</footer>"


def _readable(readable: Document) -> Iterator[str]:
    yield f"<h2>{escape(words.title())}</h2>"
    for text in words.sentences(readable):
        yield f"<p>{escape(text)}</p>"
    habits = "".join(f"<li>{escape(words.habit_sentence(one))}</li>" for one in readable["habits"])
    if habits:
        yield f"<ul>{habits}</ul>"
    if readable["parts"]:
        yield _table(words.parts_table(readable))
        yield f"<p>{escape(words.change_sentence(readable))}</p>"


def _figure(picture: tuple[str, tuple[str, int, int]]) -> str:
    label, (content, width, height) = picture
    return f"<figure class=wide>{pictures.svg(content, width, height, label)}</figure>"


def _table(table: TextTable) -> str:
    head, *cells = table.rows

    def row(values: Sequence[str], tag: str) -> str:
        parts = (
            f"<{tag}{' class=n' if at in table.right else ''}>{escape(value)}</{tag}>"
            for at, value in enumerate(values)
        )
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(row(values, "td") for values in cells)
    top = row(head, "th")
    return f"<div class=wide><table><thead>{top}</thead><tbody>{body}</tbody></table></div>"


def _pictures(document: Document) -> list[tuple[str, tuple[str, int, int]]]:
    who = subject(document)
    shares = _("Matches won, with 95% interval; the upright mark is the expected share")
    dice = _("Rolls; the level mark is what fair dice give")
    heat = heat_title(document)
    return [
        (shares, pictures.svg_shares(_bars(document), shares)),
        (dice, pictures.svg_dice(document["dice"][who], dice)),
        (heat, pictures.svg_heat(document["roll_by_claim"][who], heat)),
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
    return pictures.svg_file([content for _label, content in _pictures(document)])
