"""How rolls and claims are read, and everything that is not one."""

from itertools import product
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mia_cli.rules.errors import CannotRead
from mia_cli.rules.rolls import CLAIMS, ROLLS, parse_claim, parse_roll
from tests.rules_oracle import ORDER, name_of_dice

DICE = "123456"
SPACES = ["", " ", "   ", "\t", "\u00a0", "\u3000"]
ACCEPTED = {
    "65": [
        *["56", "5 6", "6,5", "65 ", " 65", "6-5", "6/5", "6.5", "6 - 5", "\t6 ,\t5\r\n"],
        *["６５", "５6", "６，５", "６－５", "６\u30005", "６．５", "６／５"],
    ],
    "21": [
        *["12", "1 2", "1-2", "Mia", "mia", "MIA\n", "  mIa ", "ＭＩＡ", "Meyer", "MEIER"],
        *["maexchen", "Maxchen", "MÄXCHEN", "mäxchen", "Mäxchen "],
    ],
}
REFUSED = [
    *["", " ", "\n", "6", "655", "6655", "07", "70", "00", "06", "60", "77", "17", "71", "99", "x"],
    *["6x", "x6", "-5", "-65", "+65", "6+5", "65.0", "6.5.", ".65", "6--5", "6-,5", "6,,5", "6_5"],
    *["6 5 4", "6 55", "0x41", "6e5", "65 mia", "mia 21", "mia!", "mi a", "mai", "miaa", "Würfel"],
    *[
        "six five",
        "None",
        "null",
        "True",
        "[red]65[/red]",
        "6\x005",
        "65\x00",
        "\x0065",
        "\x1b[65m",
    ],
    *["6\u20135", "6\u22125", "65\u200b", "6\u200b5", "\ufeff65", "\u202e56"],
    # Digits to str.isdigit or to int(), but nothing a person types for dice: superscripts,
    # subscripts, circled, Arabic-Indic, Devanagari, mathematical; one sign for a whole number.
    *[
        "²¹",
        "6²",
        "⁶5",
        "₆₅",
        "⑥⑤",
        "٦٥",
        "٦5",
        "६५",
        "𝟔𝟓",
        "㉑",
        "⑫",
        "½",
        "Ⅵ",
        "６６６",
        "０７",
        "７７",
    ],
    *["\ud83d\udc00", "6\ud8005", "\udcff", "\ud800"],
]


@pytest.mark.parametrize("name", ORDER)
def test_names_are_read_back(name):
    assert parse_roll(name) is ROLLS[ORDER.index(name)]
    assert parse_claim(name) is CLAIMS[ORDER.index(name)]
    assert parse_roll(parse_roll(name).name).name == name
    assert parse_claim(parse_claim(name).name).name == name


def test_either_order_with_every_separator_and_spacing():
    for first, second in product(DICE, DICE):
        name = name_of_dice(int(first), int(second))
        assert parse_roll(first + second).name == name
        for mark, before, after in product(["", ",", "-", "/", "."], SPACES, SPACES):
            text = f"{after}{first}{before}{mark}{after}{second}{before}"
            assert parse_roll(text).name == name, ascii(text)


@pytest.mark.parametrize(
    ("text", "name"), [(text, name) for name in ACCEPTED for text in ACCEPTED[name]], ids=ascii
)
def test_spellings_that_are_understood(text, name):
    assert parse_roll(text).name == name
    assert parse_claim(text).name == name


@pytest.mark.parametrize("word", ["MÄXCHEN", "mäxchen", "Mäxchen"])
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_accents_composed_and_decomposed(word, form):
    assert parse_claim(normalize(form, word)).name == "21"


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_everything_else_is_refused_and_quoted(text):
    for parse in (parse_roll, parse_claim):
        with pytest.raises(CannotRead) as caught:
            parse(text)
        assert caught.value.code == "not_a_roll"
        assert caught.value.fields == {"value": text}


def test_all_two_digit_texts():
    for text in (f"{number:02}" for number in range(100)):
        if set(text) <= set(DICE):
            assert parse_roll(text).name == name_of_dice(int(text[0]), int(text[1]))
        else:
            with pytest.raises(CannotRead):
                parse_roll(text)


@pytest.mark.parametrize("unit", ["6", "65", "6,", "ä", "６", "mia", "\x00", "a\u0308", "\ud800"])
def test_ten_megabytes_are_refused(unit):
    with pytest.raises(CannotRead):
        parse_roll(unit * (10_000_000 // len(unit)))


def test_a_roll_in_a_sea_of_spaces():
    assert parse_roll(" " * 5_000_000 + "65" + " " * 5_000_000).name == "65"
    with pytest.raises(CannotRead):
        parse_roll("6" + " " * 10_000_000 + "5")


ANY_TEXT = st.text(st.characters(codec=None)) | st.text("0123456７89mia -,./äÄ²٣\u0308\x00\u3000")


@given(ANY_TEXT)
@example("\ud800")
def test_reading_raises_nothing_but_cannot_read(text):
    for parse, values in ((parse_roll, ROLLS), (parse_claim, CLAIMS)):
        try:
            assert parse(text) in values
        except CannotRead as error:
            assert error.fields == {"value": text}


@given(ANY_TEXT)
def test_a_roll_and_a_claim_are_read_alike(text):
    def name_or_none(parse):
        try:
            return parse(text).name
        except CannotRead:
            return None

    assert name_or_none(parse_roll) == name_or_none(parse_claim)
