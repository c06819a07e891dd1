"""The options of ``mia simulate``, read and checked before anything is played."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mia_cli.cli.bots import read_bots
from mia_cli.cli.outputs import named_outputs, take_stdout
from mia_cli.engine.seed import parse_seed
from mia_cli.files.outputs import PAGE, PICTURE, OutputFile
from mia_cli.players.names import FIXED
from mia_cli.presets import resolve
from mia_cli.presets.settings import levels
from mia_cli.rules.errors import BadRuleSet, CannotRead, NotAllowed
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep.draws import MATCHES
from mia_cli.simulate.request import RunRequest
from mia_cli.simulate.round_robin import SPACING
from mia_cli.simulate.saved import RunFile, State, load
from mia_cli.simulate.seating import KINDS, SeatingKind
from mia_cli.simulate.setup import MOST_SESSION
from mia_cli.simulate.workers.processes import MOST_JOBS

ON_FAULT = ("lose", "life", "stop")
_NUMBER = re.compile(r"[0-9]{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SimulateOptions:
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
    format_: str | None = None
    as_json: bool = False
    svg: str | None = None
    html: str | None = None
    force: bool = False


def outputs_of(options: SimulateOptions) -> tuple[dict[str, OutputFile], bool]:
    """The page and the picture asked for, and whether standard output holds a file, not results.

    Raises NotAllowed where two files would share it, or one file, and as OutputFile does.
    """
    resume, log = options.resume, options.log
    if resume and log and os.path.realpath(resume) == os.path.realpath(log):
        raise NotAllowed("not_together", option=f"--resume {resume}", other=f"--log {log}")
    asked = options.format_ and f"--format {options.format_.strip().lower()}"
    shown = {"--svg": options.svg, "--html": options.html}
    named = {"--log": log, "--resume": resume, **shown}
    is_file = take_stdout(named, "--json" if options.as_json else asked)
    kinds = {"--svg": (options.svg, PICTURE), "--html": (options.html, PAGE)}
    return named_outputs(kinds, force=options.force), is_file


def read(options: SimulateOptions, environ: Mapping[str, str] = os.environ) -> RunRequest:
    """Check all options together. Raises MiaError for the first that cannot be."""
    _refuse_contradictions(options)
    jobs = _whole("--jobs", options.jobs, MOST_JOBS)
    until = None if options.until is None else _half_width(options.until)
    most = SPACING if options.round_robin else MATCHES
    matches = _whole("--matches", options.matches, most)
    match = _whole("--match", options.match, MATCHES)
    keep, kept = _kept(options)
    if match is not None and options.seed is None and kept is None:
        raise NotAllowed("match_needs_seed")
    if match is not None and matches is not None and match > matches:
        raise CannotRead("not_in_run", value=str(match), count=matches)
    bots = read_bots(options.bots, options.bot_time)
    named = _named_rules(options)
    # What a run that goes on does not have to share with the options is not looked up.
    unused = kept is not None and options.rules is None
    return RunRequest(
        players=levels("--cpu", options.cpus),
        rules=_rules(options, {} if unused else environ),
        named_rules=named,
        seed=None if options.seed is None else parse_seed(options.seed),
        seating=_seating(options.seating),
        session=_whole("--session", options.session, MOST_SESSION),
        commands=bots.commands,
        matches=matches,
        until=until,
        exact=options.exact,
        round_robin=options.round_robin,
        match=match,
        keep=keep,
        kept=kept,
        kept_in=options.resume or "",
        log=options.log,
        force=options.force,
        jobs=jobs,
        dask=options.dask,
        seconds=bots.seconds,
        stop_on_fault=_on_fault(options) == "stop",
        forgives={"lose": False, "life": True}.get(_on_fault(options) or ""),
    )


def _kept(options: SimulateOptions) -> tuple[RunFile | None, State | None]:
    """The file to keep the run in, and the run that is in it."""
    if options.resume is None:
        return None, None
    if options.match is not None:  # nothing is played, and so nothing is kept
        path = Path(options.resume)
        return None, load(path) if os.path.lexists(path) else None
    keep = RunFile(options.resume, force=options.force)
    return keep, keep.load()


def given_again(options: SimulateOptions) -> tuple[str, ...]:
    """Options that are not kept with a run: programs are started by who names them."""
    words = ["--log", options.log] if options.log else []
    words += [word for text in options.bots for word in ("--bot", text)]
    for option, text in (("--bot-time", options.bot_time), ("--on-fault", options.on_fault)):
        words += () if text is None else (option, text)
    return tuple(words)


def _refuse_contradictions(options: SimulateOptions) -> None:
    exact = {
        "--matches": options.matches,
        "--seed": options.seed,
        "--until": options.until,
        "--log": options.log,
        "--match": options.match,
        "--resume": options.resume,
    }
    # Of --resume with --match, the file only says what was played.
    shown = {"--svg": options.svg, "--html": options.html}
    single = {"--until": options.until, "--log": options.log, **shown}
    robin = {"--log": options.log, "--match": options.match, "--resume": options.resume}
    # The workers of a cluster play side by side, and they only sample.
    cluster = {
        "--jobs": options.jobs,
        "--exact": options.exact or None,
        "--match": options.match,
    }
    for option, is_given, others in (
        ("--exact", options.exact, exact),
        ("--match", options.match is not None, single),
        ("--round-robin", options.round_robin, robin),
        ("--dask", options.dask is not None, cluster),
    ):
        for other, value in others.items():
            if is_given and value is not None:
                raise NotAllowed("not_together", option=option, other=other)
    if options.match is not None and options.format_ not in (None, "json"):
        raise NotAllowed("not_together", option="--match", other=f"--format {options.format_}")


def _whole(place: str, text: str | None, highest: int) -> int | None:
    """A whole number from 1, in digits alone, where one is given. Raises CannotRead."""
    if text is None:
        return None
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


def _on_fault(options: SimulateOptions) -> str | None:
    if options.on_fault is None:
        return None
    plain = options.on_fault.strip().lower()
    if plain not in ON_FAULT:
        raise BadRuleSet("bad_choice", place="--on-fault", value=options.on_fault, allowed=ON_FAULT)
    return plain


def _seating(text: str | None) -> SeatingKind | None:
    if text is None:
        return None
    for kind in KINDS:
        if text.strip().lower() == kind:
            return kind
    raise BadRuleSet("bad_choice", place="--seating", value=text, allowed=KINDS)


def _named_rules(options: SimulateOptions) -> tuple[str, ...]:
    """The rules that the options name: all of them with a preset."""
    names = ("lives", "penalty_21")
    if options.rules is not None:
        return names
    return tuple(name for name in names if getattr(options, name) is not None)


def _rules(options: SimulateOptions, environ: Mapping[str, str]) -> RuleSet:
    # Seats and levels are named by --cpu alone here.
    return resolve(
        {name: text for name, text in environ.items() if name not in _OF_PLAY},
        rules=options.rules,
        lives=options.lives,
        penalty_21=options.penalty_21,
        players=None,
        cpus=(FIXED[0],),
    ).rules


_OF_PLAY = ("MIA_PLAYERS", "MIA_CPU")
