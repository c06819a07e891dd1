"""Pages of HTML: well-formed HTML5, read easily by day and by night, and all by themselves."""

import re
from html.parser import HTMLParser

import pytest

from mia_cli.text import page, pictures
from tests.cli.in_process import full
from tests.played_matches import some, write

VOID = {"meta", "br", "hr", "img", "link", "input"}
SHAPES = {"rect", "line", "circle", "polyline", "path"}
INSIDE = {
    "li": {"ul", "ol"},
    "tr": {"thead", "tbody"},
    "thead": {"table"},
    "tbody": {"table"},
    "td": {"tr"},
    "th": {"tr"},
    "figcaption": {"figure"},
    "title": {"head", "rect", "text"},
    **{shape: {"svg", "g"} for shape in SHAPES},
}
"""Where an element may stand, for those that may not stand anywhere."""
PHRASES = {"p", "h1", "h2", "figcaption", "td", "th", "title", "li"}
"""Elements in which only text may stand, plain or marked up, as these pages use them."""


class Checked(HTMLParser):
    """Follows a page tag by tag, and keeps what is wrong."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.ids, self.cells = [], [], [], []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self._begin(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in VOID | SHAPES:
            self.wrong.append(f"<{tag}/> is not empty in HTML")
        self._begin(tag, attrs)

    def _begin(self, tag, attrs):
        parent = self.open[-1] if self.open else None
        if parent not in INSIDE.get(tag, {parent}):
            self.wrong.append(f"<{tag}> in <{parent}>")
        if parent in PHRASES and tag not in ("b", "i", "em", "strong", "code", "span"):
            self.wrong.append(f"<{tag}> in <{parent}>")
        names = [name for name, _value in attrs]
        if len(names) != len(set(names)) or None in dict(attrs).values():
            self.wrong.append(f"<{tag} {names}>")
        self.ids += [value for name, value in attrs if name == "id"]
        if tag == "tr":
            self.cells.append(0)
        if tag in ("td", "th"):
            self.cells[-1] += 1
        if tag == "table":
            self.cells = []

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes something else")
        if tag == "table" and len(set(self.cells)) != 1:
            self.wrong.append(f"rows of {self.cells} cells")


@pytest.fixture
def pages(isolated, monkeypatch, tmp_path):
    """A page of each command that writes one."""
    monkeypatch.setenv("MIA_CACHE_DIR", str(isolated / "cache"))
    records = [one for one in some() if one.ruleset.lives < 5 and len(one.seats) < 4]
    write(isolated / "data" / "matches", records)
    found = {}
    for command in (
        "stats",
        "stats --by month",
        "rules",
        "solve --lives 2",
        "simulate -n 200 --seed 7 --cpu easy --cpu hard",
        "simulate --round-robin -n 40 --seed 7 --cpu easy --cpu normal --cpu hard",
    ):
        path = tmp_path / "page.html"
        ended = full(*command.split(), "--html", str(path), "--lang", "fr", "--force")
        assert ended.code == 0, ended.err
        found[command] = path.read_text("utf-8")
    return found


def test_pages_are_sound_and_ask_nobody_for_anything(pages):
    for command, text in pages.items():
        checked = Checked(text)
        assert checked.wrong == [], command
        assert not re.search("[\ue000-\uf8ff]", text), command
        assert len(checked.ids) == len(set(checked.ids)), command
        assert text.startswith("<!doctype html>\n<html lang=") and text.count("<h1") == 1
        assert re.search('<meta charset="?utf-8"?>', text), command
        assert not re.search(r"<script|https?://(?!www\.w3\.org)|@import|url\(| src=| on\w+=", text)


def test_nothing_is_headed_twice(pages):
    for text in pages.values():
        heads = re.findall(r"<(?:h1|h2|figcaption)>(.*?)</", text)
        assert len(heads) == len(set(heads))


def test_the_check_finds_what_is_wrong():
    for wrong in (
        "<p><p>a</p></p>",
        "<ul><b>a</b></ul><li>x</li>",
        "<p a a>x</p>",
        "<div>",
        "</p>",
    ):
        assert Checked(wrong).wrong
    assert Checked(
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr></tr></tbody></table>"
    ).wrong


def colours(css):
    """The colours by name, by day and by night."""
    plain, _, night = css.partition("@media (prefers-color-scheme:dark)")
    found = []
    for part in (plain, night.partition("}}")[0]):
        named = dict(re.findall(r"--(\w+):(#(?:[0-9a-f]{3}){1,2}\b|\d+,\d+,\d+)", part))
        found.append({name: rgb(value) for name, value in named.items()})
    return found


def rgb(text):
    if "," in text:
        return [int(part) for part in text.split(",")]
    digits = text.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return [int(digits[at : at + 2], 16) for at in (0, 2, 4)]


def luminance(colour):
    """Relative luminance (WCAG 2.2)."""
    parts = [part / 255 for part in colour]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Contrast ratio (WCAG 2.2), 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour, ground, strength):
    return [
        strength * one + (1 - strength) * other for one, other in zip(colour, ground, strict=True)
    ]


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_texts_stand_out_from_what_is_behind_them(night):
    frame, drawn = colours(page._STYLE)[night], colours(pictures.STYLE)[night]
    paper = frame["paper"]
    for name in ("ink", "soft"):
        assert contrast(frame[name], paper) >= 4.5
        assert contrast(drawn[name], paper) >= 4.5
    for name in ("bar", "mark"):  # no texts: shapes need less
        assert contrast(drawn[name], paper) >= 3.0
    for shade in (drawn["hot"], drawn["mark"]):
        # The darkest cell that a text is written on, see svg_cross.
        assert contrast(drawn["ink"], mixed(shade, paper, 0.5)) >= 4.5
