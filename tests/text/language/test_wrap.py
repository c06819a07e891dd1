"""Help texts with wide characters keep to their width and lose nothing."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mia_cli.text.language.plain import display_width
from mia_cli.text.language.wrap import fitted

WIDTH = 40


def test_what_fits_is_left_alone():
    text = "Usage: mia\n\n  --json   Print JSON.\n" + "x" * WIDTH
    assert fitted(text, WIDTH) == text


def test_a_row_is_wrapped_under_its_text_with_the_lines_that_follow():
    row = "  --json   " + "出目" * 10
    told = f"{row}\n           の続き\n  -q       短い"
    assert fitted(told, WIDTH).split("\n") == [
        "  --json   出目出目出目出目出目出目出目",
        "           出目出目出目の続き",
        "  -q       短い",
    ]


def test_words_stay_whole_and_signs_stay_with_what_they_end():
    lines = fitted("  " + "長い文です。" * 3 + "simulate --cpu「easy」。", WIDTH).split("\n")
    assert (
        "".join(line.strip() for line in lines) == "長い文です。" * 3 + "simulate --cpu「easy」。"
    )
    assert not any(re.match(r"\s*[、。」）]", line) or line.endswith("「") for line in lines)
    assert not any(line.endswith("simul") for line in lines)


words = st.text(alphabet="出目振る、。「」ab", min_size=1, max_size=12)


@given(st.lists(words, min_size=1, max_size=30))
def test_no_line_is_too_wide_and_nothing_is_lost(pieces: list[str]):
    text = "  " + " ".join(pieces)
    found = fitted(text, WIDTH)
    # Signs that cling to each other may need more: only those.
    longest = max(len(run) for run in re.findall(r"[ab、。「」 ]+|.", found))
    assert all(display_width(line) <= WIDTH + 2 * longest for line in found.split("\n"))
    assert re.sub(r"\s", "", found) == re.sub(r"\s", "", text)
