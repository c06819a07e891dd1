"""Solves what ``mia solve`` was asked for, and prints it."""

from __future__ import annotations

from mia_cli.cli import outcome, outputs
from mia_cli.cli.outputs import Told
from mia_cli.cli.solve.options import SolveRequest
from mia_cli.cli.solving import proven_solution_for, solution_for
from mia_cli.files.documents import Document
from mia_cli.files.outputs import PAGE, OutputFile
from mia_cli.players.registry import strategy
from mia_cli.rules.ruleset import LIVES, SEATS, RuleSet
from mia_cli.text.language.table import Lines
from mia_cli.text.solve import lines as text
from mia_cli.text.solve.page import page
from mia_cli.theory import Solution, ceiling
from mia_cli.theory.advice import advise_answer, advise_claim
from mia_cli.theory.advice_json import advice_json
from mia_cli.theory.weak_points import weak_points


def perform(request: SolveRequest, *, as_json: bool) -> int:
    """Show one of five things, and return the exit code."""
    if request.efg:
        solution = solution_for(len(request.at), max(request.at), request.penalty_21)
        outputs.write(solution.to_efg(request.at, request.claim))
        return outcome.DONE
    files = outputs.named_outputs({"--html": (request.html, PAGE)}, force=request.force)
    find = {"all": _every_table, "at": _decision, "ceiling": _ceiling, "table": _table}
    document, lines = find[request.kind](request, files.get("--html"))
    if not any(file.is_stdout for file in files.values()):
        outputs.show(document, lines, outputs.read_format(None, as_json))
    return outcome.DONE


def _table(request: SolveRequest, html: OutputFile | None) -> Told:
    players, lives, penalty = request.players, request.lives, request.penalty_21
    solution, gain = proven_solution_for(players, lives, penalty)
    start = (lives,) * players
    values = solution.values(start).tolist()
    document = {"schema": "mia.solve/1", **_described(players, lives, penalty, values, gain)}
    title, proof = text.title(players, lives, penalty), text.proof(gain, players)
    if html is not None:
        content = page(title.rstrip("."), solution, start, proof)
        html.write(content.encode("utf-8", "replace"))

    def lines() -> Lines:
        yield from (title, "", *text.seat_values(values), proof, "")
        yield from (*text.opening_play(solution, start), "")
        yield from (*text.challenge_table(solution, start), "")
        yield from text.best_play_maps(solution, start, outputs.signs())

    return document, lines()


def _described(
    players: int, lives: int, penalty_21: int, values: list[float], gain: float
) -> Document:
    return {
        "players": players,
        "lives": lives,
        "penalty_21": penalty_21,
        "win_probability": values,
        "max_gain": gain,
    }


def _every_table(request: SolveRequest, _html: OutputFile | None) -> Told:
    rows = []
    for penalty in request.penalties:
        solution, gain = proven_solution_for(SEATS[-1], LIVES[-1], penalty)
        for players in SEATS:
            for lives in LIVES:
                values = solution.values((lives,) * players).tolist()
                rows.append((players, lives, penalty, values, gain))
    tables = [_described(*row) for row in rows]
    document = {"schema": "mia.solve/1", "tables": tables}
    return document, text.every_table(rows)


def _decision(request: SolveRequest, _html: OutputFile | None) -> Told:
    lives = request.at
    solution = solution_for(len(lives), max(lives), request.penalty_21)
    title = text.decision_title(
        lives,
        request.claim.name if request.claim else None,
        request.roll.name if request.roll else None,
    )
    if request.roll is not None:
        advice = advise_claim(solution, lives, request.claim, request.roll)
        return _at(advice_json(advice, "claim")), text.advice_table(advice, title)
    assert request.claim is not None
    # The seat that claimed sits before the seat to act, so it is the last in playing order.
    from_claimer = (lives[-1], *lives[:-1])
    advice = advise_answer(solution, from_claimer, request.above, request.claim)
    return _at(advice_json(advice, "answer")), text.advice_table(advice, title)


def _at(document: Document) -> Document:
    return {"schema": "mia.solve/1", **document}


def _ceiling(request: SolveRequest, _html: OutputFile | None) -> Told:
    level, penalty = request.level, request.penalty_21
    table = (request.players, request.lives, penalty)

    def solved(players: int, _: int, penalty_21: int) -> Solution:
        # No match starts with 1 or 4 lives each, but comes to it; levels play alike at all.
        return solution_for(players, request.lives, penalty_21)

    player = strategy(level, RuleSet(penalty_21=penalty), request.players, solved)
    mean = ceiling(player, *table).value
    document = {
        "schema": "mia.solve/1",
        "level": level,
        "players": request.players,
        "lives": request.lives,
        "penalty_21": penalty,
        "ceiling": mean,
    }

    def lines() -> Lines:
        yield text.ceiling_line(level, *table, mean)
        yield from text.where_it_loses(weak_points(player, solution_for(*table), *table))

    return document, lines()
