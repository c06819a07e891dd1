"""Random matches, position by position, for tests of what holds in all of them."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from mia_cli.rules.events import Event, Rolled
from mia_cli.rules.match import Match, apply, legal_actions, start
from mia_cli.rules.rolls import ROLLS
from mia_cli.rules.ruleset import RuleSet

RANDOMS = st.builds(Random, st.integers(0, 2**32 - 1))


def play(
    rules: RuleSet, seats: int, leader: int, random: Random, patience: float
) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    """Every position with the events that led to it; patience (0..1) makes rounds long."""
    match, events = start(rules, seats, leader)
    yield match, events
    while match.phase != "over":
        choices = legal_actions(match)
        if random.random() < patience:
            choices = {"claim": choices[:2], "answer": choices[:1]}.get(match.phase, choices)
        match, events = apply(match, random.choice(choices))
        yield match, events


def decisions(random: Random, seats: int) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    """Every position of a match in which a seat decides, with all events so far."""
    history: list[Event] = []
    leader = random.randint(1, seats)
    for match, events in play(RuleSet(lives=2), seats, leader, random, patience=0.8):
        history += events
        if match.to_act is not None:
            yield match, tuple(history)


def disguised(
    match: Match, history: tuple[Event, ...], random: Random
) -> tuple[Match, tuple[Event, ...]]:
    """The same public course with other hidden dice for every seat but the one that decides."""
    seat = match.to_act
    hidden = tuple(
        replace(event, roll=random.choice(ROLLS))
        if isinstance(event, Rolled) and event.seat != seat
        else event
        for event in history
    )
    return match if match.roller == seat else replace(match, roll=random.choice(ROLLS)), hidden
