"""A bot written for a Mäxchen server (UDP) as a program at mia's tables.

``python -m mia_cli.bridges.maexchen PORT [HOST]`` is the command of a bot (``mia.bot/1``): it waits
for one client to REGISTER and plays the server of https://github.com/conradthukral/maexchen for it.
A request carries a token and has 250 ms. What the client lets pass or gets wrong is answered with
the protocol's reason, a fault: with ``--on-fault life`` it costs a round, as it does there.
"""

import json
import re
import secrets
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from mia_cli.rules.errors import MiaError
from mia_cli.rules.rolls import MIA, parse_claim

SECONDS = 0.25
_NAME = re.compile(r"[^\s:;,]{1,20}")
_SAID = {"claimed": "ANNOUNCED", "challenged": "PLAYER WANTS TO SEE", "revealed": "ACTUAL DICE"}
_HELD, _CAUGHT = ("SEE_FAILED", "MIA"), ("CAUGHT_BLUFFING", "LIED_ABOUT_MIA")


class Server:
    """What one client takes for a server. Raises OSError for a port that cannot be had."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((host, port))
        self._client, self._seat, self._names = ("", 0), 0, dict[int, str]()
        self._name = self._reason = ""
        while not self._name:
            self._next()

    def replies(self, lines: Iterable[str]) -> Iterator[dict[str, str]]:
        """The replies to the requests among the lines."""
        for told in map(json.loads, lines):
            if told["type"] == "match":
                self._seat = told["seat"]
            elif told["type"] == "event":
                self._tell(told["event"], told)
            elif told["type"] == "answer":  # where a claim of 21 has ended the round
                yield {"action": "challenge"} if told["claim"] == MIA else self._turn("challenge")
            else:
                refused = {} if told["above"] else self._turn("SEE_BEFORE_FIRST_ROLL")
                yield refused if "error" in refused else self._announced(told["roll"])

    def _turn(self, see: str) -> dict[str, str]:
        answer = self._ask("YOUR TURN")
        if answer in (["ROLL"], ["SEE"]):
            action = "accept" if answer == ["ROLL"] else see
            return {"error" if action.isupper() else "action": action}
        return {"error": "INVALID_TURN" if answer else "DID_NOT_TAKE_TURN"}

    def _announced(self, roll: str) -> dict[str, str]:
        self._say("PLAYER ROLLS", self._name)
        try:
            return {"claim": parse_claim(self._ask("ROLLED", ",".join(roll))[1]).name}
        except (MiaError, IndexError):
            return {"error": "DID_NOT_ANNOUNCE"}

    def _tell(self, event: str, told: dict[str, Any]) -> None:
        if event == "match_started":
            self._names = {at: f"seat-{at}" for at in range(1, len(told["seats"]) + 1)}
            self._names[self._seat] = self._name
        elif event == "round_started":
            order = sorted(self._names, key=lambda seat: (seat < told["leader"], seat))
            playing = [self._names[seat] for seat in order if told["lives"][seat - 1]]
            self._reason = "DID_NOT_TAKE_TURN"
            self._ask("ROUND STARTING")
            self._say("ROUND STARTED", told["round"], ",".join(playing))
        elif event == "rolled" and told["seat"] != self._seat:
            self._say("PLAYER ROLLS", self._names[told["seat"]])
        elif event in _SAID:
            who = () if event == "revealed" else (self._names[told["seat"]],)
            dice = told.get("roll", told.get("claim"))
            self._say(_SAID[event], *who, *((",".join(dice),) if dice else ()))
            if event == "revealed":
                self._reason = (_HELD if told["holds"] else _CAUGHT)[told["claim"] == MIA]
        elif event == "lives_lost":
            self._say("PLAYER LOST", self._names[told["seat"]], self._reason)
            points = (f"{self._names[seat]}:{told['lives'][seat - 1]}" for seat in self._names)
            self._say("SCORE", ",".join(points))

    def _say(self, *words: object) -> None:
        self._socket.sendto(";".join(map(str, words)).encode(), self._client)

    def _ask(self, *words: object) -> list[str]:
        """Ask with a token; the words of the answer, none where none came in time."""
        token, until = secrets.token_hex(8), time.monotonic() + SECONDS
        self._say(*words, token)
        while (left := until - time.monotonic()) > 0.0:
            self._socket.settimeout(left)
            try:
                answer = self._next()
            except TimeoutError:
                break
            if answer[1:] and answer[-1] == token:
                return answer[:-1]
        return []

    def _next(self) -> list[str]:
        """The words of the client's next message; who registers, once or again, is admitted."""
        data, address = self._socket.recvfrom(2048)
        words = data.decode("utf-8", "replace").strip().split(";")
        if words[0] != "REGISTER":
            return words if address == self._client else []
        name = words[1] if len(words) == 2 and _NAME.fullmatch(words[1]) else ""
        fits = bool(name) and (
            not self._name or (self._name, self._client[0]) == (name, address[0])
        )
        if fits:
            self._client, self._name = address, name
        self._socket.sendto(b"REGISTERED" if fits else b"REJECTED", address)
        return []


if __name__ == "__main__":
    for reply in Server(int(sys.argv[1]), *sys.argv[2:3]).replies(sys.stdin):
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
