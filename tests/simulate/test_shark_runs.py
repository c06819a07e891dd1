"""The shark in runs: it learns within a session, and a session is the same however it is played."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from mia_cli.players.shark import Shark
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.events import Rolled
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate import record, saved
from mia_cli.simulate import run as run_module
from mia_cli.simulate.blocks import EngineBlocks, block_size, open_blocks
from mia_cli.simulate.exact import exact
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.round_robin import pair_setups
from mia_cli.simulate.run import look_every, run
from mia_cli.simulate.saved import RunFile, new_state
from mia_cli.simulate.setup import MOST_SESSION, Setup
from mia_cli.simulate.workers.players import WorkerPlayers
from mia_cli.simulate.workers.processes import Alone, Processes
from tests.players.bot.bot_tables import truthful
from tests.simulate.documents import document

SETUP = Setup(RuleSet(2), ("shark", "easy"), seed=11, session=6)


def make(setup, *, logged=False):
    return partial(open_blocks, setup, logged=logged, seconds=20.0)


def play(state, workers, **options):
    return run(state, workers, seen=lambda _state: None, **options)


def test_blocks_are_whole_sessions():
    assert block_size(SETUP, logged=True) == block_size(SETUP, logged=False) == 12
    assert block_size(replace(SETUP, session=40), logged=True) == 40
    assert block_size(replace(SETUP, session=1), logged=True) == 8
    assert look_every(replace(SETUP, session=40)) == 40


def test_any_jobs_interrupted_in_a_session_resumed_and_logged(tmp_path):
    """51 matches are eight sessions and a half; 33 end in the middle of the sixth."""
    create = make(SETUP, logged=True)
    found = []
    for number, workers in enumerate((Alone(create), Processes(create, 2))):
        path = tmp_path / str(number)
        log = RunLog(path)
        found.append((document(play(new_state(SETUP, 51, None, None), workers, log=log)), path))
        log.close()
    wanted, whole = found[0][0], found[0][1].read_bytes()
    assert found[1][0] == wanted and found[1][1].read_bytes() == whole
    keep, path = tmp_path / "run.json", tmp_path / "cut"
    for matches, done in ((33, 0), (35, 33), (51, 35)):
        state = replace(saved.load(keep), matches=matches) if done else None
        state = state or new_state(SETUP, matches, None, None)
        assert state.done == done
        log = RunLog(path, state)
        result = play(state, Alone(create), keep=RunFile(keep), log=log)
        log.close()
    assert document(result) == wanted and path.read_bytes() == whole
    assert wanted["tally"]["sessions"][0][-1] == 9
    # A match alone is the line of the log: its session is played from the start.
    blocks = EngineBlocks(SETUP, WorkerPlayers(SETUP))
    lines = whole.splitlines(keepends=True)
    for match in (40, 3, 41, 42, 17):
        played = blocks.match(match)
        assert record.line(SETUP, match, played.events, played.forfeits) == lines[match]


def test_until_looks_after_whole_sessions_whatever_the_workers(monkeypatch):
    monkeypatch.setattr(run_module, "FIRST_LOOK", 12)
    state = new_state(SETUP, 60, 0.2, None)
    alone = play(state, Alone(make(SETUP)))
    assert alone.narrow and alone.state.done % SETUP.session == 0 and alone.state.done < 60
    assert document(play(state, Processes(make(SETUP), 2))) == document(alone)
    fixed = play(new_state(SETUP, alone.state.done, None, None), Alone(make(SETUP)))
    assert fixed.state.tally.to_json() == alone.state.tally.to_json()


def test_what_was_learned_is_used_in_the_session_and_forgotten_after_it():
    """Other sessions than the first do not matter to a match, earlier matches of its own do."""
    setup = replace(SETUP, session=20)
    blocks = EngineBlocks(setup, WorkerPlayers(setup))
    in_order = [blocks.match(match).events for match in range(40)]
    late = EngineBlocks(setup, WorkerPlayers(setup))
    assert [late.match(match).events for match in range(20, 40)] == in_order[20:]
    alone = replace(setup, session=1, seating="fixed")
    together = replace(setup, seating="fixed")
    fresh = EngineBlocks(alone, WorkerPlayers(alone))
    learned = EngineBlocks(together, WorkerPlayers(together))
    pairs = [(fresh.match(m).events, learned.match(m).events) for m in range(20)]
    assert pairs[0][0] == pairs[0][1]
    assert sum(one != other for one, other in pairs) > 3


def test_each_shark_sees_what_its_seat_may_know(monkeypatch):
    heard = []
    plain = Shark.end_match

    def noting(self, history):
        heard.append((id(self), history))
        plain(self, history)

    monkeypatch.setattr(Shark, "end_match", noting)
    setup = Setup(RuleSet(2), ("shark", "hard", "shark"), seed=3, session=4)
    cast = WorkerPlayers(setup)
    blocks = EngineBlocks(setup, cast)
    for match in range(4):
        heard.clear()
        events = blocks.match(match).events
        order = setup.seating_of(match).order
        assert [shark for shark, _ in heard] == [id(cast.players[0]), id(cast.players[2])]
        for at, (_, history) in zip((0, 2), heard, strict=True):
            assert len(history) == len(events)
            rolls = [event for event in history if isinstance(event, Rolled)]
            for event in rolls:
                assert (event.roll is not None) == (order[event.seat - 1] == at)


@pytest.mark.parametrize(
    ("players", "penalty", "matches"),
    [
        (("shark", "expert"), 2, 4),
        (("expert", "shark", "normal"), 1, 3),
        (("shark", "easy", "hard", "normal", "expert", "shark"), 2, 1),
    ],
)
def test_tables_of_all_kinds_are_repeatable(players, penalty, matches):
    setup = Setup(RuleSet(2, penalty), players, seed=4, session=3)
    found = [make(setup, logged=True)().play(0, matches) for _ in range(2)]
    assert found[0].log == found[1].log and found[0].tally.wins.sum() == matches


def test_a_shark_against_a_program():
    setup = Setup(
        RuleSet(2), ("shark", "bot:x"), seed=4, session=5, commands=(("x", truthful("py")),)
    )
    state = new_state(setup, 12, None, None)
    alone = document(play(state, Alone(make(setup))))
    assert document(play(state, Processes(make(setup), 2))) == alone
    assert alone["faults"] == []


def test_it_gets_better_in_the_course_of_a_session(tmp_path):
    setup = replace(SETUP, session=60)
    blocks = EngineBlocks(setup, WorkerPlayers(setup))
    wins = 0
    for match in range(60):
        seat = setup.seating_of(match).order.index(0) + 1
        wins += blocks.match(match).events[-1].winner == seat
    assert wins > 42


def test_pairs_of_a_round_robin_have_sessions_where_somebody_learns():
    shared = Setup(RuleSet(2), ("easy", "hard"), seed=1)
    setups = pair_setups(shared, ("easy", "shark", "hard"), 40)
    assert [setup.session for setup in setups] == [40, 1, 40]
    for setup in setups:
        seats = [setup.seating_of(setup.first + at).order for at in range(40)]
        assert len(set(seats)) == 1 and setup.place_in_session(setup.first) == 0
    later = replace(setups[2], session=3)
    found = [
        EngineBlocks(later, WorkerPlayers(later)).match(later.first + at).events for at in range(2)
    ]
    assert found[0] != found[1]


def test_what_cannot_be():
    with pytest.raises(NotAllowed) as caught:
        exact(SETUP)
    assert caught.value.fields["value"] == "shark"
    for players, session in ((("easy", "hard"), 2), (("shark", "hard"), MOST_SESSION + 1)):
        with pytest.raises(BadRuleSet):
            Setup(RuleSet(), players, 1, session=session)


def test_a_state_of_tables_has_nothing_of_sessions():
    state = saved.to_json(new_state(Setup(RuleSet(), ("easy", "hard"), 1), 10, None, None))
    assert state["session"] == 1 and "sessions" not in json.dumps(state["tally"])
