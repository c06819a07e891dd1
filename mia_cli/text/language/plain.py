"""Text from outside (names, presets, bots) made safe to print, and the width it takes."""

from __future__ import annotations

import unicodedata

_HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def printable(text: str) -> str:
    """``text`` with control, format and unassigned characters written as escapes.

    Escape sequences, newlines, direction overrides and what hides become visible and harmless;
    letters, accents and emoji stay, with the joiners that they are written with.
    """
    if text.isascii():
        return "".join(map(_visible, text))
    from mia_cli.text.language.invisible import hides, in_place

    kept = in_place(text)
    return "".join(
        sign if at in kept else _escaped(sign) if hides(sign) else _visible(sign)
        for at, sign in enumerate(text)
    )


def _visible(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":  # a byte of an argument or path that is not text
        return f"\\x{ord(character) - 0xDC00:02x}"
    if unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return _escaped(character)
    return character


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def shortened(text: str, longest: int = 60) -> str:
    """Printable text of at most ``longest`` characters, for quoting input in a message."""
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return printable(text)


def with_both_ends(text: str, longest: int) -> str:
    """Printable text of about ``longest`` characters: where it is more, its middle is left out."""
    if len(text) > longest:
        text = f"{text[: longest // 2]}…{text[-(longest // 2) :]}"
    return printable(text)


def display_width(text: str) -> int:
    """Terminal columns ``text`` takes: wide characters two, combining ones none."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut_to(text: str, width: int) -> str:
    """The start of ``text`` that takes at most ``width`` columns."""
    used = 0
    for at, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return text[:at]
    return text


def padded(text: str, width: int, *, right: bool = False) -> str:
    """``text`` filled with spaces to ``width`` columns, on the left when ``right`` is set."""
    spaces = " " * (width - display_width(text))
    return spaces + text if right else text + spaces


_PLAIN_SPELLINGS = {
    "♥": "*",
    "♡": "-",
    "—": "-",
    "–": "-",
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "‚": "'",
    "‹": "'",
    "›": "'",
    "¿": "",
    "¡": "",
    "±": "+-",
    "≈": "~",
    "·": ".",
    "«": '"',
    "»": '"',
    "…": "...",
    "→": "->",
    "≥": ">=",
    "≤": "<=",
    "×": "x",
    "œ": "oe",
    "Œ": "OE",
    "æ": "ae",
    "Æ": "AE",
    "ø": "o",
    "Ø": "O",
    "ß": "ss",
    "\u00a0": " ",
    "\u202f": " ",
    "█": "#",
    "░": ".",
    "〜": "~",
    "%": "٪",
}


def plain_spelling(text: str, encoding: str) -> str:
    """``text`` in characters that ``encoding`` has: accents dropped, signs spelt, else ``?``.

    Signs that people leave out who cannot type them (¿) are left out.
    """
    return "".join(_spelt(character, encoding) for character in text)


def _spelt(character: str, encoding: str) -> str:
    without_accent = unicodedata.normalize("NFKD", character)
    candidates = (
        character,
        _PLAIN_SPELLINGS.get(character),
        "".join(part for part in without_accent if not unicodedata.combining(part)) or None,
        _without_stroke(character),
    )
    for candidate in candidates:
        if candidate is not None and _encodable(candidate, encoding):
            return candidate
    is_seen = unicodedata.category(character) not in ("Mn", "Me", "Cf")
    return "?" if is_seen else ""


def _without_stroke(character: str) -> str | None:
    """L of a letter that Unicode calls L WITH STROKE."""
    letter, with_, _sign = unicodedata.name(character, "").partition(" WITH ")
    try:
        return unicodedata.lookup(letter) if with_ and character.isalpha() else None
    except KeyError:
        return None


def _encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeError:
        return False
    return True
