"""``mia play`` from outside: the lines typed, what is shown, the exit code, and the record."""

from __future__ import annotations

import itertools
import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mia_cli.cli.app import app
from mia_cli.players.names import tables_of
from mia_cli.records.codec import encode_with
from mia_cli.records.record import read_record
from mia_cli.records.replay import replay
from mia_cli.rules.events import Rolled, RoundStarted, seen_by
from mia_cli.rules.rolls import Claim, parse_claim
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet
from tests.cli.scripted import Script, script

TABLES = [
    ("normal",),
    ("easy", "hard"),
    ("hard", "normal", "easy"),
    ("easy",) * 4,
    ("hard", "easy", "normal", "normal", "hard"),
]


def play(*args: str, lines: tuple[str, ...] = (), **env: str):
    """One run of ``mia play`` in this process."""
    typed = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(app, ["play", *args], input=typed, env=env)


def options(cpus: tuple[str, ...], rules: RuleSet, seed: int) -> list[str]:
    words = ["--seed", str(seed), "--players", str(len(cpus) + 1)]
    words += [word for level in cpus for word in ("--cpu", level)]
    return [*words, "--lives", str(rules.lives), "--penalty-21", str(rules.penalty_21)]


def records() -> list[Path]:
    """The records, the one saved last at the end."""
    found = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def events_of(output: str) -> list[dict[str, object]]:
    """The events of a JSON run without the schema, prompts and the first line."""
    found = [json.loads(line) for line in output.splitlines()]
    assert all(event.pop("schema") == "mia.event/1" for event in found)
    others = ("prompt", "match_started", "summary")
    return [event for event in found if event["event"] not in others]


@pytest.mark.parametrize("cpus", TABLES)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_command_line_and_engine_play_the_same_match(cpus: tuple[str, ...], penalty: int) -> None:
    for seed, lives in enumerate(LIVES):
        rules = RuleSet(lives, penalty)
        told = script(seed, cpus, rules)
        result = play("--json", *options(cpus, rules, seed), lines=told.lines)
        assert result.exit_code == 0, result.output
        expected = [encode_with(seen_by(event, 1), seed) for event in told.events]
        assert events_of(result.stdout) == expected
        record = read_record(records()[-1])
        assert record.events == told.events
        assert record.winner == told.winner
        assert replay(record).table.match.winner == told.winner


def test_every_line_of_input_is_a_place_to_leave_and_come_back() -> None:
    told = script(11, ("normal", "hard"))
    settled = options(("normal", "hard"), RuleSet(), 11)
    for count in range(len(told.lines)):
        left = play(*settled, lines=told.lines[:count])
        assert left.exit_code == 3
        path = records()[-1]
        match_id = path.stem
        assert f"mia play --resume {match_id}" in left.stdout
        back = play("--resume", match_id, lines=told.lines[count:])
        assert back.exit_code == 0, back.output
        assert read_record(path).events == told.events
        path.unlink()


def test_a_match_can_be_left_and_resumed_after_every_single_decision() -> None:
    told = script(12)
    result = play(*options(("normal", "normal"), RuleSet(), 12))
    for line in told.lines:
        assert result.exit_code == 3
        result = play("--resume", lines=(line,))
    assert result.exit_code == 0
    assert read_record(records()[0]).events == told.events


def test_a_record_names_the_tables_of_the_levels_that_play_now() -> None:
    cpus = ("--cpu", "hard", "--cpu", "easy", "--players", "3")
    play(*cpus, "--seed", "3")
    assert read_record(records()[0]).extra["levels"] == tables_of(["easy", "hard"])
    for old in ({"easy": 99, "hard": 98}, None):
        document = json.loads(records()[0].read_bytes())
        document["levels"] = old
        if old is None:
            del document["levels"]
        records()[0].write_text(json.dumps(document))
        assert play("--resume", lines=("a", "64")).exit_code == 3
        assert read_record(records()[0]).extra["levels"] == tables_of(["easy", "hard"])


NO_DECISIONS = (
    *("", " ", "x", "help", "?", "rank", "odds", "hint", "score", "history", "accept now", "12345"),
    *("655", "07", "70", "00", "6", "-1", "\x1b[31m", "é", "½", "６", "\x00", "a" * 5000),
)


@pytest.mark.parametrize("as_json", [False, True])
def test_lines_that_are_no_decision_change_nothing(as_json: bool) -> None:
    told = script(13)
    noisy = [noise for line in told.lines for noise in (*NO_DECISIONS, line)]
    words = options(("normal", "normal"), RuleSet(), 13) + (["--json"] if as_json else [])
    result = play(*words, lines=tuple(noisy))
    assert result.exit_code == 0
    assert read_record(records()[0]).events == told.events
    assert "\x1b" not in result.stdout
    assert "\x00" not in result.stdout


def test_a_decision_of_the_other_kind_is_explained_and_asked_again() -> None:
    told = script(13)
    first, *rest = told.lines
    other = "a" if first.isdigit() else "64"
    result = play(*options(("normal", "normal"), RuleSet(), 13), lines=(other, first, *rest))
    assert result.exit_code == 0
    assert ("First answer the claim" in result.stdout) or ("Now claim" in result.stdout)


@pytest.mark.parametrize("spelt", ["A", "ACCEPT", " accept ", "Y", "yes", "ａ"])
def test_spellings_of_accept(spelt: str) -> None:
    result = play("--json", "--seed", "1", "--first", "2", lines=(spelt,))
    assert '"event": "accepted", "seat": 1' in result.stdout


@pytest.mark.parametrize("spelt", ["C", "Challenge", " CHALLENGE", "n", "doubt"])
def test_spellings_of_challenge(spelt: str) -> None:
    result = play("--json", "--seed", "1", "--first", "2", lines=(spelt,))
    assert '"event": "challenged", "seat": 1' in result.stdout


@pytest.mark.parametrize("spelt", ["64", "46", "6-4", "6,4", "6 4", " 64 ", "６４"])
def test_spellings_of_a_claim(spelt: str) -> None:
    result = play("--json", "--seed", "1", "--first", "1", lines=(spelt,))
    assert '"event": "claimed", "seat": 1, "claim": "64"' in result.stdout


@pytest.mark.parametrize("spelt", ["21", "12", "mia", "Mia", "MÄXCHEN", "Meyer"])
def test_spellings_of_mia(spelt: str) -> None:
    result = play("--json", "--seed", "1", "--first", "1", lines=(spelt,))
    assert '"event": "claimed", "seat": 1, "claim": "21"' in result.stdout


def test_a_claim_of_21_can_only_be_challenged() -> None:
    cpus, rules = ("easy",), RuleSet(2)
    scripts = ((seed, script(seed, cpus, rules)) for seed in range(400))
    seed, told = next((seed, told) for seed, told in scripts if meets_21(told))
    lines = list(told.lines)
    lines.insert(next(at for at, over in enumerate(told.over) if is_21(over)), "accept")
    result = play(*options(cpus, rules, seed), lines=tuple(lines))
    assert result.exit_code == 0
    assert result.stdout.count("It must be challenged.") >= 2
    assert "A claim of 21 cannot be accepted" in result.stdout
    assert read_record(records()[0]).events == told.events


def is_21(claim: Claim | None) -> bool:
    return claim is not None and claim.must_be_challenged


def meets_21(told: Script) -> bool:
    return any(map(is_21, told.over))


def test_no_roll_is_shown_that_the_person_may_not_know() -> None:
    for seed in range(5):
        told = script(seed, ("hard", "easy", "normal"))
        result = play("--json", *options(("hard", "easy", "normal"), RuleSet(), seed))
        result = play("--resume", "--json", lines=told.lines)
        for event in map(json.loads, result.stdout.splitlines()):
            if event["event"] == "rolled":
                assert ("roll" in event) == (event["seat"] == 1)
        hidden = {event.seat for event in told.events if isinstance(event, Rolled)} - {1}
        assert hidden, "the test has to meet hidden rolls"


def test_an_unfinished_record_holds_no_hidden_roll_and_a_finished_one_holds_all() -> None:
    told = script(21)
    play(*options(("normal", "normal"), RuleSet(), 21), lines=told.lines[:4])
    (path,) = records()
    rolled = [e for e in json.loads(path.read_text())["events"] if e["event"] == "rolled"]
    assert all(("roll" in event) == (event["seat"] == 1) for event in rolled)
    assert any(event["seat"] != 1 for event in rolled)
    play("--resume", lines=told.lines[4:])
    rolled = [e for e in json.loads(path.read_text())["events"] if e["event"] == "rolled"]
    assert all("roll" in event for event in rolled)


BAD_OPTIONS = [
    ("--players", "1"),
    ("--players", "7"),
    ("--players", "two"),
    ("--players", ""),
    ("--lives", "4"),
    ("--lives", "3.0"),
    ("--penalty-21", "3"),
    ("--cpu", "genius"),
    ("--cpu", ""),
    ("--rules", "nope"),
    ("--rules", "../../etc/passwd"),
    ("--first", "0"),
    ("--first", "4"),
    ("--first", "me"),
    ("--seed", "1e6"),
    ("--seed", "x"),
    ("--seed", ""),
    ("--seed", "9" * 101),
    ("--seed", "１"),
    ("--name", ""),
    ("--name", "x" * 200),
    ("--name", "a\nb"),
    ("--name", "\x1b[31mred"),
    ("--color", "blue"),
    ("--lang", "xx"),
    ("--nope",),
    ("--players",),
    ("3",),
]


@pytest.mark.parametrize("words", BAD_OPTIONS, ids=repr)
def test_a_bad_option_is_one_clear_line_and_exit_2_and_no_match(words: tuple[str, ...]) -> None:
    result = play(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.stderr
    if len(words) > 1 and words[1].isalpha() and len(words[1]) < 20:
        assert words[1] in result.stderr, "the value is named"
    assert not records()


@pytest.mark.parametrize("seed", ["0", "-7", "+3", "007", "9" * 100])
def test_seeds_that_are_seeds(seed: str) -> None:
    result = play("--seed", seed)
    assert result.exit_code == 3
    assert f"Seed {int(seed)}, sealed as" in result.stdout
    assert read_record(records()[0]).seed == int(seed)


def test_the_same_seed_gives_the_same_match_and_a_drawn_seed_is_told_only_at_the_end() -> None:
    told = script(0)
    first, again = (play("--seed", "0", lines=told.lines).stdout for _ in range(2))
    assert strip_id(first) == strip_id(again)
    drawn = play("--players", "2", "--cpu", "easy", lines=("21", "c") * 60)
    assert drawn.exit_code == 0
    seed = str(read_record(records()[-1]).seed)
    assert drawn.stdout.count(seed) == 1
    assert drawn.stdout.index(seed) > drawn.stdout.index(
        "wins the match" if "wins the match" in drawn.stdout else "You win"
    )
    assert int(seed).bit_length() > 128


def strip_id(text: str) -> str:
    # The running score goes on from one match to the next.
    text = re.sub(r"Against these levels.*\n", "", text)
    return re.sub(r"\d{8}-\d{4}-\w{6}", "ID", text)


@pytest.mark.parametrize(
    "name", ["[red]x[/red]", "Zoé", "Zoe\u0301", "名前", "Ada", "ada", "x{0}y", "%s"]
)
def test_names_are_printed_literally_and_never_twice(name: str) -> None:
    result = play("--seed", "1", "--name", name)
    assert result.exit_code == 3
    composed = name.replace("e\u0301", "é")
    assert f"1 {composed} (you) " in result.stdout
    names = [seat.name.casefold() for seat in read_record(records()[0]).seats]
    assert len(set(names)) == 3


def test_settings_in_their_order_option_environment_preset_built_in(tmp_path: Path) -> None:
    preset = tmp_path / "ours.toml"
    preset.write_text('lives = 5\npenalty_21 = 2\nplayers = 4\ncpu = ["easy", "hard", "easy"]\n')
    built_in = play("--seed", "1").stdout
    stakes = "lives each; whoever loses over a claim of 21 pays"
    assert built_in.startswith(f"Mia: 3 {stakes} 1. Type help at any time.\n")
    from_preset = play("--seed", "1", MIA_RULES=str(preset)).stdout
    assert f"Mia, preset ours: 5 {stakes} 2. " in from_preset
    assert re.search(r"3 \w+ \(hard\)", from_preset)
    from_environment = play("--seed", "1", MIA_RULES=str(preset), MIA_LIVES="2").stdout
    assert f"2 {stakes} 2." in from_environment
    from_option = play("--seed", "1", "--lives", "3", MIA_RULES="mia-two", MIA_LIVES="2").stdout
    assert f"3 {stakes} 2." in from_option
    assert play("--seed", "1", "--rules", "long", MIA_RULES="quick").stdout.count("5 lives") == 1


def test_opponents_named_one_by_one_settle_the_number_of_seats() -> None:
    result = play("--seed", "1", "--cpu", "easy", "--cpu", "normal", "--cpu", "hard")
    assert re.search(r"4 \w+ \(hard\)", result.stdout)


@pytest.mark.parametrize(
    "value",
    [
        {"MIA_LIVES": "4"},
        {"MIA_PLAYERS": "x"},
        {"MIA_RULES": "none"},
        {"MIA_CPU": "god"},
        {"MIA_LANG": "xx"},
        {"MIA_COLOR": "x"},
        {"MIA_NAME": "\x07"},
    ],
)
def test_a_bad_variable_is_named(value: dict[str, str]) -> None:
    result = play("--seed", "1", **value)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert next(iter(value)) in result.stderr


def test_resume_that_cannot_be() -> None:
    assert play("--resume").exit_code == 2
    told = script(3)
    play("--seed", "3", lines=told.lines)
    done = records()[0].stem
    for words in (["--resume", done], ["--resume", "--seed", "4"], ["--resume", "--cpu", "easy"]):
        result = play(*words)
        assert result.exit_code == 2, words
        assert result.stderr.count("\n") == 1
    missing = play("--resume", "zzz")
    assert missing.exit_code == 2
    assert "zzz" in missing.stderr
    assert play("--resume=../../x").exit_code == 2


def test_resume_takes_the_id_with_an_equals_sign_and_a_part_of_it() -> None:
    told = script(4)
    play("--seed", "4")
    match_id = records()[0].stem
    assert play(f"--resume={match_id[-6:]}", lines=told.lines).exit_code == 0


def test_a_level_of_a_later_version_is_refused_in_a_sentence() -> None:
    play("--seed", "3", "--players", "2", "--cpu", "easy")
    (path,) = records()
    path.write_text(path.read_text().replace('"easy"', '"genius"'))
    result = play("--resume")
    assert result.exit_code == 2
    assert "genius" in result.stderr
    assert "shark" in result.stderr
    assert result.stderr.count("\n") == 1


def test_json_is_json_whatever_the_language_and_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    told = script(5)
    result = play(
        "--seed",
        "5",
        "--json",
        "--color",
        "always",
        lines=("odds", "x", *told.lines),
        MIA_LANG="fr",
    )
    kinds = [json.loads(line)["event"] for line in result.stdout.splitlines()]
    assert kinds[0] == "match_started"
    assert kinds[-2:] == ["match_over", "summary"]
    assert {"note", "error", "prompt"} <= set(kinds)
    assert "is not a" in result.stdout


def test_prompts_in_json_say_what_is_decided_over_what() -> None:
    told = script(6, ("easy",))
    result = play("--json", *options(("easy",), RuleSet(), 6), lines=told.lines)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    prompts = [event for event in events if event["event"] == "prompt"]
    assert len(prompts) == len(told.lines)
    for before, event in itertools.pairwise(events):
        if event["event"] == "prompt" and event["decision"] == "answer":
            assert event["claim"] == before["claim"]
            assert set(event) >= {"claim", "lives"}
        elif event["event"] == "prompt":
            assert before["event"] == "rolled"
            assert "above" in event


def test_a_resumed_match_shows_the_lives_there_are_now() -> None:
    told = script(7)
    seen: set[tuple[int, ...]] = set()
    for count in range(len(told.lines)):
        play("--seed", "7", lines=told.lines[:count])
        record = read_record(records()[-1])
        lives = [event.lives for event in record.events if isinstance(event, RoundStarted)][-1]
        names = ("You", *(f"{one.name} (normal)" for one in record.seats[1:]))
        seats = (
            f"{seat} {name} {'♥' * left + '♡' * (3 - left) if left else 'out'}"
            for seat, (name, left) in enumerate(zip(names, lives, strict=True), 1)
        )
        resumed = play("--resume").stdout.splitlines()
        assert resumed[0].endswith(", resumed.")
        assert resumed[2] == "   ".join(seats)
        seen.add(lives)
        records()[-1].unlink()
    assert len(seen) > 4


def test_enter_where_only_21_is_left_says_what_is_left() -> None:
    cpus, rules = ("easy",), RuleSet(2)
    scripts = ((seed, script(seed, cpus, rules)) for seed in range(400))
    seed, told = next((seed, told) for seed, told in scripts if meets_21(told))
    at = next(at for at, over in enumerate(told.over) if is_21(over))
    for line in ("", "x", "64", "help"):
        lines = (*told.lines[:at], line, *told.lines[at:])
        result = play(*options(cpus, rules, seed), lines=lines)
        assert result.exit_code == 0
        assert "A claim of 21 must be challenged: type challenge (c)." in result.stdout
        assert "accept (a)" not in result.stdout


def test_enter_where_only_21_can_be_claimed_says_so() -> None:
    cpus, rules = ("easy",), RuleSet()
    scripts = ((seed, script(seed, cpus, rules)) for seed in range(400))
    seed, told, at = next(
        (seed, told, at)
        for seed, told in scripts
        for at, over in enumerate(told.over)
        if over == parse_claim("66") and told.lines[at] == "c"
    )
    lines = (*told.lines[:at], "a", "", "x", "a", "help", "65", "21")
    shown = play(*options(cpus, rules, seed), lines=lines).stdout
    assert shown.count("Only 21 is higher than 66. Claim: ") == 6
    assert shown.count("Only 21 is left to claim: type 21 or mia.") == 4
    assert "65 is not higher than 66" in shown
