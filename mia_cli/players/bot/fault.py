"""What can go wrong with a program that plays, as stable causes."""

from __future__ import annotations

from mia_cli.rules.errors import MiaError

CAUSES = (
    *("failed_to_start", "exited", "closed", "timeout", "half_line", "flood", "unasked"),
    *("not_json", "bad_reply", "illegal_claim", "illegal_answer"),
)
"""All causes of a fault.

``failed_to_start`` (path, detail): the operating system would not run it. ``exited`` (status: exit
status or name of a signal). ``closed`` (stream): runs on, but closed its stdin or stdout.
``timeout`` (seconds): no reply in time. ``half_line`` (value): a reply without an end of line.
``flood`` (limit, bytes): far more output than a reply. ``unasked`` (value): a line nobody asked
for, in runs of earlier versions. ``not_json`` (value). ``bad_reply`` (value, allowed): JSON, but
not what was asked for. ``illegal_claim`` (value, allowed) and ``illegal_answer`` (claim):
understood, but not allowed.
"""

WRONG_REPLIES = ("not_json", "bad_reply", "illegal_claim", "illegal_answer")
"""Causes that are a whole line, after which the next one is again a reply."""

_PREFIX = "bot_"


class Broken(Exception):
    """A fault inside one process, before it is known whose; see CAUSES for the fields."""

    def __init__(self, cause: str, **fields: object) -> None:
        super().__init__(cause, fields)
        self.cause = cause
        self.fields = fields


class BotFault(MiaError):
    """A program that plays failed to.

    ``fields`` hold ``bot`` (its name), ``seat`` (None before its first match), ``stderr`` (the
    last lines it wrote there, a tuple) and those of the cause. What came from the bot is raw
    text.
    """

    @property
    def cause(self) -> str:
        """One of CAUSES."""
        return self.code.removeprefix(_PREFIX)

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last lines the bot wrote on stderr, raw, oldest first."""
        lines = self.fields["stderr"]
        return lines if isinstance(lines, tuple) else ()

    def anew(self, **fields: object) -> BotFault:
        """The same fault, apart from some fields, not raised yet.

        This is what is kept: the traceback of one that was raised holds all that was going on then,
        files that are locked among it.
        """
        return BotFault(self.code, **{**self.fields, **fields})


def bot_fault(broken: Broken, bot: str, seat: int | None, stderr: tuple[str, ...]) -> BotFault:
    """The fault of a named bot."""
    return BotFault(_PREFIX + broken.cause, bot=bot, seat=seat, stderr=stderr, **broken.fields)
