"""Every way a bot can go wrong has its cause, and ends in time."""

from __future__ import annotations

import contextlib
import gc
import json
import pickle
import sys
import time
import tracemalloc
import weakref
from pathlib import Path

import pytest

from mia_cli.players.bot.fault import CAUSES, BotFault
from mia_cli.players.bot.player import Bot, BotLimits
from mia_cli.rules.match import Challenge
from mia_cli.text.errors.sentences import codes, sentence
from tests.players.bot.bot_tables import (
    HASTY,
    HASTY_BUT_SLOW_TO_START,
    PATIENT,
    begin,
    nasty,
    open_descriptors,
    seen_answer,
    seen_claim,
)

MISSING = "/nowhere/to/be/found"


def fault_of(bot: Bot, seen=None) -> BotFault:
    """The fault of a bot at its first decision of a match; nothing of it runs on."""
    begin(bot)
    seen = seen or seen_answer()
    with bot, pytest.raises(BotFault) as caught:
        bot.claim(seen, 0.5) if seen.decision == "claim" else bot.answer(seen, 0.5)
    return caught.value


IN_TIME = [
    ("exit_at_once", "exited"),
    ("crash", "exited"),
    ("killed", "exited"),
    ("closes_stdout", "closed"),
    ("flood_lines", "not_json"),
    ("flood_one_line", "flood"),
    ("flood_blank", "flood"),
    ("flood_before_asked", "not_json"),
    ("half_line_and_exit", "half_line"),
    ("garbage", "not_json"),
]
TOO_LATE = [
    ("silence", "timeout"),
    ("half_line", "half_line"),
    ("ignores_sigterm", "timeout"),
    ("deaf", "timeout"),
    ("exit_leaving_child", "exited"),
]


@pytest.mark.parametrize(("kind", "cause"), IN_TIME)
def test_a_fault_that_is_seen_at_once(kind: str, cause: str) -> None:
    assert fault_of(Bot("x", nasty(kind), PATIENT)).cause == cause


@pytest.mark.parametrize(("kind", "cause"), TOO_LATE)
def test_a_fault_that_only_the_clock_shows(kind: str, cause: str) -> None:
    began = time.monotonic()
    assert fault_of(Bot("x", nasty(kind), HASTY)).cause == cause
    assert time.monotonic() - began < HASTY.decision + 2.0


REPLIES = [
    ("null", "bad_reply"),
    ("[]", "bad_reply"),
    ('"55"', "bad_reply"),
    ("{}", "bad_reply"),
    ('{"claim":55}', "bad_reply"),
    ('{"claim":null}', "bad_reply"),
    ('{"claim":["55"]}', "bad_reply"),
    ('{"action":"accept"}', "bad_reply"),
    ("55", "bad_reply"),
    ("mia", "not_json"),
    ("{'claim':'55'}", "not_json"),
    ('{"claim":"55"', "not_json"),
    ("[" * 9000, "not_json"),
    ("9" * 9000, "not_json"),
    ('{"claim":"44"}', "illegal_claim"),
    ('{"claim":"43"}', "illegal_claim"),
    *((json.dumps({"claim": text}), "illegal_claim") for text in ("0", "99", "", "12", "5-5", "é")),
    ('{"claim":"\\ud800"}', "illegal_claim"),
]


@pytest.mark.parametrize(("reply", "cause"), REPLIES, ids=lambda text: text[:20])
def test_a_reply_that_is_no_claim_over_44(reply: str, cause: str) -> None:
    fault = fault_of(Bot("x", nasty("says", reply), PATIENT), seen_claim(above="44"))
    assert fault.cause == cause


@pytest.mark.parametrize(
    ("reply", "claim", "cause"),
    [
        ('{"action":"accept"}', "21", "illegal_answer"),
        ('{"action":"pass"}', "55", "bad_reply"),
        ('{"action":true}', "55", "bad_reply"),
        ('{"claim":"66"}', "55", "bad_reply"),
    ],
)
def test_a_reply_that_is_no_answer(reply: str, claim: str, cause: str) -> None:
    fault = fault_of(Bot("x", nasty("says", reply), PATIENT), seen_answer(claim))
    assert fault.cause == cause


@pytest.mark.parametrize("kind", ["slow", "blank_lines", "in_pieces", "noisy", "good"])
def test_what_is_no_fault(kind: str) -> None:
    with Bot("x", nasty(kind), PATIENT) as bot:
        for _ in range(3):
            begin(bot)
            assert bot.answer(seen_answer(), 0.5) == Challenge()
            assert bot.claim(seen_claim("44"), 0.5).name == "21"


@pytest.mark.parametrize("pause", [0.0, 0.1])
@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("exit_after_reply", "exited"),
        ("closes_stdin", "closed"),
        ("twice", "bad_reply"),
        ("flood_replies", "bad_reply"),
    ],
)
def test_a_fault_after_a_good_reply_belongs_to_the_next_decision(
    kind: str, cause: str, pause: float
) -> None:
    with Bot("x", nasty(kind), HASTY_BUT_SLOW_TO_START) as bot:
        begin(bot)
        bot.answer(seen_answer(), 0.5)
        time.sleep(pause)
        with pytest.raises(BotFault) as caught:
            bot.claim(seen_claim("44"), 0.5)
    assert caught.value.cause == cause
    if cause == "bad_reply":
        assert caught.value.fields["value"] == '{"action": "challenge"}'


@pytest.mark.parametrize("pause", [0.0, 0.3])
@pytest.mark.parametrize(
    ("kind", "first"), [("banner", "ready"), ("flood_before_asked", "x" * 200)]
)
def test_what_a_bot_says_unasked_is_the_reply_whenever_it_came(
    kind: str, first: str, pause: float
) -> None:
    """The first wrong line is quoted, and never a good one after it."""
    with Bot("x", nasty(kind), PATIENT) as bot:
        begin(bot)
        bot.start()
        time.sleep(pause)
        with pytest.raises(BotFault) as caught:
            bot.answer(seen_answer(), 0.5)
    assert (caught.value.cause, caught.value.fields["value"]) == ("not_json", first)


def not_executable(folder: Path) -> Path:
    path = folder / "bot"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o644)
    return path


def no_interpreter(folder: Path) -> Path:
    path = folder / "bot"
    path.write_text(f"#!{MISSING}\n")
    path.chmod(0o755)
    return path


def no_program(folder: Path) -> Path:
    path = folder / "bot"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    "program", [not_executable, no_interpreter, no_program, lambda folder: folder, None]
)
def test_a_program_that_does_not_start(program, tmp_path: Path) -> None:
    path = Path(MISSING) if program is None else program(tmp_path)
    descriptors = open_descriptors()
    with pytest.raises(BotFault) as caught:
        Bot("x", str(path)).start()
    assert caught.value.cause == "failed_to_start"
    assert str(path) in sentence(caught.value)
    assert open_descriptors() == descriptors


def test_a_fault_that_a_bot_remembers_holds_nothing_of_what_went_on_when_it_was_met() -> None:
    """Such as the file of a run, and its lock."""

    class Held:
        pass

    def meets(bot: Bot) -> weakref.ref[Held]:
        held = Held()
        with contextlib.suppress(BotFault):
            bot.claim(seen_claim(), 0.5)
        return weakref.ref(held)

    with Bot("x", nasty("crash"), PATIENT) as bot:
        begin(bot)
        found = meets(bot)
        gc.collect()
        assert found() is None


def test_the_last_words_on_stderr_come_with_the_fault() -> None:
    fault = fault_of(Bot("x", nasty("crash"), PATIENT))
    assert fault.stderr[-1] == "RuntimeError: the last words"
    assert fault.fields["status"] == "1"
    fault = fault_of(Bot("x", nasty("words_at_the_end"), PATIENT))
    assert fault.stderr == ("the last words",)
    assert fault_of(Bot("x", nasty("killed"), PATIENT)).fields["status"] == "SIGKILL"


@pytest.mark.parametrize("kind", ["noisy", "flood_lines", "flood_one_line", "flood_blank"])
def test_a_flood_costs_no_memory(kind: str) -> None:
    with Bot("x", nasty(kind), PATIENT) as bot:
        begin(bot)
        tracemalloc.start()
        try:
            with contextlib.suppress(BotFault):
                bot.answer(seen_answer(), 0.5)
            assert tracemalloc.get_traced_memory()[1] < 1_000_000
        finally:
            tracemalloc.stop()


def test_every_cause_has_a_sentence_that_uses_its_fields() -> None:
    assert {f"bot_{cause}" for cause in CAUSES} <= set(codes())
    for fault in (
        fault_of(Bot("Ada", nasty("says", "\x1b[31m"), PATIENT)),
        fault_of(Bot("Ada", nasty("says", '{"claim":"0"}'), PATIENT), seen_claim("44")),
        fault_of(Bot("Ada", nasty("says", '{"claim":0}'), PATIENT), seen_claim("44")),
        fault_of(Bot("Ada", nasty("says", '{"action":"accept"}'), PATIENT), seen_answer("21")),
        fault_of(Bot("Ada", nasty("flood_one_line"), PATIENT)),
        fault_of(Bot("Ada", nasty("crash"), PATIENT)),
        fault_of(Bot("Ada", nasty("closes_stdout"), PATIENT)),
        fault_of(Bot("Ada", nasty("silence"), HASTY)),
        fault_of(Bot("Ada", nasty("half_line"), HASTY)),
        fault_of(Bot("Ada", MISSING)),
    ):
        said = sentence(fault)
        assert said.startswith("bot:Ada ")
        assert said.isprintable()
        for field in ("{bot}", "{value}", "{status}", "{stream}", "{limit}", "{seconds}"):
            assert field not in said
        again = pickle.loads(pickle.dumps(fault))
        assert (again.cause, again.fields) == (fault.cause, fault.fields)


def test_a_faulty_bot_says_so_for_the_rest_of_the_match_and_starts_anew_in_the_next(
    tmp_path: Path,
) -> None:
    count = tmp_path / "count"
    with Bot("x", nasty("fails_every_other", str(count)), PATIENT) as bot:
        for seat in (1, 2, 1):
            begin(bot, seat)
            assert bot.answer(seen_answer(), 0.5) == Challenge()
            for _ in range(3):
                with pytest.raises(BotFault) as caught:
                    bot.answer(seen_answer(), 0.5)
                assert (caught.value.cause, caught.value.fields["seat"]) == ("not_json", seat)
    assert count.read_text() == "6"


def starts_until_given_up(bot: Bot, matches: int) -> int:
    """After how many matches a bot is given up; every one of them ends with a fault."""
    given_up = 0
    for number in range(1, matches + 1):
        begin(bot)
        with pytest.raises(BotFault):
            while True:
                bot.answer(seen_answer(), 0.5)
        given_up = given_up or (number if bot.is_given_up else 0)
    return given_up


def test_a_bot_that_never_answers_is_given_up_soon_and_a_weak_one_later(tmp_path: Path) -> None:
    limits = BotLimits(decision=20.0, fruitless=2, faults=4)
    started = time.monotonic()
    with Bot("x", nasty("exit_at_once"), limits) as bot:
        assert starts_until_given_up(bot, 500) == 2
    with Bot("x", nasty("fails_every_other", str(tmp_path / "count")), limits) as bot:
        assert starts_until_given_up(bot, 6) == 4
    assert time.monotonic() - started < 10.0, "a bot that was given up is not started any more"


def test_a_match_without_a_fault_wipes_the_slate(tmp_path: Path) -> None:
    limits = BotLimits(decision=20.0, faults=2)
    with Bot("x", nasty("fails_every_other", str(tmp_path / "count")), limits) as bot:
        for _ in range(4):
            begin(bot)
            bot.answer(seen_answer(), 0.5)
            with pytest.raises(BotFault):
                bot.answer(seen_answer(), 0.5)
            begin(bot)
            bot.answer(seen_answer(), 0.5)
            begin(bot)
            with pytest.raises(BotFault):
                bot.answer(seen_answer(), 0.5)
            begin(bot)
            bot.answer(seen_answer(), 0.5)
            assert not bot.is_given_up
            (tmp_path / "count").write_text("0")


def test_a_byte_order_mark_before_all_a_bot_says_is_dropped_once(tmp_path: Path) -> None:
    program = tmp_path / "marked.py"
    program.write_text(
        "import sys\n"
        "mark = b'\\xef\\xbb\\xbf'\n"
        "for line in sys.stdin.buffer:\n"
        "    if b'\"type\":\"claim\"' in line.replace(b' ', b''):\n"
        '        sys.stdout.buffer.write(mark + b\'{"claim": "21"}\\n\')\n'
        "        sys.stdout.buffer.flush()\n"
        "        mark = b'' if '--once' in sys.argv else mark\n"
    )
    with Bot("x", f"{sys.executable} {program} --once", PATIENT) as bot:
        begin(bot)
        assert bot.claim(seen_claim("44"), 0.5).name == "21"
        assert bot.claim(seen_claim("44"), 0.5).name == "21"
    with Bot("x", f"{sys.executable} {program}", PATIENT) as bot:
        begin(bot)
        assert bot.claim(seen_claim("44"), 0.5).name == "21"
        with pytest.raises(BotFault) as fault:
            bot.claim(seen_claim("44"), 0.5)
        assert fault.value.cause == "not_json"
