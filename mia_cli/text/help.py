"""The topics of ``mia help``."""

from __future__ import annotations

from mia_cli.text.language.catalogue import _
from mia_cli.text.levels import level_lines


def about_topics() -> dict[str, str]:
    """The topics there are, with what they are about."""
    return {
        "rules": _("how Mia is played"),
        "levels": _("the CPU players"),
        "bots": _("programs of your own as players"),
    }


def topics() -> list[str]:
    """The topics there are, before the commands."""
    told = about_topics()
    width = max(map(len, told))
    return [
        _("Topics, with mia help TOPIC:"),
        *(f"  {topic.ljust(width)}  {about}" for topic, about in told.items()),
        "",
    ]


def levels() -> list[str]:
    """The levels of CPU players."""
    return [
        _("The levels of CPU players, weakest first:"),
        *level_lines(),
        "",
        _("Choose one for all CPU seats, or one for each:"),
        "  mia play --cpu hard",
        "  mia play --cpu easy --cpu normal --cpu hard",
        _("How much any opponent can win against a level:"),
        "  mia solve --ceiling hard",
    ]


def bots() -> list[str]:
    """Programs as players."""
    return [
        _("A program of your own can sit at the table, written in any language:"),
        '  mia play --players 2 --bot me="python3 me.py" --cpu bot:me',
        '  mia simulate --bot me="python3 me.py" --cpu bot:me --cpu hard -n 1000',
        "",
        _("It reads one JSON object a line, and answers two kinds of them with a line:"),
        '  {"type": "answer", "claim": "55", "above": "44", "lives": [3, 2], "seat": 2}',
        '  {"action": "accept"}    {"action": "challenge"}',
        '  {"type": "claim", "roll": "33", "above": "44", "lives": [3, 2], "seat": 2}',
        '  {"claim": "55"}',
        "",
        _("At the start it is told the rules and its seat, and then what its seat may see."),
        _(
            "An illegal or unreadable line, silence for longer than --bot-time, or its end "
            "is a fault, which is said with its cause."
        ),
    ]
