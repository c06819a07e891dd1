"""The review: parts that add up, knowledge that was there, a yardstick that loses nothing."""

from dataclasses import replace
from functools import cache

import pytest

from mia_cli.players import names, registry
from mia_cli.players.expert import Expert
from mia_cli.records.codec import encode
from mia_cli.review.decisions import BAD, FINE, PARTS, punished, review
from mia_cli.rules.errors import NotAllowed
from mia_cli.rules.events import Revealed, Rolled
from mia_cli.rules.rolls import ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import solve
from tests.played_matches import LEVELS, played


@cache
def solution(penalty_21):
    return solve(4, 3, penalty_21)


def solver(_seats, _lives, penalty_21):
    return solution(penalty_21)


def matches():
    for number in range(24):
        rules = RuleSet((2, 3)[number % 2], 1 + number % 2)
        yield played(number, seats=2 + number % 3, rules=rules)


def test_the_parts_add_up_to_the_change_in_the_chance_to_win():
    for record in matches():
        found = review(record, solver)
        assert found.players[0].seat == record.human
        assert sum(player.start for player in found.players) == pytest.approx(1.0)
        for player in found.players:
            assert set(player.parts) == set(PARTS)
            change = player.end - player.start
            assert sum(player.parts.values()) == pytest.approx(change, abs=1e-12)
            assert player.parts["skill"] == pytest.approx(-player.lost, abs=1e-12)
            assert player.end == (player.seat == record.winner)


def test_every_decision_is_there_and_none_gains():
    for record in matches():
        found = review(record, solver)
        made = [encode(event)["event"] for event in record.events]
        decided = sum(name in ("claimed", "accepted", "challenged") for name in made)
        assert len(found.decisions) == decided
        for decision in found.decisions:
            event = record.events[decision.event - 2]
            assert event.seat == decision.seat
            assert 0.0 <= decision.lost <= 1.0
            assert (decision.hindsight is None) == (decision.kind == "claim")
            if decision.hindsight:
                assert decision.hindsight.lost >= 0.0


def expert(level, rules):
    return Expert(solution(rules.penalty_21)) if level == "expert" else registry.make(level, rules)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_equilibrium_gives_nothing_away(seats):
    for number in range(6):
        record = played(number, seats=seats, levels=("expert",), make=expert)
        for player in review(record, solver).players:
            assert player.lost < 1e-9
            assert player.verdicts()[FINE] == len(player.decisions)
            assert player.level in (None, "flawless")


def test_stronger_levels_give_away_less():
    lost = dict.fromkeys(LEVELS, 0.0)
    made = dict.fromkeys(LEVELS, 0)
    for number in range(60):
        record = played(number, seats=2, human=False)
        for player in review(record, solver).players:
            level = record.seats[player.seat - 1].player
            lost[level] += player.lost
            made[level] += len(player.decisions)
    assert lost["hard"] / made["hard"] < lost["easy"] / made["easy"]


def disguised(record, seat):
    """The same match with other rolls wherever ``seat`` could not see them."""
    events, last = list(record.events), 0
    for at, event in enumerate(record.events):
        if isinstance(event, Revealed):
            events[last] = record.events[last]
        elif isinstance(event, Rolled):
            last = at
            if event.seat != seat:
                events[at] = replace(event, roll=ROLLS[(event.roll.position + 7) % len(ROLLS)])
    return replace(record, events=tuple(events), dice="as said")


def test_a_verdict_rests_on_what_the_seat_knew_and_nothing_else():
    changed = 0
    for record in matches():
        for seat in range(1, len(record.seats) + 1):
            other = disguised(record, seat)
            changed += other.events != record.events
            before = next(p for p in review(record, solver).players if p.seat == seat)
            after = next(p for p in review(other, solver).players if p.seat == seat)
            for mine, its in zip(before.decisions, after.decisions, strict=True):
                assert (mine.lost, mine.advice) == (its.lost, its.advice)
                assert mine.punishment == its.punishment
    assert changed > 20


def test_an_unfinished_match_is_not_reviewed():
    with pytest.raises(NotAllowed) as error:
        review(played(1, actions=9), solver)
    assert error.value.code == "not_finished"


def test_habits_of_the_levels_are_told_where_they_could_be_punished():
    found = [item for record in matches() for item in punished(review(record, solver).players)]
    assert {item.punishment.level for item in found} <= set(LEVELS)
    assert {item.kind for item in found} == {"claim", "answer"}
    for item in found:
        assert item.punishment.gain >= 0.02 and item.punishment.action != item.action
        assert 0.0 <= item.punishment.habit <= 1.0
        assert item.punishment.seat != item.seat


@pytest.mark.parametrize("field", [None, {"easy": 99, "normal": 99, "hard": 99}, "strange"])
def test_a_record_by_other_tables_is_reviewed_without_their_habits(monkeypatch, field):
    monkeypatch.setattr(names, "TABLES", dict.fromkeys(names.TABLES, 7))
    record = next(item for item in matches() if punished(review(item, solver).players))
    extra = {} if field is None else {"levels": field}
    found = review(replace(record, extra=extra), solver)
    assert punished(found.players) == []
    known = review(replace(record, extra={"levels": names.TABLES}), solver)
    assert [item.lost for item in found.decisions] == [item.lost for item in known.decisions]
    assert punished(known.players)


def test_a_bad_decision_is_called_bad():
    """With two seats and a life each, accepting a 66 leaves only a claim of 21."""
    bad = [
        decision
        for record in matches()
        for decision in review(record, solver).decisions
        if decision.verdict == BAD
    ]
    assert bad
    assert all(decision.lost >= 0.02 and not decision.is_forced for decision in bad)
