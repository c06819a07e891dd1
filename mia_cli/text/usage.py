"""Usage errors and the frame of the help texts, which the command line library has in English."""

from __future__ import annotations

import re

from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import space
from mia_cli.text.language.nearest import did_you_mean, nearest
from mia_cli.text.language.wrap import fitted

_USAGE_ERRORS = (
    (r"No such option: (?P<value>\S+?)\.?(?: .*)?", N_("There is no option {value}.")),
    (r"No such command '(?P<value>.*)'\.(?: .*)?", N_("There is no command “{value}”.")),
    (r"Missing command\.", N_("A command is missing.")),
    (r"Missing argument '(?P<value>.*)'\.", N_("{value} is missing.")),
    (r"Missing option '(?P<value>.*)'\.", N_("{value} is missing.")),
    (r"Option '(?P<value>.*)' requires an argument\.", N_("{value} needs a value.")),
    (r"Option '(?P<value>.*)' does not take a value\.", N_("{value} takes no value.")),
    (
        r"Got unexpected extra argument(?:s|\(s\))? \((?P<value>.*)\)",
        N_("Too many arguments: {value}."),
    ),
    (
        r"Invalid value for '(?P<place>.*)': '?(?P<value>.*?)'? is not a valid (?:integer|int)"
        r"(?: range)?\.",
        N_("“{value}” is not allowed for {place}: use a whole number."),
    ),
    (
        r"Invalid value for '(?P<place>.*)': '?(?P<value>.*?)'? is not a valid float"
        r"(?: range)?\.",
        N_("“{value}” is not allowed for {place}: use a number."),
    ),
)

_TYPED = re.compile(r"No such (?:option: |command ')(?P<value>[\w-]+)")
_GUESSES = re.compile(r"(?:Did you mean|Possible options:)(?P<guesses>.*)", re.DOTALL)
_GUESS = re.compile(r"-{0,2}[a-z][\w-]*")
"""What the library guesses was meant, in the order of the alphabet."""

_FRAME = (
    ("Usage:", N_("Usage:")),
    ("Options:", N_("Options:")),
    ("Arguments:", N_("Arguments:")),
    ("Commands:", N_("Commands:")),
    ("Show this message and exit.", N_("Show this message and exit.")),
    ("[default: ", N_("[default: ")),
    ("[env var: ", N_("[env var: ")),
    ("[required]", N_("[required]")),
)
OF_THE_LIBRARY = (
    N_("Install completion for the current shell."),
    N_("Show completion for the current shell, to copy it or customize the installation."),
)
"""What the library says of options of its own, for the catalogue."""


def usage_sentence(message: str, command: str) -> str:
    """A usage error as one line, with the command whose help tells more."""
    problem, meant = _localised(message.strip()), _meant(message)
    if meant is not None:
        problem = space().join((problem, did_you_mean(meant)))
    return _("{problem} See {command} --help.").format(problem=problem, command=command)


def _meant(message: str) -> str | None:
    """The guess that is most like what was typed."""
    found = _GUESSES.search(message)
    typed = _TYPED.match(message)
    if found is None or typed is None:
        return None
    return nearest(typed["value"], _GUESS.findall(found["guesses"]))


def _localised(message: str) -> str:
    for pattern, template in _USAGE_ERRORS:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return translate(template).format(**found.groupdict())
    return message


HELP_WIDTH = 80
"""Columns of a help text, as the library has them on wider terminals too."""


def localised_help(text: str) -> str:
    """A finished help text with its headings in the language in use."""
    for english, message in _FRAME:
        text = text.replace(english, translate(message))
    return fitted(text, HELP_WIDTH)
