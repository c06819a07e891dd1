"""The sentence for every error code: what was wrong, where, and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping

from mia_cli.rules.errors import MiaError
from mia_cli.text.errors import bots, simulate
from mia_cli.text.errors.records import KINDS, SENTENCES
from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import comma, space
from mia_cli.text.language.nearest import did_you_mean, nearest
from mia_cli.text.language.plain import printable, shortened, with_both_ends

_SENTENCES = {
    **SENTENCES,
    **bots.SENTENCES,
    **simulate.SENTENCES,
    "not_a_roll": N_(
        "“{value}” is not a roll: two dice from 1 to 6, such as 64, 6-4 or 46, or mia for 21."
    ),
    "claim_too_low": N_("{claim} is not higher than {above}, which has to be beaten."),
    "must_challenge_21": N_("A claim of 21 cannot be accepted: nothing is higher. Challenge it."),
    "no_command": N_("There is no command “{value}”: use {allowed}."),
    "no_help": N_("There is no help on “{value}”: use {allowed}."),
    "not_now": N_("That is not possible now."),
    "not_a_seed": N_("“{value}” is not a seed: a whole number of at most {digits} digits."),
    "bad_weights": N_("{value} are no weights of the claims over {above} with a roll of {roll}."),
    "bad_chance": N_("{value} is no chance to challenge {claim} over {above}: from 0 to 1."),
    "bad_shape": N_("A table of shape {value} where {allowed} is wanted."),
    "bad_choice": N_("“{value}” is not allowed for {place}: use {allowed}."),
    "needs_value": N_("{place} needs a value."),
    "bad_rule": N_("{key} cannot be “{value}”: use {allowed}."),
    "not_an_answer": N_("“{value}” is not an answer: accept or challenge."),
    "not_a_pair": N_("“{value}” is not a pair: write a roll and a claim, such as 55 44."),
    "line_too_long": N_("longer than {longest} bytes."),
    "no_line_end": N_("No line ends in {limit} bytes: what follows is not read."),
    "no_place_for_more": N_("“{value}” has no place beside -: the pairs are read from the input."),
    "input_unreadable": N_("The input cannot be read: {reason}."),
    "input_closed": N_("There is no input to read: it is closed."),
    "not_together": N_("{option} and {other} cannot be combined."),
    "needs_option": N_("{option} needs {other}."),
    "bad_lives_vector": N_(
        "“{value}” are not lives for --at: {fewest} to {most} numbers from 1 to {highest}, "
        "such as 3,1,2."
    ),
    "bad_lives": N_("“{value}” are not lives: 2 to 6 seats, each with 0 to 5, the first living."),
    "bad_standing": N_("{value} is not a standing claim: use {lowest} to {highest}."),
    "not_solved": N_("That table is larger than the one that was worked out."),
    "needs_claim_or_roll": N_("--at needs --claim, --roll, or both."),
    "standing_21": N_("A claim of 21 must be challenged: there is nothing to decide."),
    "above_needs_answer": N_("--above needs --claim, and no --roll."),
    "stray_argument": N_("“{value}” is one word too many: an id needs --resume or --discard."),
    "bad_pace": N_("“{value}” is not allowed for {place}: use seconds from 0 to {most}."),
    "not_playable": N_("The level “{value}” is not part of this version: use {allowed}."),
    "nothing_to_resume": N_("There is no unfinished match."),
    "match_is_over": N_("Match {id} is over: there is nothing to resume."),
    "settled_by_match": N_("{option} cannot be combined with {other}: the match has it settled."),
    "no_person_matches": N_("{option} is about your own play: only programs played in these."),
    "no_person": N_("Nobody at a shell takes part in match {id}."),
    "bad_name": N_(
        "“{value}” is not a name for {place}: 1 to {longest} characters, no control characters."
    ),
    "preset_not_utf8": N_("{path}: not UTF-8 text."),
    "preset_empty": N_("{path}: the file is empty; a preset needs {allowed}."),
    "preset_not_toml": N_("{path}{spot}: not TOML: {reason}."),
    "preset_too_large": N_("{path}: larger than {largest} bytes, and so no preset."),
    "preset_no_file": N_("{path}: there is no such file."),
    "preset_is_folder": N_("{path}: a folder, not a file."),
    "preset_not_a_file": N_("{path}: a device or a pipe, not a file."),
    "preset_too_deep": N_("{path}{spot}: more dots than a preset can need."),
    "preset_unknown_key": N_("{path}{spot}: there is no key “{key}”: use {allowed}."),
    "preset_misspelt_key": N_(
        "{path}{spot}: there is no key “{key}”: did you mean {nearest}? Keys are {allowed}."
    ),
    "preset_table": N_(
        "{path}{spot}: there is no table “{key}”: "
        "the keys stand at the top of the file, in no table."
    ),
    "preset_value": N_("{path}{spot}: {key} = {value} is not allowed: use {allowed}."),
    "preset_missing_key": N_("{path}: the key {key} is missing: use {allowed}."),
    "preset_description": N_(
        "{path}{spot}: {key} = {value} is not allowed: use one line of text, "
        "at most {longest} characters."
    ),
    "preset_cpu_count": N_(
        "{path}{spot}: {key} lists {given} levels, which do not fit {players} players: "
        "give one level for all CPU seats, or {needed}."
    ),
    "preset_cpu_many": N_(
        "{path}{spot}: {key} lists {given} levels, but there are at most {most} CPU seats."
    ),
    "preset_unknown": N_(
        "{place}: there is no preset “{value}”: use {allowed}, or a file (*.toml)."
    ),
    "preset_name": N_(
        "“{value}” is not a name for a preset: use a to z, 0 to 9 and -, "
        "at most {longest} characters."
    ),
    "preset_reserved": N_("The name “{value}” belongs to a preset that ships: use another."),
    "preset_exists": N_("{path} exists already: {option} replaces it."),
    "cpu_count": N_(
        "{place}: {given} levels do not fit {players} players: "
        "give one level for all CPU seats, or {needed}."
    ),
    "nothing_to_review": N_("There is no finished match to review."),
    "not_finished": N_(
        "Match {id} is not finished, and its dice stay hidden until it is: "
        "go on with mia play --resume {id}."
    ),
    "several_matches": N_("{file} holds several matches: name one with {option}."),
    "no_place_beside": N_("“{value}” has no place beside {option}."),
    "bad_day": N_(
        "“{value}” is not a day for {place}: use 2026-11-30, 2026-11, 2026, or 30d for 30 days ago."
    ),
    "no_config_folder": N_("There is no folder for presets: set {place} to one."),
}

_PATHS = ("path", "file", "folder", "place")
"""Fields that name a file: cut short, it would not be found."""
_LONGEST_PATH = 1000


def sentence(error: MiaError) -> str:
    """One line about ``error`` in the language in use, values quoted and made printable."""
    template = _SENTENCES.get(error.code)
    if template is None:
        return _("Error {code}.").format(code=str(error))
    fields = {name: _quoted(name, value) for name, value in error.fields.items()}
    text = translate(template).format_map(_Fields(fields))
    meant = _meant(error)
    if meant is not None:
        text = space().join((text, did_you_mean(meant)))
    # Reading errors know their file; it comes first unless the sentence names it itself.
    named = "file" not in fields or "{file}" in template
    return text if named else f"{fields['file']}: {text}"


def _meant(error: MiaError) -> str | None:
    """What was probably meant by a value that is none of a few words."""
    value, allowed = error.fields.get("value"), error.fields.get("allowed")
    if not isinstance(value, str) or not isinstance(allowed, (tuple, list)):
        return None
    words = [word for word in allowed if isinstance(word, str) and word[:1].isalpha()]
    return nearest(value.strip().lower(), words)


class _Fields(dict[str, str]):
    """Shows a field that an error lacks as its name: a poor message beats none."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _quoted(name: str, value: object) -> str:
    if name in _PATHS:
        return with_both_ends(str(value), _LONGEST_PATH)
    if name == "allowed" and isinstance(value, str):
        return translate(KINDS.get(value, value))
    if isinstance(value, (tuple, list)):
        return comma().join(printable(str(part)) for part in value)
    return shortened(str(value))


def codes() -> Mapping[str, str]:
    """Every code with its English template, for the tests."""
    return dict(_SENTENCES)
