"""Sentences and tables of ``mia simulate``."""

from __future__ import annotations

from mia_cli.files.documents import Document
from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.line import styled
from mia_cli.text.language.numbers import decimal, interval, percent, share, whole, wholes
from mia_cli.text.language.table import Lines, TextTable
from mia_cli.text.pictures import Signs, share_bar
from mia_cli.text.simulate.answer import (
    answer,
    fair_share,
    fair_text,
    labels,
    ranking,
    rating_margin,
)

_NONE = "–"
_ONE_MATCH = ("claims", "challenges")


def simulate_lines(found: Document, signs: Signs) -> Lines:
    """A run or a round-robin as lines, which are made when they are asked for."""
    yield from _round_robin(found) if "table" in found else _run(found, signs)


def _run(found: Document, signs: Signs) -> Lines:
    """What came out, what was played, a row for each player, and what holds for all."""
    for sentence in answer(found):
        yield styled(sentence, "strong")
    yield styled(title(found), "quiet")
    yield ""
    yield wins_table(found, signs)
    yield ""
    yield about_habits()
    yield habits_table(found)
    if any(len(player["by_distance"]) > 1 for player in found["players"]):
        yield ""
        yield about_distances()
        yield distances_table(found)
    yield ""
    yield from totals(found)


def about_habits() -> str:
    """What the table of habits holds."""
    return _("How they play, by match; bluffs by claim, caught by bluff, right by challenge")


def about_distances() -> str:
    """What the table of distances holds."""
    return _("Win rate by distance from the seat that leads first (0: it leads itself)")


def about_table(found: Document) -> list[str]:
    """What the cross table holds."""
    lines = [
        _("Each cell: how often the player of the row beats the player of the column."),
        _("Rating: Bradley-Terry on the scale of chess ratings, mean 1500."),
    ]
    if not found["exact"]:
        lines.append(_("What follows a ± is half of the 95% interval."))
        lines.append(_("By rating, > wins more often than the next, ≈ may be luck, < less often."))
    return lines


def title(found: Document) -> str:
    """What was played or computed."""
    return _cross_title(found) if "table" in found else _run_title(found)


def _run_title(found: Document) -> str:
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


def wins_table(found: Document, signs: Signs | None = None) -> TextTable:
    """How often each player wins; with ``signs``, also as a bar."""
    exact, players = found["exact"], found["players"]
    head = [_("Seat"), _("Player"), _("Wins"), _("Win rate"), _("95% interval")]
    columns = [
        [str(player["seat"]) for player in players],
        [player["player"] for player in players],
        wholes([round(player["wins"]) for player in players]),
        [share(player["win_rate"], 4 if exact else 2, nothing=_NONE) for player in players],
        [interval(player["ci95"], 2, nothing=_NONE) for player in players],
    ]
    if exact:
        del head[4], head[2], columns[4], columns[2]
    right, adorns = (0, *range(2, len(head))), (len(head),) if signs else ()
    if signs:
        head.append(_("{mark} fair share, {fair}").format(mark=signs.mark, fair=fair_text(found)))
        columns.append(_bars(found, signs))
    rows = zip(*columns, strict=True)
    return TextTable(head, rows, right, keys=2, first=right[::-1], adorns=adorns)


def _bars(found: Document, signs: Signs) -> list[str]:
    fair, rates = fair_share(found), [player["win_rate"] or 0.0 for player in found["players"]]
    return [share_bar(rate, fair, max(fair, *rates), signs) for rate in rates]


def habits_table(found: Document) -> TextTable:
    """How much each player claims, bluffs and challenges, and with what success."""
    head = (_("Seat"), _("Player"), _("Claims"), _("Bluffs"), _("Caught"), _("Challenges"))

    def row(player: Document) -> tuple[str, ...]:
        one = player["per_match"]
        counts = (_NONE if one[name] is None else decimal(one[name], 2) for name in _ONE_MATCH)
        claims, challenges = counts
        parts = (("bluffs", "claims"), ("bluffs_caught", "bluffs"))
        bluffs, caught = (_part(player, *names) for names in parts)
        right = _part(player, "challenges_won", "challenges")
        seat = str(player["seat"])
        return (seat, player["player"], claims, bluffs, caught, challenges, right)

    rows = map(row, found["players"])
    return TextTable((*head, _("Right")), rows, right=(0, *range(2, 7)), keys=2)


def _part(player: Document, part: str, whole: str) -> str:
    return share(player[part] / player[whole] if player[whole] else None, nothing=_NONE)


def distances_table(found: Document) -> TextTable:
    """How often each player wins by its distance from the first leader."""
    seats = len(found["players"])
    head = (_("Seat"), _("Player"), *(str(distance) for distance in range(seats)))

    def row(player: Document) -> tuple[str, ...]:
        known = {one["distance"]: one["win_rate"] for one in player["by_distance"]}
        rates = (share(known.get(distance), 2, nothing=_NONE) for distance in range(seats))
        return (str(player["seat"]), player["player"], *rates)

    rows = map(row, found["players"])
    return TextTable(head, rows, right=(0, *range(2, len(head))), keys=2)


def totals(found: Document) -> list[str]:
    """What holds for the whole run."""

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
    cost = found.get("on_fault", "match")
    lines += [_fault(fault, cost) for fault in found["faults"]]
    if found["until"]:
        lines.append(_until(found["until"]))
    if found["matches_per_s"]:
        lines.append(
            _("{seconds} s, {rate} matches a second.").format(
                seconds=decimal(found["elapsed_s"], 2), rate=whole(round(found["matches_per_s"]))
            )
        )
    return lines


def _fault(fault: Document, cost: str) -> str:
    template = (
        ngettext(
            "{player} (seat {seat}) lost {count} life by a fault: {cause}.",
            "{player} (seat {seat}) lost {count} lives by faults: {cause}.",
            fault["count"],
        )
        if cost == "life"
        else ngettext(
            "{player} (seat {seat}) lost {count} match by a fault: {cause}.",
            "{player} (seat {seat}) lost {count} matches by faults: {cause}.",
            fault["count"],
        )
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


def _round_robin(found: Document) -> Lines:
    """Who is ahead, a cross table with margins, and the ratings."""
    for sentence in ranking(found):
        yield styled(sentence, "strong")
    yield styled(title(found), "quiet")
    yield ""
    yield cross_table(found)
    yield ""
    yield from about_table(found)


def cross_table(found: Document) -> TextTable:
    """Every player against every other, all its matches, and its rating."""
    players, names = found["players"], labels(found["players"])
    head = [_("Player"), *names, _("All"), _("Rating"), "±"]

    def row(at: int) -> list[str]:
        mine = players[at]
        margin = rating_margin(mine)
        return [
            names[at],
            *map(_cell, found["table"][at]),
            share(mine["win_rate"], nothing=_NONE),
            decimal(mine["rating"], 1),
            _NONE if margin is None else decimal(margin, 1),
        ]

    rows = [row(at) for at in range(len(players))]
    if found["exact"]:
        for line in (head, *rows):
            line.pop()
    last = len(names) + 1
    right = range(1, len(head))
    return TextTable(head, rows, right=right, first=range(last, len(head)), wraps=(0,))


def _cell(result: Document | None) -> str:
    if result is None or result["win_rate"] is None:
        return _NONE
    rate, margin = percent(result["win_rate"]), result["ci95"]
    return rate if margin is None else f"{rate} ±{decimal(50 * (margin[1] - margin[0]), 1)}"


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
