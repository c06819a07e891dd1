"""Streams as shells, pipes and terminals hand them over: encodings, widths, closed, full."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mia_cli.cli.app import COMMANDS
from mia_cli.text.rank import order_notes
from tests.cli.in_process import full
from tests.cli.machine import MIA, environment, run

SHORT_WAY = ("rank", "55", "44")
COMMAND_LINES = [
    SHORT_WAY,
    ("rank", "33", "55", "--lang", "fr"),
    ("rank",),
    ("rank", "--json"),
    ("rank", "77", "1"),
    ("rules", "list"),
    ("rules", "show", "nöpe “x”"),
    ("--help",),
    ("--version",),
]
HELP_WORDS = [
    (),
    *[(name,) for name in COMMANDS],
    *[("rules", name) for name in ("list", "show", "new", "check")],
]
ANSWERS = {0, 1, 2}


def shell(script: str, *words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``script`` in a shell, with ``mia words`` as "$@"."""
    return subprocess.run(
        ["bash", "-c", script, "bash", *MIA, *words],
        capture_output=True,
        env=environment(env),
        timeout=60,
        check=False,
    )


# Encodings.


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LC_ALL": "POSIX"},
    ],
    ids=str,
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_stream_that_lacks_characters(env, language):
    encoding = env.get("PYTHONIOENCODING", "utf-8").split(":")[0]
    for words in COMMAND_LINES:
        ended = run(*words, env={**env, "MIA_LANG": language})
        assert ended.returncode in ANSWERS, words
        said = ended.stdout + ended.stderr
        assert said
        assert b"Traceback" not in said
        assert b"\\u" not in ended.stderr  # spelt, not escaped
        said.decode(encoding)


def test_quotes_and_accents_are_spelt_where_they_are_missing():
    ascii_only = {"PYTHONIOENCODING": "ascii", "MIA_LANG": "fr"}
    assert run("rank", "x", env=ascii_only).stderr.startswith(b'mia: " x " n\'est pas un lancer : ')
    western = run("rank", "x", env={"PYTHONIOENCODING": "cp1252", "MIA_LANG": "fr"}).stderr
    assert western.decode("cp1252").startswith("mia: «\u00a0x\u00a0» n’est pas")


# Terminals.


@pytest.mark.parametrize("columns", ["1", "20", "40", "400", "0", "x"])
def test_any_width(columns):
    for words in COMMAND_LINES:
        ended = run(*words, env={"COLUMNS": columns, "TERM": "dumb"})
        assert ended.returncode in ANSWERS, words
        assert b"Traceback" not in ended.stderr
    table = run("rank", env={"COLUMNS": columns}).stdout
    assert table == run("rank").stdout  # tables are never cut


def test_colour_is_never_where_it_is_not_wanted():
    for env in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"MIA_COLOR": "never"}):
        for words in COMMAND_LINES:
            ended = run(*words, env=env)
            assert b"\x1b" not in ended.stdout + ended.stderr, (env, words)


@pytest.mark.parametrize("color", ["auto", "always", "never"])
def test_the_colour_option_is_understood_by_every_command(color):
    for words in COMMAND_LINES:
        plain = full(*words)
        assert full("--color", color, *words) == plain
        assert full(*words, f"--color={color}") == plain


def test_json_has_no_escapes_even_where_colour_is_forced():
    for words in (("rank",), ("rank", "55"), ("rank", "55", "44"), ("rules", "list")):
        for forced in (("--color", "always"), ()):
            ended = run(*forced, *words, "--json", env={"FORCE_COLOR": "1", "MIA_COLOR": "always"})
            assert b"\x1b" not in ended.stdout
            assert ended.stdout.count(b"\n") == 1
            assert ended.stderr == b""


@pytest.mark.parametrize("name", ["--color", "MIA_COLOR", "--lang", "MIA_LANG"])
def test_a_bad_colour_or_language_is_refused_everywhere(name, monkeypatch):
    for words in COMMAND_LINES:
        if name.startswith("--"):
            ended = full(name, "violet", *(word for word in words if word not in ("--lang", "fr")))
        else:
            monkeypatch.setenv(name, "violet")
            ended = full(*(word for word in words if word not in ("--lang", "fr")))
        assert (ended.code, ended.out) == (2, ""), words
        assert "“violet”" in ended.err
        assert name in ended.err
        assert ended.err.count("\n") == 1
    if not name.startswith("--"):
        assert run(*SHORT_WAY).returncode == 2
    assert full("rank", name if name.startswith("--") else "--lang").code == 2


# Help.


@pytest.mark.parametrize("words", HELP_WORDS, ids=" ".join)
def test_help_of_every_command(words):
    english = full(*words, "--help")
    assert (english.code, english.err) == (0, "")
    assert full(*words, "-h") == english
    assert english.out.startswith("Usage: mia")
    assert "Examples" in english.out.split("Options:")[0] or words == ("rules", "list")
    for line in english.out.splitlines():
        assert "\b" not in line
        assert "\\b" not in line
        assert len(line) <= 80


def test_nothing_at_all_shows_the_help():
    assert full() == full("--help")


def test_the_version(monkeypatch):
    from mia_cli import __version__
    from mia_cli.simulate.lockstep.library import chosen_kernel

    line = f"mia {__version__} (kernel {chosen_kernel()})\n"
    assert full("--version").out == line
    assert run("--version").stdout.decode() == line
    monkeypatch.setenv("MIA_KERNEL", "numpy")
    assert full("--version").out == f"mia {__version__} (kernel numpy)\n"
    monkeypatch.setenv("MIA_KERNEL", "fortran")
    wrong = full("--version")
    assert (wrong.code, wrong.out) == (2, "") and "MIA_KERNEL" in wrong.err


# Pipes, full disks, closed streams; with Python's own buffering on and off.


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def buffering(request) -> dict[str, str]:
    return {"PYTHONUNBUFFERED": request.param}


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_a_reader_that_leaves_early_is_met_with_silence(words, buffering):
    ended = shell('set -o pipefail; "$@" | head -c 1 >/dev/null', *words, **buffering)
    assert b"Traceback" not in ended.stderr
    assert b"BrokenPipe" not in ended.stderr
    # Nobody reads at all: every write fails.
    ended = shell('{ sleep 0.2; "$@"; echo $? >&2; } | :', *words, **buffering)
    *said, code = ended.stderr.decode().splitlines()
    if words in (("rank", "77", "1"), ("rules", "show", "nöpe “x”")):
        assert code == "2"  # said on stderr, which is open
    else:
        assert (said, code) == ([], "0")


def test_a_reader_that_leaves_a_long_answer_early(tmp_path, buffering):
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("55 44\n" * 200_000, "ascii")
    ended = shell(f'"$@" < {pairs} | head -1', "rank", "-", **buffering)
    assert (ended.stdout, ended.stderr) == (b"55 supports 44.\n", b"")


@pytest.mark.parametrize(
    "words", [("play",), ("play", "--json"), ("practice",), ("practice", "--json"), ("tutorial",)]
)
def test_what_is_left_ends_with_3_though_nobody_reads(words, buffering):
    for readers in ("head -1 >/dev/null", ":"):
        ended = shell(f'{{ "$@" </dev/null; echo $? >&2; }} | {readers}', *words, **buffering)
        assert ended.stderr == b"3\n", readers


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_a_full_disk(words, buffering):
    ended = shell('"$@" > /dev/full', *words, **buffering)
    assert ended.stderr.count(b"\n") == 1
    assert ended.stderr.startswith(b"mia: ")
    if ended.returncode == 2:
        assert words in (("rank", "77", "1"), ("rules", "show", "nöpe “x”"))
    else:
        assert ended.returncode == 4
        assert b"No space left on device" in ended.stderr
    if words == SHORT_WAY:
        batch = shell('echo 55 44 | "$@" > /dev/full', "rank", "-", **buffering)
        assert (batch.returncode, batch.stderr) == (4, ended.stderr)


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_closed_streams(words, buffering):
    usual = run(*words, env=buffering)
    for redirection in (">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
        ended = shell(f'"$@" {redirection}', *words, **buffering)
        assert ended.returncode == usual.returncode, redirection
        assert ended.stdout == (b"" if ">&-" in redirection.split() else usual.stdout)
        assert ended.stderr == (b"" if "2>&-" in redirection else usual.stderr)


def test_a_batch_with_closed_streams():
    ended = shell('printf "55 44\\nx\\n" | "$@" >&-', "rank", "-")
    assert (ended.returncode, ended.stderr[:12]) == (2, b"mia: line 2:")
    ended = shell('printf "55 44\\nx\\n" | "$@" 2>&-', "rank", "-")
    assert (ended.returncode, ended.stdout) == (2, b"55 supports 44.\n")


# Ctrl-C.


def interrupted(*words: str) -> tuple[int, bytes]:
    """The exit code and stderr of ``mia words``, interrupted while it waits for input."""
    with subprocess.Popen(
        [*MIA, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"55 44\n")
        child.stdin.flush()
        assert child.stdout.readline() == b"55 supports 44.\n"
        child.send_signal(signal.SIGINT)
        _out, err = child.communicate(timeout=30)
        return child.returncode, err


def test_ctrl_c_while_reading_pairs():
    assert interrupted("rank", "-") == (130, b"")


@pytest.mark.parametrize("words", [SHORT_WAY, ("rank", "55"), ("rules", "list")], ids=" ".join)
def test_ctrl_c_at_every_moment_of_main(words):
    # The signal arrives at a chosen import, file or write: as good as at any moment.
    program = (
        "import sys, signal\n"
        "from mia_cli.__main__ import main\n"
        "def hook(event, _arguments, left=[int(sys.argv.pop(1))]):\n"
        "    if event in ('import', 'open', 'marshal.loads'):\n"
        "        left[0] -= 1\n"
        "        if not left[0]:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.addaudithook(hook)\n"
        "sys.exit(main())\n"
    )
    codes = set()
    for moment in (1, 2, 3, 5, 8, 13, 30, 80, 100_000):
        ended = subprocess.run(
            [sys.executable, "-c", program, str(moment), *words],
            capture_output=True,
            env=environment(),
            timeout=60,
            check=False,
        )
        codes.add(ended.returncode)
        assert ended.stderr == b"", moment
    assert codes == {0, 130}


# A real terminal.


def on_a_terminal(*words: str, **env: str) -> bytes:
    """What a person at a terminal of 80 columns sees."""
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(
            [*MIA, *words], stdin=slave, stdout=slave, stderr=slave, env=environment(env)
        ) as child:
            os.close(slave)
            seen = _all_from(master, child)
            assert child.wait(30) in ANSWERS
    finally:
        os.close(master)
    return seen


def _all_from(master: int, child: subprocess.Popen[bytes]) -> bytes:
    seen = b""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        ready, _, _ = select.select([master], [], [], 0.1)
        if ready:
            try:
                data = os.read(master, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            if not data:
                break
            seen += data
        elif child.poll() is not None:
            break
    return seen


def test_a_terminal_sees_what_a_pipe_sees():
    for words in COMMAND_LINES:
        piped = run(*words)
        seen = on_a_terminal(*words, NO_COLOR="1").replace(b"\r\n", b"\n")
        notes = "".join(f"{note}\n" for note in order_notes()).encode()
        # Notes on the names of rolls are for persons: scripts count on a line for each roll.
        more = notes if words == ("rank",) else b""
        assert seen == piped.stdout + piped.stderr + more, words
