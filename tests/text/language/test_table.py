"""Tables: aligned, and never wider than they may be."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mia_cli.text.language.line import TIE, plain
from mia_cli.text.language.plain import display_width
from mia_cli.text.language.table import TextTable, in_rows, laid_out, table

WIDE = ("Player", "Wins", "Win rate", "95% interval", "Claims", "Right challenges")
ROWS = [
    ("easy", "5285", "26.42%", "25.82% to 27.04%", "136,414", "10,665"),
    ("a very strong player", "7", "36.20%", "35.53% to 36.86%", "9", "1"),
]


def shown(one, width=None):
    return [line if isinstance(line, str) else plain(line) for line in one.lines(width)]


def test_as_wide_as_it_is_where_nothing_limits_it():
    assert table(("Roll", "Ways"), [("31", "2"), ("Mia", "12")], right=(1,)) == [
        "Roll  Ways",
        "31       2",
        "Mia     12",
    ]
    assert max(map(len, shown(TextTable(WIDE, ROWS)))) == 81


def test_heads_give_way_first_and_stand_right_above_their_columns():
    one = TextTable(("Name", "Fair share", "95% interval"), [("a", "1", "2")], right=(1, 2))
    assert shown(one, 22) == [
        "        Fair       95%",
        "Name   share  interval",
        "a          1         2",
    ]


def test_texts_wrap_in_their_column_and_not_at_a_tie():
    rows = [("31", f"61 50%, 62 30%, 63{TIE}20%"), ("32", "65")]
    assert shown(TextTable(("Roll", "Claims"), rows, wraps=(1,)), 23) == [
        "Roll  Claims",
        "31    61 50%, 62 30%,",
        "      63 20%",
        "32    65",
    ]


def test_the_least_important_columns_move_to_a_second_table():
    rows = [row[:5] for row in ROWS]
    assert shown(TextTable(WIDE[:5], rows, right=(1, 2, 3, 4), first=(3,), wraps=(0,)), 42) == [
        "Player              Wins      95% interval",
        "easy                5285  25.82% to 27.04%",
        "a very strong          7  35.53% to 36.86%",
        "player",
        "",
        "Player                Win rate   Claims",
        "easy                    26.42%  136,414",
        "a very strong player    36.20%        9",
    ]


def test_at_last_a_row_is_a_block():
    found = shown(TextTable(WIDE, ROWS, right=range(1, 6), indent=1), 40)
    assert found[:7] == [
        " easy",
        "   Wins              5285",
        "   Win rate          26.42%",
        "   95% interval      25.82% to 27.04%",
        "   Claims            136,414",
        "   Right challenges  10,665",
        "",
    ]
    found = shown(TextTable(WIDE, ROWS, right=range(1, 6), indent=1), 30)
    assert found[:3] == [" easy", "   Wins", "     5285"]


def test_what_only_adorns_goes_first():
    adorned = TextTable(("Player", "Win rate", ""), [("easy", "26%", "#" * 20)], adorns=(2,))
    assert shown(adorned, 40)[1] == "easy    26%       " + "#" * 20
    assert shown(adorned, 30) == ["Player  Win rate", "easy    26%"]


def test_lines_and_tables_stay_in_order():
    told = ["first", TextTable(("a",), [("b",)], styles=["quiet"]), "last"]
    assert list(laid_out(told, 40)) == ["first", "a", (("b", "quiet"),), "last"]
    assert list(in_rows("  one two three", 9)) == ["  one two", "  three"]


WORDS = st.text(st.sampled_from("ab1 %ロール，、。-"), max_size=30)
COLUMNS = st.integers(1, 6)


@given(st.data(), COLUMNS, st.integers(8, 120))
def test_no_line_is_wider_than_the_width_and_no_text_is_lost(data, columns, width):
    def some():
        return st.lists(st.integers(0, columns - 1), max_size=columns, unique=True)

    row = st.lists(WORDS, min_size=columns, max_size=columns)
    head, rows = data.draw(row), data.draw(st.lists(row, max_size=4))
    one = TextTable(
        head,
        rows,
        right=data.draw(some()),
        keys=data.draw(st.integers(1, columns)),
        first=data.draw(some()),
        wraps=data.draw(some()),
        indent=data.draw(st.integers(0, 3)),
    )
    found = shown(one, width)
    assert all(display_width(line) <= width for line in found)
    told = re.sub(r"\s", "", "".join(found))
    for cell in (cell for row in rows for cell in row):
        # A cell may be cut between the rows of its column, so its signs are counted.
        assert all(told.count(sign) >= cell.count(sign) for sign in set(cell) - {" "})
