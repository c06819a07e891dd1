"""Programs that save matches, for the tests that run several of them or kill them.

Arguments: a job and a folder; further ones by job. What is saved is said in one line each.
"""

import sys
from pathlib import Path

from mia_cli.records.store import MatchStore
from mia_cli.rules.errors import Unwritable
from tests.records.record_samples import ID, history

MATCH = {"seats": 4, "lives": 5, "human": 2}


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def save_in_a_loop(folder, tell=say):
    """Save a match, one action longer each time, then for ever; tell each length once saved."""
    store, records = MatchStore(folder), list(history(**MATCH))
    tell("ready")
    for record in records:
        store.save(record)
        tell(len(record.events))
    while True:
        store.save(records[-1])


def finish_on_call(folder, name):
    """For every line heard, save a match unfinished and finished, under an id of its own."""
    store = MatchStore(folder)
    say("ready")
    for line in sys.stdin:
        match = history(seats=2, choices=int(line), match_id=f"{name}-{int(line):03d}")
        store.save(match[-2])
        store.save(match[-1])
        say("saved")


def play_on(folder):
    """Resume the match at its first action and save on, until somebody else did."""
    store, records = MatchStore(folder), list(history(**MATCH))
    assert store.load(ID) == records[0]
    say("ready")
    sys.stdin.readline()
    saved = 0
    try:
        for record in records[1:]:
            store.save(record)
            saved += 1
    except Unwritable as error:
        assert error.code == "changed_elsewhere", error
        say(f"stopped {saved}")
    else:
        say(f"whole {saved}")


if __name__ == "__main__":
    jobs = {"loop": save_in_a_loop, "finish": finish_on_call, "play": play_on}
    jobs[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
