"""Counts against a plain walk over the events, and the figures made of them."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from mia_cli.records.record import to_json
from mia_cli.rules.errors import CannotRead
from mia_cli.rules.events import (
    Accepted,
    Challenged,
    Claimed,
    LivesLost,
    Revealed,
    Rolled,
    RoundStarted,
)
from mia_cli.rules.ruleset import RuleSet
from mia_cli.stats.choice import Choice, read_day
from mia_cli.stats.gather import gather
from mia_cli.stats.summary import dice, streaks, summary
from mia_cli.theory import solve
from tests.played_matches import played, simulated, some, write


def values(seats, lives, penalty_21):
    return [1.0 / seats + (0.01 if place == 0 else 0.0) for place in range(seats)]


def told(folder, choice=None, by=None, records=None):
    write(folder, some() if records is None else records)
    return summary(gather([folder], choice or Choice(by=by), cache=None), values, by)


def walked(records, is_wanted):
    """Counts of what the wanted seats did, in finished matches."""
    found = Counter()
    for record in records:
        if record.winner is None:
            continue
        roll = claim = None
        for event in record.events:
            match event:
                case RoundStarted():
                    claimer = None
                case Rolled():
                    roll = event.roll
                case Claimed():
                    claim, claimer = event.claim, event.seat
                    if is_wanted(record, claimer):
                        kind = "bluffs" if claim.exceeds(roll) else "truths"
                        kind = "understatements" if claim.understates(roll) else kind
                        found[kind] += 1
                        found["total"] += 1
                        found["steps"] += max(0, claim.position - roll.position)
                case Accepted() if is_wanted(record, event.seat):
                    found["accepted"] += 1
                    found["accepted_bluffs"] += claim.exceeds(roll)
                case Challenged(seat=challenger):
                    found["challenged"] += is_wanted(record, claimer)
                    found["challenges"] += is_wanted(record, challenger)
                case Revealed(holds=holds):
                    caught = not holds
                    found["bluffs_caught"] += caught and is_wanted(record, claimer)
                    found["right"] += caught and is_wanted(record, challenger)
                case LivesLost() if is_wanted(record, event.seat):
                    cause = "bluff" if event.seat == claimer else "wrong_challenge"
                    found[cause + (" 21" if claim.must_be_challenged else "")] += event.lost
    return found


def test_the_figures_are_those_of_the_events(tmp_path):
    document = told(tmp_path)
    mine = walked(some(), lambda record, seat: seat == record.human)
    claims, answers, lost = (document[key] for key in ("claims", "challenges", "lives_lost"))
    for key in ("total", "truths", "understatements", "bluffs", "challenged", "bluffs_caught"):
        assert claims[key] == mine[key] == sum(row[key] for row in claims["by_standing"])
    assert claims["mean_bluff_steps"] == pytest.approx(mine["steps"] / mine["bluffs"])
    assert answers["total"] == mine["challenges"]
    for key in ("right", "accepted", "accepted_bluffs"):
        assert answers[key] == mine[key] == sum(row[key] for row in answers["by_claim"])
    assert lost["bluff_caught"] == mine["bluff"] and lost["bluff_of_21_caught"] == mine["bluff 21"]
    assert lost["wrong_challenge"] == mine["wrong_challenge"]
    assert lost["wrong_challenge_of_21"] == mine["wrong_challenge 21"]
    assert np.sum(document["roll_by_claim"]["you"]) == mine["total"]
    assert min(mine.values()) > 0


def test_every_player_has_its_own_figures(tmp_path):
    document = told(tmp_path)
    assert len(document["players"]) > 8
    for player in document["players"]:
        who = (player["name"], player["player"])

        def is_wanted(record, seat, who=who):
            found = record.seats[seat - 1]
            return (found.name, found.player) == who

        mine = walked(some(), is_wanted)
        assert player["claims"]["bluffs"] == mine["bluffs"]
        assert player["challenges"]["right"] == mine["right"]
        seated = [(r, s) for r in some() for s in r.seats if (s.name, s.player) == who]
        assert player["matches"] == len(seated)
        assert player["wins"] == sum(record.winner == seat.seat for record, seat in seated)


def test_matches_wins_and_help(tmp_path):
    document = told(tmp_path)
    finished = [record for record in some() if record.winner]
    helped = {record.id for record in some() if aided(record)}
    assert document["matches"] == 60 and document["finished"] == len(finished)
    assert document["unfinished"] == 60 - len(finished) > 0
    assert document["wins"] == sum(record.winner == 1 for record in finished)
    assert document["win_rate"] == document["wins"] / len(finished)
    assert document["with_aids"]["matches"] == len(helped) > 0
    assert document["without_aids"]["matches"] == 60 - len(helped)
    left = summary(gather([tmp_path], Choice(without_aids=True), cache=None), values, None)
    assert left["matches"] == document["without_aids"]["matches"]
    assert left["wins"] == document["without_aids"]["wins"]


def aided(record):
    aids = record.extra.get("aids", {})
    return bool(aids.get("tutor") or aids.get("hints") or aids.get("take_backs"))


def test_the_expected_share_is_the_solved_value_of_the_seat(tmp_path):
    records = [record for record in some() if record.winner]
    write(tmp_path, records)
    solutions = {penalty: solve(6, 3, penalty) for penalty in (1, 2)}
    few = [record for record in records if record.ruleset.lives < 5]

    def solved(seats, lives, penalty_21):
        return solutions[penalty_21].values((lives,) * seats)

    folder = tmp_path / "few"
    write(folder, few)
    document = summary(gather([folder], Choice(), cache=None), solved, None)
    expected = []
    for record in few:
        order = (0 - (record.events[0].leader - 1)) % len(record.seats)
        lives = (record.ruleset.lives,) * len(record.seats)
        expected.append(solutions[record.ruleset.penalty_21].values(lives)[order])
    assert document["expected_win_rate"] == pytest.approx(np.mean(expected))
    assert document["fair_share"] == pytest.approx(np.mean([1 / len(r.seats) for r in few]))


def test_dice_are_counted_apart_and_hidden_ones_never(tmp_path):
    document = told(tmp_path)
    mine = Counter(
        event.roll.name
        for record in some()
        for event in record.events
        if isinstance(event, Rolled) and event.seat == 1
    )
    others = Counter(
        event.roll.name
        for record in some()
        for event in record.events
        if isinstance(event, Rolled) and event.seat != 1 and record.winner
    )
    for key, rolls in (("you", mine), ("cpu", others)):
        seen = {row["roll"]: row["rolled"] for row in document["dice"][key]["by_roll"]}
        assert seen == {name: rolls[name] for name in seen}
    assert document["dice"]["you"]["p_value"] > 0.001


def test_filters_and_groups(tmp_path):
    records = some()
    document = told(tmp_path, by="month")
    months = Counter(record.created[:7] for record in records)
    assert {group["key"]: group["matches"] for group in document["groups"]} == months
    document = told(tmp_path, by="ruleset")
    rules = Counter(f"{r.ruleset.lives}/{r.ruleset.penalty_21}" for r in records)
    assert {group["key"]: group["matches"] for group in document["groups"]} == rules
    document = told(tmp_path, by="cpu")
    levels = Counter(level for r in records for level in {s.player for s in r.seats[1:]})
    assert {group["key"]: group["matches"] for group in document["groups"]} == levels
    now = datetime(2026, 12, 1, tzinfo=UTC)
    since = read_day("2026-05", "--since", now, last=False)
    until = read_day("2026-06", "--until", now, last=True)
    chosen = Choice(since, until, RuleSet(3, 1), "hard")
    document = summary(gather([tmp_path], chosen, cache=None), values, None)
    wanted = [
        record
        for record in records
        if "2026-05" <= record.created[:7] <= "2026-06"
        and record.ruleset == RuleSet(3, 1)
        and any(seat.player == "hard" for seat in record.seats)
    ]
    assert document["matches"] == len(wanted)


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("2026-11-30", "2026-11-30T00:00", "2026-12-01T00:00"),
        ("2026-12", "2026-12-01T00:00", "2027-01-01T00:00"),
        ("2026", "2026-01-01T00:00", "2027-01-01T00:00"),
        ("2026-11-30T12:30", "2026-11-30T12:30", "2026-11-30T12:31"),
        ("3d", "2026-11-27T00:00", "2026-11-27T00:00"),
    ],
)
def test_days(text, first, after):
    now = datetime(2026, 11, 30, tzinfo=UTC)
    for last, moment in ((False, first), (True, after)):
        seconds = read_day(text, "--since", now, last=last)
        assert datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M") == moment


@pytest.mark.parametrize("text", ["", "x", "2026-13", "30-11-2026", "-1d", "999999d", "2026-02-30"])
def test_no_days(text):
    with pytest.raises(CannotRead):
        read_day(text, "--since", datetime(2026, 11, 30, tzinfo=UTC), last=True)


@pytest.mark.parametrize(
    ("states", "current", "wins", "losses"),
    [
        ([], 0, 0, 0),
        ([1, 1, 0, 1], 3, 3, 0),
        ([1, 1, 2, 1], 1, 2, 1),
        ([2, 2, 0, 0], -2, 0, 2),
        ([0], 0, 0, 0),
    ],
)
def test_a_streak_is_broken_by_a_loss_and_not_by_an_unfinished_match(states, current, wins, losses):
    results = [np.array([1000 * at * 4 + state for at, state in enumerate(states)], dtype=int)]
    assert streaks(results) == {
        "current": current,
        "longest_wins": wins,
        "longest_losses": losses,
    }


@pytest.mark.parametrize("count", [0, 1, 2, 10])
@pytest.mark.parametrize("wins", ["all", "none"])
def test_few_matches_all_won_or_none(tmp_path, count, wins):
    numbers = (n for n in range(1000) if (played(n, seats=2).winner == 1) == (wins == "all"))
    records = [played(next(numbers), seats=2) for _ in range(count)]
    document = told(tmp_path, records=records)
    text = json.dumps(document, allow_nan=False)  # no nan, no infinity
    assert json.loads(text)["matches"] == count
    if count:
        low, high = document["ci95"]
        assert 0.0 <= low < high <= 1.0
        assert document["win_rate"] == (1.0 if wins == "all" else 0.0)
    else:
        assert document["win_rate"] is document["ci95"] is None


def test_loaded_dice_are_noticed():
    fair = dice(np.array([20] * 14 + [10] * 6 + [20]))
    assert fair["chi_square"] == 0.0 and fair["p_value"] == 1.0 and fair["enough"]
    loaded = dice(np.array([20] * 14 + [40] * 6 + [20]))
    assert loaded["p_value"] < 1e-6
    assert not dice(np.array([1] * 21))["enough"]


def test_logs_without_a_person(tmp_path):
    records = [simulated(number) for number in range(12)]
    path = Path(tmp_path) / "log.jsonl"
    path.write_text("".join(json.dumps(to_json(record)) + "\n" for record in records))
    document = summary(gather([path], Choice(), cache=None), values, None)
    assert document["with_person"] == 0 and document["matches"] == document["finished"] == 12
    assert document["win_rate"] is None
    assert sum(player["wins"] for player in document["players"]) == 12
    assert document["claims"]["total"] == sum(
        isinstance(event, Claimed) for record in records for event in record.events
    )
