"""What tells after a fault that something was lost. Each says what, or None: nothing."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from mia_cli.records.record import decode_record
from tests.harness.bench import Bench, Ended

TYPED = "c\n21\n" * 60


def records(home: Path) -> dict[str, bytes]:
    """The match records by name. Raises MiaError for one that is damaged."""
    found = {path.name: path.read_bytes() for path in (home / "data/matches").glob("*.json")}
    for name, data in found.items():
        decode_record(data, name)
    return found


def events_told(out: str) -> int:
    """How many events of a match were on the screen, whole lines alone."""
    seen = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith("}\n")]
    apart = ("prompt", "error", "summary", "left", "note", "remembered", "noticed")
    return sum(event.get("event") not in apart for event in seen)


def lost_in_play(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
    """The match is as long as on the screen, unless stderr said otherwise; others are untouched."""
    old, new = json.loads(whole["records"]), records(home)
    if any(new.get(name, b"").decode() != text for name, text in old.items()):
        return "a record that was there is another"
    mine = [json.loads(data) for name, data in new.items() if name not in old]
    kept = max((len(record["events"]) for record in mine), default=0)
    if kept < events_told(ended.out) and "mia: " not in ended.err:
        return f"{events_told(ended.out)} events on the screen, {kept} in the record, and no word"
    if mine and mine[0]["status"] == "unfinished":
        again = bench.run("play --resume --json", home, TYPED)
        if again.code not in (0, 3):
            return f"cannot be resumed: {again.err}"
    return None


def lost_in_drill(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
    """Every answer that was judged on the screen is kept, unless stderr said otherwise."""
    found = bench.run("practice --list --json", home)
    if found.code:
        return found.err
    asked = sum(kind["asked"] for kind in json.loads(found.out)["kinds"])
    judged = ended.out.count('"event": "verdict"')
    if asked < judged and "mia: " not in ended.err:
        return f"{judged} answers judged, {asked} kept"
    return None


def lost_in_lessons(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
    """Lessons that were done stay done."""
    found = bench.run("tutorial --list --json", home)
    if found.code:
        return found.err
    done = [lesson["id"] for lesson in json.loads(found.out)["lessons"] if lesson["done"]]
    return None if "rolls" in done else "a lesson that was done is not done"


def same_when_run_again(words: str) -> Callable[..., str | None]:
    """The command, run once more, gives what it gives without any fault, and so do its files."""

    def lost(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
        clean = Bench(bench.folder)
        again = clean.run(words, home)
        if again.code and "run.json" in words and "log.jsonl" in again.err:
            # Killed before the run was first saved: its log is said to be there, and untouched.
            again = clean.run(f"{words} --force", home)
        if again.code:
            return f"exit {again.code}: {again.err}"
        found = outcome(again, home)
        for name, text in whole.items():
            if found.setdefault(name, "") != text:
                return f"{name} is another after it was run again: {difference(text, found[name])}"
        return None

    return lost


def difference(text: str, other: str) -> str:
    """What differs first in two texts, and what is around."""
    pairs = enumerate(zip(text, other, strict=False))
    at = next((at for at, (here, there) in pairs if here != there), min(len(text), len(other)))
    begin, end = max(0, at - 40), at + 80
    return f"at {at}: {text[begin:end]!r}, {other[begin:end]!r}"


def outcome(ended: Ended, home: Path) -> dict[str, str]:
    """What a command leaves: its answer less what is of a run, its log, export and records."""
    try:
        document = json.loads(ended.out)
        for name in ("elapsed_s", "matches_per_s", "problems", "kernel"):
            document.pop(name, None)
        answer = json.dumps(document)
    except ValueError:
        answer = ""
    found = {"answer": answer}
    found["records"] = json.dumps({k: v.decode() for k, v in sorted(records(home).items())})
    for name in ("log.jsonl", "out.jsonl"):
        with contextlib.suppress(FileNotFoundError):
            found[name] = (home / name).read_text("utf-8")
    return found
