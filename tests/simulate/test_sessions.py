"""Sessions in the tally and in the intervals: exact sums, honest margins, whole seats."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate import saved
from mia_cli.simulate.blocks import open_blocks
from mia_cli.simulate.intervals import (
    design_effect,
    session_effect,
    session_interval,
    student,
    win_interval,
)
from mia_cli.simulate.margins import Margins
from mia_cli.simulate.run import run
from mia_cli.simulate.saved import RunFile, new_state
from mia_cli.simulate.sessions import SessionCounts, no_sums
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.tally import Tally
from mia_cli.simulate.workers.processes import Alone


def sums_of(wins, sizes):
    """What ``sessions`` keeps of sessions with so many wins in so many matches."""
    wins, sizes = np.array(wins), np.array(sizes)
    return [
        int((sizes > 0).sum()),
        *(int(x) for x in ((wins**2).sum(), (wins * sizes).sum(), (sizes**2).sum())),
    ]


@given(st.data())
def test_sums_that_grow_by_matches_are_those_of_whole_sessions(data):
    """Cut anywhere, blocks of a session give the sums of the whole, for every count of wins."""
    players = data.draw(st.integers(2, 4))
    length = data.draw(st.integers(2, 7))
    setup = Setup(RuleSet(), ("shark",) * players, 1, "rotate", length)
    places = data.draw(st.lists(st.integers(0, players - 1), min_size=1, max_size=30))
    cuts = data.draw(st.sets(st.integers(0, len(places))))
    found, part, session = no_sums(players), no_sums(players), SessionCounts(players)
    for match, place in enumerate(places):
        if match in cuts:
            # As a worker that takes the run up: the session so far is played, and not counted.
            found, part, session = found + part, no_sums(players), SessionCounts(players)
            for earlier in range(match - setup.place_in_session(match), match):
                session.add(setup.seating_of(earlier), places[earlier], None)
        if not setup.place_in_session(match):
            session = SessionCounts(players)
        session.add(setup.seating_of(match), place, part)
    found = found + part
    tally = Tally.empty(players, len(setup.seatings), sessions=True)
    tally.sessions[:] = found
    for match, place in enumerate(places):
        tally.wins[setup.seating_number(match), place] += 1
        tally.played[setup.seating_number(match)] += 1
    margins = Margins(tally, setup.seatings)
    starts = range(0, len(places), length)
    spans = [range(start, min(start + length, len(places))) for start in starts]

    def winner(match):
        return setup.seating_of(match).by_place[places[match]]

    for player in range(players):
        wins = [sum(winner(match) == player for match in span) for span in spans]
        margin = margins.of_player(player)
        assert margin.sums == sums_of(wins, [len(span) for span in spans])
        assert sum(margin.wins) == sum(wins)
        for distance in range(players):
            there = [
                [m for m in span if setup.seating_of(m).by_place[distance] == player]
                for span in spans
            ]
            wins = [sum(winner(match) == player for match in some) for some in there]
            row = margins.of_distance(player, distance).sums
            assert row == sums_of(wins, list(map(len, there)))
    wins = [sum(places[match] == 0 for match in span) for span in spans]
    assert margins.of_leader().sums == sums_of(wins, [len(span) for span in spans])


def test_the_quantile_of_student():
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 2, 3, 4, 5, 10, 30, 1000, 10**9):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1.5e-3)


@pytest.mark.parametrize("sessions", [2, 5, 25])
@pytest.mark.parametrize("effect", [1.0, 2.0, 4.0])
@pytest.mark.parametrize("rate", [0.5, 0.85])
def test_coverage_of_sessions_that_differ(rate, effect, sessions):
    """Sessions of 40 whose own rates have a beta distribution, drawn with a fixed seed."""
    length, random = 40, np.random.default_rng(5)
    alike = (effect - 1.0) / (length - 1.0)
    inside = 0
    for _ in range(1000):
        own = np.full(sessions, rate)
        if alike:
            scale = 1.0 / alike - 1.0
            own = random.beta(rate * scale, (1.0 - rate) * scale, sessions)
        wins = random.binomial(length, own)
        sums = sums_of(wins, [length] * sessions)
        low, high = session_interval([int(wins.sum())], [length * sessions], sums)
        inside += low <= rate <= high
    assert inside >= 930


def test_the_interval_of_like_matches_is_far_too_narrow_where_sessions_differ():
    wins, sizes = [40, 5, 38, 3, 40, 2, 39, 4, 36, 1], [40] * 10
    low, high = session_interval([sum(wins)], [sum(sizes)], sums_of(wins, sizes))
    plain_low, plain_high = win_interval([sum(wins)], [sum(sizes)])
    assert high - low > 4 * (plain_high - plain_low)
    assert session_effect(sum(wins), sum(sizes), sums_of(wins, sizes)) > 20


@pytest.mark.parametrize("sizes", [[1], [2], [40], [40, 1], [40, 40], [40] * 10])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_few_sessions_and_all_or_none(sizes, share):
    wins = [round(size * share) for size in sizes]
    total = sum(sizes)
    low, high = session_interval([sum(wins)], [total], sums_of(wins, sizes))
    assert 0.0 <= low <= sum(wins) / total <= high <= 1.0
    # A single session, with or without the first match of another, proves next to nothing.
    assert high - low > (0.5 if len(sizes) == 1 or sizes[1] == 1 else 0.01)


@given(st.lists(st.integers(1, 50).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))))
def test_always_an_interval_and_never_narrower_than_independent(sessions):
    wins, sizes = [w for w, _ in sessions], [n for _, n in sessions]
    found = session_interval([sum(wins)], [sum(sizes)], sums_of(wins, sizes))
    if not sessions:
        assert found is None
        return
    low, high = found
    plain_low, plain_high = win_interval([sum(wins)], [sum(sizes)])
    assert 0.0 <= low <= high <= 1.0
    assert high - low >= (plain_high - plain_low) * (1.0 - 1e-9) or sum(sizes) == 1
    assert design_effect([sum(wins)], [sum(sizes)]) <= 1.0


def test_a_state_keeps_its_sums_and_none_where_nobody_learns(tmp_path):
    setup = Setup(RuleSet(2), ("shark", "easy"), 1, session=4)
    alone = Alone(lambda: open_blocks(setup, logged=False, kernel="numpy", seconds=1.0))
    with_sums = run(new_state(setup, 6, None, None), alone, seen=lambda _: None).state
    assert with_sums.tally.sessions.any()
    without = new_state(Setup(RuleSet(), ("hard", "easy"), 1), 100, None, None)
    path = tmp_path / "run.json"
    RunFile(path).save(with_sums)
    again = saved.load(path)
    assert (again.tally.sessions == with_sums.tally.sessions).all()
    assert again.setup == with_sums.setup
    RunFile(path).save(without)
    assert set(json.loads(path.read_bytes())["tally"]) == {"played", "wins", "events"}
    assert saved.load(path).tally.sessions is None
