"""Pictures: bars and a heat map in the terminal, and the same as SVG.

Rows and columns of the map are rolls and claims from low to high. Every cell below the diagonal
claims less than the roll, every cell above it is a bluff.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, sqrt

from mia_cli.files.documents import Document
from mia_cli.rules.rolls import NAMES
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import comma
from mia_cli.text.language.numbers import decimal, percent

_ROUNDING = 1e-9
_BAR = 30
_SHARE = 20
"""Columns of the longest bar."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What pictures are made of: ``shades`` from nothing to most, a bar, the expected mark, and
    ``steps`` from low to high, where there are any."""

    shades: str
    bar: str
    mark: str
    cell: int = 2
    steps: str = ""


BLOCKS = Signs(shades=" ░▒▓█", bar="█", mark="│", steps="▁▂▃▄▅▆▇█")
ASCII = Signs(shades=" .:*#", bar="#", mark="|")
MAP_WIDTH = 5 + len(NAMES) * BLOCKS.cell
"""Columns of a heat map."""


def dice_bars(dice: Document, signs: Signs) -> Iterator[str]:
    """How often each roll fell, with a mark where fair dice would put it."""
    if not dice["rolls"]:
        return
    rows = dice["by_roll"]
    most = max(*(row["rolled"] for row in rows), *(row["expected"] for row in rows))
    yield "  " + _("Roll by roll; {mark} is what fair dice give.").format(mark=signs.mark)
    for row in rows:
        length = round(_BAR * row["rolled"] / most)
        mark = min(_BAR, round(_BAR * row["expected"] / most))
        bar = [signs.bar] * length + [" "] * (_BAR + 1 - length)
        bar[mark] = signs.mark
        yield f"  {row['roll']} {''.join(bar)} {row['rolled']}"


def share_bar(share: float, fair: float, most: float, signs: Signs) -> str:
    """A share as a bar, with a mark where a fair one would end; ``most`` fills the width."""
    length, mark = (round(_SHARE * part / most) for part in (share, fair))
    bar = [signs.bar] * length + [" "] * (_SHARE + 1 - length)
    bar[mark] = signs.mark
    return "".join(bar).rstrip()


def heat_map(
    cells: Sequence[Sequence[float]],
    signs: Signs,
    rows: Sequence[str] = NAMES,
    whole: float | None = None,
) -> Iterator[str]:
    """Rolls down, claims across; the darker, the more of that roll's claims (by square root, so
    that what is rare still shows). ``rows``: other names of rows; ``whole``: what is darkest,
    otherwise the most of each row."""
    for digit in (0, 1):
        yield "     " + "".join(name[digit].ljust(signs.cell) for name in NAMES).rstrip()
    for name, row in zip(rows, cells, strict=True):
        most = max(row) if whole is None else whole
        shown = "".join(_shade(value, most, signs) * signs.cell for value in row)
        yield f"  {name} {shown}".rstrip()


def heat_legend(signs: Signs) -> str:
    """What the shades of the map say where each roll has a scale of its own."""
    steps = len(signs.shades) - 1
    ends = (
        f"{shade * signs.cell} {percent((step / steps) ** 2, 0)}"
        for step, shade in enumerate(signs.shades[1:], start=1)
    )
    return "  " + _("Of the roll's most frequent claim, up to: {shades}").format(
        shades="  ".join(ends)
    )


def shade_legend(signs: Signs) -> str:
    """What the shades of a map of chances mean."""
    steps = len(signs.shades) - 1
    return comma().join(
        _("{shade} up to {share}").format(shade=shade, share=percent((step / steps) ** 2, 0))
        for step, shade in enumerate(signs.shades[1:], start=1)
    )


def _shade(value: float, most: float, signs: Signs) -> str:
    steps = len(signs.shades) - 1
    return signs.shades[ceil(steps * sqrt(value / most) - _ROUNDING)] if value else signs.shades[0]


STYLE = """
.mia{--ink:#1b1b1b;--soft:#6a6a6a;--line:#d9d9d9;--bar:#2f6db3;--mark:#b3402f;--hot:47,109,179}
@media (prefers-color-scheme:dark){
.mia{--ink:#ececec;--soft:#a3a3a3;--line:#3a3a3a;--bar:#7fb2ea;--mark:#f0907f;--hot:127,178,234}}
.mia text{fill:var(--ink);font:12px system-ui,sans-serif}
.mia .soft{fill:var(--soft)}
.mia .bar{fill:var(--bar)}
.mia .mark{stroke:var(--mark);stroke-width:2}
.mia .range{stroke:var(--ink);stroke-width:1.5}
.mia .axis{stroke:var(--line)}
.mia .curve{fill:none;stroke:var(--bar);stroke-width:2}
.mia .cell{fill:rgb(var(--hot))}
.mia .low{fill:var(--mark)}
""".strip()
"""Colours of the pictures, by day and by night."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of an SVG of a size, and in words what it shows, which stands above it."""

    label: str
    content: str
    width: int
    height: int


Point = tuple[str, float, tuple[float, float]]
"""Name, share, interval."""
Bar = tuple[str, float | None, float | None, tuple[float, float] | None]
"""Label, share, expected share, interval."""


def svg_shares(bars: Sequence[Bar], title: str) -> Picture:
    """Win shares as bars with their intervals and expected marks."""
    left, width, step = 170, 360, 26
    parts: list[str] = []
    height = step * len(bars) + 4
    for tick in (0.0, 0.5, 1.0):
        x = left + width * tick
        parts.append(f'<line class="axis" x1="{x}" x2="{x}" y1="0" y2="{height}"/>')
    for at, (label, share, expected, interval) in enumerate(bars):
        y = 4 + step * at
        parts.append(_text(0, y + 13, _shortened(label), ""))
        if share is None:
            continue
        parts.append(_rect(left, y + 3, width * share, 12, 'class="bar"'))
        if interval is not None:
            x1, x2 = (left + width * end for end in interval)
            parts.append(_line("range", x1, x2, y + 9, y + 9))
        if expected is not None:
            x = left + width * expected
            parts.append(_line("mark", x, x, y, y + 18))
        parts.append(_text(left + width + 6, y + 13, percent(share), "soft"))
    return Picture(title, "".join(parts), left + width + 60, height + 4)


def svg_dice(dice: Document, title: str) -> Picture:
    """Rolls as columns with marks for what fair dice give."""
    step, tall = 28, 150
    rows = dice["by_roll"]
    most = max(1, *(row["rolled"] for row in rows), *(row["expected"] for row in rows))
    parts: list[str] = []
    for at, row in enumerate(rows):
        x, high = at * step, tall * row["rolled"] / most
        mark = 4 + tall - tall * row["expected"] / most
        parts.append(_rect(x + 4, 4 + tall - high, step - 8, high, 'class="bar"'))
        parts.append(_line("mark", x + 1, x + step - 1, mark, mark))
        parts.append(_text(x + step / 2, tall + 18, row["roll"], "soft", middle=True))
    return Picture(title, "".join(parts), step * len(rows), tall + 24)


def svg_heat(
    cells: Sequence[Sequence[float]],
    title: str,
    rows: Sequence[str] = NAMES,
    whole: float | None = None,
) -> Picture:
    """The map of rolls (down) and claims (across); ``rows`` and ``whole`` as in heat_map, where
    what is ``whole`` is a certainty and values are chances."""
    step, left, top = 26, 30, 20
    size = step * len(NAMES)
    parts: list[str] = []
    for at, name in enumerate(NAMES):
        parts.append(_text(left + at * step + step / 2, top - 6, name, "soft", middle=True))
        parts.append(_text(left - 10, top + at * step + 17, rows[at], "soft", middle=True))
    for row, values in enumerate(cells):
        most = max(*values, 1) if whole is None else whole
        for column, value in enumerate(values):
            strength = decimal_point(sqrt(value / most))
            shape = (
                f'class="cell" fill-opacity="{strength}"' if value else 'class="axis" fill="none"'
            )
            x, y = left + column * step, top + row * step
            shown = f"{value}" if whole is None else percent(value)
            tip = f"<title>{escape(rows[row])}: {NAMES[column]}, {shown}</title>" if value else ""
            parts.append(
                f'<rect x="{x}" y="{y}" width="{step - 1}" height="{step - 1}" {shape}>{tip}</rect>'
            )
    return Picture(title, "".join(parts), left + size + 4, top + size + 4)


def svg_cross(
    names: Sequence[str], shares: Sequence[Sequence[float | None]], title: str
) -> Picture:
    """How often the player of each row beats that of each column: the farther from half, the
    darker, and in the colour of marks below it."""
    step, high, left, top = 74, 30, 130, 20
    parts: list[str] = []
    for at, name in enumerate(names):
        x = left + at * step + step / 2
        parts.append(_text(x, top - 8, _shortened(name, 10), "soft", middle=True))
        parts.append(_text(0, top + at * high + 19, _shortened(name, 18), ""))
    for row, values in enumerate(shares):
        for column, value in enumerate(values):
            x, y = left + column * step, top + row * high
            kind = "axis" if value is None else "cell" if value >= 0.5 else "low"
            strength = decimal_point(0.0 if value is None else min(0.5, 2.0 * abs(value - 0.5)))
            look = f'class="{kind}" fill-opacity="{strength}"'
            parts.append(_rect(x, y, step - 2, high - 2, look))
            if value is not None:
                parts.append(_text(x + step / 2 - 1, y + 19, percent(value), "", middle=True))
    return Picture(title, "".join(parts), left + step * len(names), top + high * len(names) + 4)


def svg_ratings(ratings: Sequence[tuple[str, float, float]], title: str) -> Picture:
    """Ratings on one scale, the best first: name, rating, half of its interval."""
    left, width, step = 170, 360, 26
    ends = [end for _name, rating, margin in ratings for end in (rating - margin, rating + margin)]
    low, span = min(ends), max(max(ends) - min(ends), 1.0)
    parts: list[str] = []
    height = step * len(ratings) + 4
    for at, (name, rating, margin) in enumerate(sorted(ratings, key=lambda one: -one[1])):
        y = 4 + step * at
        x1, x, x2 = (
            left + width * (end - low) / span for end in (rating - margin, rating, rating + margin)
        )
        parts.append(_line("axis", left, left + width, y + 9, y + 9))
        parts.append(_line("range", x1, x2, y + 9, y + 9))
        parts.append(f'<circle class="bar" cx="{x:.1f}" cy="{y + 9}" r="4.5"/>')
        parts.append(_text(0, y + 13, _shortened(name), ""))
        parts.append(_text(left + width + 10, y + 13, decimal(rating, 0), "soft"))
    return Picture(title, "".join(parts), left + width + 60, height + 4)


def svg_curve(points: Sequence[Point], expected: float | None, label: str) -> Picture:
    """Shares over time with their intervals, and a level mark for the expected share."""
    left, top, step, tall = 44, 8, max(28.0, 540.0 / max(1, len(points))), 170
    width = round(left + step * len(points) + 8)

    def down(share: float) -> float:
        return top + tall * (1.0 - share)

    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_line("axis", left, width, down(tick), down(tick)))
        parts.append(_text(0, down(tick) + 4, percent(tick, 0), "soft"))
    if expected is not None:
        parts.append(_line("mark", left, width, down(expected), down(expected)))
    across = [left + step * (at + 0.5) for at in range(len(points))]
    ends = " ".join(f"{x:.1f},{down(one[1]):.1f}" for x, one in zip(across, points, strict=True))
    parts.append(f'<polyline class="curve" points="{ends}"/>')
    for at, (x, (name, share, (low, high))) in enumerate(zip(across, points, strict=True)):
        parts.append(_line("range", x, x, down(low), down(high)))
        parts.append(f'<circle class="bar" cx="{x:.1f}" cy="{down(share):.1f}" r="4.5"/>')
        if at in (0, len(points) - 1) or step > 90:
            parts.append(_text(x, top + tall + 18, name, "soft", middle=True))
    return Picture(label, "".join(parts), width, top + tall + 24)


def decimal_point(value: float) -> str:
    """A number for a machine, whatever the language."""
    return f"{value:.3f}"


def _shortened(label: str, longest: int = 24) -> str:
    return label if len(label) <= longest else label[: longest - 1] + "…"


def _text(x: float, y: float, text: str, kind: str, *, middle: bool = False) -> str:
    anchor = ' text-anchor="middle"' if middle else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}"{anchor}>{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {kind}/>'


def _line(kind: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"/>'


def svg(picture: Picture) -> str:
    """A picture inside a page; it grows and shrinks with it, but not until it cannot be read."""
    width, height = picture.width, picture.height
    return (
        f'<svg class="mia" role="img" aria-label="{escape(picture.label)}" '
        f'viewBox="0 0 {width} {height}" '
        f'style="width:100%;min-width:{width * 3 // 4}px;max-width:{width * 3 // 2}px">'
        f"{picture.content}</svg>"
    )


def svg_file(pictures: Sequence[Picture]) -> str:
    """Pictures one below the other as a file of its own."""
    margin, gap = 16, 24
    width = max(picture.width for picture in pictures) + 2 * margin
    parts, y = [], margin
    for picture in pictures:
        parts.append(_text(margin, y + 12, picture.label, ""))
        parts.append(f'<g transform="translate({margin},{y + gap})">{picture.content}</g>')
        y += picture.height + 2 * gap
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="mia" viewBox="0 0 {width} {y}" '
        f'width="{width}" height="{y}"><style>{STYLE}\n.mia{{background:#fff}}\n'
        f"@media (prefers-color-scheme:dark){{.mia{{background:#161616}}}}</style>"
        f"{''.join(parts)}</svg>\n"
    )
