"""Programs in runs: what they hear, what their faults cost, and that none is left behind."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mia_cli.engine.seed import fingerprint
from mia_cli.players.bot.fault import BotFault, Broken, bot_fault
from mia_cli.records.record import from_json
from mia_cli.records.replay import replay
from mia_cli.rules.errors import BadRecord
from mia_cli.rules.events import LivesLost, MatchOver, Out, RoundStarted
from mia_cli.rules.match import Accept, Challenge
from mia_cli.rules.rolls import claims_above
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate import blocks as blocks_module
from mia_cli.simulate import bots as bots_module
from mia_cli.simulate import saved
from mia_cli.simulate.blocks import open_blocks
from mia_cli.simulate.bots import Program, opening
from mia_cli.simulate.engine_match import play_match
from mia_cli.simulate.lockstep.draws import Draws
from mia_cli.simulate.log import RunLog
from mia_cli.simulate.run import run
from mia_cli.simulate.saved import RunFile, new_state
from mia_cli.simulate.seating import seatings
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.processes import Alone, Processes
from tests.players.bot.bot_tables import ends, nasty, seen_answer, truthful
from tests.players.bot.test_bot_protocol import expected, recording
from tests.simulate.documents import document

SEED = 98765432109876543210


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of 4 matches, so that short runs have many."""
    monkeypatch.setattr(blocks_module, "FEW", 4)


def setup_of(players, commands, seed=SEED, lives=2, **more):
    return Setup(RuleSet(lives), players, seed, commands=tuple(commands.items()), **more)


def make(setup, *, logged=False, seconds=20.0, **more):
    return partial(open_blocks, setup, logged=logged, seconds=seconds, **more)


def play(state, workers, **options):
    return run(state, workers, seen=lambda _state: None, **options)


def test_a_bot_hears_the_matches_of_its_seat_and_nothing_else(tmp_path):
    """Byte for byte what the log says that its seat may know: no dice of others, and no seed."""
    paths = {name: tmp_path / name for name in ("x", "y")}
    commands = {name: recording(path) for name, path in paths.items()}
    setup = setup_of(("bot:x", "hard", "bot:y"), commands, lives=3)
    log = RunLog(tmp_path / "log")
    play(new_state(setup, 24, None, None), Alone(make(setup, logged=True)), log=log)
    log.close()
    lines = (tmp_path / "log").read_bytes().splitlines()
    matches = [from_json(json.loads(line)) for line in lines]
    for at, name in ((0, "x"), (2, "y")):
        messages = []
        for number, match in enumerate(matches):
            seating = setup.seating_of(number)
            seat = seating.order.index(at) + 1
            said = expected(replay(match).table, seat, 3, SEED)
            said[1] = {"type": "event", **opening(setup, number, seating)}
            assert said[1]["match"] == f"sim-{number + 1}"
            assert said[1]["seed_fingerprint"] is None
            said[-1]["seed"] = None
            messages += said
        text = paths[name].read_text("ascii")
        assert [json.loads(line) for line in text.splitlines()] == messages
        assert str(SEED) not in text and fingerprint(SEED)[:8] not in text


def test_the_same_for_any_number_of_jobs_interrupted_and_resumed(tmp_path):
    """With faults that come with some rolls: matches before and after them are as they were."""
    commands = {"x": nasty("fears", "66"), "y": truthful("py")}
    setup = setup_of(("bot:x", "bot:y", "normal"), commands)
    create = make(setup, logged=True)
    logs = [tmp_path / str(number) for number in range(3)]
    found = []
    for path, workers in zip(logs, (Alone(create), Processes(create, 2)), strict=False):
        log = RunLog(path)
        result = play(new_state(setup, 60, None, None), workers, log=log)
        log.close()
        found.append((document(result), result.failure.match, path.read_bytes()))
    assert found[0] == found[1]
    state, log = new_state(setup, 21, None, None), RunLog(logs[2])
    keep = tmp_path / "run.json"
    play(state, Processes(create, 2), keep=RunFile(keep), log=log)
    log.close()
    state = replace(saved.load(keep), matches=60)
    log = RunLog(logs[2], state)
    result = play(state, Alone(create), log=log)
    log.close()
    assert document(result) == found[0][0] and logs[2].read_bytes() == found[0][2]
    tally, faults = result.state.tally, result.state.faults
    assert tally.wins.sum() == tally.matches == 60
    assert 0 < faults[0, "exited"] < 60 and set(faults) == {(0, "exited")}
    lines = [json.loads(line) for line in logs[0].read_bytes().splitlines()]
    assert sum(len(line.get("faults", ())) for line in lines) == faults[0, "exited"]
    assert found[0][1] == next(at for at, line in enumerate(lines) if "faults" in line)


@pytest.mark.parametrize("kind", ["twice", "banner"])
def test_the_same_faults_whatever_the_timing(kind):
    """Of programs that say what nobody asked for, at once or after a while; and for two jobs."""
    found = []
    for wait, jobs in (("0", 1), ("0.03", 1), ("0", 2)):
        setup = setup_of(("bot:x", "normal"), {"x": nasty(kind, wait)})
        create = make(setup)
        result = play(
            new_state(setup, 12, None, None), Alone(create) if jobs == 1 else Processes(create, 2)
        )
        quoted = result.failure.fault.fields["value"]
        found.append((document(result)["faults"], result.failure.match, quoted))
    assert found[0] == found[1] == found[2]
    assert found[0][2] == {"banner": "ready", "twice": '{"claim": "21"}'}[kind]


@pytest.mark.parametrize("kind", ["fears", "mumbles"])
def test_a_fault_that_costs_a_life_ends_the_round_and_not_the_match(kind, tmp_path):
    """A wrong reply does not even end the program; one that has ended is started again."""
    pids = tmp_path / "pids"
    argument = "66" if kind == "fears" else str(pids)
    setup = setup_of(("bot:x", "hard"), {"x": nasty(kind, argument)}, lives=3, forgives=True)
    keep = tmp_path / "run.json"
    found = play(new_state(setup, 8, None, None), Alone(make(setup)), keep=RunFile(keep))
    assert saved.load(keep).setup == setup
    wanted = play(new_state(setup, 8, None, None), Processes(make(setup), 2))
    assert document(found) == document(wanted)
    assert found.state.tally.wins.sum() == 8
    blocks = make(setup)()
    try:
        several = False
        for match in range(8):
            played = blocks.match(match)
            for fault in played.forfeits:
                lost, then = played.events[fault.after : fault.after + 2]
                assert isinstance(lost, LivesLost) and (lost.seat, lost.lost) == (fault.seat, 1)
                is_out = not lost.lives[fault.seat - 1]
                assert isinstance(then, Out if is_out else RoundStarted)
            several = several or len(played.forfeits) > 1
    finally:
        blocks.close()
    assert several or kind == "fears"
    if kind == "mumbles":
        assert len(pids.read_text().split()) == 1 + 2 + 1, "one start for each worker"


def test_the_record_of_a_forfeited_match_tells_of_it_and_is_no_regular_one(tmp_path):
    setup = setup_of(("bot:x", "hard"), {"x": nasty("fears", "66")})
    blocks = make(setup, logged=True)()
    try:
        lines = blocks.play(0, 60).log.splitlines()
    finally:
        blocks.close()
    regular = 0
    for line in lines:
        found = from_json(json.loads(line))
        faults = found.extra.get("faults", [])
        if not faults:
            assert replay(found).table.match.winner == found.winner
            regular += 1
            continue
        (fault,) = faults
        assert fault["cause"] == "exited" and found.winner != fault["seat"]
        following = found.events[fault["event"] - 2 :]
        assert isinstance(following[0], LivesLost) and following[0].seat == fault["seat"]
        assert following[1:] == (Out(fault["seat"]), MatchOver(found.winner))
        with pytest.raises(BadRecord) as refused:
            replay(found)
        assert refused.value.code == "forfeited"
        assert refused.value.fields == {"event": fault["event"]}
    assert 0 < regular < 60


class Fails:
    """A player without any habit that fails at its decision with this number."""

    def __init__(self, at=None):
        self.at, self.asked = at, 0

    def _next(self):
        self.asked += 1
        if self.asked - 1 == self.at:
            raise bot_fault(Broken("exited", status="1"), "x", None, ())

    def claim(self, seen, uniform):
        self._next()
        legal = claims_above(seen.above)
        return legal[int(uniform * len(legal) * 0.5)]

    def answer(self, seen, uniform):
        self._next()
        return Challenge() if seen.claim.must_be_challenged or uniform < 0.4 else Accept()


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_seat_that_fails_is_out_and_the_others_play_on(seats):
    """At whatever decision it fails: the match is the same until then, and ends with a winner."""
    rules, seating = RuleSet(3), seatings(seats, "rotate")[1]
    regular = play_match(rules, [Fails() for _ in range(seats)], seating, Draws(5, 1))
    failed = 0
    for at in range(60):
        players, forfeits = [Fails() for _ in range(seats)], []
        players[1] = Fails(at)
        events = play_match(rules, players, seating, Draws(5, 1), forfeits)
        if not forfeits:
            assert events == regular
            break
        failed += 1
        (forfeit,) = forfeits
        seat, after = forfeit.seat, forfeit.after
        assert seating.order[seat - 1] == 1 and players[1].asked == at + 1
        assert events[:after] == regular[:after]
        lost, out, then, *rest = events[after:]
        assert (lost.seat, lost.lives[seat - 1], out) == (seat, 0, Out(seat))
        assert isinstance(then, RoundStarted if rest else MatchOver)
        assert events[-1].winner != seat
        assert all(getattr(event, "seat", 0) != seat for event in rest)
        assert sum(isinstance(event, MatchOver) for event in events) == 1
    assert failed > 2


def test_several_seats_can_fail_in_one_match():
    rules, seating = RuleSet(2), seatings(4, "rotate")[0]
    forfeits = []
    players = [Fails(0), Fails(1), Fails(0), Fails()]
    events = play_match(rules, players, seating, Draws(5, 1), forfeits)
    assert len({forfeit.seat for forfeit in forfeits}) == len(forfeits) == 3
    assert seating.order[events[-1].winner - 1] == 3


def test_a_turn_keeps_its_numbers_whatever_happened_before():
    """After a forfeit too: a decision's number is that of its roll."""
    seen = []

    class Noting(Fails):
        def claim(self, observation, uniform):
            seen.append(("claim", uniform, len(rolls(observation))))
            return super().claim(observation, uniform)

        def answer(self, observation, uniform):
            seen.append(("answer", uniform, len(rolls(observation))))
            return super().answer(observation, uniform)

    def rolls(observation):
        return [event for event in observation.history if type(event).__name__ == "Rolled"]

    for at in range(6):
        words, seating = Draws(8, at), seatings(3, "rotate")[0]
        seen.clear()
        play_match(RuleSet(3), [Noting(), Fails(at), Noting()], seating, words, [])
        for kind, uniform, turn in seen:
            claim, answer = words.claim(turn - 1) / 2**32, words.answer(turn - 1) / 2**31
            assert uniform == (claim if kind == "claim" else answer)
    assert len(seen) > 5


def test_with_stop_a_fault_ends_the_run_before_its_match(tmp_path):
    setup = setup_of(("bot:x", "normal"), {"x": nasty("fears", "66")})
    state = new_state(setup, 60, None, None)
    loses = play(state, Alone(make(setup)))
    for jobs in (1, 2):
        create = make(setup, stop=True)
        workers = Alone(create) if jobs == 1 else Processes(create, jobs)
        keep = tmp_path / "run.json"
        found = play(state, workers, keep=RunFile(keep))
        assert found.stopped and found.failed
        assert found.failure.match == loses.failure.match == found.state.done
        assert found.state.faults == {} and found.state.tally.wins.sum() == found.state.done
        again = play(saved.load(keep), Alone(make(setup)))
        assert document(again) == document(loses)


class Mortal:
    """Plays blocks, but the worker that plays block ``first`` dies, as often as the file says."""

    def __init__(self, setup, first, deaths: Path):
        self._inner, self._first, self._deaths = make(setup)(), first, deaths

    def play(self, first, count):
        part = self._inner.play(first, count)
        left = int(self._deaths.read_text()) if first == self._first else 0
        if left:
            self._deaths.write_text(str(left - 1))
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    def close(self):
        self._inner.close()


def test_a_worker_that_dies_while_bots_play_leaves_none_behind(tmp_path):
    """Not even one that ends neither with its input nor on SIGTERM."""
    pids, deaths = tmp_path / "pids", tmp_path / "deaths"
    deaths.write_text("2")
    setup = setup_of(("bot:x", "bot:y"), {"x": nasty("immortal", str(pids)), "y": truthful("py")})
    state, told = new_state(setup, 40, None, None), []
    wanted = document(play(state, Alone(make(setup))))
    workers = Processes(partial(Mortal, setup, 16, deaths), 2, told.append)
    assert document(play(state, workers)) == wanted
    assert told == [16, 16]
    started = pids.read_text().split()
    assert len(started) == 1 + 2 + 2 and all(ends(int(pid)) for pid in started)


def test_a_bot_is_started_once_in_a_worker_and_again_after_a_fault(tmp_path):
    pids = tmp_path / "pids"
    setup = setup_of(("bot:x", "easy"), {"x": nasty("starts", str(pids))})
    play(new_state(setup, 20, None, None), Alone(make(setup)))
    assert len(pids.read_text().split()) == 1


def fault_after(cause, replies):
    """Replies, and then a fault, as a program whose bot is this list of outcomes gives them."""
    return [None] * replies + [bot_fault(Broken(cause), "x", 1, ())]


class Scripted:
    """In place of a Bot: what comes of its decisions, match by match."""

    def __init__(self, *_):
        self.pid, self.starts, self.script = 0, 0, []

    def start(self):
        self.starts += not self.pid
        self.pid = self.pid or self.starts

    def begin(self, *_):
        pass

    def hear(self, _events):
        pass

    def answer(self, _seen, _uniform):
        outcome = self.script.pop(0)
        if outcome is not None:
            self.pid = 0
            raise outcome
        return Challenge()


@pytest.mark.parametrize(
    ("match", "starts"),
    [
        (fault_after("exited", 0), bots_module.BARREN_STARTS),
        (fault_after("illegal_claim", 0), bots_module.BARREN_STARTS),
        (fault_after("timeout", 0), bots_module.SILENT_STARTS),
        (fault_after("timeout", 2), bots_module.SILENT_MATCHES),
        (fault_after("half_line", 1), bots_module.SILENT_MATCHES),
        (fault_after("exited", 1), 200),
        ([None], 1),
    ],
)
def test_a_program_is_given_up_when_it_costs_time_for_nothing(monkeypatch, match, starts):
    """200 matches, all alike: how often it is started, and that every fault is told."""
    monkeypatch.setattr(bots_module, "Bot", Scripted)
    program, faults = Program("x", "x", None), 0
    program.start()
    for _ in range(200):
        program.begin(1, {})
        program._bot.script = list(match)
        try:
            for _ in match:
                program.answer(seen_answer(), 0.5)
        except BotFault as fault:
            faults += 1
            assert fault.cause == match[-1].cause and fault.fields["seat"] == 1
        program.end([])
    assert faults == (200 if match[-1] else 0)
    # Where a match ends without a decision left over, nothing is started for the last fault.
    assert program._bot.starts == starts


def test_a_good_match_and_a_good_reply_wipe_the_slate(monkeypatch):
    monkeypatch.setattr(bots_module, "Bot", Scripted)
    program = Program("x", "x", None)
    program.start()
    pattern = [fault_after("timeout", 0)] * 2 + [fault_after("timeout", 1)] + [[None]]
    for number in range(200):
        program.begin(1, {})
        program._bot.script = list(pattern[number % 4])
        with pytest.raises(BotFault) if number % 4 < 3 else nullcontext():
            for _ in pattern[number % 4]:
                program.answer(seen_answer(), 0.5)
        program.end([])
    assert program._bot.starts == 151, "the first start, and one after each fault"


def test_a_silent_program_does_not_make_a_run_take_for_ever():
    setup = setup_of(("bot:x", "easy"), {"x": nasty("hangs_after_reply")})
    waiting = bots_module.SILENT_MATCHES * 0.1
    began = time.monotonic()
    found = play(new_state(setup, 400, None, None), Alone(make(setup, seconds=0.1)))
    assert sum(found.state.faults.values()) > 300
    assert found.state.tally.wins.sum() == 400
    assert time.monotonic() - began < 10 * waiting + 10
