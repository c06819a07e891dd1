"""Matches between the levels as records, some with a person, unfinished or with help."""

from dataclasses import replace
from functools import cache
from random import Random

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.seed import Stream, fingerprint, first_leader
from mia_cli.players import registry
from mia_cli.players.names import tables_of
from mia_cli.records.head import Seat
from mia_cli.records.record import MatchRecord, encode_record
from mia_cli.rules.events import MatchOver
from mia_cli.rules.match import start
from mia_cli.rules.ruleset import RuleSet

NAMES = ("You", "Ada", "Bo", "Cleo", "Dag", "Eve")
LEVELS = ("easy", "normal", "hard")


def played(
    number, *, seats=3, rules=None, human=True, actions=None, aids=None, levels=LEVELS, make=None
):
    """The match with this number; left after some ``actions``, or played to its end."""
    rules, seed = rules or RuleSet(), 7 * number + 3
    table = Table(*start(rules, seats, first_leader(seed, seats)))
    kinds = [levels[(number + seat) % len(levels)] for seat in range(seats)]
    players = [(make or registry.make)(kind, rules) for kind in kinds]
    game = run(table, players, SeededDice(seed), lambda seat: Stream(seed, f"seat {seat}"))
    for done, _ in enumerate(game, start=1):
        if done == actions:
            break
    last = table.events[-1]
    over = isinstance(last, MatchOver)
    day, minute = 1 + number // 1000 % 28, number % 1000
    moment = f"2026-{1 + number % 12:02}-{day:02}T{minute // 60:02}:{minute % 60:02}"
    names = [("human", "You")] if human else [(kinds[0], "Ann")]
    names += list(zip(kinds[1:], NAMES[1:], strict=False))
    return MatchRecord(
        id=f"m-{number:06}",
        created=f"{moment}:00Z",
        ended=f"{moment}:59Z" if over else None,
        status="finished" if over else "unfinished",
        version="0.1.0",
        ruleset=rules,
        preset=None,
        seats=tuple(Seat(at, name, kind) for at, (kind, name) in enumerate(names, start=1)),
        seed=seed,
        seed_fingerprint=fingerprint(seed),
        events=tuple(table.events),
        winner=last.winner if over else None,
        extra={"levels": tables_of(kinds), **({} if aids is None else {"aids": aids})},
    )


@cache
def some(count=60):
    """Matches of all kinds: every seventh unfinished, every fifth with help."""
    random, records = Random(11), []
    for number in range(count):
        rules = RuleSet(random.choice((2, 3, 5)), random.choice((1, 2)))
        hints = [3] if number % 10 == 0 else []
        aids = {"tutor": number % 15 == 0, "hints": hints, "take_backs": []}
        records.append(
            played(
                number,
                seats=random.choice((2, 3, 4, 6)),
                rules=rules,
                actions=random.randint(1, 25) if number % 7 == 0 else None,
                aids=aids if number % 5 == 0 else None,
            )
        )
    return tuple(records)


def write(folder, records):
    """The records as files of a folder of matches."""
    folder.mkdir(parents=True, exist_ok=True)
    for record in records:
        (folder / f"{record.id}.json").write_bytes(encode_record(record))


def simulated(number, **more):
    """A match without a person, its dice of another kind."""
    return replace(played(number, human=False, **more), dice="mia-sim/1")
