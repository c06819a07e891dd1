"""A client written from the description of the protocol of Mäxchen servers sits down at a table."""

import json
import shlex
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mia_cli.rules.rolls import NAMES
from tests.bridges.readme import python_blocks
from tests.cli.in_process import full


class MaexchenBot(threading.Thread):
    """Announces what it has or the next higher dice, sees doubles; lets every third turn pass, if
    it is asked to. ``heard``: what the server said, by the first word."""

    def __init__(self, port: int, *, slips: bool) -> None:
        super().__init__(daemon=True)
        self.address, self.slips = ("127.0.0.1", port), slips
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(0.05)
        self.heard: Counter[str] = Counter()
        self.lines: list[str] = []
        self.announced, self.turns, self.over = -1, 0, False

    def run(self) -> None:
        while not self.over:
            if not self.heard["REGISTERED"]:
                self.say("REGISTER", "Bea")
            try:
                text = self.socket.recv(2048).decode()
            except OSError:  # nothing yet, or no server yet
                continue
            self.lines.append(text)
            kind, *words = text.split(";")
            self.heard[kind] += 1
            self.answer(kind, words)
        self.socket.close()

    def answer(self, kind: str, words: list[str]) -> None:
        if kind == "ROUND STARTING":
            self.announced = -1
            self.say("JOIN", words[0])
        elif kind == "ANNOUNCED":
            self.announced = NAMES.index(words[1].replace(",", ""))
        elif kind == "YOUR TURN":
            self.turns += 1
            if not (self.slips and self.turns % 3 == 0):
                self.say("SEE" if self.announced >= 14 else "ROLL", words[0])
        elif kind == "ROLLED":
            place = max(self.announced + 1, NAMES.index(words[0].replace(",", "")))
            self.say("ANNOUNCE", ",".join(NAMES[place]), words[1])

    def say(self, *words: str) -> None:
        self.socket.sendto(";".join(words).encode(), self.address)


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(params=[False, True], ids=["careful", "slips"])
def client(request: pytest.FixtureRequest) -> Iterator[MaexchenBot]:
    bot = MaexchenBot(free_port(), slips=request.param)
    bot.start()
    yield bot
    bot.over = True
    bot.join(10)


def test_a_bot_of_a_maexchen_server_plays(client: MaexchenBot, tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "mia_cli.bridges.maexchen", str(client.address[1])]
    table = ("--cpu", "bot:bea", "--cpu", "normal", "--cpu", "easy", "--seed", "5", "--jobs", "1")
    bot = ("--bot", f"bea={shlex.join(command)}", "--bot-time", "10", "--on-fault", "life")
    ended = full("simulate", *table, *bot, "-n", "4", "--log", str(log), "--json")
    found = json.loads(ended.out)
    assert ended.code == 0 and found["matches"] == 4
    heard, lines = client.heard, client.lines
    assert {fault["cause"] for fault in found["faults"]} == (
        {"bad_reply"} if client.slips else set()
    )
    assert heard["REGISTERED"] == 1 and heard["ROLLED"] and heard["PLAYER WANTS TO SEE"]
    assert any(line.startswith("PLAYER ROLLS;seat-") for line in lines)
    # One match: all that the protocol tells, in the order of the log.
    first = json.loads(log.read_bytes().splitlines()[0])
    seats = {seat["seat"]: f"seat-{seat['seat']}" for seat in first["seats"]}
    seats[next(seat["seat"] for seat in first["seats"] if seat["player"] == "bot:bea")] = "Bea"
    wanted = [
        f"ANNOUNCED;{seats[event['seat']]};{','.join(event['claim'])}"
        for event in first["events"]
        if event["event"] == "claimed"
    ]
    said = [line for line in lines if line.startswith("ANNOUNCED")]
    assert said[: len(wanted)] == wanted
    reasons = {line.split(";")[2] for line in lines if line.startswith("PLAYER LOST")}
    assert reasons <= {
        "SEE_FAILED",
        "CAUGHT_BLUFFING",
        "MIA",
        "LIED_ABOUT_MIA",
        "DID_NOT_TAKE_TURN",
    }
    assert ("DID_NOT_TAKE_TURN" in reasons) == client.slips
    assert not any("ROLLED" in line for line in lines if "seat-" in line), "dice of others"


WAITING = """
import socket, time
while True:
    with socket.socket(type=socket.SOCK_DGRAM) as port:
        try:
            port.bind(("127.0.0.1", {port}))
        except OSError:
            break  # the server is there
    time.sleep(0.02)
"""


def test_the_bot_of_the_readme_plays() -> None:
    port = free_port()
    (code,) = (block for block in python_blocks() if "REGISTER" in block)
    words = [sys.executable, "-c", WAITING.format(port=port) + code.replace("9000", str(port))]
    command = shlex.join([sys.executable, "-m", "mia_cli.bridges.maexchen", str(port)])
    table = ("--cpu", "bot:bea", "--cpu", "hard", "--seed", "5", "--jobs", "1", "-n", "4")
    with subprocess.Popen(words) as running:
        ended = full(
            *("simulate", *table, "--on-fault", "life", "--bot-time", "30", "--json"),
            *("--bot", f"bea={command}"),
        )
        running.kill()
    found = json.loads(ended.out)
    assert (ended.code, found["faults"], found["players"][0]["bluffs"]) == (0, [], 0)
    assert found["players"][0]["claims"] > 0 and found["players"][0]["challenges"] > 0


def test_who_may_register() -> None:
    """Not a name with a separator, and no second client under another name."""
    from mia_cli.bridges.maexchen import Server

    port, made = free_port(), []
    thread = threading.Thread(target=lambda: made.append(Server(port)), daemon=True)
    thread.start()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(0.1)

        def registered(name: str) -> bytes:
            for _ in range(100):
                one.sendto(f"REGISTER;{name}".encode(), ("127.0.0.1", port))
                try:
                    return one.recv(100)
                except OSError:
                    continue
            raise AssertionError("no answer")

        assert registered("a b") == registered("a:b") == registered("x" * 21) == b"REJECTED"
        assert registered("Bea") == b"REGISTERED"
        thread.join(10)
    (server,) = made
    server._socket.close()
