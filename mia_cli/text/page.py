"""The frame of pages of HTML: everything inside, no script, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from mia_cli.files.outputs import GENERATOR
from mia_cli.text import pictures
from mia_cli.text.language.catalogue import language
from mia_cli.text.language.line import TIE
from mia_cli.text.language.table import TextTable

NBSP = "\u00a0"
_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1b1b;--soft:#6a6a6a;--line:#d9d9d9;--cue:#0005}
@media (prefers-color-scheme:dark){:root{--paper:#161616;--ink:#ececec;
--soft:#a3a3a3;--line:#3a3a3a;--cue:#fff6}}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}.answer{font-size:1.15rem;font-weight:600}
figure{margin:1.5rem 0}figcaption{font-weight:600}
.wide{overflow-x:auto;margin:.5rem 0;background:
linear-gradient(to right,var(--paper) 40%,transparent) local,
linear-gradient(to left,var(--paper) 40%,transparent) right local,
linear-gradient(to right,var(--cue),transparent) scroll,
linear-gradient(to left,var(--cue),transparent) right scroll;
background-size:3rem 100%,3rem 100%,1.2rem 100%,1.2rem 100%;background-repeat:no-repeat}
@media (max-width:30rem){th,td{padding:.25rem .35rem}}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid var(--line);overflow-wrap:normal}
td.n,th.n{text-align:right}td.n{white-space:nowrap}
footer{margin-top:2rem;color:var(--soft);font-size:.85rem}
""".strip()


def page(title: str, parts: Iterable[str]) -> str:
    """A whole page: its title, and its parts as HTML."""
    name, body = escape(title), "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{GENERATOR}\n<title>{name}</title>\n<style>\n{_STYLE}\n{pictures.STYLE}\n</style>\n"
        f"</head>\n<body>\n<h1>{name}</h1>\n{body}\n</body>\n</html>\n"
    )


def heading(text: str) -> str:
    """The heading of a part."""
    return f"<h2>{escape(text)}</h2>"


def answer(text: str) -> str:
    """What the whole page says, in one sentence."""
    return f'<p class="answer">{escape(text)}</p>'


def paragraph(text: str) -> str:
    """One sentence or several."""
    return f"<p>{escape(text)}</p>"


def bullets(texts: Iterable[str]) -> str:
    """A list of sentences."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def figure(picture: pictures.Picture) -> str:
    """A picture, as wide as the page allows, below what it shows."""
    label = escape(picture.label)
    drawn = f'<div class="wide">{pictures.svg(picture)}</div>'
    return f"<figure><figcaption>{label}</figcaption>{drawn}</figure>"


def html_table(table: TextTable) -> str:
    """A table that scrolls where it is too wide."""
    head, *cells = table.rows

    def row(values: Sequence[str], tag: str) -> str:
        kinds = (' class="n"' if at in table.right else "" for at in range(len(values)))
        texts = (escape(value.replace(TIE, NBSP)) for value in values)
        parts = (f"<{tag}{kind}>{text}</{tag}>" for kind, text in zip(kinds, texts, strict=True))
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(row(values, "td") for values in cells)
    top = row(head, "th")
    rows = f"<thead>{top}</thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table>{rows}</table></div>'
