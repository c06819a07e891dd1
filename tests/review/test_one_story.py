"""A hint, the tutor and the review tell the same of one moment."""

from dataclasses import replace
from functools import cache

import pytest

from mia_cli.cli.play import help_used
from mia_cli.cli.play.help_used import COSTLY, Adviser
from mia_cli.review.decisions import review
from mia_cli.rules.match import observation
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.advice import hint_lines, reason_line, second_line, tutor_lines
from mia_cli.text.language.line import plain
from mia_cli.text.play.seats import SeatNames
from mia_cli.text.review.annotated import annotation
from mia_cli.theory import solve
from mia_cli.theory.reasons import objection
from tests.played_matches import played


@cache
def solution(_seats, _lives, penalty_21):
    return solve(3, 3, penalty_21)


@pytest.fixture
def advisers(monkeypatch):
    monkeypatch.setattr(help_used, "solution_for", solution)

    def made(record):
        players = [seat.player for seat in record.seats]
        return Adviser(
            record.ruleset, len(players), tutors=True, note=lambda _aid: None, players=players
        )

    return made


def moments():
    """Decisions of the person, who plays like a level, at tables of two and three."""
    for number in range(24):
        record = played(number, seats=2 + number % 2, rules=RuleSet(3, 1 + number % 2))
        for decision in review(record, solution).decisions:
            if decision.seat == record.human and not decision.is_forced:
                yield record, decision


def test_the_three_tell_the_same_of_many_moments(advisers):
    count = objections = opinions = differing = 0
    for record, decision in moments():
        adviser, seating = advisers(record), SeatNames.of(record)
        seen = observation(decision.match, decision.seat, ())
        hint = adviser.hint(seen)
        # The same figures, the same reason, the same second opinion, to the last digit.
        assert hint == decision.advice
        objects = adviser.objection(seen, decision.action)
        assert (objects is not None) == (decision.lost > COSTLY)
        assert decision.lost == max(0.0, hint.cost(decision.action))
        # And in the same words.
        hinted = [plain(one) for one in hint_lines(hint, seen, seating)]
        noted = [plain(one).strip() for one in annotation(record, decision, "")][1:]
        tutored = [plain(one) for one in tutor_lines(hint, seen, decision.action, seating)]
        assert tutored[0] == f"Tutor: {noted[0]}" and tutored[1] == noted[1]
        assert (
            f"{decision.shown_lost / 10:.1f} points" in noted[0]
            or hint.cost(decision.action) < 0.001
        )
        if objection(hint.reason, decision.action, seen.roll) == hint.reason:
            assert noted[1] == plain(reason_line(hint.reason, seen.above)) == hinted[1]
        if hint.second is not None:
            name = seating.name(hint.second.seat)
            told = plain(second_line(hint, hint.second, name))
            assert hinted[-1] == noted[-1] == tutored[-2] == told
            assert (", though, " in told) == hint.second.differs(hint)
            assert plain(name) in told and hint.second.level in told
            opinions += 1
            differing += hint.second.differs(hint)
        if decision.punishment is not None:
            assert decision.punishment.action == hint.second.best
            assert decision.punishment.gain == hint.second.gain(decision.action)
        count, objections = count + 1, objections + (objects is not None)
    assert count > 100 and objections > 10 and opinions > 80 and 10 < differing < opinions


def test_an_opinion_is_reckoned_from_the_habits_alone(advisers):
    """Recomputed from the level's tables and what each end is worth."""
    for record, decision in moments():
        second = decision.advice.second
        if second is None:
            continue
        assert second.level == record.seats[second.seat - 1].player
        for option in decision.advice.options:
            win, habit = second.wins[option.action]
            assert 0.0 <= habit <= 1.0
            if decision.kind == "claim":
                ends = option.if_challenged, option.if_accepted
                assert win == pytest.approx(habit * ends[0] + (1 - habit) * ends[1])
                share = option.challenged
                assert option.win == pytest.approx(share * ends[0] + (1 - share) * ends[1])
            elif type(option.action).__name__ == "Accept":
                assert win == option.win
            else:
                ends = decision.advice.if_true, decision.advice.if_false
                assert win == pytest.approx(habit * ends[0] + (1 - habit) * ends[1])


def test_what_is_printed_of_a_seat_adds_up():
    for number in range(12):
        for player in review(played(number, seats=2 + number % 2), solution).players:
            shown = player.shown_parts()
            tenths = [round(1000 * value) for value in shown.values()]
            ends = round(1000 * player.end) - round(1000 * player.start)
            assert sum(tenths) == ends
            assert shown["skill"] == -player.shown_lost
            assert player.shown_lost == pytest.approx(
                player.lost, abs=0.0011 * len(player.decisions) + 1e-9
            )
            for name, value in shown.items():
                assert value == pytest.approx(
                    player.parts[name], abs=0.0011 * len(player.decisions) + 0.002
                )


def test_without_known_habits_there_is_no_opinion(advisers):
    record = played(2, seats=2)
    experts = tuple(
        replace(seat, player="expert") if seat.seat == 2 else seat for seat in record.seats
    )
    for decision in review(replace(record, seats=experts), solution).decisions:
        if decision.seat == 1:
            assert decision.advice.second is None and decision.punishment is None
