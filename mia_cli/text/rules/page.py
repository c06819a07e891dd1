"""The rules as a page of text: what would hold now, the sections, and the version behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mia_cli import __version__
from mia_cli.presets.settings import TableSettings, ValueSource
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import Line, styled
from mia_cli.text.language.plain import display_width, padded, printable
from mia_cli.text.language.wrap import wrapped
from mia_cli.text.rules.sections import HeadedText, RulesSection, sections

WIDEST = 80
"""Columns of the page: longer lines are hard to read."""
_INDENT = "  "
_GAP = "   "


def page_lines(settings: TableSettings, width: int) -> list[Line]:
    """The page for a screen of ``width`` columns; no line is wider, down to 40."""
    width = min(width, WIDEST)
    lines = [*_strong("", title(), width), styled("", "")]
    lines += _paragraphs("", [if_now()], width)
    lines += _items(_settings_lines(settings), width)
    for section in sections(settings):
        lines += [styled("", ""), *_section(section, width)]
    return [*lines, styled("", ""), *_paragraphs("", [foot()], width)]


def title() -> str:
    """The heading of the whole page."""
    return _("The rules of Mia, and how to play")


def if_now() -> str:
    """What stands above the settings."""
    return _("If a match began now:")


def foot() -> str:
    """The version of the program that plays by the page."""
    return _("mia {version} plays by these rules.").format(version=__version__)


def settings_rows(settings: TableSettings) -> list[tuple[str, int, str]]:
    """What the table has chosen: name, value, and where the value comes from."""
    sources: Mapping[str, ValueSource] = settings.sources
    rows = (
        (_("Players"), settings.players, "players"),
        (_("Lives"), settings.rules.lives, "lives"),
        (_("21 costs"), settings.rules.penalty_21, "penalty_21"),
    )
    return [(label, value, source_text(sources[key])) for label, value, key in rows]


def source_text(source: ValueSource) -> str:
    """Where a value comes from, in words."""
    name, by = printable(source.name or ""), source.chosen_by
    if source.kind == "option":
        return _("option {name}").format(name=name)
    if source.kind == "variable":
        return _("variable {name}").format(name=name)
    if source.kind == "preset":
        return _("preset {name}, by {place}").format(name=name, place=by)
    return _("built in, preset {name}").format(name=name) if name else _("built in")


def _settings_lines(settings: TableSettings) -> list[HeadedText]:
    rows = settings_rows(settings)
    widest = max(display_width(label) for label, _value, _source in rows)
    return [
        HeadedText(f"{padded(label, widest)}  {value}", source) for label, value, source in rows
    ]


def _section(section: RulesSection, width: int) -> Iterator[Line]:
    yield from _strong("", section.title, width)
    yield from (styled(_INDENT * 2 + row, "") for row in section.drawing)
    yield from _paragraphs(_INDENT, section.paragraphs, width)
    yield from _items(section.items, width)


def _items(items: Sequence[HeadedText], width: int) -> Iterator[Line]:
    """A row for each where all rows fit; otherwise the head, and the text below it."""
    left = max((display_width(item.head) for item in items), default=0)
    right = max((display_width(item.text) for item in items), default=0)
    for item in items:
        if len(_INDENT) + left + len(_GAP) + right <= width:
            head = _INDENT + padded(item.head, left) + _GAP
            yield ((head, "strong"), (item.text, ""))
        else:
            yield from _strong(_INDENT, item.head, width)
            yield from _paragraphs(_INDENT * 2, [item.text], width)


def _strong(indent: str, text: str, width: int) -> Iterator[Line]:
    return (styled(line, "strong") for line in wrapped(indent, text, width))


def _paragraphs(indent: str, texts: Sequence[str], width: int) -> Iterator[Line]:
    for number, text in enumerate(texts):
        if number:
            yield styled("", "")
        yield from (styled(line, "") for line in wrapped(indent, text, width))
