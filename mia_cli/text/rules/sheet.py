"""The rules as a sheet of A4 to print and lay on the table: one page of HTML, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from mia_cli.files.outputs import GENERATOR
from mia_cli.presets.settings import TableSettings
from mia_cli.rules.rolls import MIA, Roll
from mia_cli.text.language.catalogue import language
from mia_cli.text.language.roll_names import shown_name
from mia_cli.text.rules import page
from mia_cli.text.rules.order import order_drawing, order_rows
from mia_cli.text.rules.sections import RulesSection, sections

_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1b1b;--soft:#5c5c5c;--line:#cfcfcf;
--pip:#1b1b1b;--die:#fff}
@media (prefers-color-scheme:dark){:root{--paper:#161616;--ink:#ececec;--soft:#b0b0b0;
--line:#4a4a4a;--die:#f4f4f4}}
body{margin:0 auto;max-width:66rem;padding:1rem;background:var(--paper);color:var(--ink);
font:1rem/1.45 system-ui,sans-serif}
h1{margin:0;font-size:1.6em;line-height:1.2}
h2{margin:0 0 .2em;font-size:1.1em;line-height:1.25;break-after:avoid}
p{margin:0 0 .35em}
ul{margin:.3em 0 0;padding:0;list-style:none}
header{margin-bottom:.8em;padding-bottom:.5em;border-bottom:2px solid var(--ink)}
header li{display:inline-block;margin-right:1.6em}
header span,footer{color:var(--soft)}
main{columns:2 20rem;column-gap:2.2rem}
section{margin-bottom:.8em;orphans:3;widows:3}
#order,#examples,dl>div{break-inside:avoid}
dl{margin:0}
dt{font-weight:600}
dd{margin:0 0 .25em}
#examples dl{display:grid;grid-template-columns:auto 1fr;column-gap:.8em}
#examples div{display:contents}
svg{display:block;width:100%;max-width:25rem;height:auto;margin:.2em 0 .4em}
svg text{fill:var(--ink);font-size:6.5px;font-weight:600;text-anchor:middle}
code{font:inherit;white-space:nowrap}
svg .name{text-anchor:start}
svg rect{fill:var(--die);stroke:var(--soft);stroke-width:.4}
svg circle{fill:var(--pip)}
footer{padding-top:.4em;border-top:1px solid var(--line);font-size:.9em}
@page{size:A4;margin:10mm 12mm}
@media print{
:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#333;--line:#999;--die:#fff}
html{font-size:8.3pt}
body{max-width:none;padding:0;line-height:1.3;
font-family:"Helvetica Neue",Arial,"Liberation Sans",system-ui,sans-serif}
main{columns:2;column-gap:7mm;margin-bottom:2mm}
header span{display:none}
svg{max-width:80mm}
}
""".strip()
_PIPS = ("", "22", "1133", "112233", "11133133", "1113223133", "111321233133")
"""Where the pips of a face are, by row and column 1 to 3."""
_DIE = 11
_CELL, _ROW = 31, 21


def sheet(settings: TableSettings) -> str:
    """The whole page."""
    title = escape(page.title())
    body = "\n".join(map(_section, sections(settings)))
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{GENERATOR}\n"
        f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{title}</h1>\n<ul>{_settings(settings)}</ul>\n</header>\n"
        f"<main>\n{body}\n</main>\n<footer>{escape(page.foot())}</footer>\n</body>\n</html>\n"
    )


def _settings(settings: TableSettings) -> str:
    """The values; where they come from is for the screen, not for the table."""
    return "".join(
        f"<li>{escape(label)} <b>{value}</b> <span>({escape(source)})</span></li>"
        for label, value, source in page.settings_rows(settings)
    )


def _section(section: RulesSection) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>"]
    if section.drawing:
        parts.append(_order())
    parts += [f"<p>{escape(text)}</p>" for text in section.paragraphs]
    if section.items:
        items = (
            f"<div><dt>{escape(item.head)}</dt><dd>{_marked(item.text)}</dd></div>"
            for item in section.items
        )
        parts.append(f"<dl>{''.join(items)}</dl>")
    return f'<section id="{section.id}">\n' + "\n".join(parts) + "\n</section>"


def _marked(text: str) -> str:
    """Text whose options are not cut after their hyphens."""
    return re.sub(r"--[a-z0-9-]+", r"<code>\g<0></code>", escape(text))


def _order() -> str:
    """The order as dice, a row for each higher die, then the doubles, then 21."""
    rows = order_rows()
    width, height = max(map(len, rows)) * _CELL - 8, len(rows) * _ROW
    content = "".join(_row(number, row) for number, row in enumerate(rows))
    label = escape("; ".join(order_drawing()))
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{content}</svg>'


def _row(number: int, rolls: Sequence[Roll]) -> str:
    parts = []
    for at, roll in enumerate(rolls):
        x, y = at * _CELL, number * _ROW
        parts += [*_die(x, y, int(roll.name[0])), *_die(x + _DIE + 1, y, int(roll.name[1]))]
        parts.append(f'<text x="{x + _DIE + 0.5}" y="{y + _DIE + 6.5}">{roll.name}</text>')
        if roll.name == MIA:
            name = escape(shown_name(roll))
            parts.append(f'<text class="name" x="{x + 2 * _DIE + 4}" y="{y + 8}">{name}</text>')
    return "".join(parts)


def _die(x: float, y: float, face: int) -> Iterator[str]:
    yield f'<rect x="{x + 0.3}" y="{y + 0.3}" width="{_DIE - 0.6}" height="{_DIE - 0.6}" rx="2"/>'
    pips = _PIPS[face]
    for row, column in zip(pips[::2], pips[1::2], strict=True):
        centre = (_DIE / 2 + (int(step) - 2) * 2.8 for step in (column, row))
        cx, cy = (round(edge + offset, 2) for edge, offset in zip((x, y), centre, strict=True))
        yield f'<circle cx="{cx}" cy="{cy}" r="1.1"/>'
