"""Sentences about programs that play: how they are named, and what they did wrong."""

from __future__ import annotations

from mia_cli.text.language.catalogue import N_

SENTENCES = {
    "bad_bot": N_('“{value}” is not a bot: write NAME=COMMAND, such as mine="python3 bot.py".'),
    "bad_bot_name": N_(
        "“{value}” is not a name for a bot: use letters, digits, _, - and ., at most 40."
    ),
    "bad_bot_command": N_("The command of bot:{bot} cannot be read: “{value}”."),
    "bot_twice": N_("bot:{bot} has two commands: one is enough."),
    "bot_undefined": N_("There is no command for bot:{bot}: add --bot {bot}=COMMAND."),
    "bad_bot_time": N_(
        "“{value}” is not a time for a decision: use seconds, more than 0 and at most {longest}."
    ),
    "bot_failed_to_start": N_("bot:{bot} cannot be started: {path}: {detail}."),
    "bot_exited": N_("bot:{bot} ended in the middle of a match (exit status {status})."),
    "bot_closed": N_("bot:{bot} closed its {stream} in the middle of a match."),
    "bot_timeout": N_("bot:{bot} sent no line within {seconds} s. Does it flush its output?"),
    "bot_half_line": N_("bot:{bot} sent half a line and not its end: “{value}”."),
    "bot_flood": N_("bot:{bot} sent more than {limit} bytes where one line was due."),
    "bot_unasked": N_(
        "bot:{bot} sent a line that nobody asked for: “{value}”. Notes go to stderr."
    ),
    "bot_not_json": N_("bot:{bot} sent a line that is not JSON: “{value}”. Notes go to stderr."),
    "bot_bad_reply": N_("bot:{bot} sent “{value}”: it has to be one of {allowed}."),
    "bot_illegal_claim": N_("bot:{bot} made the illegal claim “{value}”: use {allowed}."),
    "bot_illegal_answer": N_("bot:{bot} accepted a claim of {claim}, which must be challenged."),
}
"""By code; those of faults are ``bot_`` and the cause."""
