"""Invisible characters: what words and emoji are written with stays, what hides is shown."""

import pytest

from mia_cli.cli.play.names import person_name
from mia_cli.rules.errors import CannotRead
from mia_cli.text.language.plain import display_width, plain_spelling, printable

WRITTEN_SO = {
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "a technologist with a skin tone": "\U0001f469\U0001f3fd\u200d\U0001f4bb",
    "a woman running": "\U0001f3c3\u200d\u2640\ufe0f",
    "a rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "the flag of Scotland": "\U0001f3f4" + "".join(chr(0xE0000 + ord(at)) for at in "gbsct\x7f"),
    "a heart": "\u2764\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Malayalam": "\u0d28\u0d4d\u200d\u0d31",
    "Hindi": "\u0915\u094d\u200c\u0937",
    "Bengali": "\u09b0\u09cd\u200d\u09af",
}
HIDES = {
    "a joiner between Latin letters": "A\u200dda",
    "a non-joiner between Latin letters": "A\u200cda",
    "a joiner at the start": "\u200dAda",
    "a joiner at the end": "\U0001f468\u200d",
    "two joiners": "\U0001f468\u200d\u200d\U0001f469",
    "a non-joiner where nothing joins": "\u062f\u200c\u0645",
    "a non-joiner at the end": "\u0645\u06cc\u200c",
    "a zero-width space": "A\u200bda",
    "a direction override": "A\u202eda",
    "a line separator": "A\u2028da",
    "a soft hyphen": "A\u00adda",
    "a byte-order mark": "\ufeffAda",
    "tags without a flag": "A\U000e0067\U000e007f",
    "a variation selector behind a letter": "Ada\ufe0f",
    "another variation selector": "Ada\U000e0101",
    "a Hangul filler": "\u3164",
    "a blank in Braille": "\u2800",
    "a joiner of graphemes": "A\u034fda",
    "an escape": "A\x1b[31m",
}


@pytest.mark.parametrize("text", WRITTEN_SO.values(), ids=WRITTEN_SO)
def test_names_that_are_written_so(text):
    assert person_name(text, {}) == text
    assert person_name(f"Ada {text} Bo", {}) == f"Ada {text} Bo"
    assert 0 < display_width(text) <= 2 * len(text)
    assert "\u200d" not in plain_spelling(text, "ascii")


@pytest.mark.parametrize("text", HIDES.values(), ids=HIDES)
def test_what_hides_is_refused_and_shown_as_escapes(text):
    with pytest.raises(CannotRead) as refused:
        person_name(text, {})
    assert refused.value.code == "bad_name"
    assert "\\" in printable(text)
    assert printable(printable(text)) == printable(text)
