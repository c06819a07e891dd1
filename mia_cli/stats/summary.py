"""From counts to the figures that are told, in the form of ``mia stats --json``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mia_cli.files.documents import Document
from mia_cli.players.names import LEVELS
from mia_cli.records.head import HUMAN
from mia_cli.records.many.turns import CHALLENGED, Counts
from mia_cli.rules.rolls import CLAIMS, OUTCOMES, ROLLS
from mia_cli.stats.chance import chi_square, chi_square_tail
from mia_cli.stats.gather import Gathered
from mia_cli.stats.totals import (
    ACCEPTED_BLUFF,
    ACCEPTED_TRUE,
    BLUFF,
    CAUGHT,
    CAUGHT_21,
    COUNT,
    MISTAKEN,
    MISTAKEN_21,
    RIGHT,
    TRUTH,
    UNDERSTATEMENT,
    WRONG,
    Record,
    Spot,
    Totals,
)
from mia_cli.stats.trend import over_time, trend
from mia_cli.stats.weaknesses import weaknesses
from mia_cli.theory.intervals import wilson

SCHEMA = "mia.stats/1"
SHARES = [roll.ways / OUTCOMES for roll in ROLLS]
FEW_ROLLS = 180
"""Rolls below which the rarest roll is expected fewer than five times: too few to judge dice."""
Values = Callable[[int, int, int], Sequence[float]]
"""Chance of each place from the first leader to win, by seats, lives and what 21 costs."""


def summary(found: Gathered, values: Values, by: str | None) -> Document:
    """The JSON object of ``mia stats``."""
    document: Document = {"schema": SCHEMA, **described(found.grouped.all, values)}
    document["by"] = by
    document["groups"] = [
        {"key": key, **described(totals, values)}
        for key, totals in sorted(found.grouped.groups.items())
    ]
    document["levels"] = levels(found.grouped.all, values)
    document["over_time"] = over_time(found.grouped.all.results)
    document["trend"] = trend(found.grouped.all.results)
    document["weaknesses"] = weaknesses(found.grouped.all.joined(human=True))
    document["skipped"] = [problem.place for problem in found.problems]
    document["skipped_count"] = found.skipped
    document["forfeited"] = found.forfeited
    return document


def described(totals: Totals, values: Values) -> Document:
    """All figures about some matches."""
    human = totals.joined(human=True)
    others = totals.joined(human=False)
    has_person = bool(totals.matches[:, 1].sum())
    spots = totals.spots[0] + totals.spots[1]
    return {
        "matches": int(totals.matches.sum()),
        "finished": int(totals.matches[:, :, 1:].sum()),
        "unfinished": int(totals.matches[:, :, 0].sum()),
        "with_person": int(totals.matches[:, 1].sum()),
        **_won(_outcome(totals.matches[:, 1]), spots, values),
        "without_aids": _apart(totals.matches[0, 1], totals.spots[0], values),
        "with_aids": _apart(totals.matches[1, 1], totals.spots[1], values),
        "streaks": streaks(totals.results),
        "claims": claims(human if has_person else others),
        "challenges": challenges(human if has_person else others),
        "lives_lost": lives_lost(human if has_person else others),
        "dice": {"you": dice(human.part("rolls")), "cpu": dice(others.part("rolls"))},
        "roll_by_claim": {
            "you": totals.heat[0].tolist(),
            "cpu": totals.heat[1].tolist(),
        },
        "players": [
            _player(name, player, record, values)
            for (name, player), record in sorted(totals.players.items())
        ],
    }


def levels(totals: Totals, values: Values) -> list[Document]:
    """The CPU players, those of a level or of a program together, the weakest level first."""
    together: dict[str, Record] = {}
    for (_, player), record in totals.players.items():
        if player != HUMAN:
            together.setdefault(player, Record()).add(record)
    order = {level: at for at, level in enumerate(LEVELS)}
    return [
        _player("", player, record, values)
        for player, record in sorted(
            together.items(), key=lambda one: (order.get(one[0], len(order)), one[0])
        )
    ]


def _outcome(matches: Counts) -> tuple[int, int]:
    """Wins and finished matches out of [..., state]."""
    by_state = matches.reshape(-1, 3).sum(axis=0)
    return int(by_state[1]), int(by_state[1] + by_state[2])


def _won(outcome: tuple[int, int], spots: Counter[Spot], values: Values) -> Document:
    wins, finished = outcome
    return {
        "wins": wins,
        "win_rate": wins / finished if finished else None,
        "ci95": list(wilson(wins / finished, finished)) if finished else None,
        "expected_win_rate": _mean(spots, lambda spot: values(*spot[:3])[spot[3]]),
        "fair_share": _mean(spots, lambda spot: 1.0 / spot[0]),
    }


def _mean(spots: Counter[Spot], value: Callable[[Spot], float]) -> float | None:
    total = sum(spots.values())
    return sum(value(spot) * number for spot, number in spots.items()) / total if total else None


def _apart(matches: Counts, spots: Counter[Spot], values: Values) -> Document:
    wins, finished = _outcome(matches)
    return {
        "matches": int(matches.sum()),
        "finished": finished,
        "unfinished": int(matches[0]),
        **_won((wins, finished), spots, values),
    }


def streaks(results: Sequence[Counts]) -> Document:
    """Wins or losses in a row, in the order the matches were begun; unfinished ones are passed
    over. ``current`` is positive for wins, negative for losses."""
    ordered = np.sort(np.concatenate(results), kind="stable") if results else np.zeros(0, int)
    best = worst = current = 0
    for state in (ordered % 4).tolist():
        if state == 1:
            current = max(current, 0) + 1
        elif state == 2:
            current = min(current, 0) - 1
        best, worst = max(best, current), min(worst, current)
    return {"current": current, "longest_wins": best, "longest_losses": -worst}


def _kinds(table: Counts) -> Document:
    """Figures of claims [4 kinds, 3 answers]."""
    made = table.sum(axis=1)
    total = int(made[: BLUFF + 1].sum())
    bluffs, caught = int(made[BLUFF]), int(table[BLUFF, CHALLENGED])
    return {
        "total": total,
        "truths": int(made[TRUTH]),
        "understatements": int(made[UNDERSTATEMENT]),
        "bluffs": bluffs,
        "bluff_rate": bluffs / total if total else None,
        "challenged": int(table[:, CHALLENGED].sum()),
        "bluffs_caught": caught,
        "caught_rate": caught / bluffs if bluffs else None,
    }


def claims(record: Record) -> Document:
    """Claims: true, below the roll, above it, by how much; caught; by what stood before."""
    table, gaps = record.part("claims"), record.part("gaps")
    sizes = np.arange(-(COUNT - 1), COUNT)
    over, under = gaps[COUNT:], gaps[: COUNT - 1]
    names = (None, *(claim.name for claim in CLAIMS[:-1]))
    return {
        **_kinds(table.sum(axis=0)),
        "mean_bluff_steps": _average(sizes[COUNT:], over),
        "mean_understatement_steps": _average(-sizes[: COUNT - 1], under),
        "bluff_steps": {str(step): n for step, n in enumerate(over.tolist(), 1) if n},
        "by_standing": [
            {"standing": name, **_kinds(row)}
            for name, row in zip(names, table, strict=True)
            if row.any()
        ],
    }


def _average(sizes: Counts, counts: Counts) -> float | None:
    total = int(counts.sum())
    return float((sizes * counts).sum() / total) if total else None


def _answers(row: Counts) -> Document:
    right, wrong = int(row[RIGHT]), int(row[WRONG])
    made = right + wrong
    return {
        "total": made,
        "right": right,
        "right_rate": right / made if made else None,
        "accepted": int(row[ACCEPTED_TRUE] + row[ACCEPTED_BLUFF]),
        "accepted_bluffs": int(row[ACCEPTED_BLUFF]),
    }


def challenges(record: Record) -> Document:
    """Challenges and how many were right; claims that were accepted; by the claim answered."""
    table = record.part("answers")
    return {
        **_answers(table.sum(axis=0)),
        "by_claim": [
            {"claim": claim.name, **_answers(row)}
            for claim, row in zip(CLAIMS, table, strict=True)
            if row.any()
        ],
    }


def lives_lost(record: Record) -> Document:
    """Lives lost to one's own bluff that was caught, and to a challenge of a true claim."""
    losses = record.part("losses").tolist()
    return {
        "total": sum(losses),
        "bluff_caught": losses[CAUGHT],
        "bluff_of_21_caught": losses[CAUGHT_21],
        "wrong_challenge": losses[MISTAKEN],
        "wrong_challenge_of_21": losses[MISTAKEN_21],
    }


def dice(rolls: Counts) -> Document:
    """Rolls against what fair dice give, with Pearson's figure over 20 degrees of freedom."""
    seen = rolls.tolist()
    total = sum(seen)
    figure = chi_square(seen, SHARES)
    return {
        "rolls": total,
        "chi_square": figure if total else None,
        "degrees_of_freedom": COUNT - 1,
        "p_value": chi_square_tail(figure, COUNT - 1) if total else None,
        "enough": total >= FEW_ROLLS,
        "by_roll": [
            {"roll": roll.name, "rolled": number, "expected": total * share}
            for roll, number, share in zip(ROLLS, seen, SHARES, strict=True)
        ],
    }


def _player(name: str, player: str, record: Record, values: Values) -> Document:
    made, answered = claims(record), challenges(record)
    return {
        "name": name,
        "player": player,
        "matches": record.matches,
        "finished": record.finished,
        **_won((record.wins, record.finished), record.spots, values),
        "claims": {key: value for key, value in made.items() if key != "by_standing"},
        "challenges": {key: value for key, value in answered.items() if key != "by_claim"},
        "lives_lost": lives_lost(record),
    }


def csv_rows(document: Mapping[str, Any]) -> list[list[object]]:
    """A head and a row for everything in each group: all matches, and each player."""
    head = ["group", "name", "player", "matches", "finished", "wins", "win_rate", "ci95_low"]
    head += ["ci95_high", "expected_win_rate", "fair_share", "claims", "bluffs", "bluffs_caught"]
    head += ["challenges", "challenges_right", "lives_lost"]
    rows: list[list[object]] = [list(head)]
    groups = [{"key": "", **document}, *document["groups"]]
    for group in groups:
        rows.append(_csv_row(group["key"], "", "", group))
        rows += [
            _csv_row(group["key"], player["name"], player["player"], player)
            for player in group["players"]
        ]
    if "readable" in document:
        _add_readable(rows, document["readable"])
    return rows


def _add_readable(rows: list[list[object]], readable: Mapping[str, Any]) -> None:
    """Three more columns, filled where all matches are."""
    figures = readable["win_chance"], *(readable["ci95"] or (None, None))
    rows[0] += ["readable", "readable_low", "readable_high"]
    rows[1] += figures
    for row in rows[2:]:
        row += [None, None, None]


def _csv_row(key: str, name: str, player: str, figures: Mapping[str, Any]) -> list[object]:
    low, high = figures["ci95"] or (None, None)
    counted = [figures[name] for name in ("matches", "finished", "wins", "win_rate")]
    made, answered = figures["claims"], figures["challenges"]
    return [
        *(key, name, player, *counted, low, high),
        *(figures["expected_win_rate"], figures["fair_share"]),
        *(made["total"], made["bluffs"], made["bluffs_caught"]),
        *(answered["total"], answered["right"], figures["lives_lost"]["total"]),
    ]
