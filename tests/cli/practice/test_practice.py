"""``mia practice`` from the outside: questions, verdicts, what is kept, and how it ends."""

import json
import re
from datetime import date

import pytest

from mia_cli.cli.practice import drill
from mia_cli.text.language.catalogue import LANGUAGES
from mia_cli.text.language.plain import display_width
from tests.cli.in_process import full
from tests.played_matches import played, write

DAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def today(monkeypatch):
    """The same day each time."""
    monkeypatch.setattr(drill, "_today", lambda: DAY)


def practice(*words, lines=()):
    return full("practice", *words, typed="".join(f"{line}\n" for line in lines).encode())


def events(ended):
    return [json.loads(line) for line in ended.out.splitlines()]


def kept(isolated):
    return json.loads((isolated / "data" / "tutorial" / "practice.json").read_text())


def test_questions_are_asked_judged_and_kept(isolated):
    ended = practice("--json", "-n", "2", "--kind", "answer_low", lines=("c", "x", "accept"))
    told = events(ended)
    assert ended.code == 0
    assert [event["event"] for event in told] == [
        *("question", "verdict", "question", "error", "question", "verdict")
    ]
    assert told[2] == told[4]
    for question, verdict in ((told[0], told[1]), (told[2], told[5])):
        assert question["schema"] == "mia.event/1" and question["kind"] == "answer_low"
        assert question["decision"] == "answer" and question["roll"] is None
        assert question["id"] == verdict["id"] and 0 <= verdict["win_lost"] < 1
        assert verdict["best"] and verdict["due"] in ("2026-12-01", "2026-12-03")
        assert verdict["right"] == (verdict["due"] == "2026-12-03")
    assert [card["asked"] for card in kept(isolated)["cards"]] == [1, 1]
    assert kept(isolated)["days"][0]["asked"] == 2
    assert not (isolated / "data" / "matches").exists()


def test_the_end_of_the_input_ends_it_with_3_and_keeps_what_was_answered(isolated):
    ended = practice("-n", "3", "--kind", "answer_middle", lines=("c",))
    assert ended.code == 3 and len(kept(isolated)["cards"]) == 1
    assert practice("-n", "3", lines=("quit",)).code == 3
    assert practice("--json", "-n", "1").code == 3


def test_own_decisions_come_first_without_what_was_played(isolated):
    record = played(5, seats=2)
    write(isolated / "data" / "matches", [record])
    first = events(practice("--json", "-n", "1"))[0]
    assert first["source"] == record.id and "played" not in json.dumps(first)
    asked = events(practice("--json", "-n", "500", "--from", record.id, lines=["c", "21"] * 500))
    sources = {event["source"] for event in asked if event["event"] == "question"}
    assert sources == {record.id}


def test_one_match_has_as_many_questions_as_it_has_and_an_unfinished_one_none(isolated):
    finished, left = played(1), played(3, actions=9)
    write(isolated / "data" / "matches", [finished, left])
    ended = practice("-n", "50", "--from", finished.id, lines=["c", "21"] * 50)
    count = int(re.match(r"Practice: (\d+) decision", ended.out)[1])
    assert ended.code == 0 and count == ended.out.count(f" of {count}: ") < 50
    refused = practice("--from", left.id)
    assert (refused.code, refused.out) == (2, "") and "not finished" in refused.err


def test_right_decisions_are_asked_only_where_something_was_at_stake(isolated):
    write(isolated / "data" / "matches", [played(number, seats=2) for number in range(1, 9)])
    asked = events(practice("--json", "-n", "30", lines=["c", "21"] * 60))
    own = {event["id"] for event in asked if event.get("source")}
    assert len(own) > 3
    for at, event in enumerate(asked):
        if event["event"] == "verdict" and event["id"] in own:
            question = next(one for one in reversed(asked[:at]) if one["event"] == "question")
            options = advised(question)
            assert max(options) - min(options) >= 0.005


def advised(question):
    """What the options of a question win, as ``mia solve --at`` tells."""
    lives = question["lives"]
    words = ["--at", ",".join(map(str, lives)), "--penalty-21", str(question["penalty_21"])]
    if question["decision"] == "claim":
        words += ["--roll", question["roll"]]
        words += ["--claim", question["above"]] if question["above"] else []
    else:
        words += ["--claim", question["claim"]]
        words += ["--above", question["above"]] if question["above"] else []
    told = json.loads(full("solve", "--json", *words).out)
    return [option["win_probability"] for option in told["options"]]


def test_the_list_says_what_is_due_and_how_kinds_stand(monkeypatch):
    practice("-n", "4", "--kind", "answer_low", lines=("c",) * 4)
    monkeypatch.setattr(drill, "_today", lambda: date(2026, 12, 9))
    document = json.loads(practice("--list", "--json").out)
    assert len(document["due"]) == 4 and document["last_7_days"]["asked"] == 0
    assert document["kinds"][0]["asked"] == 4 and document["7_days_before"]["asked"] == 4
    assert "4 questions are due today." in practice("--list").out
    again = events(practice("--json", "-n", "1"))[0]
    assert again["id"] in document["due"]
    assert practice("--restart", "-n", "1", lines=("quit",)).code == 3


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("-n", "0"), "-n"),
        (("-n", "1e3"), "1e3"),
        (("-n", "99999"), "99999"),
        (("--kind", "all"), "many_seats"),
        (("--lives", "4"), "2, 3, 5"),
        (("--from", "nothere"), "nothere"),
    ],
)
def test_bad_options_are_named(words, named):
    ended = practice(*words)
    assert ended.code == 2 and named in ended.err and not ended.out


def test_answers_that_cannot_be_read_are_set_aside_and_newer_ones_left_alone(isolated):
    folder = isolated / "data" / "tutorial"
    folder.mkdir(parents=True)
    (folder / "practice.json").write_text('{"schema": "mia.practice/9"}')
    ended = practice("-n", "1", lines=("c",))
    assert ended.code == 4 and "mia.practice/9" in (folder / "practice.json").read_text()
    (folder / "practice.json").write_text("[1")
    assert practice("-n", "1", "--kind", "answer_low", lines=("c",)).code == 0
    assert (folder / "practice.damaged-1.json").read_text() == "[1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits_a_line(language):
    lines = ("help", "hint", "c", "65", "zz", "21", "score") * 9
    ended = practice("--lang", language, "-n", "12", "--players", "3", lines=lines)
    listed = practice("--lang", language, "--list")
    for line in (*ended.out.splitlines(), *listed.out.splitlines()):
        assert display_width(line) <= 160 and "{" not in line
