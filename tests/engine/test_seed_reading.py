"""Which texts are seeds: whole numbers of up to 100 digits, and nothing that only looks so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.engine.seed import draw_seed, parse_seed
from mia_cli.rules.errors import CannotRead

READ = {
    "0": 0,
    "-0": 0,
    "+0": 0,
    "7": 7,
    "+7": 7,
    "-1": -1,
    "007": 7,
    " 7 ": 7,
    "\t7\r\n": 7,
    "9" * 100: 10**100 - 1,
    "-" + "9" * 100: 1 - 10**100,
    "+" + "1" * 100: int("1" * 100),
    "0" * 100: 0,
    "18446744073709551616": 2**64,
    "-9223372036854775809": -(2**63) - 1,
}
REFUSED = [
    *["", " ", "-", "+", "--1", "+-1", "- 1", "1-", "1 2", "1,000", "1_000", "1.0", "1e6", "1e"],
    *["0x1f", "0b1", "0o7", "1L", "inf", "nan", "None", "True", "x", "seven", "Hello, seed"],
    *["7\x00", "\x007", "7\n8", "\u22127", "７", "٧", "²", "Ⅶ", "7\u200b", "\ud800"],
    *["1" * 101, "-" + "1" * 101, "0" * 101, "9" * 5000, "9" * 10_000_000],
]


@pytest.mark.parametrize(("text", "seed"), READ.items())
def test_read(text, seed):
    assert parse_seed(text) == seed
    assert type(parse_seed(text)) is int


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:20]))
def test_refused_with_the_text_and_the_limit(text):
    with pytest.raises(CannotRead) as caught:
        parse_seed(text)
    assert caught.value.code == "not_a_seed"
    assert caught.value.fields == {"value": text, "digits": 100}


@given(st.integers(1 - 10**100, 10**100 - 1))
def test_every_seed_is_read_back(seed):
    assert parse_seed(str(seed)) == seed


def test_a_drawn_seed_is_read_back():
    seed = draw_seed()
    assert parse_seed(str(seed)) == seed


@given(st.text(st.characters(codec=None)) | st.text("0123456789+-_ .٣７"))
def test_nothing_but_cannot_read_is_raised(text):
    try:
        assert parse_seed(text) == int(text)
    except CannotRead as error:
        assert error.fields["value"] == text
