"""A bot for every way to go wrong: ``nasty.py KIND [ARGUMENT]``. Until then it plays well."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

KIND = sys.argv[1]
ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else ""
OUT = sys.stdout.buffer


def say(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


def ever() -> None:
    while True:
        time.sleep(60)


def good(message: dict) -> bytes:
    reply = {"claim": "21"} if message["type"] == "claim" else {"action": "challenge"}
    return json.dumps(reply).encode() + b"\n"


def flood(data: bytes) -> None:
    while True:
        OUT.write(data)


def note() -> None:
    with Path(ARGUMENT).open("a") as pids:
        pids.write(f"{os.getpid()}\n")


def scatter() -> None:
    """Leave a process in a session of its own, without a parent and without our pipes."""
    read, write = os.pipe()
    if not os.fork():
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if not os.fork():
            os.closerange(0, 3)
            note()
            os.close(write)
            ever()
        os._exit(0)
    os.close(write)
    os.read(read, 1)  # until it has noted itself
    os.close(read)


def before_asked() -> None:
    """What happens before the first line is read."""
    if KIND == "exit_at_once":
        sys.exit(7)
    if KIND == "banner":
        time.sleep(float(ARGUMENT or 0))
        say(b"ready\n")
    if KIND == "flood_before_asked":
        flood(b"x" * 1000 + b"\n")
    if KIND in ("ignores_sigterm", "hard_to_end", "immortal", "scatters"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if KIND == "scatters":
        scatter()
    if KIND in ("hard_to_end", "writes_pid"):
        Path(ARGUMENT).write_text(str(os.getpid()))
    if KIND in ("immortal", "scatters", "starts", "mumbles", "exits_scattered"):
        note()
    if KIND == "deaf":
        ever()
    if KIND == "noisy":
        sys.stderr.write("noise\n" * 100_000)
    if KIND == "leaves_children":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path(ARGUMENT).write_text(f"{os.getpid()} {child.pid}")


def answer(message: dict) -> None:  # noqa: PLR0912, PLR0915 - one branch per kind
    match KIND:
        case "silence" | "hard_to_end" | "ignores_sigterm":
            ever()
        case "crash":
            raise RuntimeError("the last words")
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit_leaving_child":
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            os._exit(5)
        case "exits_scattered":
            scatter()
            say(good(message))
            sys.exit(0)
        case "exit_after_reply":
            say(good(message))
            sys.exit(0)
        case "closes_stdout":
            os.close(1)
            ever()
        case "words_at_the_end":
            os.close(1)
            time.sleep(0.05)
            os.write(2, b"the last words\n")
            os._exit(1)
        case "closes_stdin":
            os.close(0)
            say(good(message))
            ever()
        case "flood_lines":
            flood(b"x" * 1000 + b"\n")
        case "flood_one_line":
            flood(b"x" * 1000)
        case "flood_replies":
            flood(good(message))
        case "flood_blank":
            flood(b"\n" * 1000)
        case "half_line":
            say(good(message)[:-5])
            ever()
        case "half_line_and_exit":
            say(good(message)[:-1])
            sys.exit(0)
        case "twice":
            say(good(message))
            time.sleep(float(ARGUMENT or 0))
            say(good(message))
        case "says":
            say(ARGUMENT.encode() + b"\n")
        case "garbage":
            say(b"\xff\xfe\x00\x1b[31m\n")
        case "slow":
            time.sleep(0.15)
            say(good(message))
        case "blank_lines":
            say(b"\n\r\n" + good(message).replace(b"\n", b"\r\n") + b"\n")
        case "in_pieces":
            for byte in good(message):
                say(bytes([byte]))
                time.sleep(0.002)
        case "mumbles" if message["type"] == "claim" and message["roll"] < "62":
            say(b"hm\n")
        case "fears" if message.get("roll") == ARGUMENT:
            sys.exit(3)
        case "hangs_after_reply":
            say(good(message))
            ever()
        case "fails_every_other":
            count = Path(ARGUMENT)
            state = int(count.read_text()) if count.exists() else 0
            count.write_text(str(state + 1))
            say(b"no\n" if state % 2 else good(message))
        case _:
            say(good(message))


before_asked()
for line in sys.stdin:
    received = json.loads(line)
    if received["type"] in ("claim", "answer"):
        answer(received)
if KIND in ("immortal", "scatters"):
    ever()
