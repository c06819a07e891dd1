"""The figures of a run as one object, schema ``mia.simulate/1``, sampled or exact alike.

Sampled counts (``wins``, ``claims`` ...) are totals of the run. Exact ones are expected numbers
for one match. ``per_match`` has both in the same unit: numbers by match. Only ``kernel``,
``elapsed_s`` and ``matches_per_s`` differ between two runs with the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, sqrt

from mia_cli.files.documents import Document
from mia_cli.players.names import TABLES_FIELD, tables_of
from mia_cli.records.head import ruleset_to_json
from mia_cli.records.shapes import seed_to_json
from mia_cli.simulate.blocks import Faults
from mia_cli.simulate.exact import Expected
from mia_cli.simulate.margins import Margins, widest
from mia_cli.simulate.run import RunResult, sum_of
from mia_cli.simulate.setup import Setup
from mia_cli.theory.intervals import Z95, Interval
from mia_cli.theory.rounds import COUNTS

SCHEMA = "mia.simulate/1"


def sampled(result: RunResult) -> Document:
    """The report of what was played."""
    state, setup = result.state, result.state.setup
    tally, matches = state.tally, state.tally.matches
    margins = Margins(tally, setup.seatings)
    counts = {name: getattr(tally, name)().tolist() for name in COUNTS}
    players: list[Document] = []
    for at, name in enumerate(setup.players):
        mine = {count: numbers[at] for count, numbers in counts.items()}
        margin = margins.of_player(at)
        wins = sum(margin.wins)
        players.append(
            {
                "seat": at + 1,
                "player": name,
                "wins": wins,
                "win_rate": share(wins, matches),
                "ci95": pair(margin.interval),
                "design_effect": margin.effect,
                **mine,
                "per_match": {count: share(number, matches) for count, number in mine.items()},
                "by_distance": _by_distance(margins, at),
            }
        )
    leader = margins.of_leader()
    return {
        **_head(setup, matches, seed_to_json(setup.seed), is_exact=False),
        "finished": not result.stopped,
        "players": players,
        "first_leader_win_rate": share(sum(leader.wins), matches),
        "first_leader_ci95": pair(leader.interval),
        "rounds_per_match": share(tally.rounds, matches),
        "claims_per_round": share(tally.turns, tally.rounds),
        "until": _until(result),
        "faults": [
            {"seat": player + 1, "player": setup.players[player], "cause": cause, "count": number}
            for (player, cause), number in sorted(_faults(result).items())
        ],
        **({"on_fault": "life"} if setup.forgives else {}),
        "kernel": state.kernel,
        "elapsed_s": round(state.elapsed, 3),
        "matches_per_s": round(matches / state.elapsed, 1) if state.elapsed else None,
    }


def computed(setup: Setup, found: Expected, elapsed: float) -> Document:
    """The report of what was computed: expected numbers for one match."""
    claims = 0.0
    players: list[Document] = []
    for at, name in enumerate(setup.players):
        mine = {count: float(getattr(found, count)[at]) for count in COUNTS}
        claims += mine["claims"]
        chance = float(found.wins[at])
        players.append(
            {
                "seat": at + 1,
                "player": name,
                "wins": chance,
                "win_rate": chance,
                "ci95": None,
                "design_effect": None,
                **mine,
                "per_match": mine,
                "by_distance": [
                    {"distance": distance, "win_rate": float(rate)}
                    for distance, rate in enumerate(found.win_by_distance[at])
                    if not isnan(rate)
                ],
            }
        )
    return {
        **_head(setup, None, None, is_exact=True),
        "finished": True,
        "players": players,
        "first_leader_win_rate": found.leader_wins,
        "first_leader_ci95": None,
        "rounds_per_match": found.rounds,
        "claims_per_round": claims / found.rounds,
        "until": None,
        "faults": [],
        "kernel": None,
        "elapsed_s": round(elapsed, 3),
        "matches_per_s": None,
    }


def told_apart(one: Document, other: Document, matches: int) -> bool:
    """Whether two players of the same run win more and less often beyond luck, at 95 %.

    Only one of them wins a match, so for shares p and q of n matches the variance of p - q is
    (p + q - (p - q)^2) / n, as of two cells of a multinomial; it is taken as often as the larger
    design effect of both says.
    """
    p, q = one["win_rate"], other["win_rate"]
    effect = max(one["design_effect"], other["design_effect"])
    variance = effect * (p + q - (p - q) ** 2) / matches
    return bool(abs(p - q) > Z95 * sqrt(variance))


_OF_PLAYER = ("seat", "player", "wins", "win_rate")
_OF_RUN = ("matches", "seed", "exact")


def csv_rows(document: Document) -> Iterator[list[object]]:
    """A head, and a row for each player of a run, or of each pair of a round-robin."""
    yield [*_OF_PLAYER, "ci95_low", "ci95_high", *COUNTS, *_OF_RUN, "faults", "fault_causes"]
    for run in document.get("pairs", [document]):
        for player in run["players"]:
            faults = [one for one in run["faults"] if one["seat"] == player["seat"]]
            yield [
                *(player[name] for name in _OF_PLAYER),
                *(player["ci95"] or (None, None)),
                *(player[name] for name in COUNTS),
                *(run[name] for name in _OF_RUN),
                sum(one["count"] for one in faults),
                ";".join(f"{one['cause']}:{one['count']}" for one in faults),
            ]


def _head(setup: Setup, matches: int | None, seed: object, *, is_exact: bool) -> Document:
    return {
        "schema": SCHEMA,
        "ruleset": ruleset_to_json(setup.rules),
        "matches": matches,
        "seed": seed,
        "exact": is_exact,
        "seating": setup.seating,
        "session": setup.session,
        TABLES_FIELD: tables_of(setup.players),
    }


def _faults(result: RunResult) -> Faults:
    """Faults of the run; where one stopped it, that one too, though its match does not count."""
    failure = result.failure
    if not result.failed or failure is None:
        return result.state.faults
    return sum_of(result.state.faults, {(failure.player, failure.fault.cause): 1})


def _by_distance(margins: Margins, player: int) -> list[Document]:
    found: list[Document] = []
    for distance, played in enumerate(margins.played[player]):
        if played:
            won = margins.won[player][distance]
            interval = pair(margins.of_distance(player, distance).interval)
            found.append(
                {
                    "distance": distance,
                    "matches": played,
                    "wins": won,
                    "win_rate": won / played,
                    "ci95": interval,
                }
            )
    return found


def _until(result: RunResult) -> Document | None:
    state = result.state
    if state.until is None:
        return None
    width = widest(state.tally, state.setup.seatings)
    return {"half_width": state.until, "reached": result.narrow, "widest": width}


def share(part: int, whole: int) -> float | None:
    """A share, None of nothing."""
    return part / whole if whole else None


def pair(interval: Interval | None) -> list[float] | None:
    """An interval as JSON."""
    return None if interval is None else list(interval)
