"""Records of simulations, held against the run that they say they are of."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.players.names import TABLES_FIELD
from mia_cli.players.registry import all_have_tables
from mia_cli.records.head import ruleset_to_json
from mia_cli.records.record import SIMULATED_DICE, MatchRecord
from mia_cli.rules.errors import MiaError
from mia_cli.rules.events import Event
from mia_cli.simulate.blocks import EngineBlocks
from mia_cli.simulate.bots import seats
from mia_cli.simulate.engine_match import MatchDice
from mia_cli.simulate.lockstep.draws import MATCHES, Draws
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.players import WorkerPlayers


def simulated_dice(record: MatchRecord) -> MatchDice | None:
    """The dice of a match of a run; None for a record that does not say which match it is."""
    number = record.extra.get("match")
    if record.dice != SIMULATED_DICE or type(number) is not int or not 0 < number <= MATCHES:
        return None
    return MatchDice(Draws(record.seed, number - 1))


def events_of_run(record: MatchRecord) -> Sequence[Event] | None:
    """What happens in this match of its run; None where not all its players are tables.

    Levels that had other tables then count as players that are none, and so does anything that
    the record says of its run and that cannot be.
    """
    if simulated_dice(record) is None:
        return None
    match = int(str(record.extra["match"])) - 1
    run = record.extra.get("simulation")
    try:
        setup = Setup.from_json(
            {
                **(run if isinstance(run, dict) else {}),
                "ruleset": ruleset_to_json(record.ruleset),
                "seed": record.seed,
                "commands": [],
                "first": 0,
                TABLES_FIELD: record.extra.get(TABLES_FIELD, {}),
            }
        )
        if not all_have_tables(setup.players):
            return None
        if seats(setup, setup.seating_of(match)) != record.seats:
            return None
    except (ValueError, TypeError, KeyError, AttributeError, MiaError):
        return None
    return EngineBlocks(setup, WorkerPlayers(setup)).match(match).events
