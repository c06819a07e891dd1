"""``mia play`` against programs: whole matches, matches taken up again, faults, bad options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from mia_cli.cli import outcome
from mia_cli.engine.player import Player
from mia_cli.players import registry
from mia_cli.records.record import read_record
from mia_cli.rules.match import Accept, Answer, Challenge, Observation
from mia_cli.rules.rolls import Claim, claims_above
from mia_cli.rules.ruleset import RuleSet
from tests.cli.in_process import Ended, full
from tests.cli.machine import MIA, environment
from tests.cli.scripted import Script, script
from tests.players.bot.bot_tables import ends, nasty, truthful
from tests.players.bot.test_bot_protocol import recording

BOT = ("--bot", f"x={truthful('py')}")
SEED = 9


class Truthful:
    """What the bots of the README do."""

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """The roll itself if it may be claimed, else the lowest claim there is."""
        del uniform
        legal = claims_above(seen.above)
        return next((claim for claim in legal if claim.name == seen.roll.name), legal[0])

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Challenge from 44 on."""
        del uniform
        return Challenge() if seen.claim.name in ("44", "55", "66", "21") else Accept()


def make(level: str, rules: RuleSet) -> Player:
    return Truthful() if level.startswith("bot:") else registry.make(level, rules)


def told() -> Script:
    return script(SEED, ("bot:x", "normal", "bot:x"), make=make)


TABLE = ("--cpu", "bot:x", "--cpu", "normal", "--cpu", "bot:x", "--seed", str(SEED))


def play(*words: str, lines: tuple[str, ...] = ()) -> Ended:
    return full("play", *words, typed="".join(f"{line}\n" for line in lines).encode())


def records() -> list[Path]:
    return sorted(Path(os.environ["MIA_DATA_DIR"], "matches").glob("*.json"))


def test_a_match_with_bots_is_the_match_the_engine_plays() -> None:
    match = told()
    ended = play(*TABLE, *BOT, lines=match.lines)
    assert (ended.code, ended.err) == (outcome.DONE, "")
    record = read_record(records()[0])
    assert record.events == match.events
    assert [seat.player for seat in record.seats] == ["human", "bot:x", "normal", "bot:x"]
    assert "(bot:x)" in ended.out


def test_a_match_with_bots_can_be_left_and_resumed_after_every_decision() -> None:
    match = told()
    ended = play(*TABLE, *BOT)
    for line in match.lines:
        assert ended.code == outcome.UNFINISHED
        ended = play("--resume", *BOT, lines=(line,))
    assert (ended.code, ended.err) == (outcome.DONE, "")
    assert read_record(records()[0]).events == match.events


def test_a_resumed_match_needs_the_bots_again_and_says_which() -> None:
    play(*TABLE, *BOT)
    before = records()[0].read_bytes()
    for words in ((), ("--bot", "y=true")):
        ended = play("--resume", *words)
        assert (ended.code, ended.out) == (outcome.USAGE, "")
        assert ended.err == "mia: There is no command for bot:x: add --bot x=COMMAND.\n"
    assert records()[0].read_bytes() == before


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--cpu", "bot:x"), "--bot x=COMMAND"),
        (("--cpu", "bot:y", *BOT), "--bot y=COMMAND"),
        (("--cpu", "bot:x", "--bot", "x"), "“x”"),
        (("--cpu", "bot:x", "--bot", ""), "“”"),
        (("--cpu", "bot:x", "--bot", "x="), "bot:x"),
        (("--cpu", "bot:x", "--bot", "x='a"), "'a"),
        (("--bot", "a b=true"), "“a b”"),
        (("--bot", "\x1b=true"), "\\x1b"),
        (("--bot", "x=true", "--bot", "x=false"), "bot:x"),
        (("--bot-time", "0"), "“0”"),
        (("--bot-time", "soon"), "“soon”"),
        (("--cpu", "bot:x", "--bot", "x=/no/such/program"), "/no/such/program: No such file"),
        (("--cpu", "bot:"), "bot:NAME"),
    ],
)
def test_a_bad_bot_is_one_clear_line_and_no_match(words: tuple[str, ...], named: str) -> None:
    ended = play(*words)
    assert (ended.code, ended.out) == (outcome.USAGE, "")
    assert ended.err.count("\n") == 1
    assert named in ended.err
    assert "\x1b" not in ended.err
    assert not records()


FAULTS = [
    ("exit_at_once", "", "exit status 7"),
    ("crash", "", "exit status 1"),
    ("silence", "", "within"),
    ("flood_one_line", "", "more than 16384 bytes"),
    ("half_line_and_exit", "", "half a line"),
    ("garbage", "", "not JSON"),
    ("says", '{"claim":"0"}', "“0”"),
    ("says", '{"claim":"\\u001b[2J"}', "\\x1b[2J"),
]


@pytest.mark.parametrize("face", [(), ("--json",)])
@pytest.mark.parametrize(("kind", "argument", "named"), FAULTS)
def test_a_fault_stops_the_match_which_is_saved_and_can_be_resumed(
    kind: str, argument: str, named: str, face: tuple[str, ...]
) -> None:
    words = ("--players", "2", "--cpu", "bot:x", "--first", "2", "--seed", "4", "--bot-time", "0.1")
    ended = play(*words, *face, "--bot", f"x={nasty(kind, argument)}")
    assert ended.code == outcome.UNFINISHED
    first, *last_words = ended.err.splitlines()
    assert first.startswith("mia: bot:x ")
    assert named in first
    assert ended.err.replace("\n", "").isprintable()
    assert bool(last_words) == (kind == "crash")
    record = read_record(records()[0])
    assert record.winner is None
    if face:
        assert json.loads(ended.out.splitlines()[-1])["event"] == "left"
    else:
        assert f"mia play --resume {record.id}" in ended.out.splitlines()[-1]
    match = script(4, ("bot:x",), leader=2, make=make)
    resumed = play("--resume", record.id, *BOT, lines=match.lines)
    assert resumed.code == outcome.DONE
    assert read_record(records()[0]).events == match.events


def scattering(path: Path) -> tuple[str, ...]:
    """A table with a bot that hears no SIGTERM, and leaves a child that has left its session."""
    bot = ("--cpu", "bot:x", "--bot", f"x={nasty('scatters', str(path))}")
    return "--players", "2", "--first", "2", "--seed", "1", *bot


def test_bots_end_with_the_command_however_the_match_goes(tmp_path: Path) -> None:
    for lines in ((), ("quit",), ("c",) * 30):
        path = tmp_path / "pid"
        path.unlink(missing_ok=True)
        play(*scattering(path), lines=lines)
        pids = path.read_text().split()
        assert len(pids) == 2 and all(ends(int(pid)) for pid in pids)


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_bots_end_with_the_command_whatever_ends_it(number: str, tmp_path: Path) -> None:
    path = tmp_path / "pid"
    with subprocess.Popen(
        (*MIA, "play", *scattering(path), "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        assert any(b'"prompt"' in line for line in running.stdout)
        os.killpg(running.pid, getattr(signal, number))
        running.communicate(timeout=20)
    pids = path.read_text().split()
    assert len(pids) == 2 and all(ends(int(pid)) for pid in pids)
    assert read_record(records()[0]).events, "what was played is saved"


@pytest.mark.parametrize("typed", [True, False])
def test_a_bot_hears_the_fingerprint_of_a_drawn_seed_alone(typed: bool, tmp_path: Path) -> None:
    """A short one follows from it. The person sees it, and the record keeps it."""
    path = tmp_path / "heard"
    bot = ("--cpu", "bot:x", "--bot", f"x={recording(path)}")
    words = ("--players", "2", "--first", "2", *(("--seed", "4") if typed else ()))
    ended = play(*words, *bot, "--json")
    record = read_record(records()[0])
    assert json.loads(ended.out.splitlines()[0])["seed_fingerprint"] == record.seed_fingerprint
    first = path.read_text()
    assert (record.seed_fingerprint in first) == (not typed)
    ended = play("--resume", *bot[2:], lines=("c", "21") * 30)
    assert ended.code == outcome.DONE, ended
    assert '"seed_fingerprint":null' in path.read_text()


def test_a_slow_bot_may_be_given_more_time() -> None:
    words = ("--players", "2", "--cpu", "bot:x", "--first", "2", "--seed", "4")
    began = time.monotonic()
    ended = play(*words, "--bot", f"x={nasty('slow')}", "--bot-time", "30", lines=("c",) * 30)
    assert ended.err == ""
    assert time.monotonic() - began < 20
