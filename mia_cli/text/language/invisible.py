"""Which invisible characters of a text do what Unicode has them for, and which only hide.

After the context rules for joiners of RFC 5892 (appendix A.1 and A.2) and Unicode's UAX 31 and
UTS 51: a joiner between letters that it joins or keeps apart, and within emoji; a variation
selector behind a sign that has variants; the letters of a flag behind a black flag. Python does not
know which Arabic letters join, nor which signs are emoji: the few letters that do not join to the
left are listed, and emoji are taken to be what Unicode calls other symbols.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

NON_JOINER, JOINER = "\u200c", "\u200d"
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]")
"""Letters and marks that show nothing, though their categories do not say so."""
_JOINING_SCRIPTS = ("ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN", "ADLAM")
_NOT_TO_THE_LEFT = frozenset(
    "\u0621\u0622\u0623\u0624\u0625\u0627\u0629\u062f\u0630\u0631\u0632\u0648\u0671\u0672"
    "\u0673\u0675\u0676\u0677\u0688\u0689\u068a\u068b\u068c\u068d\u068e\u068f\u0690\u0691\u0692"
    "\u0693\u0694\u0695\u0696\u0697\u0698\u0699\u06c0\u06c3\u06c4\u06c5\u06c6\u06c7\u06c8\u06c9"
    "\u06ca\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef"
)
_VIRAMA = 9
"""The combining class of signs that make one letter of two."""


def hides(character: str) -> bool:
    """True for a character that shows nothing, whatever stands around it, and is no space."""
    return bool(_VARIANTS.fullmatch(character) or _FILLERS.fullmatch(character))


def in_place(text: str) -> set[int]:
    """Where in ``text`` invisible characters are what a word or an emoji is written with."""
    found = {at for at in range(len(text)) if _is_in_place(text, at)}
    for flag in _FLAG.finditer(text):
        found.update(range(flag.start() + 1, flag.end()))
    return found


def _is_in_place(text: str, at: int) -> bool:
    sign = text[at]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before:
        return False
    if _VARIANTS.fullmatch(sign):
        return _has_variants(before)
    if not after or sign not in (NON_JOINER, JOINER):
        return False
    if unicodedata.combining(before) == _VIRAMA and unicodedata.category(after)[0] in "LM":
        return True
    if sign == JOINER:
        return _is_sign(next(_bases(reversed(text[:at])), "")) and _is_sign(after)
    left = next(_letters(reversed(text[:at])), "")
    right = next(_letters(iter(text[at + 1 :])), "")
    return left not in _NOT_TO_THE_LEFT and _joins(left) and _joins(right)


def _has_variants(before: str) -> bool:
    name = unicodedata.name(before, "")
    return before in "#*" or name.startswith("CJK") or unicodedata.category(before) in _VARIED


_VARIED = ("So", "Sm", "Po", "Pd", "Nd", "Sk")


def _bases(text: Iterator[str]) -> Iterator[str]:
    """Without what varies an emoji."""
    return (sign for sign in text if not (_VARIANTS.fullmatch(sign) or _SKIN.fullmatch(sign)))


def _letters(text: Iterator[str]) -> Iterator[str]:
    """Without marks, through which letters join."""
    return (sign for sign in text if unicodedata.category(sign) != "Mn")


def _is_sign(sign: str) -> bool:
    return bool(sign) and unicodedata.category(sign) == "So"


def _joins(letter: str) -> bool:
    name = unicodedata.name(letter, "") if letter else ""
    return name.startswith(_JOINING_SCRIPTS) and unicodedata.category(letter)[0] == "L"
