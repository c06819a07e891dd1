"""Records whose rolls, seed or scheme were changed: skipped with a reason, never counted."""

import json

import pytest

from mia_cli.records.record import to_json
from tests.cli.in_process import full
from tests.played_matches import played, simulated, write


def rolls(document):
    return [event for event in document["events"] if event["event"] == "rolled"]


def another_roll(document):
    event = rolls(document)[0]
    event["roll"] = "31" if event["roll"] != "31" else "32"


def another_hidden_roll(document):
    shown = {event["roll"] for event in document["events"] if event["event"] == "revealed"}
    event = next(event for event in rolls(document) if event["roll"] not in shown)
    event["roll"] = "66" if event["roll"] != "66" else "55"


def another_seed(document):
    document["seed"] += 1
    document["events"][-1]["seed"] += 1


def another_seed_with_its_fingerprint(document):
    from mia_cli.engine.seed import fingerprint

    another_seed(document)
    mark = fingerprint(document["seed"])
    document["seed_fingerprint"] = document["events"][0]["seed_fingerprint"] = mark


def another_fingerprint(document):
    mark = "0" * 64
    document["seed_fingerprint"] = document["events"][0]["seed_fingerprint"] = mark


def dice_of_a_simulation(document):
    another_roll(document)
    document["dice"] = "mia-sim/1"


def dice_unheard_of(document):
    document["dice"] = "my-dice/1"


CHANGES = {
    another_roll: "Event ",
    another_hidden_roll: "Event ",
    another_seed: "seed_fingerprint",
    another_seed_with_its_fingerprint: "Event ",
    another_fingerprint: "seed_fingerprint",
    dice_of_a_simulation: "mia-sim/1",
    dice_unheard_of: "my-dice/1",
}
"""With what the reason names."""


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("where", ["folder", "file", "log"])
def test_a_changed_record_is_skipped_with_its_reason(change, where, isolated, tmp_path):
    good, bad = played(1), to_json(played(2))
    change(bad)
    if where == "folder":
        write(isolated / "data" / "matches", [good, played(2)])
        assert json.loads(full("stats", "--json").out)["matches"] == 2  # and remembered
        (isolated / "data" / "matches" / "m-000002.json").write_text(json.dumps(bad))
        words = ()
    elif where == "file":
        paths = [tmp_path / f"{at}.json" for at in range(2)]
        for path, document in zip(paths, (to_json(good), bad), strict=True):
            path.write_text(json.dumps(document, indent=1))
        words = tuple(map(str, paths))
    else:
        path = tmp_path / "log.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in (to_json(good), bad)))
        words = (str(path),)
    for _ in range(2):
        ended = full("stats", *words, "--json")
        found = json.loads(ended.out)
        assert found["matches"] == 1 and len(found["skipped"]) == 1, ended.err
        assert "Skipped" in ended.err
        assert CHANGES[change] in found["problems"][0]["error"]
    rows = full("stats", *words, "--turns", "-")
    assert "m-000002" not in rows.out.replace("m-000002.json", "")


def test_the_dice_of_a_simulation_are_taken_as_said(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(to_json(simulated(3))) + "\n")
    assert json.loads(full("stats", str(path), "--json").out)["matches"] == 1
