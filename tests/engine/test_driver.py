"""The driver: whole matches from a seed, stopped, continued, and with a player exchanged."""

from itertools import islice

import pytest

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.seed import Stream, first_leader, roll_number
from mia_cli.rules.errors import NotAllowed
from mia_cli.rules.events import Accepted, Challenged, Claimed, MatchOver, Revealed, Rolled, seen_by
from mia_cli.rules.match import Accept, Challenge, MakeClaim, Throw, observation, start
from mia_cli.rules.rolls import ROLLS, claims_above
from mia_cli.rules.ruleset import RuleSet
from tests.rules_oracle import seat_after


class Gambler:
    """Decides by its number alone and remembers what it was shown and given."""

    def __init__(self, doubt: float = 0.3) -> None:
        self.doubt = doubt
        self.asked = []

    def claim(self, seen, uniform):
        self.asked.append((seen, uniform))
        legal = claims_above(seen.above)
        return legal[int(uniform * len(legal) * 0.5)]

    def answer(self, seen, uniform):
        self.asked.append((seen, uniform))
        forced = seen.claim.must_be_challenged
        return Challenge() if forced or uniform < self.doubt else Accept()


class Breaks(Gambler):
    """Fails once, at its n-th question."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def _break(self) -> None:
        self.at -= 1
        if self.at == -1:
            raise RuntimeError("the player broke")

    def claim(self, seen, uniform):
        self._break()
        return super().claim(seen, uniform)

    def answer(self, seen, uniform):
        self._break()
        return super().answer(seen, uniform)


def new_table(seed: int, seats: int = 3) -> Table:
    return Table(*start(RuleSet(lives=2), seats, first_leader(seed, seats)))


def steps_of(table: Table, players, seed: int):
    return run(table, players, SeededDice(seed), lambda seat: Stream(seed, str(seat)))


def play(table: Table, players, seed: int) -> list:
    """All events, once the match is over."""
    yielded = [event for events in steps_of(table, players, seed) for event in events]
    assert table.events[-len(yielded) :] == yielded
    return table.events


def rolls_of(events) -> list:
    return [event.roll for event in events if isinstance(event, Rolled)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", [0, 7, -1, 10**99])
def test_a_match_runs_to_its_end_and_again_the_same(seed, seats):
    events = play(new_table(seed, seats), [Gambler() for _ in range(seats)], seed)
    again = play(new_table(seed, seats), [Gambler() for _ in range(seats)], seed)
    assert events == again
    assert isinstance(events[-1], MatchOver)
    assert rolls_of(events) == [roll_number(seed, n) for n in range(len(rolls_of(events)))]


def test_each_seat_gets_its_own_observation_and_number():
    players = [Gambler() for _ in range(4)]
    table = new_table(11, 4)
    play(table, players, 11)
    asked = sorted(
        ((seen, uniform, seat) for seat, p in enumerate(players, 1) for seen, uniform in p.asked),
        key=lambda question: len(question[0].history),
    )
    assert len(asked) == table.decisions
    for number, (seen, uniform, seat) in enumerate(asked):
        assert seen.seat == seat
        assert uniform == Stream(11, str(seat)).uniform(number)
        assert (seen.roll is not None) is (seen.decision == "claim")
        if seen.decision == "answer":
            assert seat == seat_after(seen.roller, list(seen.lives))


def test_the_table_stands_at_the_decision_while_it_is_asked():
    """What is yielded has happened: nothing is decided ahead of the reader."""
    players = [Gambler() for _ in range(3)]
    table = new_table(3)
    for steps, events in enumerate(steps_of(table, players, 3), start=1):
        assert table.events[-len(events) :] == list(events)
        assert table.rolls + table.decisions == steps
        assert sum(len(player.asked) for player in players) == table.decisions


@pytest.mark.parametrize("seed", range(5))
def test_another_player_leaves_dice_and_other_seats_numbers_as_they_were(seed):
    runs = []
    for doubt in (0.0, 0.3, 1.0):
        players = [Gambler(), Gambler(doubt), Gambler()]
        table = new_table(seed)
        runs.append((rolls_of(play(table, players, seed)), players, table))
    longest = max((rolls for rolls, _, _ in runs), key=len)
    assert all(rolls == longest[: len(rolls)] for rolls, _, _ in runs)
    assert len({tuple(table.events) for _, _, table in runs}) > 1
    for _, players, _ in runs:
        for seat in (1, 3):
            numbers = {uniform for _, uniform in players[seat - 1].asked}
            own = Stream(seed, str(seat))
            assert numbers <= {own.uniform(number) for number in range(200)}


def test_a_match_goes_on_after_a_player_broke_at_any_decision():
    whole = play(new_table(7), [Gambler() for _ in range(3)], 7)
    decisions = [0, 0, 0]
    for seat in range(3):
        for at in range(100):
            players = [Gambler() for _ in range(3)]
            players[seat] = Breaks(at)
            table = new_table(7)
            try:
                play(table, players, 7)
            except RuntimeError:
                decisions[seat] += 1
                assert table.match.to_act == seat + 1
                assert table.events == whole[: len(table.events)]
                assert play(table, players, 7) == whole
            else:
                break
    assert min(decisions) > 2 and sum(decisions) == sum(map(is_decision, whole))


def is_decision(event) -> bool:
    return isinstance(event, Claimed | Accepted | Challenged)


def test_a_table_taken_up_from_its_position_and_events_goes_on_the_same():
    whole_table = new_table(7)
    whole = play(whole_table, [Gambler() for _ in range(3)], 7)
    steps = whole_table.rolls + whole_table.decisions
    for stop in range(steps):
        table = new_table(7)
        players = [Gambler() for _ in range(3)]
        assert len(list(islice(steps_of(table, players, 7), stop))) == stop
        resumed = Table(table.match, tuple(table.events))
        assert (resumed.rolls, resumed.decisions) == (table.rolls, table.decisions)
        assert resumed.rolls + resumed.decisions == stop
        assert play(resumed, players, 7) == whole


def test_a_finished_table_has_nothing_left_to_run():
    table = new_table(7)
    play(table, [Gambler() for _ in range(3)], 7)
    before = list(table.events)
    assert list(steps_of(table, [Gambler() for _ in range(3)], 7)) == []
    assert table.events == before


class Says(Gambler):
    """Gives one fixed reply to everything."""

    def __init__(self, reply) -> None:
        super().__init__()
        self.claim = self.answer = lambda seen, uniform: reply


@pytest.mark.parametrize("reply", [None, True, "accept", MakeClaim(claims_above(None)[0]), Accept])
def test_an_answer_that_is_none_stops_before_it(reply):
    """Only Accept() and Challenge() are answers; a truthy value is no acceptance."""
    table = new_table(7)
    first = table.match.roller
    players = [Says(reply) for _ in range(3)]
    players[first - 1] = Gambler()
    with pytest.raises(NotAllowed):
        play(table, players, 7)
    assert (table.match.phase, table.match.claim) == ("answer", table.events[-1].claim)


def test_a_claim_that_is_too_low_stops_before_it():
    table = new_table(7)
    lowest = claims_above(None)[0]
    players = [Says(lowest) for _ in range(3)]
    for player in players:
        player.answer = lambda seen, uniform: Accept()
    with pytest.raises(NotAllowed) as caught:
        play(table, players, 7)
    assert caught.value.code == "claim_too_low"
    assert table.match.phase == "claim" and table.match.above is lowest
    assert (table.rolls, table.decisions) == (2, 2)
    table.step(MakeClaim(claims_above(lowest)[0]))
    assert isinstance(table.events[-1], Claimed)


def test_a_refused_step_changes_nothing():
    table = new_table(7)
    for action in (Accept(), Challenge(), MakeClaim(claims_above(None)[3]), None):
        before = (table.match, list(table.events), table.rolls, table.decisions)
        with pytest.raises(NotAllowed):
            table.step(action)
        assert (table.match, table.events, table.rolls, table.decisions) == before


def test_the_dice_are_asked_for_each_number_once_in_order():
    numbers = []

    def dice(number):
        numbers.append(number)
        return ROLLS[number % 21]

    table = new_table(7)
    players = [Gambler() for _ in range(3)]
    events = [e for es in run(table, players, dice, lambda seat: Stream(7, str(seat))) for e in es]
    assert numbers == list(range(table.rolls))
    assert rolls_of(events) == [ROLLS[number % 21] for number in numbers]
    assert any(isinstance(event, Revealed) for event in events)


def test_the_text_of_a_table_does_not_depend_on_the_hidden_roll():
    texts = set()
    for roll in ROLLS:
        table = new_table(7)
        table.step(Throw(roll))
        hidden = repr(table), str(table)
        table.step(MakeClaim(claims_above(None)[4]))
        texts.add((*hidden, repr(table), str(table)))
        assert observation(table.match, table.match.to_act, table.events).roll is None
    assert len(texts) == 1


@pytest.mark.parametrize("seats", [2, 6])
def test_what_a_table_shows_a_seat_is_what_its_observation_shows(seats):
    """Whenever it is asked for: every seat at every step, or only now and then."""
    shown = 0
    for seed in range(5):
        table = Table(*start(RuleSet(), seats, 1))
        steps = run(table, [Gambler()] * seats, SeededDice(seed), lambda seat: Stream(0, str(seat)))
        for step, _ in enumerate(steps):
            for seat in range(1, seats + 1):
                if step % seat == 0:
                    assert table.seen(seat) == tuple(seen_by(one, seat) for one in table.events)
                    shown += 1
    assert shown > 100
