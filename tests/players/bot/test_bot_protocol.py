"""What a bot hears and is asked, line by line, and that it is all its seat may know."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.engine.driver import Table
from mia_cli.players.bot import messages as bot_messages
from mia_cli.players.bot.fault import CAUSES, Broken
from mia_cli.players.bot.player import Bot
from mia_cli.records.codec import encode_with, match_started
from mia_cli.rules.events import Accepted, Challenged, Claimed, Rolled, seen_by
from mia_cli.rules.match import legal_actions, legal_answers, observation
from mia_cli.rules.rolls import CLAIMS, claims_above
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet
from tests.players.bot.bot_tables import (
    BOTS,
    PATIENT,
    begin,
    head,
    play_match,
    seen_answer,
    seen_claim,
    truthful,
)
from tests.random_play import decisions

README = Path(__file__).resolve().parents[3] / "README.md"
PROGRAMS = ("py", "sh")


def recording(path: Path) -> str:
    """The truthful bot, with every byte it is sent kept in a file."""
    pipe = f"tee {shlex.quote(str(path))} | exec {truthful('py')}"
    return f"sh -c {shlex.quote(pipe)}"


def expected(table: Table, seat: int, seats: int, seed: int) -> list[dict[str, object]]:
    """The messages of a match, made from its events in another way than the bot's."""
    started = match_started(head(seats, table.match.rules, seed))
    said: list[dict[str, object]] = [
        {
            "type": "match",
            "schema": "mia.bot/1",
            "seat": seat,
            "ruleset": {
                "lives": table.match.rules.lives,
                "penalty_21": table.match.rules.penalty_21,
            },
        },
        {"type": "event", **started},
    ]
    above = claim = roll = None
    lives: tuple[int, ...] = ()
    for event in table.events:
        encoded = {"type": "event", **encode_with(event, seed)}
        match event:
            case Rolled():
                roll = encoded["roll"]
                if event.seat != seat:
                    del encoded["roll"]
            case Claimed(by):
                if by == seat:
                    asked = {"type": "claim", "roll": roll, "above": above}
                    said.append({**asked, "lives": list(lives), "seat": seat})
                claim = event.claim.name
            case Accepted(by) | Challenged(by):
                if by == seat:
                    asked = {"type": "answer", "claim": claim, "above": above}
                    said.append({**asked, "lives": list(lives), "seat": seat})
                above = claim
        if encoded["event"] == "round_started":
            above, lives = None, event.lives
        said.append(encoded)
    return said


def test_a_bot_receives_exactly_the_events_of_its_seat_and_its_questions(tmp_path: Path) -> None:
    """Many matches, one process: byte by byte nothing but this, so no hidden roll either."""
    random, path, messages = Random(3), tmp_path / "received", []
    with Bot("x", recording(path), PATIENT) as bot:
        for seed in range(60):
            seats = random.randint(2, 6)
            seat = random.randint(1, seats)
            rules = RuleSet(random.choice(LIVES), random.choice(PENALTIES))
            table = play_match({seat: bot}, seats, seed, rules)
            messages += expected(table, seat, seats, seed)
    received = path.read_text("ascii")
    assert [json.loads(line) for line in received.splitlines()] == messages
    assert " " not in re.sub(r'"name":"[^"]*"', "", received)
    kinds = Counter(message["type"] for message in messages)
    assert min(kinds["claim"], kinds["answer"]) > 200


def test_no_message_names_a_roll_of_another_seat(tmp_path: Path) -> None:
    """Two bots at one table: a roll reaches the bot of its seat alone until it is shown."""
    paths = {seat: tmp_path / str(seat) for seat in (1, 2)}
    bots = {seat: Bot("x", recording(path), PATIENT) for seat, path in paths.items()}
    for seed in range(20):
        play_match(bots, 3, seed)
    for bot in bots.values():
        bot.close()
    for seat, path in paths.items():
        rolled = Counter()
        for line in path.read_text().splitlines():
            message = json.loads(line)
            assert message["seat"] == seat if message["type"] != "event" else True
            if message.get("event") == "rolled":
                assert ("roll" in message) == (message["seat"] == seat)
                rolled[message["seat"] == seat] += 1
        assert min(rolled.values()) > 20


def test_the_requests_have_the_fields_of_the_contract_in_their_order() -> None:
    assert bot_messages.request(seen_answer("55")) == (
        '{"type":"answer","claim":"55","above":null,"lives":[3,3],"seat":1}'
    )
    assert bot_messages.request(seen_claim("44", "33")) == (
        '{"type":"claim","roll":"33","above":"44","lives":[3,3],"seat":1}'
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_bots_of_the_readme_keep_the_contract_of_every_level(program: str) -> None:
    """Legal in every position of random matches; the same whatever the hidden dice."""
    from tests.players.test_contract import decision
    from tests.random_play import disguised

    random, asked = Random(4), Counter()
    with Bot("x", truthful(program), PATIENT) as bot:
        for seats in (2, 3, 6):
            for match, history in decisions(random, seats):
                seen = observation(match, match.to_act, history)
                begin(bot, seen.seat, seats)
                action = decision(bot, seen, 0.5)
                assert action in legal_actions(match)
                other_match, other_history = disguised(match, history, random)
                begin(bot, seen.seat, seats)
                other = observation(other_match, other_match.to_act, other_history)
                assert decision(bot, other, 0.9) == action
                asked[type(action).__name__] += 1
    assert len(asked) == 3, asked


def test_the_bots_of_the_readme_play_alike() -> None:
    with Bot("x", truthful("py"), PATIENT) as one, Bot("y", truthful("sh"), PATIENT) as other:
        for seed in range(15):
            for seats in (2, 4):
                events = play_match({2: one}, seats, seed).events
                assert play_match({2: other}, seats, seed).events == events


def test_a_whole_table_of_bots_ends_its_matches() -> None:
    bots = {seat: Bot("x", truthful(PROGRAMS[seat % 2]), PATIENT) for seat in range(1, 7)}
    for seed in range(3):
        assert play_match(bots, 6, seed).match.winner
    for bot in bots.values():
        bot.close()


def test_a_match_that_is_taken_up_is_told_from_its_beginning(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole", tmp_path / "resumed"
    with Bot("x", recording(whole), PATIENT) as bot:
        table = play_match({1: bot}, 2, 5)
    claims = [at for at, event in enumerate(table.events) if isinstance(event, Claimed)]
    middle = next(at for at in claims[5:] if table.events[at].seat == 1)
    with Bot("x", recording(path), PATIENT) as bot:
        begin(bot, 1, 2, 5)
        seen = replayed(table, middle)
        assert bot.claim(seen, 0.5) == table.events[middle].claim
    events = [line for line in whole.read_text().splitlines() if '"type":"event"' in line]
    told = path.read_text().splitlines()
    assert told[1:-1] == events[: middle + 1]
    assert json.loads(told[-1])["type"] == "claim"


def replayed(table: Table, count: int):
    """What seat 1 sees after the first ``count`` events of a match."""
    from mia_cli.rules.match import Accept, Challenge, MakeClaim, Throw, apply, start

    match, caused = start(table.match.rules, table.match.seats, table.events[0].leader)
    seen = list(caused)
    while len(seen) < count:
        event = table.events[len(seen)]
        action = {
            Rolled: lambda e: Throw(e.roll),
            Claimed: lambda e: MakeClaim(e.claim),
            Accepted: lambda _: Accept(),
            Challenged: lambda _: Challenge(),
        }[type(event)](event)
        match, caused = apply(match, action)
        seen += caused
    assert seen == [*table.events[:count]]
    assert [seen_by(event, 1) for event in seen] == list(observation(match, 1, seen).history)
    return observation(match, 1, seen)


ANY_REPLY = st.binary(max_size=40) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["claim", "action", "x"]) | st.text(), inner)
    ),
).map(lambda value: json.dumps(value).encode())


@given(ANY_REPLY, st.sampled_from((None, *CLAIMS[:-1])), st.sampled_from(CLAIMS))
def test_whatever_is_replied_is_a_legal_decision_or_has_a_cause(line, above, claim) -> None:
    try:
        assert bot_messages.read_claim(line, above) in claims_above(above)
    except Broken as broken:
        assert broken.cause in CAUSES
    try:
        assert bot_messages.read_answer(line, claim) in legal_answers(claim)
    except Broken as broken:
        assert broken.cause in CAUSES


def test_every_legal_claim_is_understood_and_no_other() -> None:
    for above in (None, *CLAIMS[:-1]):
        for claim in CLAIMS:
            line = json.dumps({"claim": claim.name, "why": "further fields are welcome"}).encode()
            if claim.beats(above):
                assert bot_messages.read_claim(line, above) is claim
            else:
                with pytest.raises(Broken):
                    bot_messages.read_claim(line, above)


def test_two_thousand_decisions_a_second_are_within_reach() -> None:
    """Half of that, the best of some tries: the machine may have other work."""
    rates, claiming, answering = [], seen_claim("44"), seen_answer()
    with Bot("x", truthful("py"), PATIENT) as bot:
        begin(bot)
        for _ in range(10):
            began = time.perf_counter()
            for _ in range(100):
                bot.claim(claiming, 0.5)
                bot.answer(answering, 0.5)
            rates.append(200 / (time.perf_counter() - began))
    assert max(rates) > 1000, rates


def test_the_readme_shows_the_bots_that_are_tested_here() -> None:
    """It has the protocol and both bots, word for word, or says nothing of it at all."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    shown = [(BOTS / f"truthful.{suffix}").read_text("utf-8") in blocks for suffix in PROGRAMS]
    assert shown == ["mia.bot/1" in README.read_text("utf-8")] * len(PROGRAMS)
