"""Signs of a sentence on a stream that lacks them."""

import pytest

from mia_cli.text.language.plain import plain_spelling


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
