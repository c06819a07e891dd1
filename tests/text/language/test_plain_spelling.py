"""Sentences on a stream that lacks their characters."""

from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import mia_cli.text
from mia_cli.text.language.plain import plain_spelling

LATIN = ("fr", "de", "es", "da")
"""Languages that plain letters can spell."""
ENCODINGS = ("ascii", "latin-1", "cp1252", "cp850")


def sentences(language):
    path = (
        Path(mia_cli.text.__file__).parent
        / "language"
        / "locale"
        / language
        / "LC_MESSAGES"
        / "mia.po"
    )
    with path.open("rb") as file:
        for message in read_po(file):
            spoken = message.string if isinstance(message.string, tuple) else (message.string,)
            for text in spoken:
                yield message.id[0] if isinstance(message.id, tuple) else message.id
                yield text


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("language", LATIN)
def test_no_sign_of_a_sentence_becomes_a_question_mark(language, encoding):
    for text in sentences(language):
        plain = plain_spelling(text, encoding)
        plain.encode(encoding)
        assert plain.count("?") == text.count("?"), text


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("„Pasch“ reicht nicht", '"Pasch" reicht nicht'),
        ("¿Quién gana? ¡Mia!", "Quien gana? Mia!"),
        ("50 ±1", "50 +-1"),
        ("e\u0301té", "ete"),
        ("役", "?"),
    ],
)
def test_signs_as_people_spell_them(text, ascii_text):
    assert plain_spelling(text, "ascii") == ascii_text
