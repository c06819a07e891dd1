"""What ``mia simulate`` is asked to do, read and checked before anything is played."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mia_cli.cli.bots import read_bots, require_program
from mia_cli.cli.outputs import take_stdout
from mia_cli.engine.seed import draw_seed, parse_seed
from mia_cli.players.names import CPU_WORDS, FIXED, are_tables, is_bot, is_level, learn
from mia_cli.presets import resolve
from mia_cli.rules.errors import BadRecord, BadRuleSet, CannotRead, NotAllowed
from mia_cli.rules.ruleset import SEATS, RuleSet
from mia_cli.simulate import saved
from mia_cli.simulate.lockstep.draws import MATCHES
from mia_cli.simulate.round_robin import SPACING
from mia_cli.simulate.run import is_finished
from mia_cli.simulate.saved import RunFile, State, new_state
from mia_cli.simulate.seating import KINDS, SeatingKind
from mia_cli.simulate.setup import MOST_SESSION, Setup
from mia_cli.simulate.workers.processes import MOST_JOBS

USUAL = 100_000
"""Matches for which nothing else is said: margins of about 0.3 % in a moment."""
CAP = 100_000_000
"""The same with --until."""
USUAL_SLOW = 1_000
"""The same where a bot or a player that learns takes part."""
SESSION = 40
"""Matches of a session, where nothing else is said."""
ON_FAULT = ("lose", "stop")
FORMATS = ("table", "json", "csv")
_NUMBER = re.compile(r"[0-9]{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SimulateRequest:
    """The options as they were typed."""

    matches: str | None = None
    cpus: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    bot_time: str | None = None
    on_fault: str | None = None
    session: str | None = None
    rules: str | None = None
    lives: str | None = None
    penalty_21: str | None = None
    seed: str | None = None
    seating: str | None = None
    exact: bool = False
    until: str | None = None
    jobs: str | None = None
    dask: str | None = None
    round_robin: bool = False
    log: str | None = None
    match: str | None = None
    resume: str | None = None
    output: str | None = None
    as_json: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """What to do. ``state``: the run, new or resumed; of a round-robin, what its pairs share.

    ``log`` and ``keep``: files named on this command line, where ``force`` replaces foreign ones.
    ``is_silent``: one of them is standard output, so that no results are printed.

    ``seconds``: of a bot for a decision; ``stop``: a fault stops the run; ``again``: the options
    that a resumed run has to be given again; ``session``: of pairs with a player that learns.
    """

    output: str
    state: State
    jobs: int | None
    exact: bool = False
    round_robin: tuple[str, ...] = ()
    match: int | None = None
    keep: RunFile | None = None
    log: str | None = None
    force: bool = False
    is_silent: bool = False
    dask: str | None = None
    seconds: float | None = None
    stop: bool = False
    again: tuple[str, ...] = ()
    session: int = 1


def read(request: SimulateRequest, environ: Mapping[str, str] = os.environ) -> Job:
    """Check all options together. Raises MiaError for the first that cannot be."""
    _refuse_contradictions(request)
    output = _format(request)
    jobs = None if request.jobs is None else _whole("--jobs", request.jobs, MOST_JOBS)
    until = None if request.until is None else _half_width(request.until)
    limit = SPACING if request.round_robin else MATCHES
    matches = None if request.matches is None else _whole("--matches", request.matches, limit)
    if request.resume and request.log and _is_same(request.resume, request.log):
        raise NotAllowed(
            "not_together", option=f"--resume {request.resume}", other=f"--log {request.log}"
        )
    printed = "--json" if request.as_json else request.output and f"--format {output}"
    is_silent = take_stdout({"--log": request.log, "--resume": request.resume}, printed)
    keep, kept = _kept(request)
    if kept:
        state = _resumed(request, kept, matches, until, environ)
    elif request.match is not None and request.seed is None:
        raise NotAllowed("match_needs_seed")
    else:
        state = _new(request, matches, until, environ)
    match = None if request.match is None else _whole("--match", request.match, MATCHES)
    if match is not None and matches is not None and match > matches:
        raise CannotRead("not_in_run", value=str(match), count=matches)
    robin = _levels(request.cpus) if request.round_robin else ()
    if request.exact:
        _require_exact(robin or state.setup.players)
    elif request.dask is None:
        for name, command in state.setup.commands:
            require_program(name, command)
    return Job(
        output=output,
        state=state,
        jobs=jobs,
        exact=request.exact,
        round_robin=robin,
        match=match,
        keep=keep,
        log=request.log,
        force=request.force,
        is_silent=is_silent,
        dask=request.dask,
        seconds=read_bots(request.bots, request.bot_time).seconds,
        stop=_on_fault(request.on_fault) == "stop",
        again=_again(request),
        session=_session(request),
    )


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _kept(request: SimulateRequest) -> tuple[RunFile | None, State | None]:
    """The file to keep the run in, and the run that is in it."""
    if request.resume is None:
        return None, None
    if request.match is not None:  # nothing is played, and so nothing is kept
        path = Path(request.resume)
        return None, saved.load(path) if os.path.lexists(path) else None
    keep = RunFile(request.resume, force=request.force)
    return keep, keep.load()


def _again(request: SimulateRequest) -> tuple[str, ...]:
    """Options that are not kept with a run: programs are started by who names them."""
    words = [word for text in request.bots for word in ("--bot", text)]
    for option, text in (("--bot-time", request.bot_time), ("--on-fault", request.on_fault)):
        words += () if text is None else (option, text)
    return tuple(words)


def _refuse_contradictions(request: SimulateRequest) -> None:
    exact = {
        "--matches": request.matches,
        "--seed": request.seed,
        "--until": request.until,
        "--log": request.log,
        "--match": request.match,
        "--resume": request.resume,
    }
    # Of --resume with --match, the file only says what was played.
    single = {"--until": request.until, "--log": request.log}
    robin = {"--log": request.log, "--match": request.match, "--resume": request.resume}
    # The workers of a cluster play side by side, and they only sample.
    cluster = {
        "--jobs": request.jobs,
        "--exact": request.exact or None,
        "--match": request.match,
    }
    for option, is_given, others in (
        ("--exact", request.exact, exact),
        ("--match", request.match is not None, single),
        ("--round-robin", request.round_robin, robin),
        ("--dask", request.dask is not None, cluster),
    ):
        for other, value in others.items():
            if is_given and value is not None:
                raise NotAllowed("not_together", option=option, other=other)
    if request.match is not None and request.output not in (None, "json"):
        raise NotAllowed("not_together", option="--match", other=f"--format {request.output}")


def _format(request: SimulateRequest) -> str:
    if request.output is None:
        return "json" if request.as_json else "table"
    plain = request.output.strip().lower()
    if plain not in FORMATS:
        raise BadRuleSet("bad_choice", place="--format", value=request.output, allowed=FORMATS)
    if request.as_json and plain != "json":
        raise NotAllowed("not_together", option="--json", other=f"--format {plain}")
    return plain


def _whole(place: str, text: str, highest: int) -> int:
    """A whole number from 1, in digits alone. Raises CannotRead("not_a_count")."""
    plain = text.strip()
    if _NUMBER.fullmatch(plain) and 1 <= int(plain) <= highest:
        return int(plain)
    raise CannotRead("not_a_count", place=place, value=text, highest=highest)


def _half_width(text: str) -> float:
    try:
        width = float(text)
    except ValueError:
        width = math.nan
    if not 0.0 < width < 1.0:
        raise CannotRead("not_a_width", place="--until", value=text)
    return width


def _on_fault(text: str | None) -> str:
    plain = ON_FAULT[0] if text is None else text.strip().lower()
    if plain not in ON_FAULT:
        raise BadRuleSet("bad_choice", place="--on-fault", value=text, allowed=ON_FAULT)
    return plain


def _session(request: SimulateRequest) -> int:
    return (
        SESSION if request.session is None else _whole("--session", request.session, MOST_SESSION)
    )


def _require_exact(players: Sequence[str]) -> None:
    for player in players:
        if not are_tables([player]):
            raise NotAllowed("not_exact", value=player, allowed=FIXED)


def _commands(request: SimulateRequest, players: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Names and commands of the bots among the players. Raises CannotRead, BadRuleSet."""
    bots = read_bots(request.bots, request.bot_time)
    return tuple(bots.require(name) for name in dict.fromkeys(filter(is_bot, players)))


def _levels(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(_level, texts))


def _level(text: str) -> str:
    plain = text.strip()
    for level in (plain, plain.lower()):
        if is_level(level):
            return level
    raise BadRuleSet("bad_choice", place="--cpu", value=text, allowed=CPU_WORDS)


def _new(
    request: SimulateRequest, matches: int | None, until: float | None, environ: Mapping[str, str]
) -> State:
    players = _levels(request.cpus)
    most = 64 if request.round_robin else max(SEATS)
    if not 2 <= len(players) <= most:
        raise BadRuleSet("player_count", given=len(players), highest=most)
    setup = Setup(
        rules=_rules(request, environ),
        players=players[:2] if request.round_robin else players,
        seed=draw_seed() if request.seed is None else parse_seed(request.seed),
        seating=_seating(request.seating),
        commands=_commands(request, players),
    )
    session = _session(request)
    if learn(setup.players) and not request.round_robin:
        setup = replace(setup, session=session)
    usual = USUAL if are_tables(players) else USUAL_SLOW
    count = matches or (usual if until is None else CAP)
    if setup.seating == "all":
        count = setup.whole_cycles(count)
    return new_state(setup, count, until, request.log)


def _seating(text: str | None) -> SeatingKind:
    plain = "rotate" if text is None else text.strip().lower()
    for kind in KINDS:
        if plain == kind:
            return kind
    raise BadRuleSet("bad_choice", place="--seating", value=text, allowed=KINDS)


def _rules(request: SimulateRequest, environ: Mapping[str, str]) -> RuleSet:
    # Seats and levels are named by --cpu alone here.
    others = {name: text for name, text in environ.items() if name not in _OF_PLAY}
    return resolve(
        others,
        rules=request.rules,
        lives=request.lives,
        penalty_21=request.penalty_21,
        players=None,
        cpus=(FIXED[0],),
    ).rules


_OF_PLAY = ("MIA_PLAYERS", "MIA_CPU")


def _resumed(
    request: SimulateRequest,
    state: State,
    matches: int | None,
    until: float | None,
    environ: Mapping[str, str],
) -> State:
    """The run in the file, if it is the one that the options speak of."""
    setup = state.setup
    session = _session(request) if request.session is not None and learn(setup.players) else None
    for option, given, expected in (
        ("--cpu", _levels(request.cpus) or None, setup.players),
        ("--seed", request.seed and parse_seed(request.seed), setup.seed),
        ("--seating", request.seating and _seating(request.seating), setup.seating),
        ("--rules", _given_rules(request, environ, setup.rules), setup.rules),
        ("--session", session, setup.session),
        ("--bot", _commands(request, setup.players), setup.commands),
    ):
        if given is not None and given != expected:
            raise BadRecord("other_simulation", file=request.resume, option=option)
    if request.log and state.done and not state.log:
        raise BadRecord("other_simulation", file=request.resume, option="--log")
    target = state.matches if matches is None else matches
    if setup.seating == "all":
        target = setup.whole_cycles(target)
    if target < state.done:
        raise NotAllowed("already_played", done=state.done, value=target)
    until = state.until if until is None else until
    state = replace(state, matches=target, until=until, log=request.log or state.log)
    if state.log and not (request.log or request.match or is_finished(state)):
        raise NotAllowed(
            "needs_option", option=f"--resume {request.resume}", other=f"--log {state.log}"
        )
    return state


def _given_rules(
    request: SimulateRequest, environ: Mapping[str, str], kept: RuleSet
) -> RuleSet | None:
    """The rules that the options name; what they leave open is as in the file."""
    if request.rules is None and request.lives is None and request.penalty_21 is None:
        return None
    found = _rules(request, {} if request.rules is None else environ)
    if request.rules is not None:
        return found
    return RuleSet(
        lives=kept.lives if request.lives is None else found.lives,
        penalty_21=kept.penalty_21 if request.penalty_21 is None else found.penalty_21,
    )
