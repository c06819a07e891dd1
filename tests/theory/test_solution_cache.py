"""Solutions kept between runs: used when whole, rebuilt when not, never in the way."""

import os
from pathlib import Path

import pytest

from mia_cli.files.folders import cache_dir
from mia_cli.theory import cache, max_gain, solve, solver


@pytest.fixture
def solved(monkeypatch):
    """How many times something was solved rather than read."""
    calls = []
    original = solver.solve_states

    def counted(*arguments):
        calls.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(solver, "solve_states", counted)
    return calls


def same(one, other):
    return one.table.tobytes() == other.table.tobytes()


def test_solved_once(tmp_path, solved):
    folder = tmp_path / "deep" / "cache"
    first = solve(2, 2, 1, cache_dir=folder)
    told = []
    second = solve(2, 2, 1, cache_dir=folder, progress=lambda *step: told.append(step))
    assert same(first, second)
    assert len(solved) == 1
    assert told == []
    assert second.values((2, 2)).sum() == pytest.approx(1)
    second.table[:] = 0  # the reader may do what it likes
    assert same(first, solve(2, 2, 1, cache_dir=folder))


def test_each_size_has_its_file(tmp_path, solved):
    sizes = [(2, 2, 1), (2, 2, 2), (3, 2, 1), (2, 3, 1)]
    for size in sizes * 2:
        assert same(solve(*size, cache_dir=tmp_path), solve(*size))
    assert len(solved) == len(sizes) + 2 * len(sizes)
    assert len(list(tmp_path.iterdir())) == len(sizes)


def stored(folder):
    (path,) = folder.iterdir()
    return path


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    head, _, payload = data.partition(b"\n")
    flipped = bytes([payload[100] ^ 1])
    path.write_bytes(
        {
            "empty": b"",
            "cut": data[:-1],
            "longer": data + b"\0",
            "no head": payload,
            "flipped": head + b"\n" + payload[:100] + flipped + payload[101:],
            "older": head.replace(b'"algorithm": ', b'"algorithm": 9') + b"\n" + payload,
            "other rules": head.replace(b'"rules": "', b'"rules": "0') + b"\n" + payload,
            "text": b"not a solution\n" * 9999,
        }[how]
    )
    assert path.read_bytes() != data


@pytest.mark.parametrize(
    "how", ["empty", "cut", "longer", "no head", "flipped", "older", "other rules", "text"]
)
def test_a_damaged_file_is_solved_again(tmp_path, solved, how):
    right = solve(2, 2, 1, cache_dir=tmp_path)
    whole = stored(tmp_path).read_bytes()
    damage(stored(tmp_path), how)
    assert same(solve(2, 2, 1, cache_dir=tmp_path), right)
    assert len(solved) == 2
    assert stored(tmp_path).read_bytes() == whole


def test_a_file_of_another_size_is_not_taken(tmp_path, solved):
    solve(2, 2, 2, cache_dir=tmp_path)
    path = stored(tmp_path)
    right = solve(2, 2, 1, cache_dir=tmp_path)
    other = next(file for file in tmp_path.iterdir() if file != path)
    other.write_bytes(path.read_bytes())
    assert same(solve(2, 2, 1, cache_dir=tmp_path), right)
    assert len(solved) == 3


def test_other_rules_make_other_files(tmp_path, solved, monkeypatch):
    solve(2, 2, 1, cache_dir=tmp_path)
    chances = cache.rule_arrays.CHANCES.copy()
    chances[[0, 20]] += [1e-9, -1e-9]
    monkeypatch.setattr(cache.rule_arrays, "CHANCES", chances)
    solve(2, 2, 1, cache_dir=tmp_path)
    assert len(solved) == 2


@pytest.mark.parametrize("kind", ["file in the way", "folder in the way"])
def test_a_folder_that_cannot_be_used(tmp_path, solved, kind):
    if kind == "file in the way":
        folder = tmp_path / "file" / "cache"
        folder.parent.write_text("")
    else:
        folder = tmp_path
        (folder / "solution-2-2-1.mia").mkdir()
    before = sorted(tmp_path.rglob("*"))
    for _ in range(2):
        assert same(solve(2, 2, 1, cache_dir=folder), solve(2, 2, 1))
    assert sorted(tmp_path.rglob("*")) == before


class Interrupted(BaseException):
    pass


def test_interrupted_while_solving(tmp_path, solved):
    def stop(done, total):
        if done > total // 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        solve(3, 2, 1, cache_dir=tmp_path, progress=stop)
    assert list(tmp_path.iterdir()) == []
    assert same(solve(3, 2, 1, cache_dir=tmp_path), solve(3, 2, 1))


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [Interrupted(), OSError("disk full")])
def test_interrupted_while_writing(tmp_path, monkeypatch, step, error):
    right = solve(2, 2, 1, cache_dir=tmp_path)
    whole = stored(tmp_path).read_bytes()
    damage(stored(tmp_path), "flipped")

    def fail(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
        if isinstance(error, OSError):
            assert same(solve(2, 2, 1, cache_dir=tmp_path), right)
        else:
            with pytest.raises(Interrupted):
                solve(2, 2, 1, cache_dir=tmp_path)
    assert stored(tmp_path).name == "solution-2-2-1.mia"
    assert same(solve(2, 2, 1, cache_dir=tmp_path), right)
    assert stored(tmp_path).read_bytes() == whole


def test_where_solutions_are_kept(tmp_path, monkeypatch):
    assert cache_dir({"MIA_CACHE_DIR": str(tmp_path)}) == tmp_path
    monkeypatch.chdir(tmp_path)
    assert cache_dir({"MIA_CACHE_DIR": "here"}) == tmp_path / "here"
    assert cache_dir({"MIA_CACHE_DIR": "~/solved"}) == Path.home() / "solved"
    assert cache_dir({"MIA_CACHE_DIR": "~nobody-of-this-name/x"}) is None
    chosen = cache_dir({})
    assert chosen is not None
    assert chosen.is_absolute()
    assert not chosen.exists()


def test_a_pipe_in_the_place_of_a_solution_is_not_waited_for(tmp_path):
    right = solve(2, 2, 1, cache_dir=tmp_path)
    path = stored(tmp_path)
    path.unlink()
    os.mkfifo(path)
    assert solve(2, 2, 1, cache_dir=tmp_path).values((2, 2)) == pytest.approx(right.values((2, 2)))


@pytest.fixture
def proved(monkeypatch):
    """How many times a gain was worked out from a solution that was there."""
    calls = []

    def counted(*arguments):
        calls.append(arguments)
        return max_gain(*arguments)

    monkeypatch.setattr(solver, "max_gain", counted)
    return calls


def test_a_gain_is_kept_with_its_solution(tmp_path, solved, proved):
    wanted = max_gain(solve(3, 3, 2))
    del solved[:]
    for _ in range(3):
        solution, gain = solver.proven_solution(3, 3, 2, cache_dir=tmp_path)
        assert gain == wanted and same(solution, solve(3, 3, 2, cache_dir=tmp_path))
    assert (len(solved), len(proved)) == (1, 0)
    assert solver.proven_solution(3, 3, 2)[1] == wanted
    assert (len(solved), len(proved)) == (2, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b" ",
        lambda data: data.replace(b"}\n", b"}\n1"),
        lambda data: data.replace(b'"algorithm": ', b'"algorithm": 9'),
        lambda data: b"x" * 10**6,
    ],
)
def test_a_damaged_gain_is_worked_out_again(tmp_path, solved, proved, change):
    _, gain = solver.proven_solution(2, 2, 1, cache_dir=tmp_path)
    path = tmp_path / "gain-2-2-1.mia"
    whole = path.read_bytes()
    path.write_bytes(change(whole))
    assert path.read_bytes() != whole
    assert solver.proven_solution(2, 2, 1, cache_dir=tmp_path)[1] == gain
    assert (len(solved), len(proved)) == (1, 1)
    assert path.read_bytes() == whole


def test_a_gain_belongs_to_the_values_it_was_worked_out_for(tmp_path, proved):
    solver.proven_solution(2, 2, 1, cache_dir=tmp_path)
    states, values = solve(2, 2, 1).states, solve(2, 2, 1).table
    assert cache.load_gain(tmp_path, states, 1, values) is not None
    assert cache.load_gain(tmp_path, states, 1, values + 1e-9) is None
    assert cache.load_gain(tmp_path, states, 2, values) is None
