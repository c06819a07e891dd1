"""A line of text with named styles, so that colour is decided by whoever prints it."""

from __future__ import annotations

from collections.abc import Iterable
from string import Formatter

from mia_cli.text.language.catalogue import _

Span = tuple[str, str]
"""A piece of text and its style: ``""`` for plain, or one of ``STYLES``."""
Line = tuple[Span, ...]

STYLES = ("you", "seat", "claim", "lives", "good", "bad", "quiet", "strong")
"""What a style says; nothing may be said by a style alone."""


def line(template: str, **fields: object) -> Line:
    """Fill ``template`` as ``str.format`` does; a field may be a Line and keeps its styles.

    Only the template is parsed for braces: fields are taken literally.
    """
    spans: list[Span] = []
    for literal, name, _spec, _conversion in Formatter().parse(template):
        if literal:
            spans.append((literal, ""))
        if name is not None:
            value = fields[name]
            spans.extend(value if isinstance(value, tuple) else ((str(value), ""),))
    return tuple(spans)


def styled(text: str, style: str) -> Line:
    """One piece of text in one style."""
    return ((text, style),)


def joined(lines: Iterable[Line], separator: str) -> Line:
    """Several lines as one."""
    spans: list[Span] = []
    for index, part in enumerate(lines):
        if index:
            spans.append((separator, ""))
        spans.extend(part)
    return tuple(spans)


TIE = "\ue002"
"""A space at which no row ends on a terminal; printed as any other space."""

FIGURES = "; "
"""What stands between the entries of a list of figures: many languages write commas in them."""


def comma() -> str:
    """What stands between the entries of a list."""
    # Translators: two entries of a list, to show what stands between them.
    return _between(_("{first}, {second}"))


def space() -> str:
    """What stands between two sentences."""
    # Translators: two sentences in a row, to show what stands between them.
    return _between(_("{first} {second}"))


def _between(pattern: str) -> str:
    return pattern.removeprefix("{first}").removesuffix("{second}")


def plain(line_: Line) -> str:
    """The text alone."""
    return "".join(text for text, _style in line_).replace(TIE, " ")


def tied(line_: Line) -> Line:
    """The line in one row, as far as it fits."""
    return tuple((text.replace(" ", TIE), style) for text, style in line_)
