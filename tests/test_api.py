"""The library as a program outside uses it: its figures agree with one another."""

import doctest
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mia_cli import api
from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.policy import PolicyPlayer
from mia_cli.engine.seed import Stream, first_leader
from mia_cli.players import levels, registry
from mia_cli.players.names import FIXED, LEVELS
from mia_cli.records.record import encode_line, encode_record
from mia_cli.rules.errors import BadRecord, BadRuleSet, CannotRead, NotAllowed, Unwritable
from mia_cli.rules.events import MatchOver
from mia_cli.rules.match import start
from mia_cli.rules.rolls import CLAIMS, ROLLS
from tests.cli.in_process import full
from tests.played_matches import played, simulated, some, write

QUICK = api.Rules(2, 1)
RULES = [QUICK, api.Rules(3, 2)]


def erratic(seed):
    """A policy drawn at random, with many zeros."""
    random = np.random.default_rng(seed)
    weights = random.random((21, 21, 21)) ** 4 * (random.random((21, 21, 21)) < 0.5)
    weights[..., 20] += 1e-3
    legal = np.array([[claim.position > standing for claim in CLAIMS] for standing in range(21)])
    return api.policy(claims=weights * legal[:, None, :], challenges=random.random((21, 21)) ** 2)


class Asked:
    """A Player object around a policy, which cannot be seen to be one."""

    def __init__(self, policy):
        self._player = PolicyPlayer(policy)

    def claim(self, seen, uniform):
        assert isinstance(seen, api.Observation)
        return self._player.claim(seen, uniform)

    def answer(self, seen, uniform):
        return self._player.answer(seen, uniform)


def test_what_is_shown_beside_the_functions_is_true():
    found = doctest.testmod(api)
    assert found.attempted > 12
    assert found.failed == 0


def test_rules_are_those_of_the_game():
    assert api.Rules() == api.Rules(3, 1)
    with pytest.raises(api.MiaError) as caught:
        api.Rules(lives=4)
    assert caught.value.fields["allowed"] == (2, 3, 5)


# Policies


def test_a_policy_is_the_same_by_functions_and_by_tables():
    level = levels.policy("hard", QUICK)
    tables = api.policy(claims=level.claims, challenges=level.challenges)
    arrays = api.policy(claims=np.array(level.claims), challenges=np.array(level.challenges))
    functions = api.policy(
        claims=lambda above, roll: level.claim_row(above, roll)[-len(api.claims_above(above)) :],
        challenges=level.challenge_probability,
    )
    named = api.policy(
        claims=lambda above, roll: {
            claim.name: chance
            for claim, chance in zip(CLAIMS, level.claim_row(above, roll), strict=True)
            if chance
        },
        challenges=np.array(level.challenges),
    )
    for one in (tables, arrays, functions, named):
        assert np.allclose(one.claims, level.claims, atol=1e-15)
        assert one.challenges == level.challenges


def test_a_claim_alone_is_made_always():
    by_name = api.policy(claims=lambda above, roll: "21", challenges=lambda above, claim: 0)
    by_claim = api.policy(claims=lambda above, roll: CLAIMS[-1], challenges=lambda above, claim: 0)
    assert by_name == by_claim
    assert all(by_name.claim_row(None, roll)[-1] == 1.0 for roll in ROLLS)
    assert all(
        by_name.challenge_probability(None, claim) == (claim.name == "21") for claim in CLAIMS
    )


@pytest.mark.parametrize(
    ("claims", "challenges", "error", "code"),
    [
        (lambda above, roll: "31", lambda *_: 0.5, BadRuleSet, "bad_weights"),
        (lambda above, roll: "77", lambda *_: 0.5, CannotRead, "not_a_roll"),
        (lambda above, roll: [1.0], lambda *_: 0.5, BadRuleSet, "bad_weights"),
        (lambda above, roll: {CLAIMS[-1]: -1.0}, lambda *_: 0.5, BadRuleSet, "bad_weights"),
        (np.ones((21, 21, 21)), lambda *_: 0.5, BadRuleSet, "bad_weights"),
        (np.ones((21, 21)), lambda *_: 0.5, BadRuleSet, "bad_shape"),
        ([[1.0], [1.0, 2.0]], lambda *_: 0.5, BadRuleSet, "bad_shape"),
        (lambda above, roll: "21", lambda *_: 1.5, BadRuleSet, "bad_chance"),
        (lambda above, roll: "21", np.zeros((20, 21)), BadRuleSet, "bad_shape"),
        (lambda above, roll: "21", np.full((21, 21), np.nan), BadRuleSet, "bad_chance"),
    ],
)
def test_what_is_no_policy_is_refused_with_its_place(claims, challenges, error, code):
    with pytest.raises(error) as caught:
        api.policy(claims=claims, challenges=challenges)
    assert caught.value.code == code


# One match


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", [0, 7, -3])
def test_a_match_is_that_of_the_engine_and_repeatable(seats, seed):
    names = ["hard", "expert", "easy"][:seats]
    players = [registry.make(name, QUICK, seats) for name in names]
    table = Table(*start(QUICK, seats, first_leader(seed, seats)))
    for _ in run(table, players, SeededDice(seed), lambda seat: Stream(seed, f"seat {seat}")):
        pass
    assert list(api.play(names, QUICK, seed=seed)) == table.events
    assert list(api.play(names, QUICK, seed=seed)) == table.events
    mixed = [names[0], api.solve(QUICK, seats=seats), *names[2:]]
    assert list(api.play(mixed, QUICK, seed=seed)) == table.events


def test_a_match_without_a_seed_is_drawn_and_the_leader_can_be_named():
    firsts = {next(api.play(["easy"] * 6, first=seat)).leader for seat in range(1, 7)}
    assert firsts == set(range(1, 7))
    assert len({tuple(api.play(["easy"] * 2, QUICK)) for _ in range(3)}) == 3
    with pytest.raises(BadRuleSet):
        api.play(["easy"] * 2, first=3)


def test_every_level_plays_by_its_name_the_shark_too():
    for level in LEVELS:
        *_, last = api.play([level, level, "easy"], QUICK, seed=1)
        assert isinstance(last, MatchOver)


def test_what_an_object_does_against_the_rules_is_an_error():
    class Wrong:
        def claim(self, seen, uniform):
            return CLAIMS[0]

        def answer(self, seen, uniform):
            return api.Accept()

    with pytest.raises(NotAllowed, match="claim_too_low"):
        list(api.play([Wrong()] * 2, QUICK, seed=1))


# Many matches, and none


@settings(max_examples=6)
@given(st.integers(0, 2**32), st.sampled_from(RULES), st.sampled_from([2, 3]))
def test_what_is_played_lies_about_what_is_computed(seed, rules, seats):
    players = [erratic(seed), "normal", "expert"][:seats]
    exact = api.evaluate(players, rules).wins
    found = api.simulate(players, rules, matches=20_000, seed=seed)
    assert exact.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.kernel and found.wins.sum() == found.matches == 20_000
    low, high = found.interval.T
    half = (high - low) / 2
    # Five standard errors: an interval of 95 % is about two on each side.
    assert (np.abs(exact - found.win_rate) < 2.5 * half + 1e-9).all()
    assert ((low <= found.win_rate) & (found.win_rate <= high)).all()


def test_objects_are_asked_and_play_as_their_tables_do():
    policy = erratic(5)
    exact = api.evaluate([policy, "easy"], QUICK).wins
    asked = api.simulate([Asked(policy), "easy"], QUICK, matches=2000, seed=3)
    assert asked.kernel is None
    assert (np.abs(asked.win_rate - exact) < 2.5 * np.ptp(asked.interval, axis=1) / 2).all()
    again = api.simulate([Asked(policy), "easy"], QUICK, matches=2000, seed=3, jobs=2)
    assert (again.wins == asked.wins).all()
    with pytest.raises(NotAllowed, match="not_exact"):
        api.evaluate([Asked(policy), "easy"], QUICK)


def test_seeds_and_jobs():
    first = api.simulate(["easy", "hard"], QUICK, matches=300_000, seed=1)
    jobs = api.simulate(["easy", "hard"], QUICK, matches=300_000, seed=1, jobs=2)
    other = api.simulate(["easy", "hard"], QUICK, matches=300_000, seed=2)
    assert (first.wins == jobs.wins).all() and (first.wins != other.wins).any()
    drawn = api.simulate(["easy", "hard"], QUICK, matches=10)
    assert (
        api.simulate(["easy", "hard"], QUICK, matches=10, seed=drawn.seed).wins == drawn.wins
    ).all()


def test_the_same_figures_as_the_command():
    words = ("simulate", "--cpu", "easy", "--cpu", "hard", "--json")
    players = json.loads(full(*words, "-n", "5000", "--seed", "7").out)["players"]
    found = api.simulate(["easy", "hard"], matches=5000, seed=7)
    assert [one["wins"] for one in players] == found.wins.tolist()
    assert [one["ci95"] for one in players] == found.interval.tolist()
    players = json.loads(full(*words, "--exact").out)["players"]
    assert [one["win_rate"] for one in players] == api.evaluate(["easy", "hard"]).wins.tolist()


def test_the_shark_learns_in_simulate_as_in_the_command():
    found = api.simulate(["shark", "easy"], QUICK, matches=40, seed=3)
    assert found.kernel is None and found.win_rate[0] > 0.6


def test_what_an_object_raises_comes_through():
    class Broken(Asked):
        def answer(self, seen, uniform):
            raise RuntimeError("out of ideas")

    with pytest.raises(RuntimeError, match="out of ideas"):
        api.simulate([Broken(erratic(1)), "easy"], QUICK, matches=10)


# Best responses and the solution


@settings(max_examples=6)
@given(st.integers(0, 2**32), st.sampled_from(RULES))
def test_a_best_response_reaches_the_ceiling_and_nobody_more(seed, rules):
    victim = erratic(seed)
    most, best = api.ceiling(victim, rules), api.respond(victim, rules)
    assert api.evaluate([best, victim], rules).wins[0] == pytest.approx(most.value, abs=1e-12)
    assert most.exploitability == pytest.approx(most.value - 0.5, abs=1e-15)
    for other in ("hard", "expert", erratic(seed + 1), api.respond("easy", rules)):
        assert api.evaluate([other, victim], rules).wins[0] <= most.value + 1e-12
    found = api.simulate([best, victim], rules, matches=20_000, seed=1)
    assert found.kernel
    assert abs(found.win_rate[0] - most.value) < 2.5 * np.ptp(found.interval[0]) / 2 + 1e-9


@pytest.mark.parametrize("seats", [3, 4])
def test_a_best_response_at_larger_tables(seats):
    most, best = (make("normal", QUICK, seats=seats) for make in (api.ceiling, api.respond))
    wins = api.evaluate([best, *["normal"] * (seats - 1)], QUICK).wins
    assert wins[0] == pytest.approx(most.value, abs=1e-12)
    assert most.exploitability == pytest.approx(most.value - 1 / seats, abs=1e-15)


def test_a_best_response_sits_down_as_a_player():
    best = api.respond("easy", QUICK)
    found = api.simulate([Decides(best), "easy"], QUICK, matches=1000, seed=2)
    exact = api.ceiling("easy", QUICK).value
    assert abs(found.win_rate[0] - exact) < 2.5 * np.ptp(found.interval[0]) / 2
    with pytest.raises(BadRuleSet, match="not_solved"):
        list(api.play([best, "easy"], api.Rules(5, 1), seed=1))


class Decides:
    """The decisions of a player alone: its tables do not show."""

    def __init__(self, player):
        self.claim, self.answer = player.claim, player.answer


@pytest.mark.parametrize("rules", RULES)
def test_the_solution_cannot_be_beaten_and_is_the_expert(rules):
    solution = api.solve(rules, seats=2)
    leader = solution.values((rules.lives, rules.lives))[0]
    assert api.evaluate(["expert", solution], rules).wins == pytest.approx([0.5, 0.5], abs=1e-12)
    assert api.ceiling(solution, rules).value == pytest.approx(0.5, abs=1e-12)
    firsts = api.simulate([solution, "expert"], rules, matches=20_000, seed=4)
    assert abs(firsts.win_rate[0] - 0.5) < 0.02
    assert 0.5 < leader < 0.6
    assert solution.to_efg((1, 1)).startswith("EFG 2 R")


def test_three_seats_are_solved_too():
    assert api.solve(QUICK, seats=3).values((2, 2, 2)).sum() == pytest.approx(1.0, abs=1e-12)


# Records


def test_records_and_turns_of_a_folder_a_file_a_log_and_memory(tmp_path, isolated):
    records = list(some(20))
    write(isolated / "data" / "matches", records)
    folder, log = isolated / "data" / "matches", tmp_path / "log.jsonl"
    log.write_bytes(b"".join(map(encode_line, records)))
    single = folder / f"{records[0].id}.json"
    rows = list(api.turns(records))
    assert rows == list(api.turns()) == list(api.turns(folder)) == list(api.turns(str(log)))
    assert list(api.turns(single)) == [row for row in rows if row["match"] == records[0].id]
    assert Counter(row["match"] for row in rows) == {
        one.id: claims for one in records if (claims := _claims(one))
    }
    for found in (api.read_records(), api.read_records(folder), api.read_records(str(log))):
        assert list(found) == records
    assert list(api.read_records(single)) == records[:1]
    assert all(isinstance(record, api.MatchRecord) for record in api.read_records())


def _claims(record):
    return sum(type(event).__name__ == "Claimed" for event in record.events)


def test_nobody_has_records_before_the_first_match(isolated):
    assert list(api.turns()) == list(api.read_records()) == []


def test_turns_are_the_rows_of_the_command(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(encode_line(simulated(number)) for number in range(5)))
    out = tmp_path / "t.jsonl"
    assert full("stats", str(log), "--turns", str(out)).code == 0
    assert [json.loads(line) for line in out.read_text().splitlines()] == list(api.turns(log))


def test_damaged_records_are_raised_or_told(tmp_path):
    record = played(3)
    log = tmp_path / "log.jsonl"
    log.write_bytes(encode_line(record) + b"{broken\n" + encode_line(replace(record, id="m-2")))
    for read in (api.turns, api.read_records):
        with pytest.raises(BadRecord) as caught:
            list(read(log))
        assert caught.value.fields["file"] == f"{log}:2"
        told = []
        found = list(read(log, on_problem=told.append))
        assert found and [error.code for error in told] == ["not_json"]
        with pytest.raises(Unwritable, match="cannot_read"):
            list(read(tmp_path / "none"))


def test_a_damaged_file_in_a_folder(tmp_path):
    write(tmp_path, [played(3)])
    (tmp_path / "bad.json").write_bytes(b"{")
    for read in (api.turns, api.read_records):
        told = []
        assert list(read(tmp_path, on_problem=told.append))
        assert [error.fields["file"] for error in told] == [str(tmp_path / "bad.json")]
    with pytest.raises(BadRecord):
        list(api.turns(tmp_path))


def test_what_contradicts_the_rules_is_no_turn():
    record = played(3)
    cut = replace(record, events=record.events[:-2])
    with pytest.raises(BadRecord):
        list(api.turns([cut]))


# What is refused


@pytest.mark.parametrize(
    "call",
    [
        lambda: api.play(["easy", "nobody"]),
        lambda: api.play(["easy", object()]),
        lambda: api.simulate(["bot:x", "easy"]),
        lambda: api.ceiling("Easy"),
        lambda: api.respond(3),
        lambda: api.evaluate([None, "easy"]),
    ],
)
def test_who_is_no_player_is_named(call):
    with pytest.raises(BadRuleSet) as caught:
        call()
    assert caught.value.code == "not_playable"
    assert caught.value.fields["allowed"] == LEVELS


@pytest.mark.parametrize(
    "call",
    [
        lambda: api.evaluate(["shark", "easy"]),
        lambda: api.ceiling("shark"),
        lambda: api.respond("shark"),
    ],
)
def test_what_needs_tables_says_so(call):
    with pytest.raises(NotAllowed) as caught:
        call()
    assert caught.value.code == "not_exact"
    assert caught.value.fields["allowed"] == FIXED


@pytest.mark.parametrize(
    ("call", "key"),
    [
        (lambda: api.simulate(["easy"]), "players"),
        (lambda: api.play(["easy"] * 7), "players"),
        (lambda: api.evaluate([]), "players"),
        (lambda: api.solve(seats=7), "players"),
        (lambda: api.simulate(["easy"] * 2, matches=0), "matches"),
        (lambda: api.simulate(["easy"] * 2, jobs=-1), "jobs"),
    ],
)
def test_numbers_that_cannot_be(call, key):
    with pytest.raises(BadRuleSet) as caught:
        call()
    assert (caught.value.code, caught.value.fields["key"]) == ("bad_rule", key)


def test_records_of_a_file_are_those_that_were_written(tmp_path):
    path = tmp_path / "one.json"
    path.write_bytes(encode_record(played(1)))
    assert list(api.read_records(path)) == [played(1)]
