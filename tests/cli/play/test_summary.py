"""The end of a match: the event ``summary``, the story in words, and that nothing comes early."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mia_cli.cli.play import new_match
from mia_cli.cli.play import summary as play_summary
from mia_cli.records.record import read_record
from mia_cli.review.story import seat_stories
from mia_cli.rules.events import Accepted, Challenged, Claimed, Revealed, Rolled, RoundStarted
from mia_cli.rules.ruleset import RuleSet
from tests.cli.in_process import Ended, full
from tests.cli.scripted import Script, script
from tests.rules_oracle import holds

KEYS = [
    *("rounds", "bluffs", "bluffs_passed", "bluffs_caught", "challenges", "challenges_right"),
    *("win_lost", "turning_point", "opponents", "record"),
]


def play(*args: str, lines: tuple[str, ...] = ()) -> Ended:
    return full("play", *args, typed="".join(f"{line}\n" for line in lines).encode())


def events(ended: Ended) -> list[dict[str, object]]:
    return [json.loads(line) for line in ended.out.splitlines()]


def record_path() -> Path:
    found = Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json")
    return max(found, key=lambda path: path.stat().st_mtime_ns)


def counted(told: Script, seat: int) -> dict[str, int]:
    """Counted again, from the claims of a seat and what became of each."""
    rolls = [event.roll for event in told.events if isinstance(event, Rolled)]
    claims = [event for event in told.events if isinstance(event, Claimed)]
    answers = [event for event in told.events if isinstance(event, Accepted | Challenged)]
    bluffs = [not holds(r.name, c.claim.name) for r, c in zip(rolls, claims, strict=True)]
    turns = list(zip(claims, answers, bluffs, strict=True))
    own = [(answer, bluff) for claim, answer, bluff in turns if claim.seat == seat]
    doubted = [bluff for _c, a, bluff in turns if isinstance(a, Challenged) and a.seat == seat]
    return {
        "claims": len(own),
        "bluffs": sum(bluff for _answer, bluff in own),
        "bluffs_passed": sum(bluff and isinstance(a, Accepted) for a, bluff in own),
        "bluffs_caught": sum(bluff and isinstance(a, Challenged) for a, bluff in own),
        "challenges": len(doubted),
        "challenges_right": sum(doubted),
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_figures_are_those_of_the_match(seed: int) -> None:
    told = script(seed, ("easy", "hard"))
    settled = ("--seed", str(seed), "--cpu", "easy", "--cpu", "hard")
    *before, over, said = events(play("--json", *settled, lines=told.lines))
    assert over["event"] == "match_over"
    assert said.pop("schema") == "mia.event/1" and said.pop("event") == "summary"
    assert list(said) == KEYS
    assert not any(event["event"] == "summary" for event in before)
    own = counted(told, 1)
    assert own.pop("claims") >= 0
    assert {key: said[key] for key in own} == own
    assert said["rounds"] == sum(isinstance(event, RoundStarted) for event in told.events)
    for seat, player, one in zip((2, 3), ("easy", "hard"), said["opponents"], strict=True):
        other = counted(told, seat)
        shown = {key: other[key] for key in ("claims", "bluffs", "bluffs_caught")}
        assert one == {"seat": seat, "player": player, **shown}
    record = read_record(record_path())
    caught = sum(story.bluffs_caught for story in seat_stories(record))
    shown = [event for event in told.events if isinstance(event, Revealed)]
    assert caught == sum(not event.holds for event in shown)


def test_the_turning_point_and_what_was_lost_are_those_of_the_review() -> None:
    told = script(7)
    said = events(play("--json", "--seed", "7", lines=told.lines))[-1]
    review = json.loads(full("review", record_path().stem, "--json").out)
    assert said["win_lost"] == pytest.approx(review["players"][0]["win_lost"])
    turned = said["turning_point"]
    event = json.loads(record_path().read_text())["events"][turned["event"] - 1]
    assert (event["event"] == "rolled") == (turned["kind"] == "roll")
    assert turned["after"] in (pytest.approx(0.0), pytest.approx(1.0)) or 0 < turned["after"] < 1
    assert abs(turned["after"] - turned["before"]) > 0.05


def test_a_table_that_is_not_on_the_list_names_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_summary, "is_quick", lambda _record: False)
    told = script(7)
    said = events(play("--json", "--seed", "7", lines=told.lines))[-1]
    assert said["win_lost"] is said["turning_point"] is None
    shown = play("--seed", "7", lines=told.lines).out
    assert "Where it turned, and what you gave away: mia review" in shown
    assert "Turning point" not in shown


class Clock(datetime):
    """A clock on which every match begins a minute after the one before."""

    minutes = 0

    @classmethod
    def now(cls, tz: object = None) -> datetime:
        cls.minutes += 1
        return datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=cls.minutes)


def test_the_score_counts_finished_matches_against_the_same_levels_in_any_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Records tell seconds, and the order of those begun in one is nobody's.
    monkeypatch.setattr(new_match, "datetime", Clock)
    results: list[bool] = []
    for seed in range(6):
        levels = ("easy", "hard") if seed % 2 else ("hard", "easy")
        told = script(seed, levels)
        words = ("--seed", str(seed), "--name", f"Me {seed}")
        cpus = [word for level in levels for word in ("--cpu", level)]
        said = events(play("--json", *words, *cpus, lines=told.lines))[-1]
        results.append(told.winner == 1)
        play("--seed", "3", *cpus)  # left: it does not count
        score = said["record"]
        assert (score["matches"], score["wins"]) == (len(results), sum(results))
        run = next((n for n, won in enumerate(reversed(results)) if won != results[-1]), seed + 1)
        assert score["streak"] == (run if results[-1] else -run)
    other = script(1, ("normal",))
    words = ("--players", "2", "--cpu", "normal", "--seed", "1")
    assert events(play("--json", *words, lines=other.lines))[-1]["record"]["matches"] == 1


def test_the_story_is_told_in_few_lines_and_only_at_the_end() -> None:
    told = script(7)
    shown = play("--seed", "7", lines=told.lines).out
    assert shown.count("Turning point, round ") == 1
    head, _over, end = shown.partition("You win the match!")
    assert "Turning point" not in head and "bluffed in" not in head
    assert 5 <= len(end.strip().splitlines()) <= 8
    left = play("--seed", "7", lines=told.lines[:-1]).out
    assert "Turning point" not in left and "bluffed in" not in left


def test_nothing_of_it_is_made_before_the_match_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def early(*_args: object) -> None:
        raise AssertionError("made before the match was over")

    monkeypatch.setattr(play_summary, "summary_of", early)
    told = script(7)
    for count in range(len(told.lines)):
        for words in ((), ("--json",)):
            assert play("--seed", "7", *words, lines=told.lines[:count]).code == 3


def test_a_match_that_cannot_be_kept_has_its_story_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("in the way")
    monkeypatch.setenv("MIA_DATA_DIR", str(in_the_way))
    rules = RuleSet(2)
    told = script(7, ("normal", "normal"), rules)
    ended = play("--json", "--seed", "7", "--lives", "2", lines=told.lines)
    assert ended.code == 4
    assert events(ended)[-1]["record"]["matches"] == 1
