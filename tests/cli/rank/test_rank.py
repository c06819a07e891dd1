"""``mia rank``: the table, a row, a pair by both ways, and pairs from stdin."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BufferedReader, BytesIO, RawIOBase
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.cli.rank import pairs
from mia_cli.text.language.catalogue import LANGUAGES
from tests.cli.in_process import full, hot
from tests.cli.machine import MIA, environment, run
from tests.rules_oracle import ORDER

PAIRS = list(product(ORDER, ORDER))
MALFORMED = [
    *[
        "",
        " ",
        "655",
        "07",
        "70",
        "00",
        "77",
        "x",
        "6",
        "-5",
        "-55",
        "--",
        "-",
        "-x",
        "+64",
        "0x41",
    ],
    *[
        "6.4.",
        "64 ",
        "６４",
        "６",
        "mia",
        "MIA",
        "Mäxchen",
        "mäx",
        "6²",
        "[red]64[/red]",
        "64\n",
        "6 4",
    ],
    *["6\x1b[31m4", "\ud800", "\u202e64", "--json", "-q", "-h", "--help", "é" * 300, "{0}", "%s"],
]


def holds(roll: str, claim: str) -> bool:
    return ORDER.index(roll) >= ORDER.index(claim)


def sentence(roll: str, claim: str) -> str:
    verb = "supports" if holds(roll, claim) else "does not support"
    return f"{roll} {verb} {claim}.\n"


# One pair, both ways.


@pytest.mark.parametrize(
    ("language", "pairs"),
    [
        ("en", PAIRS),
        *((language, PAIRS[::6]) for language in LANGUAGES if language != "en"),
        *(
            pytest.param(language, PAIRS, marks=pytest.mark.slow)
            for language in LANGUAGES
            if language != "en"
        ),
    ],
)
def test_both_ways_answer_every_pair_alike(monkeypatch, language, pairs):
    monkeypatch.setenv("MIA_LANG", language)
    said = set()
    for pair in pairs:
        short, long = hot("rank", *pair), full("rank", *pair)
        assert short == long, pair
        assert short.code == (0 if holds(*pair) else 1), pair
        assert short.err == ""
        if language == "en":
            assert short.out == sentence(*pair)
        said.add(short.out)
    assert len(said) == len(pairs)


def test_both_ways_are_quiet_alike():
    for pair in PAIRS[::9]:
        quiet = hot("rank", "-q", *pair)
        assert quiet == full("rank", *pair, "-q") == hot("rank", pair[0], "-q", pair[1])
        assert quiet == type(quiet)(0 if holds(*pair) else 1, "", "")


def test_malformed_words_are_left_to_the_library_or_read_alike():
    for word in MALFORMED:
        for words in ((word, "44"), ("55", word), (word, word), (word,), ("55", "44", word)):
            short = hot("rank", *words)
            if short.code is None:
                assert (short.out, short.err) == ("", ""), words
            else:
                assert short == full("rank", *words), words


SHAPES = [
    *[(), ("rank",), ("rank", "55"), ("rank", "55", "44", "33"), ("rank", "-q", "-q", "55")],
    *[("rank", "--", "55", "44"), ("rank", "55", "44", "--json"), ("--lang", "fr", "rank", "55")],
    *[("rank", "55", "44", "--lang", "fr"), ("rank", "-", "44"), ("Rank", "55", "44"), ("play",)],
]


@pytest.mark.parametrize("words", SHAPES)
def test_the_short_way_leaves_every_other_shape_alone(words):
    assert hot(*words) == type(hot())(None, "", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [("MIA_LANG", "xx"), ("MIA_COLOR", "sometimes"), ("_MIA_COMPLETE", "complete_bash")],
)
def test_the_short_way_leaves_an_unusual_environment_alone(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert hot("rank", "55", "44").code is None


@pytest.mark.parametrize(
    ("variables", "french"),
    [
        ({"MIA_LANG": "fr"}, True),
        ({"LANG": "fr_FR.UTF-8"}, True),
        ({"LC_MESSAGES": "fr_CA", "LANG": "en_US"}, True),
        ({"LC_ALL": "C", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"}, False),
        ({"MIA_LANG": "en", "LANG": "fr_FR"}, False),
        ({"MIA_LANG": "", "LANG": "fr"}, True),
        ({"LANG": "it_IT.UTF-8"}, False),
    ],
)
def test_the_language_of_both_ways(monkeypatch, variables, french):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    short = hot("rank", "33", "55")
    assert short == full("rank", "33", "55")
    assert short.out == ("33 ne valide pas 55.\n" if french else "33 does not support 55.\n")


def test_a_pair_in_a_process_of_its_own():
    for words, code, out in [
        (("55", "44"), 0, b"55 supports 44.\n"),
        (("33", "55"), 1, b"33 does not support 55.\n"),
        (("6 4", "mia", "-q"), 1, b""),
    ]:
        ended = run("rank", *words)
        assert (ended.returncode, ended.stdout, ended.stderr) == (code, out, b"")


@pytest.mark.parametrize("spelling", ["46", "64", "6-4", "6,4", "6 4", "4/6", " 64 ", "6.4"])
def test_spellings_of_one_roll(spelling):
    assert full("rank", spelling, "64").out == "64 supports 64.\n"
    assert hot("rank", "64", spelling).out == "64 supports 64.\n"


# What is refused.


@pytest.mark.parametrize("word", ["", "655", "07", "77", "x", "-5", "-55", "6", "64x", "12 1"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_word_that_is_no_roll(word, place):
    words = ["55", "44"]
    words[place] = word
    ended = full("rank", *words)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert f"“{word}”" in ended.err
    assert "such as 64" in ended.err
    assert full("rank", word).code == 2


def test_too_many_words_and_unknown_options():
    for words, named in [
        (("55", "44", "33"), "33"),
        (("55", "44", "33", "22"), "33 22"),
        (("-", "55"), "“55”"),
        (("--nope",), "--nope"),
        (("55", "--jsno"), "--jsno"),
    ]:
        ended = full("rank", *words)
        assert (ended.code, ended.out) == (2, ""), words
        assert ended.err.count("\n") == 1
        assert named in ended.err


# The table and a row.


def test_the_table_lists_all_rolls_low_to_high():
    head, *rows = [line.split() for line in full("rank").out.splitlines()]
    assert head == ["Rank", "Roll", "Ways", "Reached", "Beaten"]
    assert [row[1] for row in rows] == list(ORDER)
    assert [row[0] for row in rows] == [str(position) for position in range(1, 22)]
    assert sum(int(row[2]) for row in rows) == 36
    assert rows[0][3:] == ["100.0%", "94.4%"]
    assert rows[-1][3:] == ["5.6%", "0.0%"]


def test_the_table_and_the_rows_as_json():
    table = json.loads(full("rank", "--json").out)
    assert table["schema"] == "mia.rank/1"
    order = table["order"]
    assert [row["roll"] for row in order] == list(ORDER)
    reached = 36
    for position, row in enumerate(order, start=1):
        assert set(row) == {"roll", "position", "ways", "at_least", "beats"}
        assert row["position"] == position
        assert row["ways"] == (1 if row["roll"][0] == row["roll"][1] else 2)
        assert row["at_least"] == pytest.approx(reached / 36)
        reached -= row["ways"]
        assert row["beats"] == pytest.approx(reached / 36)
        assert json.loads(full("rank", row["roll"], "--json").out) == {
            "schema": "mia.rank/1",
            **row,
        }
    assert reached == 0


def test_a_row_is_the_one_of_the_table():
    table = full("rank").out.splitlines()
    for position, name in enumerate(ORDER, start=1):
        row = full("rank", name)
        assert row.code == 0
        assert row.out.splitlines()[1].split() == table[position].split()


def test_a_pair_as_json():
    lines = answers(*map(" ".join, PAIRS), args=("--json",)).out.splitlines()
    for (roll, claim), line in zip(PAIRS, lines, strict=True):
        assert json.loads(line) == {
            "schema": "mia.rank/1",
            "roll": roll,
            "claim": claim,
            "supports": holds(roll, claim),
            "roll_position": ORDER.index(roll) + 1,
            "claim_position": ORDER.index(claim) + 1,
        }
    for (roll, claim), line in list(zip(PAIRS, lines, strict=True))[::40]:
        code = 0 if holds(roll, claim) else 1
        assert full("rank", roll, claim, "--json") == type(hot())(code, line + "\n", "")


def test_quiet_prints_nothing_and_json_speaks_no_language():
    for words in [(), ("55",), ("55", "44"), ("--json",), ("55", "44", "--json")]:
        assert full("rank", "-q", *words).out == ""
        assert full("--lang", "fr", "rank", "--json", *words) == full("rank", "--json", *words)


# Pairs from stdin.


def answers(*lines: str | bytes, end: bytes = b"\n", args: tuple[str, ...] = ()):
    data = end.join(line.encode() if isinstance(line, str) else line for line in lines)
    return full("rank", "-", *args, typed=data)


def test_every_pair_from_stdin():
    ended = answers(*(f"{roll} {claim}" for roll, claim in PAIRS))
    assert ended.out == "".join(sentence(*pair) for pair in PAIRS)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize(
    "line",
    [
        *[
            "64 55",
            "64,55",
            "64\t55",
            "64, 55",
            " 64 , 55 ",
            "64  55",
            "46 55",
            "6-4,5-5",
            "6-4 55",
        ],
        *["6,4 5,5", "6,4,5,5", "6 4 5 5", "6 4,55", "64,5 5", "6\t4\t55", "6/4\t5.5", "64 - 55"],
    ],
)
def test_spellings_of_one_pair(line):
    ended = answers(line)
    if line == "64 - 55":  # a dash stands inside a roll, not between two
        assert (ended.code, ended.out) == (2, "")
    else:
        assert (ended.code, ended.out) == (0, "64 does not support 55.\n")


def test_mia_in_a_line():
    assert answers("mia,21", "MIA mia").out == "21 supports 21.\n" * 2


def test_line_ends_blank_lines_comments_and_a_byte_order_mark():
    lines = ["55 44", "", "  ", "# 55 44", "  # x", "33 55", "\t"]
    expected = "55 supports 44.\n33 does not support 55.\n"
    for end in (b"\n", b"\r\n"):
        for mark in (b"", b"\xef\xbb\xbf"):
            for last in (b"", end):
                data = mark + end.join(line.encode() for line in lines) + last
                ended = full("rank", "-", typed=data)
                assert (ended.code, ended.out, ended.err) == (0, expected, "")
    assert answers("") == type(ended)(0, "", "")
    assert answers(b"\xef\xbb\xbf55 44").out == "55 supports 44.\n"


BAD_LINES = [
    *[b"x", b"55", b"55 44 33", b"77 44", b"55 ,", b"6 4 5", b"64;55", b"55 44 # why"],
    *[b"\xff\xfe5\x005\x00", b"\x00", b"55\x0044", b"\x1b[31m55 44", b"5" * 999, b"5" * 1001],
    *[b"55 " + b"4" * 5000, "５５　７７".encode(), b"\xef\xbb\xbf55 44"],
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_bad_line_is_reported_with_its_number_and_the_run_goes_on(line):
    ended = answers("55 44", "# two", line, "33 55")
    assert ended.code == 2
    assert ended.out == "55 supports 44.\n33 does not support 55.\n"
    assert ended.err.count("\n") == 1
    assert ended.err.startswith("mia: line 3: ")
    assert ended.err.removesuffix("\n").isprintable()
    as_json = answers("55 44", "# two", line, "33 55", args=("--json",))
    first, refused, last = [json.loads(text) for text in as_json.out.splitlines()]
    assert (first["supports"], last["supports"]) == (True, False)
    assert refused["line"] == 3
    assert refused["error"] in ended.err
    assert "\n" not in refused["error"]
    assert (as_json.code, as_json.err) == (2, ended.err)


def test_bad_lines_in_json_are_in_english_and_on_stderr_in_the_language_in_use(monkeypatch):
    monkeypatch.setenv("MIA_LANG", "fr")
    ended = answers("55 44", "x", args=("--json",))
    assert "is not a pair" in ended.out
    assert ended.err.startswith("mia: ligne 2")


def test_quiet_with_stdin_tells_bad_lines_only_by_the_exit_code_and_stderr():
    assert answers("55 44", "33 55", args=("-q",)) == type(hot())(0, "", "")
    ended = answers("x", "33 55", args=("-q", "--json"))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("mia: line 1: ")


@given(
    st.lists(
        st.sampled_from([b"55 44", b"3-3,5-5", b"x", b"", b"# c", b"7" * 1500, b"\xff", b"mia 66"])
        | st.binary(max_size=12).filter(lambda line: b"\n" not in line),
        max_size=30,
    ),
    st.integers(1, 40),
)
def test_answers_do_not_depend_on_how_the_input_is_cut(lines, size):
    class Slow(BytesIO):
        def read1(self, _size: int = -1) -> bytes:
            return super().read1(size)

    data = b"\n".join(lines)
    cut = [line for batch in pairs._batches(Slow(data)) for line in batch]
    whole = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not whole[-1]:
        whole.pop()
    assert [line[:1001] for line in cut] == [line[:1001] for line in whole]


def test_a_line_without_an_end_is_refused_in_little_memory():
    program = (
        "import sys, tracemalloc\n"
        "tracemalloc.start()\n"
        "from mia_cli.__main__ import main\n"
        "sys.argv = ['mia', 'rank', '-']\n"
        "try:\n    main()\nfinally:\n"
        "    print(tracemalloc.get_traced_memory()[1] // 1_000_000)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as child:
        assert child.stdin is not None
        for _ in range(100):
            child.stdin.write(b"5" * 1_000_000)
        out, err = child.communicate(b"\n55 44\n", timeout=60)
    answer, megabytes = out.decode().splitlines()
    assert answer == "55 supports 44."
    assert int(megabytes) < 20
    assert err.decode() == "mia: line 1: longer than 1000 bytes.\n"


def test_a_program_gets_each_answer_before_it_writes_the_next_line():
    with subprocess.Popen(
        [*MIA, "rank", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for roll, claim in PAIRS[::40]:
            child.stdin.write(f"{roll} {claim}\n".encode())
            child.stdin.flush()
            assert child.stdout.readline().decode() == sentence(roll, claim)
        child.stdin.close()
        assert child.wait(30) == 0


def test_stdin_closed():
    closed = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *MIA, "rank", "-"],
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert closed.returncode == 4
    assert closed.stderr == b"mia: There is no input to read: it is closed.\n"


def test_stdin_that_cannot_be_read(monkeypatch):
    class Broken(RawIOBase):
        def readable(self):
            return True

        def readinto(self, _buffer):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(pairs, "_stdin", lambda: BufferedReader(Broken()))
    ended = full("rank", "-")
    assert (ended.code, ended.out) == (4, "")
    assert ended.err == "mia: The input cannot be read: Input/output error.\n"
