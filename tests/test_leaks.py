"""Nothing that somebody may read depends on a roll that he may not know.

A whole match is settled beforehand: what falls and what everybody does. The program plays it twice,
the second time with other dice wherever the roll is hidden from the viewer for good. Whatever the
viewer gets, to the byte, must be the same until the match is over.
"""

import json
import re
import shlex
import sys
from dataclasses import dataclass, replace
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mia_cli.cli.play import session
from mia_cli.cli.play.person import Left
from mia_cli.engine.driver import Table
from mia_cli.engine.driver import run as drive
from mia_cli.engine.player import Decider
from mia_cli.rules.events import Accepted, Challenged, Claimed, Revealed, Rolled
from mia_cli.rules.match import Accept, Challenge, MakeClaim
from mia_cli.rules.rolls import ROLLS
from mia_cli.rules.ruleset import RuleSet
from tests.cli.in_process import full
from tests.examples import examples
from tests.random_play import RANDOMS, play

PERSON = 1
ASIDES = ("help", "odds", "hint", "history", "score", "rank", "rules", "what", "")
_OWN = re.compile(r"[0-9]{8}-[0-9]{4}-[0-9a-z]{6}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
"""Ids and times, which every match has of its own."""

LISTENER = """
import json, sys
replies = json.load(open(sys.argv[2]))
for line in sys.stdin:
    open(sys.argv[1], "a").write(line)
    if json.loads(line)["type"] in ("claim", "answer"):
        print(json.dumps(replies.pop(0)), flush=True)
"""


@dataclass(frozen=True)
class Course:
    """A match: its dice, its events, and everybody's actions in order."""

    seats: int
    leader: int
    rules: RuleSet
    dice: tuple
    events: tuple
    actions: dict

    def hidden_from(self, viewer):
        """The numbers of the rolls of others that no challenge shows."""
        rolled, number, owner = set(), -1, None
        for event in self.events:
            if isinstance(event, Rolled):
                number, owner = number + 1, event.seat
                if owner != viewer:
                    rolled.add(number)
            elif isinstance(event, Revealed):
                rolled.discard(number)
        return rolled

    def disguised(self, viewer, random):
        """The same for the viewer: another roll wherever it is hidden for good."""
        hidden = self.hidden_from(viewer)
        others = [
            random.choice([other for other in ROLLS if other != roll]) if number in hidden else roll
            for number, roll in enumerate(self.dice)
        ]
        return replace(self, dice=tuple(others))


def course(random):
    """A random match of random players, in which long rounds leave many rolls hidden."""
    seats, rules = random.choice((2, 3, 3, 4)), RuleSet(2, random.choice((1, 2)))
    leader = random.randint(1, seats)
    events = [e for _, told in play(rules, seats, leader, random, 0.6) for e in told]
    actions = {seat: [] for seat in range(1, seats + 1)}
    for event in events:
        if isinstance(event, Claimed):
            actions[event.seat].append(MakeClaim(event.claim))
        elif isinstance(event, Accepted):
            actions[event.seat].append(Accept())
        elif isinstance(event, Challenged):
            actions[event.seat].append(Challenge())
    dice = tuple(event.roll for event in events if isinstance(event, Rolled))
    return Course(seats, leader, rules, dice, tuple(events), actions)


class Broken(Exception):
    """What a player raises that has a defect."""


def scripted(actions, fails_at=None):
    """A player who does what was settled, whatever it sees; and fails at one decision."""
    waiting, done = list(actions), []

    def decide(seen):
        done.append(seen)
        if len(done) == fails_at:
            raise Broken(str(seen.roll), seen)
        return waiting.pop(0)

    return Decider(decide)


def asked(person, actions):
    """The person, asked as ever, does what was settled, whatever was typed in the end."""
    waiting = list(actions)

    def decide(seen):
        (person.claim if seen.decision == "claim" else person.answer)(seen, 0.0)
        return waiting.pop(0)

    return Decider(decide)


def lines_of(settled, random):
    """What the person types: its actions, with words between them."""
    for action in settled.actions[PERSON]:
        while random.random() < 0.3:
            yield random.choice(ASIDES)
        if isinstance(action, MakeClaim):
            yield action.claim.name
        else:
            yield "a" if isinstance(action, Accept) else "c"


def performed(settled, words, typed, *, bot=None, fails_at=None):
    """The program's play of a settled match; the seat of a bot decides for itself."""

    def run(table: Table, players, dice, stream_for):
        del dice
        players = list(players)
        for seat in range(2, settled.seats + 1):
            if seat != bot:
                players[seat - 1] = scripted(settled.actions[seat], fails_at)
        players[PERSON - 1] = asked(players[PERSON - 1], settled.actions[PERSON])
        yield from drive(table, players, settled.dice.__getitem__, stream_for)
        raise Left  # what follows may look at everything

    lines = "".join(f"{line}\n" for line in typed).encode()
    with patch.object(session, "run", run):
        return full("play", *words, typed=lines)


def options(settled, levels=("easy",)):
    rules = settled.rules
    yield from ("--players", str(settled.seats), "--first", str(settled.leader), "--seed", "1")
    yield from ("--lives", str(rules.lives), "--penalty-21", str(rules.penalty_21))
    yield from (word for level in levels for word in ("--cpu", level))


def plain(text):
    return _OWN.sub("-", text)


def kept(home):
    """Every file of the program, and the one record among them."""
    files = sorted((home / "data").rglob("*.json"))
    return [plain(path.read_text("utf-8")) for path in files]


def emptied(home):
    for path in (home / "data").rglob("*.json"):
        path.unlink()


TRIALS = settings(
    phases=[Phase.explicit, Phase.generate],
    max_examples=examples(5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("words", [(), ("--json",), ("--tutor",)])
@TRIALS
@given(random=RANDOMS)
def test_no_screen_tells_a_hidden_roll(isolated, words, random):
    settled = course(random)
    typed = list(lines_of(settled, random))
    if "--tutor" in words:  # a second time where it comments
        typed = [line for line in typed for _ in range(2)]
    seen = []
    for one in (settled, settled.disguised(PERSON, random)):
        emptied(isolated)
        ended = performed(one, [*options(settled), *words], typed)
        seen.append((ended.code, plain(ended.out), plain(ended.err)))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("as_json", [False, True])
@TRIALS
@given(random=RANDOMS)
def test_no_unfinished_record_tells_a_hidden_roll(isolated, as_json, random):
    """Nor what is said on leaving, on resuming, in lists, statistics and checks of the record."""
    settled = course(random)
    typed = list(lines_of(settled, random))
    typed = typed[: random.randrange(len(typed) + 1)]
    more = ["--json"] if as_json else []
    seen = []
    for one in (settled, settled.disguised(PERSON, random)):
        emptied(isolated)
        ended = performed(one, [*options(settled), *more], typed)
        if any('"status": "finished"' in text for text in kept(isolated)):
            return
        seen.append(
            [
                *(ended.code, plain(ended.out), plain(ended.err), *kept(isolated)),
                *(plain(str(full("review", *words, *more))) for words in (("--list",), ())),
                plain(str(full("stats", *more))),
                plain(performed(one, ["--resume", *more], ["history", "score"]).out),
            ]
        )
    assert seen[0] == seen[1]


@settings(TRIALS, max_examples=examples(3))
@given(random=RANDOMS, watched=st.integers(2, 5))
def test_no_line_to_a_program_tells_a_hidden_roll(tmp_path_factory, random, watched):
    settled = course(random)
    bot = 2 + watched % (settled.seats - 1)
    folder = tmp_path_factory.mktemp("bot")
    listener = folder / "listener.py"
    listener.write_text(LISTENER)
    replies = [_reply(action) for action in settled.actions[bot]]
    (folder / "replies.json").write_text(json.dumps(replies))
    levels = ["bot:it" if seat == bot else "easy" for seat in range(2, settled.seats + 1)]
    seen = []
    for at, one in enumerate((settled, settled.disguised(bot, random))):
        heard = folder / f"heard{at}"
        words = (sys.executable, str(listener), str(heard), str(folder / "replies.json"))
        args = ["--bot", f"it={shlex.join(words)}", "--bot-time", "20", "--json"]
        typed = lines_of(settled, Random(0))
        performed(one, [*options(settled, levels), *args], typed, bot=bot)
        before, over, _ = heard.read_text().partition('{"type":"event","event":"match_over"')
        assert over, "the program hears the whole match"
        seen.append(plain(before))
    assert seen[0] == seen[1]


def _reply(action):
    if isinstance(action, MakeClaim):
        return {"claim": action.claim.name}
    return {"action": "accept" if isinstance(action, Accept) else "challenge"}


@pytest.mark.parametrize("words", [(), ("--json",)])
@TRIALS
@given(random=RANDOMS, fails_at=st.integers(1, 3))
def test_no_report_of_a_defect_tells_a_hidden_roll(isolated, words, random, fails_at):
    settled = course(random)
    args = [*options(settled), *words]
    typed = list(lines_of(settled, random))
    seen = []
    for one in (settled, settled.disguised(PERSON, random)):
        emptied(isolated)
        ended = performed(one, args, typed, fails_at=fails_at)
        if ended.code != 70:
            return
        seen.append([ended.code, plain(ended.out), plain(ended.err), *kept(isolated)])
        assert "Broken" in ended.err
    assert seen[0] == seen[1]


@pytest.mark.parametrize("where", ["mia_cli.cli.play.json_view", "mia_cli.text.play.narrate"])
def test_a_leak_is_found(isolated, monkeypatch, where):
    """The trials can fail: a view that shows everybody everything is caught by them."""
    monkeypatch.setattr(f"{where}.seen_by", lambda event, _viewer: event)
    words = ("--json",) if "json" in where else ()
    trial = test_no_screen_tells_a_hidden_roll.hypothesis.inner_test
    with pytest.raises(AssertionError):
        for seed in range(40):
            trial(isolated, words, Random(seed))
