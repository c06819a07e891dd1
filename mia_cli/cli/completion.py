"""Values that a shell completes, and the scripts that make it do so.

Each function gives the values that begin as typed, with a word on them in the language in use,
and loads what it needs when it is asked. Nothing here may fail: a shell would show it between the
person's words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from mia_cli.rules.errors import CannotRead, MiaError

Completions = Iterable[tuple[str, str]]
"""Values, each with a few words on it, or none."""
VARIABLE = "_MIA_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
_SHOW = "--show-completion"
_NEWEST = 50
"""Matches that are offered."""


@contextmanager
def answering(words: list[str]) -> Iterator[bool]:
    """Whether a shell asks something: what to complete, or, in ``words``, for its script.

    The library takes both from the environment. Raises CannotRead for what no shell asks.
    """
    script, before = _asked_script(words), os.environ.get(VARIABLE)
    if script is not None:
        os.environ[VARIABLE] = f"source_{script}"
    try:
        _check_instruction()
        yield bool(os.environ.get(VARIABLE))
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


def _asked_script(words: list[str]) -> str | None:
    """The shell of ``--show-completion SHELL``."""
    first, _, value = words[0].partition("=") if words else ("", "", "")
    given = [value] if value else words[1:]
    if first != _SHOW or not given:
        return None
    if given[0] not in SHELLS:
        raise CannotRead("bad_choice", value=given[0], place=_SHOW, allowed=SHELLS)
    return given[0]


def _check_instruction(environ: Mapping[str, str] = os.environ) -> None:
    asked = environ.get(VARIABLE)
    if not asked:
        return
    allowed = tuple(f"{what}_{shell}" for what in ("complete", "source") for shell in SHELLS)
    if asked not in allowed:
        raise CannotRead("bad_choice", value=asked, place=VARIABLE, allowed=allowed)
    if asked == "complete_bash" and not environ.get("COMP_CWORD", "").isdecimal():
        raise CannotRead("needs_value", place="COMP_CWORD")
    if asked == "complete_bash" and "COMP_WORDS" not in environ:
        raise CannotRead("needs_value", place="COMP_WORDS")


def one_of(choices: str) -> Callable[[str], list[tuple[str, str]]]:
    """Completes choices as help writes them: ``a|b|c`` or ``2..6``."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        first, dots, last = choices.partition("..")
        values = map(str, range(int(first), int(last) + 1)) if dots else choices.split("|")
        return _starting(incomplete, ((value, "") for value in values if not value.isupper()))

    return complete


def levels(incomplete: str) -> list[tuple[str, str]]:
    """Levels, with how they play."""
    from mia_cli.players.names import LEVELS
    from mia_cli.text.levels import level_sentence

    return _starting(incomplete, ((level, level_sentence(level)) for level in LEVELS))


def presets(incomplete: str) -> list[tuple[str, str]]:
    """Presets that ship and the user's own, with their descriptions."""

    def found() -> Completions:
        from mia_cli.presets.folders import shipped, users

        for entry in (*shipped(), *users()):
            if entry.preset is not None:
                yield entry.name, entry.preset.description

    return _starting(incomplete, found())


def matches(incomplete: str) -> list[tuple[str, str]]:
    """Ids of the latest matches, the newest first, with their days."""

    def found() -> Completions:
        from mia_cli.files.folders import matches_dir
        from mia_cli.records.store import MatchStore

        ids = [one for one in MatchStore(matches_dir()).ids() if one.startswith(incomplete)]
        for match_id in reversed(ids[-_NEWEST:]):
            yield match_id, f"{match_id[:4]}-{match_id[4:6]}-{match_id[6:8]}"

    return _starting(incomplete, found())


def rolls(incomplete: str) -> list[tuple[str, str]]:
    """The 21 names of rolls and claims, low to high."""
    from mia_cli.rules.rolls import NAMES

    return _starting(incomplete, ((name, "") for name in NAMES))


def lessons(incomplete: str) -> list[tuple[str, str]]:
    """The lessons of the tutorial, with their titles."""
    from mia_cli.text.tutorial.frame import title
    from mia_cli.tutorial.lessons import LESSONS

    return _starting(incomplete, ((lesson.id, title(lesson)) for lesson in LESSONS))


def kinds(incomplete: str) -> list[tuple[str, str]]:
    """The kinds of questions of practice."""
    from mia_cli.text.practice import kind_name
    from mia_cli.tutorial.practice.question import KINDS

    return _starting(incomplete, ((kind, kind_name(kind)) for kind in KINDS))


def topics(incomplete: str) -> list[tuple[str, str]]:
    """What ``mia help`` tells of."""
    from mia_cli.cli.app import COMMANDS
    from mia_cli.text.help import about_topics
    from mia_cli.text.language.catalogue import translate

    commands = {name: translate(text) for name, text in COMMANDS.items() if name != "help"}
    return _starting(incomplete, {**commands, **about_topics()}.items())


def _starting(incomplete: str, values: Completions) -> list[tuple[str, str]]:
    """Those that begin as typed; what cannot be read offers nothing."""
    found: list[tuple[str, str]] = []
    try:
        found.extend(value for value in values if value[0].startswith(incomplete))
    except (MiaError, OSError):
        return found
    return found
