"""``mia solve`` from outside: the contract's JSON, tables a person reads, refusals."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mia_cli.cli.app import app
from mia_cli.rules.rolls import CLAIMS
from mia_cli.theory import solve as solved_game
from mia_cli.theory import solver
from tests.cli.machine import MIA, environment


def solve(*words: str, **env: str) -> Result:
    return CliRunner().invoke(app, ["solve", *words], env=env)


def solved(*words: str) -> dict[str, object]:
    result = solve(*words, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    found: dict[str, object] = json.loads(result.stdout)
    assert found["schema"] == "mia.solve/1"
    return found


@pytest.mark.parametrize(
    ("lives", "penalty", "leader"),
    [
        (1, 1, 0.647939009),
        (2, 1, 0.580445076221),
        (3, 1, 0.559140086375),
        (5, 1, 0.542653),
        (2, 2, 0.575593984219),
        (3, 2, 0.556480976674),
        (5, 2, 0.541139),
    ],
)
def test_published_values_of_two_seats(lives: int, penalty: int, leader: float) -> None:
    found = solved("--lives", str(lives), "--penalty-21", str(penalty))
    assert found["win_probability"] == pytest.approx([leader, 1 - leader], abs=1e-6)
    assert (found["players"], found["lives"], found["penalty_21"]) == (2, lives, penalty)
    assert 0 <= found["max_gain"] <= 1e-9


def test_values_of_more_seats_sum_to_one() -> None:
    found = solved("--players", "4", "--lives", "2")
    assert len(found["win_probability"]) == 4
    assert sum(found["win_probability"]) == pytest.approx(1.0)


@pytest.mark.slow
def test_every_table() -> None:
    tables = solved("--all")["tables"]
    assert isinstance(tables, list)
    assert len({(t["players"], t["lives"], t["penalty_21"]) for t in tables}) == 5 * 3 * 2
    for table in tables:
        assert sum(table["win_probability"]) == pytest.approx(1.0)
        assert table["max_gain"] <= 1e-9


def test_an_answer_at_the_last_life_follows_the_published_mix() -> None:
    for claim, chance in (
        ("53", 1 / 8),
        ("54", 2 / 9),
        ("61", 3 / 10),
        ("65", 1 / 2),
        ("66", 10 / 17),
    ):
        found = solved("--at", "1,1", "--claim", claim)
        assert found["decision"] == "answer"
        challenge = next(o for o in found["options"] if o["action"] == "challenge")
        assert challenge["probability"] == pytest.approx(chance, abs=1e-9)
        wins = [option["win_probability"] for option in found["options"]]
        assert wins[0] == pytest.approx(wins[1], abs=1e-9), "a mix is between equals"


def test_the_claim_before_decides_what_a_claim_is_worth() -> None:
    after_52 = solved("--at", "1,1", "--claim", "65", "--above", "52")
    assert {o["action"]: o["probability"] for o in after_52["options"]} == {
        "accept": pytest.approx(0.0),
        "challenge": pytest.approx(1.0),
    }


def test_lives_run_from_the_seat_to_act() -> None:
    strong = solved("--at", "3,1", "--claim", "43")["options"]
    weak = solved("--at", "1,3", "--claim", "43")["options"]
    assert max(o["win_probability"] for o in strong) > 0.8
    assert max(o["win_probability"] for o in weak) < 0.25


def test_claims_over_a_standing_claim() -> None:
    found = solved("--at", "3,1,2", "--claim", "55", "--roll", "33")
    assert found["decision"] == "claim"
    assert [o["action"] for o in found["options"]] == ["66", "21"]
    assert sum(o["probability"] for o in found["options"]) == pytest.approx(1.0)
    opening = solved("--at", "3,3", "--roll", "64")
    assert [o["action"] for o in opening["options"]] == [claim.name for claim in CLAIMS]


def test_a_stage_as_a_game_of_gambit() -> None:
    found = solve("--efg", "--at", "3,1", "--claim", "55", "--penalty-21", "2")
    assert found.exit_code == 0
    assert found.stdout == solved_game(2, 3, 2).to_efg((3, 1), "55")
    assert solve("--efg", "--at", "2,1,1").stdout.count("\nt ") == 21 * 41
    refused = solve("--efg", "--at", "3,1", "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")


@pytest.mark.parametrize(
    ("level", "low", "high"),
    [("easy", 0.85, 0.95), ("normal", 0.7, 0.8), ("hard", 0.53, 0.65), ("expert", 0.5, 0.5)],
)
def test_ceilings(level: str, low: float, high: float) -> None:
    found = solved("--ceiling", level)
    assert low - 1e-9 <= found["ceiling"] <= high + 1e-9
    assert found["level"] == level
    assert set(found) == {"schema", "level", "players", "lives", "penalty_21", "ceiling"}


REFUSED = [
    "--at 3",
    "--at 3,0",
    "--at 3,6",
    "--at 1,1,1,1,1,1,1 --claim 55",
    "--at 3,x --claim 55",
    "--at 3,3",
    "--at , --claim 55",
    "--at 3,3 --claim 21",
    "--at 3,3 --claim 21 --roll 33",
    "--at 3,3 --claim 77",
    "--at 3,3 --claim 55 --roll 07",
    "--at 3,3 --claim 55 --above 55",
    "--at 3,3 --claim 55 --above 66",
    "--at 3,3 --roll 55 --above 54",
    "--at 3,3 --claim 55 --players 2",
    "--claim 55",
    "--roll 55",
    "--all --at 3,3",
    "--efg",
    "--efg --all",
    "--efg --ceiling easy",
    "--efg --at 3,3 --roll 33",
    "--efg --at 3,3 --claim 55 --above 44",
    "--efg --at 3,3 --claim 21",
    "--efg --at 3,3 --players 2",
    "--all --lives 3",
    "--ceiling god",
    "--ceiling easy --all",
    "--players 1",
    "--players 7",
    "--players two",
    "--lives 0",
    "--lives 6",
    "--penalty-21 3",
    "--nope",
    "extra",
]


@pytest.mark.parametrize("words", REFUSED)
def test_bad_input_is_one_clear_line_and_exit_2(words: str) -> None:
    result = solve(*words.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


def test_the_tables_a_person_reads() -> None:
    text = solve().stdout
    assert text.startswith("The best play of Mia: 2 seats, 3 lives each, 21 costs 1.\n")
    assert "55.91%" in text
    assert "Leading is worth +5.91 points" in text
    assert "this cannot be beaten" in text
    assert "Opening play" in text
    assert "How often to challenge" in text
    assert max(map(len, text.splitlines())) <= 80


def test_three_seats_are_never_called_unbeatable_or_optimal() -> None:
    for words in (("--players", "3"), ("--players", "3", "--ceiling", "expert")):
        text = solve(*words).stdout.lower()
        assert "optimal" not in text
        assert "cannot be beaten" not in text
    assert "several together can" in solve("--players", "3").stdout


def test_a_large_solution_is_kept_and_a_damaged_one_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = Path(os.environ["HOME"], "cache")
    words, env = ("--at", "5,5,5,5,5", "--claim", "55", "--json"), {"MIA_CACHE_DIR": str(folder)}
    monkeypatch.setattr(solver, "_KNOWN", {})  # whatever another test has solved
    first = solve(*words, **env)
    (kept,) = folder.iterdir()
    good = kept.read_bytes()
    for damage in (b"", good[:-1], good[:200] + b"\xff" * 8 + good[208:], b"x" * len(good)):
        kept.write_bytes(damage)
        monkeypatch.setattr(solver, "_KNOWN", {})  # as in a process of its own
        again = solve(*words, **env)
        assert (again.exit_code, again.stdout, again.stderr) == (0, first.stdout, "")
        assert kept.read_bytes() == good
    kept.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    monkeypatch.setattr(solver, "_KNOWN", {})
    assert solve(*words, **env).stdout == first.stdout


def test_progress_is_shown_on_a_terminal_only() -> None:
    ours, theirs = pty.openpty()
    words = [*MIA, "solve", "--at", "5,5,5,5,5", "--claim", "55", "--json"]
    env = environment({"MIA_CACHE_DIR": "/dev/null/none"})
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=env)
    os.close(theirs)
    out, _ = process.communicate(timeout=60)
    progress = os.read(ours, 65536).decode()
    os.close(ours)
    assert "100%" in progress
    assert progress.endswith("\r"), "the line is cleared"
    json.loads(out)


def test_the_best_play_as_pictures() -> None:
    """Below the diagonal nothing is claimed, on it stand the sure truths; a legend tells shades."""
    lines = solve().stdout.splitlines()
    start = next(
        at for at, line in enumerate(lines) if line.startswith("Opening play as a picture")
    )
    drawn = [line[5:].ljust(2 * len(CLAIMS)) for line in lines[start + 3 :][: len(CLAIMS)]]
    chances = solved_game(2, 3, 1).claim_probabilities((3, 3), 0)
    for row, line in zip(chances, drawn, strict=True):
        for chance, shade in zip(row, line[::2], strict=True):
            assert (shade == " ") is bool(chance == 0.0)
            assert (shade == "█") is bool(chance > 0.5625)
    assert lines[-1] == "░ up to 6%, ▒ up to 25%, ▓ up to 56%, █ up to 100%"


def test_a_page_of_the_best_play(tmp_path: Path) -> None:
    page = tmp_path / "best.html"
    assert solve("--html", str(page)).exit_code == 0
    text = page.read_text("utf-8")
    assert text.count("<svg") == 2 and text.count("<table>") == 3 and "<script" not in text
    assert "<title>31: 52, 11.7%</title>" in text
    assert solve("--html", str(page)).exit_code == 0  # its own page may be replaced
    foreign = tmp_path / "notes.html"
    foreign.write_text("mine", "utf-8")
    assert solve("--html", str(foreign)).exit_code == 2
    assert foreign.read_text("utf-8") == "mine"
    assert solve("--html", str(foreign), "--force").exit_code == 0
    assert solve("--html", str(page), "--all").exit_code == 2
    assert solve("--html", "-", "--json").exit_code == 2
    assert solve("--html", "-").stdout.startswith("<!doctype html>")
