"""What proves the sentences of the rules: each function plays one statement on the engine.

Each is called with a table, and fails unless what a sentence says is true at it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise, product

import pytest

from mia_cli import presets
from mia_cli.cli.app import COMMANDS
from mia_cli.engine.seed import first_leader
from mia_cli.files.folders import matches_dir
from mia_cli.rules import events, match
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.examples import DICE
from mia_cli.rules.match import Accept, Challenge, MakeClaim, Match, Throw, apply, legal_actions
from mia_cli.rules.rolls import CLAIMS, OUTCOMES, ROLLS, parse_claim, parse_roll, roll_of_dice
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet, require_seats
from mia_cli.text.play.seats import lives_text
from mia_cli.text.rules import sections
from mia_cli.text.rules.order import order_rows
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.store import tutorial_dir
from tests.cli.in_process import full
from tests.rules_oracle import ORDER, WAYS

RULES = [RuleSet(lives, penalty) for lives, penalty in product(LIVES, PENALTIES)]
MIA = parse_claim("21")
ORDINARY = [claim for claim in CLAIMS if claim is not MIA]


def settled(rules: RuleSet, players: int = 3) -> presets.TableSettings:
    return presets.resolve(
        {},
        rules=None,
        lives=str(rules.lives),
        penalty_21=str(rules.penalty_21),
        players=str(players),
        cpus=(),
    )


@dataclass(frozen=True)
class Table:
    """A table that a sentence speaks of, and the fields of the sentence."""

    rules: RuleSet
    seats: int

    @property
    def told(self) -> Mapping[str, str]:
        return sections.facts(settled(self.rules, self.seats))

    def begun(self, lives: tuple[int, ...] | None = None, leader: int = 1) -> Match:
        """The first position, or one with other lives, its leader about to roll."""
        position, _events = match.start(self.rules, self.seats, leader)
        return position if lives is None else replace(position, lives=lives)


def played(position: Match, *actions: match.Action | str) -> tuple[Match, list[events.Event]]:
    """A position after actions; a name stands for a roll where dice are due, else for a claim."""
    seen: list[events.Event] = []
    for action in actions:
        position, new = apply(position, _meant(position, action))
        seen += new
    return position, seen


def _meant(position: Match, action: match.Action | str) -> match.Action:
    if not isinstance(action, str):
        return action
    dice_are_due = position.phase == "roll"
    return Throw(parse_roll(action)) if dice_are_due else MakeClaim(parse_claim(action))


def only(kind: type, seen: list[events.Event]):
    (found,) = (event for event in seen if isinstance(event, kind))
    return found


def refused(position: Match, action: match.Action) -> bool:
    """True when the rules refuse an action, both ways of asking agreeing."""
    try:
        apply(position, action)
    except NotAllowed:
        assert action not in legal_actions(position)
        return True
    assert action in legal_actions(position)
    return False


def lost(table: Table, roll: str, claim: str, lives: tuple[int, ...] | None = None):
    """Who lost how much when seat 1 claimed and was challenged; the position after it."""
    after, seen = played(table.begun(lives), roll, claim, Challenge())
    found = only(events.LivesLost, seen)
    return found.seat, found.lost, after


def challenger(table: Table) -> int:
    return 1 % table.seats + 1


# Aim and table.


def too_much_or_wrong_doubt_costs_lives(table: Table) -> None:
    for roll, claim in product(ROLLS, CLAIMS):
        seat, amount, _after = lost(table, roll.name, claim.name)
        assert amount >= 1
        assert seat == (1 if claim.exceeds(roll) else challenger(table))


def last_with_lives_wins(table: Table) -> None:
    lives = (1,) + (0,) * (table.seats - 2) + (1,)
    for roll, winner in (("66", 1), ("31", table.seats)):
        after, seen = played(table.begun(lives), roll, "66", Challenge())
        assert only(events.MatchOver, seen).winner == after.winner == winner
        assert [seat for seat, left in enumerate(after.lives, start=1) if left] == [winner]
        assert legal_actions(after) == ()
    after, seen = played(table.begun(), "31", "66", Challenge())
    assert after.winner is None
    assert not any(isinstance(event, events.MatchOver) for event in seen)


def seats_at_a_table(table: Table) -> None:
    told = table.told
    allowed = range(int(told["fewest"]), int(told["most"]) + 1)
    assert [require_seats(seats) for seats in allowed] == list(allowed)
    for seats in (allowed[0] - 1, allowed[-1] + 1):
        with pytest.raises(BadRuleSet):
            match.start(table.rules, seats, 1)
    assert table.begun().seats == int(told["players"]) == table.seats


@cache
def seats_of_a_match(players: int) -> list[str]:
    cpus = ("easy", "normal", "hard", "easy", "normal")[: players - 1]
    named = (word for level in cpus for word in ("--cpu", level))
    out = full("play", "--json", "--players", str(players), *named, "--seed", "1").out
    return [seat["player"] for seat in json.loads(out.splitlines()[0])["seats"]]


def one_person_and_cpu_players(table: Table) -> None:
    you, *others = seats_of_a_match(table.seats)
    assert you == "human"
    assert others == ["easy", "normal", "hard", "easy", "normal"][: table.seats - 1]


def round_by_number(table: Table) -> None:
    position = table.begun()
    for claim in ORDER[: 2 * table.seats]:
        roller = position.roller
        position, _seen = played(position, "31", claim)
        assert position.to_act == roller % table.seats + 1
        position, _seen = played(position, Accept())
    for alive in product((0, 1), repeat=table.seats):
        if sum(alive) >= 2:
            for seat in (number for number, left in enumerate(alive, start=1) if left):
                position, _seen = played(table.begun(alive, seat), "31", "31")
                following = [*range(seat + 1, table.seats + 1), *range(1, seat)]
                assert position.to_act == next(one for one in following if alive[one - 1])


def first_leader_is_drawn(table: Table) -> None:
    drawn = {first_leader(seed, table.seats) for seed in range(200)}
    assert drawn == set(range(1, table.seats + 1))


@cache
def options_of_play() -> str:
    return full("play", "--help").out


def choices_before_a_match(table: Table) -> None:
    for option in ("--players", "--cpu", "--first", "--lives", "--penalty-21"):
        assert f"{option} " in options_of_play()
    told = table.told
    for values, key in ((LIVES, "lives_choices"), (PENALTIES, "penalty_choices")):
        assert re.findall(r"\d+", told[key]) == list(map(str, values))
    choices = product(range(8), range(4))
    assert {pair for pair in choices if is_rule_set(*pair)} == set(product(LIVES, PENALTIES))
    position, seen = match.start(table.rules, table.seats, table.seats)
    assert only(events.RoundStarted, list(seen)).leader == table.seats
    assert position.lives == (table.rules.lives,) * table.seats


def is_rule_set(lives: int, penalty: int) -> bool:
    try:
        RuleSet(lives, penalty)
    except BadRuleSet:
        return False
    return True


def nothing_else_changes(table: Table) -> None:
    assert [field.name for field in fields(RuleSet)] == ["lives", "penalty_21"]
    usual = {one.id: one.text for one in sections.sections(settled(RuleSet()))}
    here = {one.id: one.text for one in sections.sections(settled(table.rules, table.seats))}
    changed = {id_ for id_, text in here.items() if text != usual[id_]}
    assert changed <= {"objective", "reveal", "lives", "examples"}
    assert (
        here["objective"].replace(f"this one {table.seats}.", "this one 3.") == (usual["objective"])
    )


# Roll and claim.


def rolls_in_private(table: Table) -> None:
    position, seen = played(table.begun(), "64")
    assert {action.roll for action in legal_actions(table.begun())} == set(ROLLS)
    for seat in (None, *range(1, table.seats + 1)):
        shown = {events.seen_by(event, seat) for event in seen}
        assert (events.Rolled(1, parse_roll("64")) in shown) == (seat == 1)
    assert match.observation(position, 1, seen).roll is parse_roll("64")


def higher_die_first(table: Table) -> None:
    told = table.told
    assert (int(told["first"]), int(told["second"])) == DICE
    assert told["example"] == roll_of_dice(*DICE).name == roll_of_dice(*reversed(DICE)).name
    for one, other in product(range(1, 7), repeat=2):
        assert roll_of_dice(one, other).name == f"{max(one, other)}{min(one, other)}"
    assert [claim.name for claim in CLAIMS] == [roll.name for roll in ROLLS]


def a_claim_is_one_of_the_rolls_said_to_all(table: Table) -> None:
    position, _seen = played(table.begun(), "31")
    assert len(legal_actions(position)) == len(ROLLS) == int(table.told["count"])
    _position, seen = played(position, "64")
    for seat in (None, *range(1, table.seats + 1)):
        assert events.seen_by(seen[0], seat) == events.Claimed(1, parse_claim("64"))


def others_learn_the_claim_alone(table: Table) -> None:
    views = set()
    for roll in ROLLS:
        position, seen = played(table.begun(), roll.name, "64")
        answering = match.observation(position, challenger(table), seen)
        assert (answering.roll, answering.claim) == (None, parse_claim("64"))
        views.add(answering)
    assert len(views) == 1


# Claims and bluffs.


def anything_may_be_claimed(table: Table) -> None:
    for roll in ROLLS:
        position, _seen = played(table.begun(), roll.name)
        assert [action.claim for action in legal_actions(position)] == list(CLAIMS)


def lower_is_an_understatement_and_higher_a_bluff(table: Table) -> None:
    anything_may_be_claimed(table)
    for roll, claim in product(ROLLS, CLAIMS):
        assert claim.understates(roll) == (ORDER.index(claim.name) < ORDER.index(roll.name))
        assert claim.exceeds(roll) == (ORDER.index(claim.name) > ORDER.index(roll.name))


def first_claim_is_free(table: Table) -> None:
    anything_may_be_claimed(table)
    position, _seen = played(table.begun(), "66", "66", Accept(), "31", "21", Challenge())
    assert position.phase in ("roll", "over")
    if position.phase == "roll":
        assert position.above is None
        position, _seen = played(position, "66")
        assert not refused(position, MakeClaim(CLAIMS[0]))


def later_claims_are_higher(table: Table) -> None:
    for claim in ORDINARY:
        position, _seen = played(table.begun(), "31", claim.name, Accept(), "66")
        legal = [action.claim.name for action in legal_actions(position)]
        assert legal == ORDER[ORDER.index(claim.name) + 1 :]
        assert refused(position, MakeClaim(claim))


def only_mia_is_above_the_top(table: Table) -> None:
    position, _seen = played(table.begun(), "31", table.told["top"], Accept(), "31")
    assert legal_actions(position) == (MakeClaim(parse_claim(table.told["mia"])),)


# Accept or challenge.


def the_next_seat_answers_before_any_roll(table: Table) -> None:
    lives = (1, *(0,) * (table.seats - 2), 1) if table.seats > 2 else None
    for claim in ORDINARY:
        position, _seen = played(table.begun(lives), "31", claim.name)
        assert position.to_act == (table.seats if lives else 2)
        assert legal_actions(position) == (Accept(), Challenge())
        assert refused(position, Throw(ROLLS[0]))


def accepting_means_two_dice_and_higher(table: Table) -> None:
    for claim in ORDINARY:
        position, seen = played(table.begun(), "31", claim.name, Accept())
        assert seen[-1] == events.Accepted(challenger(table))
        assert position.roller == challenger(table)
        assert {action.roll for action in legal_actions(position)} == set(ROLLS)
        assert refused(position, MakeClaim(MIA)), "nothing is claimed without a new roll"
    later_claims_are_higher(table)


def no_challenge_after_the_roll(table: Table) -> None:
    for claim in ORDINARY:
        position, _seen = played(table.begun(), "31", claim.name, Accept())
        assert refused(position, Challenge())
        position, _seen = played(position, "31")
        assert refused(position, Challenge())
        assert refused(position, Accept())


def mia_must_be_challenged(table: Table) -> None:
    for roll in ROLLS:
        position, _seen = played(table.begun(), roll.name, "21")
        assert legal_actions(position) == (Challenge(),)
        assert refused(position, Accept())
    assert CLAIMS[-1] is MIA
    assert not any(claim.beats(MIA) for claim in CLAIMS)


def nothing_is_passed_on(table: Table) -> None:
    for claim in ORDINARY:
        position, _seen = played(table.begun(), "66", claim.name)
        assert all(refused(position, MakeClaim(other)) for other in CLAIMS)
        position, _seen = played(position, Accept())
        assert all(isinstance(action, Throw) for action in legal_actions(position))
        position, _seen = played(position, "66")
        assert refused(position, MakeClaim(claim))


# What a challenge shows.


def only_the_latest_roll_is_shown(table: Table) -> None:
    begun = table.begun()
    history = ("65", "31", Accept(), "54", "41", Accept(), "32", "66", Challenge())
    after, seen = played(begun, *history)
    public = [events.seen_by(event, None) for event in seen]
    named = [event.roll for event in public if getattr(event, "roll", None) is not None]
    assert named == [parse_roll("32")]
    assert only(events.Revealed, public).seat == 3 % table.seats or table.seats == 3
    assert not any(isinstance(event, events.Rolled) and event.roll for event in public)
    if after.phase != "over":
        after, more = played(after, "31", "31")
        seen_later = match.observation(after, after.to_act, [*seen, *more]).history
        own = [event for event in seen_later if isinstance(event, events.Rolled) and event.roll]
        assert all(event.seat == after.to_act for event in own)


def at_least_holds_and_equal_is_enough(table: Table) -> None:
    for roll, claim in product(ROLLS, CLAIMS):
        if ORDER.index(roll.name) >= ORDER.index(claim.name):
            _after, seen = played(table.begun(), roll.name, claim.name, Challenge())
            assert only(events.Revealed, seen).holds
            assert only(events.LivesLost, seen).seat == challenger(table)


def lower_fails(table: Table) -> None:
    for roll, claim in product(ROLLS, CLAIMS):
        if ORDER.index(roll.name) < ORDER.index(claim.name):
            _after, seen = played(table.begun(), roll.name, claim.name, Challenge())
            assert not only(events.Revealed, seen).holds
            assert only(events.LivesLost, seen).seat == 1


def mia_may_be_a_bluff(table: Table) -> None:
    for roll in ROLLS:
        position, _seen = played(table.begun(), roll.name)
        assert not refused(position, MakeClaim(MIA))


def what_mia_costs(table: Table) -> None:
    told = table.told
    for claim in CLAIMS:
        price = told["price"] if claim is MIA else told["one"]
        for roll, loser in (("21", challenger(table)), ("31", 1)):
            if claim.name != "31":
                seat, amount, _after = lost(table, roll, claim.name)
                assert (seat, lives_text(amount)) == (loser, price)


def mia_costs_the_same(table: Table) -> None:
    what_mia_costs(table)
    assert table.told["price"] == table.told["one"]


def mia_costs_more(table: Table) -> None:
    what_mia_costs(table)
    assert table.told["price"] != table.told["one"]


# Lives, and who leads next.


def lives_at_the_start(table: Table) -> None:
    assert {lives_text(left) for left in table.begun().lives} == {table.told["lives"]}
    assert len(table.begun().lives) == table.seats


def a_lost_challenge_costs_what_is_left_at_most(table: Table) -> None:
    what_mia_costs(table)
    for left, claim in product(range(1, table.rules.lives + 1), ("66", "21")):
        seat, amount, after = lost(table, "31", claim, (left,) + (1,) * (table.seats - 1))
        assert seat == 1
        assert amount == min(left, table.rules.penalty_21 if claim == "21" else 1)
        assert after.lives[0] == left - amount >= 0


def the_loser_leads(table: Table) -> None:
    for roll, loser in (("31", 1), ("66", challenger(table))):
        after, seen = played(table.begun(), roll, "66", Challenge())
        assert only(events.RoundStarted, seen).leader == after.roller == loser
        assert after.above is None


def a_loser_without_lives_is_out(table: Table) -> None:
    for loser in range(1, table.seats + 1):
        for others in product((0, 1), repeat=table.seats - 1):
            if sum(others) >= 2:
                lives = (*others[: loser - 1], 1, *others[loser - 1 :])
                after, seen = played(table.begun(lives, loser), "31", "66", Challenge())
                assert only(events.Out, seen).seat == loser
                following = [*range(loser + 1, table.seats + 1), *range(1, loser)]
                assert after.roller == next(seat for seat in following if lives[seat - 1])


# The order of the rolls.


def the_order(table: Table) -> None:
    told = table.told
    assert [roll.name for row in order_rows() for roll in row] == ORDER
    assert roll_of_dice(int(told["low"]), int(told["high"])).name == told["mia"] == ORDER[-1]
    assert parse_roll(told["reversed"]).name == told["mia"]
    assert told["reversed"] not in ORDER
    assert all(left.position < right.position for left, right in pairwise(ROLLS))
    sums = [sum(map(int, roll.name)) for roll in ROLLS]
    assert sums != sorted(sums)


def the_ways_of_the_dice(table: Table) -> None:
    told = table.told
    thrown = [roll_of_dice(*dice).name for dice in product(range(1, 7), repeat=2)]
    assert len(thrown) == OUTCOMES == int(told["outcomes"])
    for name in ORDER:
        key = "double_ways" if name[0] == name[1] else "other_ways"
        assert thrown.count(name) == int(told[key]) == WAYS[name]


# Questions, and how to practise.


def equal_holds(table: Table) -> None:
    for roll in ROLLS:
        assert lost(table, roll.name, roll.name)[0] == challenger(table)


def mia_is_always_challenged(table: Table) -> None:
    mia_must_be_challenged(table)
    mia_may_be_a_bluff(table)
    for roll in ROLLS:
        _position, seen = played(table.begun(), roll.name, "21", Challenge())
        shown = seen[seen.index(events.Claimed(1, MIA)) + 2]
        assert shown == events.Revealed(1, roll, MIA, roll.name == "21")


def rolling_is_accepting(table: Table) -> None:
    no_challenge_after_the_roll(table)
    later_claims_are_higher(table)


def lessons(table: Table) -> None:
    assert "tutorial" in COMMANDS
    assert len(LESSONS) == int(table.told["lessons"])


def progress_is_apart(_table: Table) -> None:
    kept, counted = tutorial_dir(), matches_dir()
    assert not kept.is_relative_to(counted)
    assert not counted.is_relative_to(kept)
    assert full("tutorial", "--lesson", "8", "--seed", "3", typed=b"c\nc\n").code == 3
    assert any(kept.iterdir())
    assert counted_matches() == 0


def counted_matches() -> int:
    return int(json.loads(full("stats", "--json").out)["matches"])


def play_is_a_command(_table: Table) -> None:
    assert "play" in COMMANDS


def practice_is_a_command(_table: Table) -> None:
    assert "practice" in COMMANDS


def practice_is_apart(_table: Table) -> None:
    before, matches = set(tutorial_dir().rglob("*")), counted_matches()
    assert full("practice", "-n", "1", typed=b"c\n31\n21\n").code in (0, 3)
    assert set(tutorial_dir().rglob("*")) - before
    assert counted_matches() == matches


def help_and_rules_at_every_prompt(table: Table) -> None:
    told = table.told
    words = f"{told['help_word']}\n{told['rules_word']}\n"
    for leader, first in (("1", b"Claim anything"), ("2", b"Accept or challenge?")):
        typed = words.encode()
        said = full("play", "--first", leader, "--players", "2", "--seed", "2", typed=typed).out
        assert first.decode() in said
        assert said.count("All the rules: mia rules") == 1
        assert said.count("\nAlso:\n") == 1 and "\n  rules    the rules" in said


def presets_are_listed(_table: Table) -> None:
    name = "own-preset"
    presets.write(presets.Preset(name, RuleSet()), overwrite=True)
    listed = full("rules", "list").out
    for entry in (*presets.shipped(), *presets.users()):
        assert f"\n{entry.name} " in listed
    assert name in listed


def option_then_variable_then_preset_then_built_in(table: Table) -> None:
    told = table.told
    nothing = {"rules": None, "lives": None, "penalty_21": None, "players": None, "cpus": ()}
    option = told["option"].removeprefix("--")
    variable = {told["variable"]: "2"}
    preset = {told["preset_option"].removeprefix("--"): "long"}
    by_variable = {told["preset_variable"]: "long"}
    values = [
        presets.resolve(environ, **{**nothing, **options}).rules.lives
        for environ, options in (
            ({**variable, **by_variable}, {option: "3", **preset}),
            ({**variable, **by_variable}, preset),
            ({}, preset),
            (by_variable, {}),
            ({}, {}),
        )
    ]
    assert values == [3, 2, 5, 5, 3]


# At a prompt.


def a_later_claim(table: Table) -> None:
    later_claims_are_higher(table)
    no_challenge_after_the_roll(table)
    nothing_is_passed_on(table)


def challenged_rolls_decide(table: Table) -> None:
    only_the_latest_roll_is_shown(table)
    at_least_holds_and_equal_is_enough(table)
    lower_fails(table)
    what_mia_costs(table)


def mia_at_a_prompt(table: Table) -> None:
    mia_must_be_challenged(table)
    what_mia_costs(table)
