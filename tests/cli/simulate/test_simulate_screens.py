"""What a person reads of a run: the answer, tables and bars, one match told, pages and pictures."""

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from mia_cli.simulate.report import told_apart
from mia_cli.text.language.catalogue import LANGUAGES
from tests.cli.in_process import full

TWO = ("--cpu", "easy", "--cpu", "hard")
THREE = (*TWO, "--cpu", "normal")


def simulate(*args):
    ended = full("simulate", *args)
    assert ended.code == 0, ended.err
    return ended.out


def report(*args):
    return json.loads(simulate(*args, "--json"))


def test_the_answer_comes_first():
    lines = simulate(*TWO, "-n", "20000", "--seed", "7").splitlines()
    best = report(*TWO, "-n", "20000", "--seed", "7")["players"][1]
    half = 50 * (best["ci95"][1] - best["ci95"][0])
    assert lines[0] == (
        f"hard wins {100 * best['win_rate']:.1f}% ± {half:.1f}; a fair share would be 50%."
    )
    assert lines[1] == "That is more than luck explains."
    assert lines[2] == "20,000 matches: 2 seats, 3 lives, 21 costs 1; seed 7."


def test_few_matches_are_said_to_tell_nothing():
    assert "That may be luck." in simulate(*TWO, "-n", "10", "--seed", "3").splitlines()
    lines = simulate(*THREE, "-n", "12", "--seed", "7").splitlines()
    assert lines[0].endswith("a fair share would be 33.3%.")
    assert any(line.startswith("Not told apart from it: ") for line in lines)
    assert any(line.endswith("wins more often may be luck.") for line in lines)


def test_players_of_one_name_are_told_apart_by_their_numbers():
    out = simulate("--cpu", "hard", "--cpu", "hard", "-n", "100", "--seed", "7")
    assert re.match(r"hard [12] wins 5\d\.\d% ± \d+\.\d; a fair share would be 50%\.\n", out)


def test_fixed_seats_are_no_fair_comparison():
    out = simulate(*TWO, "-n", "100", "--seed", "7", "--seating", "fixed")
    assert "easy led every match, which is worth a lot.\n" in out


def test_exact_has_no_empty_columns_and_no_luck():
    out = simulate(*TWO, "--exact")
    assert out.startswith("hard wins 69.48%; a fair share would be 50%.\nExact: 2 seats,")
    assert "interval" not in out and "luck" not in out and "–" not in out


def test_bars_end_where_the_rates_do():
    lines = simulate(*TWO, "--exact").splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("Seat  Player  Win rate"))
    bars = [line.split("%  ")[1] for line in lines[head + 1 : head + 3]]
    mark = bars[0].index("│")
    assert lines[head].endswith("│ fair share, 50%")
    assert mark == bars[1].index("│") and bars[0].rstrip("│ ").count("█") < mark
    assert bars[1].count("█") == 19 and bars[1][mark + 1] == "█"


def test_two_shares_of_one_run_are_told_apart_as_cells_of_a_multinomial():
    def one(rate, effect=1.0):
        return {"win_rate": rate, "design_effect": effect}

    # With two players the test is the one against one half: 1.96 * sqrt(0.25 / 10,000) = 0.0098.
    assert told_apart(one(0.5099), one(0.4901), 10_000)
    assert not told_apart(one(0.5097), one(0.4903), 10_000)
    assert not told_apart(one(0.5099, 2.0), one(0.4901, 2.0), 10_000)
    assert not told_apart(one(0.5), one(0.5), 10)


def test_a_round_robin_says_who_is_ahead_and_what_is_luck():
    names = ("easy", "normal", "hard", "expert")
    players = [word for name in names for word in ("--cpu", name)]
    out = simulate("--round-robin", *players, "-n", "5000", "--seed", "3")
    first, second, *_ = out.splitlines()
    assert re.fullmatch(r"expert is ahead: rating 15\d\d ± 4, 5\d\.\d% of its matches won\.", first)
    assert second == "By rating: expert > hard > normal > easy."
    few = simulate("--round-robin", *players, "-n", "10", "--seed", "3")
    assert "≈" in few.splitlines()[1]
    exact = simulate("--round-robin", "--exact", *players)
    assert "±" not in exact and "may be luck" not in exact


def test_a_match_is_told_with_all_its_dice():
    args = (*TWO, "--seed", "7", "-n", "5", "--match", "3")
    out, record = simulate(*args), report(*args)
    assert out.startswith("Match 3 of the run with seed 7: 3 lives, 21 costs 1.\n")
    told = re.findall(r"rolls (\S+) and claims (\S+)\.", out)
    rolls = [event["roll"] for event in record["events"] if event["event"] == "rolled"]
    claims = [event["claim"] for event in record["events"] if event["event"] == "claimed"]
    assert told == list(zip(rolls, claims, strict=True))
    winner = record["seats"][record["winner"] - 1]["name"]
    assert out.endswith(f"\n{winner} wins the match.\n")


def test_without_players_an_example_that_runs():
    ended = full("simulate")
    assert ended.code == 2 and ended.out == ""
    command = re.search(r"mia (simulate .+)\.$", ended.err.strip())[1]
    assert full(*command.split(), "-n", "10").code == 0


class Page(HTMLParser):
    """Collects what a page holds and reaches for."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.places = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.places += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


RUNS = [
    (*THREE, "-n", "200"),
    (*TWO, "--exact"),
    ("--round-robin", *THREE, "-n", "100"),
    ("--round-robin", "--exact", *TWO),
]


@pytest.mark.parametrize("args", RUNS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_and_pictures(args, language, tmp_path):
    page, picture = tmp_path / "run.html", tmp_path / "run.svg"
    shown = simulate(*args, "--lang", language, "--html", str(page), "--svg", str(picture))
    text = page.read_text("utf-8")
    found = Page(text)
    assert found.open == [] and found.places == [] and "script" not in found.tags
    assert f'<html lang="{language}">' in text and found.tags.count("table") >= 1
    assert f'<p class="answer">{shown.splitlines()[0]}</p>' in text
    drawn = ElementTree.fromstring(picture.read_text("utf-8"))
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text + picture.read_text("utf-8"))


def test_a_page_may_be_standard_output_and_then_nothing_else_is(tmp_path):
    out = simulate(*TWO, "-n", "50", "--seed", "1", "--html", "-")
    assert out.startswith("<!doctype html>") and out.endswith("</html>\n")
    for other in (("--json",), ("--svg", "-"), ("--log", "-"), ("--match", "1", "--seed", "1")):
        ended = full("simulate", *TWO, "-n", "5", "--html", "-", *other)
        assert ended.code == 2 and ended.out == ""
