"""Sentences about files and records that cannot be read, written or believed."""

from __future__ import annotations

from mia_cli.text.language.catalogue import N_

SENTENCES = {
    "no_data_dir": N_("There is no folder for data: set {variable} to one."),
    "not_a_folder": N_("{file} is not a folder: {detail}."),
    "cannot_create_folder": N_("The folder {file} cannot be created: {detail}."),
    "cannot_read": N_("{file} cannot be read: {detail}."),
    "cannot_write": N_("{file} cannot be written: {detail}."),
    "in_use": N_("{file} is in use: another run writes to it."),
    "output_differs": N_("{file} exists already and is not {allowed}: {option} replaces it."),
    "changed_elsewhere": N_(
        "Match {id} was changed by another program in the meantime; its file is left as it is."
    ),
    "empty_file": N_("The file is empty."),
    "cut_archive": N_("The packed file is damaged, or not whole."),
    "not_a_file": N_("This is not a file."),
    "too_deep": N_("Brackets are nested too deeply."),
    "not_utf8": N_("The file is not UTF-8 text (byte {offset})."),
    "not_json": N_("The file is not JSON (line {line}, column {column})."),
    "bad_number": N_("“{value}” is not a number that JSON allows."),
    "duplicate_key": N_("The key “{key}” stands twice in one object."),
    "too_large": N_("The file is larger than {limit} bytes."),
    "no_record": N_("No record begins in {limit} bytes: what follows is not read."),
    "not_practice": N_("The file is not the record of practice ({field})."),
    "not_progress": N_("The file is not the progress of the tutorial ({field})."),
    "file_changed": N_("{file} was changed by another program and is left as it is."),
    "not_a_record": N_("The file is not a match record."),
    "no_events": N_("The record has no events."),
    "newer_schema": N_(
        "The record is of a newer version ({value}): this program reads {allowed}. It is untouched."
    ),
    "unknown_schema": N_("The schema is “{value}”: a match record has {allowed}."),
    "missing_field": N_("The field {field} is missing."),
    "bad_value": N_("{field} is “{value}”: it has to be {allowed}."),
    "not_an_object": N_("{field} is “{value}”: it has to be an object."),
    "unknown_field": N_("There is no field {field}: use {allowed}."),
    "bad_seats": N_("{field}: the number of seats has to be {allowed}."),
    "contradicts_status": N_("{field} is “{value}”, which does not go with the status {status}."),
    "unknown_dice": N_("{field} is “{value}”: this match needs {allowed}."),
    "head_differs": N_(
        "Event {event}: {field} is “{found}”, but the record says “{expected}” elsewhere."
    ),
    "unknown_event": N_("Event {event}: there is no event “{value}”: use {allowed}."),
    "event_not_an_object": N_("Event {event} is “{value}”: it has to be an object."),
    "event_missing_field": N_("Event {event}: the field {field} is missing."),
    "event_unknown_field": N_("Event {event}: there is no field {field}: use {allowed}."),
    "event_bad_seats": N_("Event {event}: {field}: the number of seats has to be {allowed}."),
    "event_bad_value": N_("Event {event}: {field} is “{value}”: it has to be {allowed}."),
    "seed_differs": N_("Event {event}: the seed is not the one of the record."),
    "fingerprint_differs": N_(
        "Event {event}: {field} is “{found}”, but the seed gives “{expected}”."
    ),
    "contradicts_events": N_(
        "Event {event}: {field} is “{found}”, but the events give “{expected}”."
    ),
    "does_not_fit": N_(
        "Event {event} does not follow from the rules: found {found}, expected {expected}."
    ),
    "other_decision": N_(
        "Event {event} is not what the level decides with this seed: found {found}, expected "
        "{expected}."
    ),
    "forfeited": N_("A program lost this match by a fault, so it did not end by the rules."),
    "bad_id": N_("“{value}” is not the id of a match."),
    "no_such_match": N_("There is no match “{value}”."),
    "ambiguous_id": N_("“{value}” is the id of several matches: {matches}."),
    "damaged_here": N_("Match {id} is not taken in: its file here is damaged ({path})."),
    "id_differs": N_("The record is of match {found}, but its file is named {expected}."),
}
"""By code; where an error has a ``file`` that its sentence lacks, the file goes first."""

KINDS = {
    "whole_number": N_("a whole number"),
    "text": N_("text"),
    "list": N_("a list"),
    "list_of_lives": N_("a list of lives"),
    "seed": N_("a seed"),
    "seed_fingerprint": N_("64 hexadecimal digits"),
    "time": N_("a time in UTC"),
    "match_id": N_("the id of a match"),
    "player": N_("human, a level or bot:NAME"),
    "page": N_("a page of mia"),
    "picture": N_("a picture of mia"),
    "records": N_("a file of records of mia"),
    "run": N_("the state of a run of mia"),
    "turns": N_("a table of turns of mia"),
}
"""What a value has to be, by the word an error has for it."""
