"""The shark in ``mia play``: its memory, what it may not know, its hints, and what it noticed."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from mia_cli.cli.app import app
from mia_cli.cli.play.help_used import Adviser
from mia_cli.cli.play.shark import noticed
from mia_cli.files.folders import matches_dir
from mia_cli.players import registry
from mia_cli.players.shark import Notice, Shark, make_shark
from mia_cli.players.shark import notice as notice_module
from mia_cli.players.shark.player import REMEMBERED
from mia_cli.records.record import MatchRecord, read_record
from mia_cli.records.replay import replay
from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import Revealed, Rolled, seen_by
from mia_cli.rules.match import observation
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.line import plain
from mia_cli.text.play.shark import noticed_lines
from mia_cli.theory import solve
from tests.cli.scripted import Script, script
from tests.random_play import decisions, disguised

QUICK = RuleSet(2)
DUEL = ("shark",)


def play(*words: str, lines: Sequence[str] = (), **env: str) -> Result:
    typed = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(app, ["play", *words], input=typed, env=env)


def table(cpus: Sequence[str] = DUEL, rules: RuleSet = QUICK, seed: int = 7) -> list[str]:
    words = ["--seed", str(seed), "--players", str(len(cpus) + 1)]
    words += [word for level in cpus for word in ("--cpu", level)]
    return [*words, "--lives", str(rules.lives), "--penalty-21", str(rules.penalty_21)]


def records() -> list[MatchRecord]:
    return [read_record(path) for path in sorted(matches_dir().glob("*.json"))]


def store() -> MatchStore:
    return MatchStore(matches_dir())


def without_ids(text: str) -> str:
    return re.sub(r"\d{8}-\d{4}-\w{6}", "ID", text)


def get_known(matches: int = 6, cpus: Sequence[str] = ("easy",)) -> list[MatchRecord]:
    """Matches against others, with ids and times in order; the person doubts whatever it hears."""
    kept = []
    for number in range(matches):
        told = script(100 + number, tuple(cpus), QUICK)
        assert play(*table(cpus, seed=100 + number), lines=told.lines).exit_code == 0
        (new,) = [record for record in records() if not record.id.startswith("2020")]
        store().path_of(new.id).unlink()
        at = f"2020010{1 + number // 60}-00{number % 60:02}"
        kept.append(replace(new, id=f"{at}-aaaaaa", created=f"2020-01-01T00:{number:02}:00Z"))
        store().save(kept[-1])
    return kept


def sharks_with(memory: Sequence[MatchRecord], cpus: Sequence[str], rules: RuleSet = QUICK):
    """What ``script`` needs to make the table's players, the sharks with these matches."""
    seats = len(cpus) + 1
    solution = solve(seats, rules.lives, rules.penalty_21)
    known = [(record.events, {1: 1}) for record in memory]
    shark = make_shark(rules, seats, solution, known)
    return lambda level, given: shark if level == "shark" else registry.make(level, given, seats)


def told_by(memory: Sequence[MatchRecord], cpus: Sequence[str] = DUEL, seed: int = 7) -> Script:
    return script(seed, tuple(cpus), QUICK, make=sharks_with(memory, cpus))


TABLES = [DUEL, ("shark", "normal", "shark"), ("expert", "easy", "shark", "hard", "normal")]


@pytest.mark.parametrize("cpus", TABLES, ids=repr)
def test_command_line_and_engine_play_the_same_match(cpus: tuple[str, ...]) -> None:
    memory = get_known(3, ("easy", "hard"))
    for seed in range(3):
        told = told_by(memory, cpus, seed)
        result = play(*table(cpus, seed=seed), lines=told.lines)
        assert result.exit_code == 0, result.output
        (record,) = [record for record in records() if "memory" in record.extra]
        assert record.events == told.events
        assert record.extra["memory"] == [match.id for match in memory]
        store().path_of(record.id).unlink()


@pytest.mark.parametrize("rules", [RuleSet(2, 2), RuleSet(3, 1), RuleSet(3, 2), RuleSet(5, 1)])
def test_every_rule_set_can_be_played(rules: RuleSet) -> None:
    told = script(5, DUEL, rules, make=sharks_with((), DUEL, rules))
    result = play(*table(rules=rules, seed=5), lines=told.lines)
    assert result.exit_code == 0, result.output
    assert records()[0].events == told.events


def test_what_is_remembered_changes_the_play() -> None:
    """Otherwise the tests of what may be remembered would pass without a memory."""
    memory = get_known()
    assert any(
        told_by(memory, seed=seed).events != told_by((), seed=seed).events for seed in range(6)
    )


def scramble(folder: Path) -> int:
    """Other rolls, in the files, wherever they were never shown; how many changed."""
    random, changed = Random(5), 0
    for path in folder.glob("*.json"):
        document = json.loads(path.read_text("utf-8"))
        rolled = None
        for event in [*document["events"], {"event": "rolled"}]:
            if event["event"] == "rolled":
                if rolled is not None:
                    new = random.choice(ROLLS).name
                    changed += new != rolled["roll"]
                    rolled["roll"] = new
                rolled = event
            elif event["event"] == "revealed":
                rolled = None
        path.write_text(json.dumps(document), "utf-8")
    return changed


@pytest.mark.parametrize("cpus", TABLES[:2], ids=repr)
def test_rolls_that_were_never_shown_change_nothing(cpus: tuple[str, ...], tmp_path: Path) -> None:
    get_known(8, ("easy", "hard"))
    other = tmp_path / "scrambled"
    shutil.copytree(os.environ["MIA_DATA_DIR"], other)
    assert scramble(other / "matches") > 40
    memory = records()
    for seed in range(4):
        told = told_by(memory, cpus, seed)
        lines = [word for line in told.lines for word in ("hint", line)]
        words = (*table(cpus, seed=seed), "--json")
        here = play(*words, lines=lines).stdout
        there = play(*words, lines=lines, MIA_DATA_DIR=str(other)).stdout
        assert '"earlier_matches": 8' in here
        assert without_ids(here) == without_ids(there)
        for folder in (matches_dir(), other / "matches"):
            max(folder.glob("*.json")).unlink()


def test_without_memory_it_plays_as_if_it_had_none(tmp_path: Path) -> None:
    get_known()
    told = told_by(())
    here = play(*table(), "--no-memory", lines=told.lines).stdout
    fresh = play(*table(), lines=told.lines, MIA_DATA_DIR=str(tmp_path)).stdout
    off, none = "The shark plays without its memory of you.", "The shark does not know you yet."
    assert off in here
    assert without_ids(here).replace(off, none) == without_ids(fresh)
    assert "memory" not in records()[-1].extra


def test_the_latest_matches_are_remembered_and_whatever_is_no_match_of_a_person_is_not() -> None:
    (match,) = get_known(1)
    store().path_of(match.id).unlink()
    ids = []
    for number in range(REMEMBERED + 10):
        day, minute = 1 + number // 50, number % 50
        ids.append(f"202102{day:02}-03{minute:02}-bbbbbb")
        created = f"2021-02-{day:02}T03:{minute:02}:00Z"
        store().save(replace(match, id=ids[-1], created=created))
    folder = matches_dir()
    newest = json.loads((folder / f"{ids[-1]}.json").read_text("utf-8"))
    spoilt = {
        "20220101-0000-cccccc": newest | {"status": "unfinished", "ended": None, "winner": None},
        "20220101-0001-cccccc": newest | {"schema": "mia.match/9"},
        "20220101-0002-cccccc": newest | {"events": newest["events"][:1] + newest["events"][2:]},
        "20220101-0003-cccccc": newest | {"events": newest["events"][:-3]},
    }
    for match_id, document in spoilt.items():
        text = json.dumps(document | {"id": match_id}).replace(ids[-1], match_id)
        (folder / f"{match_id}.json").write_text(text, "utf-8")
    (folder / "20220101-0004-cccccc.json").write_bytes(b"\x00{")
    simulated = json.dumps(newest).replace('"human"', '"easy"').replace(ids[-1], "20220101-0005-c")
    (folder / "20220101-0005-c.json").write_text(simulated, "utf-8")
    result = play(*table())
    assert f"The shark remembers {REMEMBERED} matches of yours." in result.stdout
    assert result.stderr == ""
    assert read_record(max(folder.glob("*.json"))).extra["memory"] == ids[-REMEMBERED:]


def test_a_data_folder_that_cannot_be_used_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("no folder", "utf-8")
    result = play(*table(), MIA_DATA_DIR=str(tmp_path))
    assert "The shark does not know you yet." in result.stdout


def test_a_resumed_match_goes_on_as_if_nothing_had_happened_in_between(tmp_path: Path) -> None:
    memory = get_known()
    told = told_by(memory)
    play(*table(), lines=told.lines[:2])
    for seed in range(20, 24):
        easy = script(seed, ("easy",), QUICK)
        assert play(*table(("easy",), seed=seed), lines=easy.lines).exit_code == 0
    started = next(record for record in records() if "memory" in record.extra)
    for line in told.lines[2:-1]:
        assert play("--resume", started.id, lines=(line,)).exit_code == 3
    text = play("--resume", started.id).stdout
    assert "The shark remembers 6 matches of yours." in text
    assert play("--resume", started.id, "--json", lines=told.lines[-1:]).exit_code == 0
    assert store().load(started.id).events == told.events


def test_a_remembered_match_that_is_gone_is_forgotten() -> None:
    memory = get_known(2)
    told = told_by(memory)
    play(*table(), lines=told.lines[:1])
    store().path_of(memory[0].id).unlink()
    result = play("--resume", lines=("x",))
    assert "The shark remembers 1 match of yours." in result.stdout
    assert result.exit_code == 3


def test_memory_is_settled_when_a_match_begins() -> None:
    play(*table())
    result = play("--resume", "--no-memory")
    assert result.exit_code == 2
    assert "--no-memory" in result.stderr


def test_nothing_is_said_of_a_shark_where_none_sits() -> None:
    get_known(1)
    told = script(7, ("easy",), QUICK)
    lines = ["hint", *told.lines]
    for words in ((), ("--json",)):
        result = play(*table(("easy",)), "--no-memory", *words, lines=lines)
        assert result.exit_code == 0
        assert "shark" not in result.stdout
        assert "remembered" not in result.stdout
        assert "noticed" not in result.stdout


def test_a_hint_tells_what_a_shark_in_the_same_seat_would_do() -> None:
    told = script(5, DUEL, RuleSet(3), make=sharks_with((), DUEL, RuleSet(3)))
    lines = [word for line in told.lines for word in ("hint", line)]
    words = table(rules=RuleSet(3), seed=5)
    result = play(*words, "--json", lines=lines)
    hints = [json.loads(line) for line in result.stdout.splitlines() if '"hint"' in line]
    fresh = make_shark(RuleSet(3), 2, solve(2, 3, 1))
    intents = [fresh.intent(seen) for seen in decisions_of_the_person(records()[0])]
    assert len(hints) == len(intents) == len(told.lines)
    for hint, intent in zip(hints, intents, strict=True):
        assert hint["shark"]["leaves_solution"] is intent.leaves
        assert [option["action"] for option in hint["shark"]["options"]] == [
            option["action"] for option in hint["options"]
        ]
        assert [option["probability"] for option in hint["shark"]["options"]] == [
            probability for _, probability in intent.options
        ]
    text = play(*words, "--no-memory", lines=lines).stdout
    same = text.count("The shark in your place would play best here, as above.")
    others = len(re.findall(r"The shark in your place: \S+, always\.", text))
    assert same == sum(not intent.leaves for intent in intents) > 0
    assert others > 0


def decisions_of_the_person(record: MatchRecord):
    """What the person saw at each decision."""
    for number in range(1, len(record.events) + 1):
        part = replace(
            record, events=record.events[:number], status="unfinished", ended=None, winner=None
        )
        with suppress(BadRecord):  # it ends in the middle of an action
            match = replay(part).table.match
            if match.to_act == 1:
                yield observation(match, 1, part.events)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_hint_knows_nothing_of_the_hidden_dice_of_others(seats: int) -> None:
    random = Random(seats)
    mentors = [Adviser(QUICK, seats, tutors=False, note=str, shark=True) for _ in range(2)]
    for match, history in decisions(random, seats):
        other_match, other = disguised(match, history, random)
        here, there = (
            mentor.intent(observation(position, match.to_act, events))
            for mentor, position, events in zip(
                mentors, (match, other_match), (history, other), strict=True
            )
        )
        assert here == there
        assert sum(chance for _, chance in here.options) == pytest.approx(1.0)


BOASTFUL = ("a", "c", "66", "21") * 300
"""The lines of a person who accepts everything and claims 66, until it is over."""


def test_it_tells_what_it_noticed() -> None:
    result = play(*table(rules=RuleSet(5)), lines=BOASTFUL)
    assert result.exit_code == 0, result.output
    told = result.stdout.splitlines()
    said = told[told.index("What the shark noticed about you in this match:") + 1]
    shown = [
        event for event in records()[0].events if isinstance(event, Revealed) and event.seat == 1
    ]
    held = sum(event.holds for event in shown)
    assert said.startswith(f"  Of your {len(shown)} challenged claims, {held} held (")
    again = play(*table(rules=RuleSet(5), seed=8), lines=BOASTFUL).stdout
    assert "What the shark noticed about you, in this match and 1 earlier one:" in again


def test_a_match_with_nothing_to_notice_ends_without_a_word_of_it() -> None:
    told = told_by(())
    assert "noticed" not in play(*table(), lines=told.lines).stdout


def test_it_notices_what_it_saw_and_nothing_else() -> None:
    result = play(*table(("easy", "shark"), rules=RuleSet(5)), "--json", lines=BOASTFUL)
    *_, over, last, summary = map(json.loads, result.stdout.splitlines())
    assert (over["event"], summary["event"]) == ("match_over", "summary")
    assert (last["event"], last["seat"], last["person"]) == ("noticed", 3, 1)
    assert last["earlier_matches"] == 0
    record = records()[0]
    shark = make_shark(record.ruleset, 3, solve(3, 5, 1))
    public = [seen_by(event, None) for event in record.events]
    shark.learn(public, {1: 1})
    assert [habit["code"] for habit in last["habits"]] == [
        notice.code for notice in shark.noticed(3, 1)
    ]
    assert last["habits"], "the test has to meet a habit"
    random = Random(2)
    hidden = [
        replace(event, roll=random.choice(ROLLS)) if isinstance(event, Rolled) else event
        for event in record.events
    ]
    players = registry.make_all(["easy", "shark"], record.ruleset, 3)
    found = noticed([None, *players], replace(record, events=tuple(hidden)))
    assert [notice.code for notice in found.notices] == [h["code"] for h in last["habits"]]


def test_every_habit_has_a_sentence_with_its_figures() -> None:
    codes = [code for kind in notice_module._KINDS for code in kind]
    for code in codes:
        found = Notice(code, 1, 13, 29, 0.37, 2.0, CLAIMS[9])
        text = plain(noticed_lines([found], 0)[-1])
        assert "29" in text
        assert "{" not in text
    assert len(codes) == 7


def test_of_what_tells_the_same_only_one_is_said() -> None:
    codes = ("challenged", "challenged_none_below", "held", "opened", "told")
    notices = [Notice(code, 1, 1, 9, 0.5, 3.0, None) for code in codes]
    short = notice_module.in_short(notices, 2)
    assert [notice.code for notice in short] == ["challenged", "held"]


def test_records_with_a_shark_are_read_like_any_other() -> None:
    told = told_by(())
    play(*table(), lines=told.lines)
    run = CliRunner().invoke
    stats = json.loads(run(app, ["stats", "--json", "--by", "cpu"]).stdout)
    assert [group["key"] for group in stats["groups"]] == ["shark"]
    for words in (["stats"], ["review"], ["review", "--verify"], ["review", "--json"]):
        result = run(app, words)
        assert result.exit_code == 0, result.output
    assert json.loads(run(app, ["stats", "--json", "--cpu", "shark"]).stdout)["matches"] == 1


def test_its_ceiling_is_no_table_to_compute() -> None:
    result = CliRunner().invoke(app, ["solve", "--ceiling", "shark"])
    assert result.exit_code == 2
    assert "shark" in result.stderr
    assert result.stderr.count("\n") == 1


def test_presets_and_variables_may_name_it(tmp_path: Path) -> None:
    preset = tmp_path / "pool.toml"
    preset.write_text('lives = 2\npenalty_21 = 1\nplayers = 2\ncpu = "shark"\n')
    for env in ({"MIA_RULES": str(preset)}, {"MIA_CPU": "shark", "MIA_PLAYERS": "2"}):
        assert " (shark) " in play("--seed", "1", **env).stdout
    assert isinstance(registry.make("shark", QUICK, 6), Shark)
