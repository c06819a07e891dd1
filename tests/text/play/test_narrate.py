"""What a person is told of a match: everything public, their own rolls, and nothing else."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mia_cli.rules.events import Revealed, Rolled
from mia_cli.rules.rolls import ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.line import plain
from mia_cli.text.play.narrate import Narrator
from mia_cli.text.play.seats import SeatNames
from tests.random_play import RANDOMS, play


def seating(seats: int, person: int | None) -> SeatNames:
    names = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay")[:seats]
    return SeatNames(names, ("normal",) * seats, person, lives=2)


def match_events(random: Random, seats: int) -> list[tuple[object, ...]]:
    leader = random.randint(1, seats)
    return [events for _, events in play(RuleSet(2), seats, leader, random, patience=0.6)]


@given(RANDOMS, st.integers(2, 6), st.booleans(), st.booleans())
def test_other_hidden_dice_are_told_with_the_same_words(
    random: Random, seats: int, retold: bool, public: bool
) -> None:
    person = None if public else random.randint(1, seats)
    actions = match_events(random, seats)
    disguise = Random(1)

    def disguised(event: object) -> object:
        if isinstance(event, Rolled) and event.seat != person:
            return replace(event, roll=disguise.choice(ROLLS))
        return event

    true, other = (Narrator(seating(seats, person), retold=retold) for _ in range(2))
    for events in actions:
        told = [plain(text) for text in true.tell(events)]
        assert told == [plain(text) for text in other.tell(map(disguised, events))]


@given(RANDOMS, st.integers(2, 6))
def test_everything_public_is_told(random: Random, seats: int) -> None:
    actions = match_events(random, seats)
    narrator = Narrator(seating(seats, 1), retold=True)
    text = "\n".join(plain(line) for events in actions for line in narrator.tell(events))
    events = [event for happened in actions for event in happened]
    revealed = [event for event in events if isinstance(event, Revealed)]
    assert text.count("holds.") == sum(event.holds for event in revealed)
    assert text.count("fails.") == sum(not event.holds for event in revealed)
    assert text.count("Round ") == len(revealed)
    assert ("wins the match." in text) or ("You win the match!" in text)
    for event in events:
        if isinstance(event, Rolled) and event.seat == 1:
            assert f"You roll {event.roll.name}." in text


@given(RANDOMS, st.integers(2, 6))
def test_a_match_told_in_one_go_is_the_match_told_as_it_happened(
    random: Random, seats: int
) -> None:
    actions = match_events(random, seats)
    whole, step_by_step = (Narrator(seating(seats, 1), retold=True) for _ in range(2))
    at_once = whole.tell_all([event for events in actions for event in events])
    assert at_once == [line for events in actions for line in step_by_step.tell(events)]


def test_braces_and_markup_in_names_stay_text() -> None:
    names = SeatNames(("{name}", "[red]x[/red]"), ("human", "normal"), None, lives=2)
    random = Random(3)
    text = "\n".join(
        plain(line)
        for _, events in play(RuleSet(2), 2, 1, random, patience=0.5)
        for line in Narrator(names).tell(events)
    )
    assert "{name} " in text
    assert "[red]x[/red] " in text
