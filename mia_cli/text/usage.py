"""Usage errors and the frame of the help texts, which the command line library has in English."""

from __future__ import annotations

import re

from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import space
from mia_cli.text.language.nearest import did_you_mean, nearest
from mia_cli.text.language.plain import shortened
from mia_cli.text.language.wrap import fitted

_USAGE_ERRORS = (
    (
        r"No such option: (?P<value>.+?)\.?(?: (?:Did you mean|\(Possible options:) [-\w, ]*[?)])?",
        N_("There is no option {value}."),
    ),
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

_GUESSES = re.compile(r"(?:Did you mean|\(Possible options:) ([-\w, ]*)[?)]\.?\Z")
"""What the library guesses was meant: behind all that was typed."""
_LONGEST = 200
"""Characters of a message of the library that is not known here."""

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
    problem, guesses = message.strip(), _GUESSES.search(message)
    said, typed = _localised(problem)
    meant = nearest(typed, guesses[1].split(", ")) if guesses else None
    if meant is not None:
        said = space().join((said, did_you_mean(meant)))
    return _("{problem} See {command} --help.").format(problem=said, command=command)


def _localised(message: str) -> tuple[str, str]:
    """What is wrong, and the word that it is wrong with."""
    for pattern, template in _USAGE_ERRORS:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            fields = found.groupdict()
            quoted = {name: shortened(value) for name, value in fields.items()}
            return translate(template).format(**quoted), fields.get("value", "")
    return shortened(message, _LONGEST), ""


HELP_WIDTH = 80
"""Columns of a help text on wider terminals, and where nobody knows."""
LIBRARY_WIDTH = HELP_WIDTH - 2
"""Columns that the command line library is to fill; two are to spare, as it has them by itself."""


def localised_help(text: str, width: int = HELP_WIDTH) -> str:
    """A finished help text with its headings in the language in use, in so many columns."""
    for english, message in _FRAME:
        text = text.replace(english, translate(message))
    return fitted(text, min(width, HELP_WIDTH))
