"""Sentences and tables of ``mia simulate``."""

from __future__ import annotations

from collections.abc import Iterator

from mia_cli.files.documents import Document
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.numbers import decimal, interval, percent, share, whole
from mia_cli.text.language.table import table

_NONE = "–"


def simulate_lines(found: Document) -> Iterator[str]:
    """A run or a round-robin as lines, which are made when they are asked for."""
    yield from round_robin(found) if "table" in found else report(found)


def report(found: Document) -> list[str]:
    """A run as lines: what was played, a row for each player, and what holds for all."""
    lines = [_title(found), ""]
    lines += _players(found)
    if any(len(player["by_distance"]) > 1 for player in found["players"]):
        lines += [
            "",
            _("Win rate by distance from the seat that leads first (0: it leads itself):"),
        ]
        lines += _distances(found)
    lines += ["", *_totals(found)]
    return lines


def _title(found: Document) -> str:
    rules = found["ruleset"]
    fields = {
        "players": len(found["players"]),
        "lives": rules["lives"],
        "penalty": rules["penalty_21"],
        "seed": found["seed"],
    }
    if found["exact"]:
        template = _("Exact: {players} seats, {lives} lives, 21 costs {penalty}; numbers by match.")
    else:
        fields["count"] = whole(found["matches"])
        template = ngettext(
            "{count} match: {players} seats, {lives} lives, 21 costs {penalty}; seed {seed}.",
            "{count} matches: {players} seats, {lives} lives, 21 costs {penalty}; seed {seed}.",
            found["matches"],
        )
    return template.format(**fields)


def _players(found: Document) -> list[str]:
    head = (
        _("Seat"),
        _("Player"),
        _("Wins"),
        _("Win rate"),
        _("95% interval"),
        _("Claims"),
        _("Bluffs"),
        _("Caught"),
        _("Challenges"),
        _("Right"),
    )
    exact = found["exact"]

    def count(value: float | None) -> str:
        if value is None:
            return _NONE
        return decimal(value, 3) if exact else whole(int(value))

    def row(player: Document) -> tuple[str, ...]:
        names = ("claims", "bluffs", "bluffs_caught", "challenges", "challenges_won")
        return (
            str(player["seat"]),
            player["player"],
            _NONE if exact else count(player["wins"]),
            share(player["win_rate"], 4 if exact else 2, nothing=_NONE),
            interval(player["ci95"], 2, nothing=_NONE),
            *(count(player[name]) for name in names),
        )

    return table(head, map(row, found["players"]), right=(0, *range(2, len(head))))


def _distances(found: Document) -> list[str]:
    seats = len(found["players"])
    head = (_("Seat"), _("Player"), *(str(distance) for distance in range(seats)))

    def row(player: Document) -> tuple[str, ...]:
        known = {one["distance"]: one["win_rate"] for one in player["by_distance"]}
        rates = (share(known.get(distance), 2, nothing=_NONE) for distance in range(seats))
        return (str(player["seat"]), player["player"], *rates)

    return table(head, map(row, found["players"]), right=(0, *range(2, len(head))))


def _totals(found: Document) -> list[str]:
    def number(value: float | None) -> str:
        return _NONE if value is None else decimal(value, 3)

    lines = [
        _("The first leader wins {rate} of the matches.").format(
            rate=share(found["first_leader_win_rate"], 2, nothing=_NONE)
        ),
        _("Rounds by match: {rounds}; claims by round: {claims}.").format(
            rounds=number(found["rounds_per_match"]), claims=number(found["claims_per_round"])
        ),
    ]
    if found["session"] > 1 and not found["exact"]:
        lines.append(
            _("After every {count} matches, a player that learns starts afresh.").format(
                count=whole(found["session"])
            )
        )
    lines += map(_fault, found["faults"])
    if found["until"]:
        lines.append(_until(found["until"]))
    if found["matches_per_s"]:
        lines.append(
            _("{seconds} s, {rate} matches a second.").format(
                seconds=decimal(found["elapsed_s"], 2), rate=whole(round(found["matches_per_s"]))
            )
        )
    return lines


def _fault(fault: Document) -> str:
    template = ngettext(
        "{player} (seat {seat}) lost {count} match by a fault: {cause}.",
        "{player} (seat {seat}) lost {count} matches by faults: {cause}.",
        fault["count"],
    )
    return template.format(
        player=fault["player"],
        seat=fault["seat"],
        cause=fault["cause"],
        count=whole(fault["count"]),
    )


def _until(until: Document) -> str:
    template = (
        _("The widest interval is {widest} to either side: {wanted} was reached.")
        if until["reached"]
        else _("The widest interval is {widest} to either side: {wanted} was not reached.")
    )
    return template.format(
        widest=percent(until["widest"], 3), wanted=percent(until["half_width"], 3)
    )


def round_robin(found: Document) -> list[str]:
    """A cross table with margins, and the ratings."""
    players = found["players"]
    lines = [_cross_title(found), ""]
    head = (
        _("Player"),
        *(one["player"] for one in players),
        _("All"),
        _("Rating"),
        _("± error"),
    )

    def cell(result: Document | None) -> str:
        if result is None:
            return _NONE
        margin = result["ci95"]
        rate = share(result["win_rate"], 2, nothing=_NONE)
        if margin is None:
            return rate
        return f"{rate} ±{decimal(50 * (margin[1] - margin[0]), 2)}"

    def row(at: int) -> tuple[str, ...]:
        mine = players[at]
        error = mine["rating_error"]
        return (
            mine["player"],
            *map(cell, found["table"][at]),
            share(mine["win_rate"], 2, nothing=_NONE),
            decimal(mine["rating"], 1),
            _NONE if error is None else decimal(error, 1),
        )

    lines += table(head, map(row, range(len(players))), right=range(1, len(head)))
    lines += [
        "",
        _("Each cell: how often the player of the row beats the player of the column."),
        _("Rating: Bradley-Terry on the scale of chess ratings, mean 1500, with standard error."),
    ]
    return lines


def _cross_title(found: Document) -> str:
    rules = found["ruleset"]
    if found["exact"]:
        template = _("Exact round-robin: two seats, {lives} lives, 21 costs {penalty}.")
        return template.format(lives=rules["lives"], penalty=rules["penalty_21"])
    template = _(
        "Round-robin, {count} matches: two seats, {lives} lives, 21 costs {penalty}; seed {seed}."
    )
    return template.format(
        count=whole(found["matches"]),
        lives=rules["lives"],
        penalty=rules["penalty_21"],
        seed=found["seed"],
    )
