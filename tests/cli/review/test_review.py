"""``mia review``: which match, what is told of it, and what is not."""

import json
import re
from dataclasses import replace

import pytest

from mia_cli.records.record import to_json
from mia_cli.rules.events import Claimed, Rolled
from mia_cli.rules.rolls import CLAIMS
from tests.cli.in_process import full
from tests.cli.machine import run
from tests.played_matches import LEVELS, played, simulated, write


@pytest.fixture
def folder(isolated, monkeypatch):
    monkeypatch.setenv("MIA_CACHE_DIR", str(isolated / "cache"))
    matches = isolated / "data" / "matches"
    write(matches, [played(1), played(2, seats=2), played(3, actions=9)])
    return matches


def told(*args, typed=b""):
    ended = full("review", "--json", *args, typed=typed)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_the_last_finished_match(folder):
    document = told()
    assert document["schema"] == "mia.review/1" and document["match"] == "m-000002"
    assert document["yardstick"] == "unbeatable"
    decisions = document["decisions"]
    made = [e for e in to_json(played(2, seats=2))["events"] if e["event"] in DECIDED]
    assert [d["seat"] for d in decisions] == [e["seat"] for e in made]
    assert [d["played"] for d in decisions] == [e.get("claim", DECIDED[e["event"]]) for e in made]
    for player in document["players"]:
        change = player["win_at_end"] - player["win_at_start"]
        assert sum(player["parts"].values()) == pytest.approx(change, abs=1e-12)
    for decision in decisions:
        # What was known is apart from what only hindsight shows.
        known = (
            {"lives", "above", "roll"}
            if decision["hindsight"] is None
            else {"lives", "above", "claim"}
        )
        assert decision["known"].keys() == known
        assert decision["verdict"] in ("fine", "doubtful", "bad")


DECIDED = {"claimed": None, "accepted": "accept", "challenged": "challenge"}


def test_a_match_by_part_of_its_id_or_from_a_file(folder, tmp_path):
    assert told("000001") == told("m-000001") == told(str(folder / "m-000001.json"))
    data = (folder / "m-000001.json").read_bytes()
    assert told("-", typed=data) == told("m-000001")
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(to_json(simulated(n))) + "\n" for n in range(5)))
    assert told(str(log), "--match", "m-000003")["match"] == "m-000003"
    ended = full("review", str(log))
    assert ended.code == 2 and "--match" in ended.err


def test_text(folder):
    ended = full("review", "m-000001")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("Match m-000001: 3 seats")
    assert "best play" in lines[1] and "others may play otherwise" in lines[1]
    assert "optimal" not in ended.out
    assert lines[3] == "Your chance to win, round by round"
    assert re.fullmatch(r"  \d+%(  \d+ [▁▂▃▄▅▆▇█]+)+  (0|100)%", lines[4])
    luck = (
        r"  (Lucky: \+|Unlucky: -|The dice evened out: [+-]?)[\d.]+ points\. Given away: [\d.]+; "
    )
    assert re.match(luck, lines[5])
    assert re.match(r"  Turning point, round \d+: \w+ \w+ \d\d \(\d+% to \d+%\)\.", lines[6])
    assert "You" in lines and "What the others gave away" in lines
    assert any(line.startswith("  Ada (hard): ") for line in lines)
    assert "With hindsight" in ended.out and "Hidden dice" in ended.out
    assert "nobody can beat it" in full("review", "m-000002").out
    own = [event for event in played(1).events if isinstance(event, Claimed) and event.seat == 1]
    assert sum(" claim " in line for line in lines if "rolled" in line) >= len(own)


def test_the_worst_decisions_come_first_with_their_reasons(folder):
    def annotated(*words):
        ended = full("review", "m-000001", *words)
        assert ended.code == 0
        return [
            line for line in ended.out.splitlines() if re.match(r"\?[?!]? Round", line)
        ], ended.out

    found = [one for one in told("m-000001")["decisions"] if one["seat"] == 1]
    dear = sorted((one["win_lost"] for one in found if one["win_lost"] >= 0.005), reverse=True)
    signs = ["??" if lost >= 0.05 else "?" if lost >= 0.02 else "?!" for lost in dear]
    assert len(dear) >= 2
    two, out = annotated("--worst", "2")
    assert [line.partition(" ")[0] for line in two] == signs[:2]
    given = [float(lost) for lost in re.findall(r"that gives away ([\d.]+) points", out)]
    assert given == pytest.approx([100 * lost for lost in dear[:2]], abs=0.11), "the dearest first"
    assert annotated("--worst", "1")[0] == two[:1] and annotated("--worst", "0")[0] == []
    assert len(annotated()[0]) == min(5, len(dear))
    # The same to a tenth in the table, and their sum below it.
    rows = re.findall(
        r" (\d+\.\d)(?:  \?[?!]?)?$", out.partition("\nYou\n")[2].partition("decisions:")[0], re.M
    )
    total = re.search(r"Given away: ([\d.]+) points", out)[1]
    assert sum(round(10 * float(row)) for row in rows) == round(10 * float(total))
    for bad in ("-1", "x", "1.5", ""):
        refused = full("review", "m-000001", "--worst", bad)
        assert refused.code == 2 and "--worst" in refused.err


def test_an_unfinished_match_is_refused_and_tells_nothing(folder):
    for args in ((), ("--json",)):
        ended = full("review", "m-000003", *args)
        assert (ended.code, ended.out) == (2, "")
        assert "--resume m-000003" in ended.err and len(ended.err.splitlines()) == 1
    hidden = [e.roll.name for e in played(3, actions=9).events if isinstance(e, Rolled)]
    assert not any(f" {name}" in ended.err for name in hidden)


def test_the_list(folder):
    (folder / "bad.json").write_bytes(b"{")
    ended = full("review", "--list")
    assert ended.code == 0 and "bad.json" in ended.err
    rows = ended.out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["m-000003", "m-000002", "m-000001"]
    assert "unfinished" in rows[0]
    listed = json.loads(full("review", "--list", "--json").out)
    assert [match["id"] for match in listed["matches"]] == ["m-000003", "m-000002", "m-000001"]
    assert len(listed["skipped"]) == 1


def test_verify(folder):
    ended = full("review", "--verify", "m-000001")
    assert ended.code == 0 and "Every roll is the one the seed gives." in ended.out
    document = json.loads(full("review", "--verify", "--json").out)
    assert document["match"] == "m-000003" and document["dice"] is True
    assert document["rules"] is document["seed_fingerprint"] is True


def altered(document, what):
    events = document["events"]
    if what == "dice":
        roll = next(event for event in events if event["event"] == "rolled")
        roll["roll"] = "66" if roll["roll"] != "66" else "55"
    elif what == "seed":
        document["seed"] = events[-1]["seed"] = 12345
    elif what == "rules":
        at = next(i for i, event in enumerate(events) if event["event"] == "claimed")
        del events[at]
    else:
        document["winner"] = events[-1]["winner"] = 1 if document["winner"] != 1 else 2
    return document


@pytest.mark.parametrize("what", ["dice", "seed", "rules", "winner"])
def test_what_was_altered_is_found(folder, what):
    path = folder / "m-000001.json"
    path.write_text(json.dumps(altered(json.loads(path.read_text()), what)))
    for args in (("--verify",), ()):
        ended = full("review", "m-000001", *args)
        assert (ended.code, ended.out) == (4, "")
        assert (len(ended.err.splitlines()) == 1 and str(path) in ended.err) or "Event" in ended.err


def test_dice_that_nobody_knows_cannot_be_verified(folder, tmp_path):
    path = tmp_path / "one.json"
    for record in (
        simulated(5),  # of no run
        replace(simulated(5), extra={"match": 0}),
        replace(played(5), dice="mia-dice/2"),
        replace(played(5), dice="\u202e" * 99),
    ):
        path.write_text(json.dumps(to_json(record)))
        ended = full("review", "--verify", str(path))
        assert ended.code == 4 and "cannot be verified" in ended.out
        assert ended.out.isascii() or "“" in ended.out
        as_json = full("review", "--verify", "--json", str(path))
        assert (as_json.code, json.loads(as_json.out)["dice"]) == (4, False)
        assert told(str(path))["match"] == "m-000005"


@pytest.mark.parametrize("levels", [("easy", "hard"), ("expert",), ("normal", "easy", "hard")])
def test_decisions_of_levels_are_made_again(levels, tmp_path):
    path = tmp_path / "one.json"
    record = played(4, seats=max(2, len(levels)), levels=levels)
    path.write_text(json.dumps(to_json(record)))
    document = json.loads(full("review", "--verify", "--json", str(path)).out)
    assert document["recomputed"] == [seat.seat for seat in record.seats[1:]]
    ended = full("review", "--verify", str(path))
    assert ended.code == 0
    assert ended.out.splitlines()[-2].startswith("Made again from level and seed: ")
    assert ended.out.splitlines()[-1] == "Taken as said: the decisions of You."


def other_decisions(record):
    """The record as it would be if one decision of a level, at a time, had been another one."""
    levels = {seat.seat: seat.player for seat in record.seats}
    for at, event in enumerate(record.events):
        if isinstance(event, Claimed) and levels[event.seat] != "human":
            for claim in CLAIMS[event.claim.position :][:1]:
                events = list(record.events)
                events[at] = replace(event, claim=claim)
                yield at, replace(record, events=tuple(events))


def test_another_decision_of_a_level_is_found(tmp_path):
    path = tmp_path / "one.json"
    found = set()
    for number in range(6):
        for at, record in other_decisions(played(number, seats=2)):
            path.write_text(json.dumps(to_json(record)))
            ended = full("review", "--verify", str(path))
            assert (ended.code, ended.out) == (4, "")
            found.add("level decides" in ended.err)
            if "level decides" in ended.err:
                assert f"Event {at + 2} " in ended.err
    assert True in found


def test_what_played_with_other_tables_is_not_made_again(tmp_path):
    path = tmp_path / "one.json"
    record = played(4, seats=2)
    for extra in (
        {},
        {"levels": dict.fromkeys(LEVELS, 99)},
        {**record.extra, "levels_changed": list(LEVELS)},
    ):
        path.write_text(json.dumps(to_json(replace(record, extra=extra))))
        ended = full("review", "--verify", "--json", str(path))
        assert (ended.code, json.loads(ended.out)["recomputed"]) == (0, [])


def test_a_match_of_a_run_is_played_again(tmp_path):
    log, path = tmp_path / "log.jsonl", tmp_path / "one.json"
    cpus = ("--cpu", "easy", "--cpu", "hard", "--cpu", "expert")
    full("simulate", "-n", "12", *cpus, "--seed", "5", "--log", str(log))
    for line in log.read_text().splitlines():
        document = json.loads(line)
        path.write_text(line)
        ended = full("review", "--verify", "--json", str(path))
        checked = json.loads(ended.out)
        assert (ended.code, checked["dice"], checked["recomputed"]) == (0, True, [1, 2, 3])
        roll = next(event for event in document["events"] if event["event"] == "rolled")
        roll["roll"] = "66" if roll["roll"] != "66" else "55"
        path.write_text(json.dumps(document))
        assert full("review", "--verify", str(path)).code == 4
        document = {**json.loads(line), "match": json.loads(line)["match"] + 1}
        path.write_text(json.dumps(document))
        assert full("review", "--verify", str(path)).code == 4


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("zzz",), 2),
        (("m-0000",), 2),
        (("no/such/file.json",), 4),
        (("--list", "--verify"), 2),
        (("--list", "m-000001"), 2),
        (("--match", "m-000001"), 2),
        (("",), 4),
    ],
)
def test_what_is_refused(folder, args, code):
    ended = full("review", *args)
    assert (ended.code, ended.out) == (code, "")
    assert len(ended.err.splitlines()) == 1


def test_nothing_to_review(isolated):
    ended = full("review")
    assert (ended.code, ended.out) == (2, "") and "no finished match" in ended.err


def test_a_stream_without_letters_of_its_own(folder):
    ended = run("review", env={"PYTHONIOENCODING": "ascii", "COLUMNS": "20"})
    assert ended.returncode == 0 and ended.stderr == b"" and b"round by round" in ended.stdout
    # The signs of verdicts are the only ones.
    assert b"?" not in re.sub(rb"(?m)^ *\?! gives.*|^ *\?[?!]? |\?[?!]?$", b"", ended.stdout)
    assert re.search(rb"\n +\d+%  1 \d+", ended.stdout), "the curve in digits"
