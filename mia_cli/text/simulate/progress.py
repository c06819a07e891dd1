"""What ``mia simulate`` says beside its results: how far a run is, and what went wrong."""

from __future__ import annotations

from mia_cli.text.language.catalogue import _
from mia_cli.text.language.numbers import whole


def progress(done: int, matches: int, rate: float) -> str:
    """How far a run is, how fast, and how long it will take."""
    if rate <= 0:
        return _("{done} of {matches} matches").format(done=whole(done), matches=whole(matches))
    return _("{done} of {matches} matches, {rate} a second, {left} left").format(
        done=whole(done),
        matches=whole(matches),
        rate=whole(round(rate)),
        left=_duration((matches - done) / rate),
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def interrupted(done: int, matches: int) -> str:
    """A run was stopped."""
    return _("Interrupted after {done} of {matches} matches.").format(
        done=whole(done), matches=whole(matches)
    )


def first_fault(match: int) -> str:
    """Where a program failed first; what it did follows."""
    return _("The first fault is in match {match}:").format(match=whole(match))


def how_to_resume(command: str) -> str:
    """How a run goes on."""
    return _("To go on: {command}").format(command=command)


def cannot_keep(problem: str) -> str:
    """A stopped run cannot be resumed."""
    return _("It cannot be resumed: {problem}").format(problem=problem)


def worker_replaced(match: int) -> str:
    """A worker is gone."""
    return _("A worker process died; its matches (from match {match} on) are played again.").format(
        match=whole(match)
    )


def worker_gone(address: str) -> str:
    """A worker of a cluster is gone."""
    return _("The worker at {address} is gone; its matches are played again elsewhere.").format(
        address=address
    )
