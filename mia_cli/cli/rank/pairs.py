"""Pairs of roll and claim, one a line: ``mia rank -``.

Made for a million lines and for a program that waits for each answer: whatever has arrived is
answered at once and flushed, and a line that was seen before costs one look into a dict.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from mia_cli.cli import outcome, outputs, streams
from mia_cli.rules.errors import CannotRead, MiaError, Unwritable
from mia_cli.rules.rolls import Claim, Roll, parse_claim, parse_roll

LONGEST_LINE = 1000
"""Bytes of a line; a longer one is refused, and never held in memory."""
_MOST_SKIPPED = 1 << 28
"""Bytes without the end of a line, as an endless device gives them."""
_CHUNK = 1 << 18
_SEPARATORS = " ,\t"
_MOST_REMEMBERED = 10_000
_BOM = b"\xef\xbb\xbf"

PairAnswer = Callable[[Roll, Claim], str]
Refusal = Callable[[int, MiaError], tuple[str, str]]


def parse_pair(text: str) -> tuple[Roll, Claim]:
    """Read a roll and a claim with space, comma or tab between: ``55 44``, ``6-4,5-5``, ``6 4 55``.

    The same signs may stand inside a roll. That is never ambiguous, since a die alone is no roll:
    at most one way to cut the line leaves a roll on both sides.

    Raises CannotRead: ``not_a_roll`` for one of two words, otherwise ``not_a_pair``.
    """
    for at, sign in enumerate(text):
        if sign in _SEPARATORS:
            try:
                return parse_roll(text[:at]), parse_claim(text[at + 1 :])
            except CannotRead:
                continue
    words = text.replace(",", " ").split()
    if len(words) == 2:
        return parse_roll(words[0]), parse_claim(words[1])
    raise CannotRead("not_a_pair", value=text.strip())


class _Answers(dict[bytes, str | None]):
    """The answer for a line as it was read; None for a line that has none.

    Only answers are remembered, and not more of them than there are usual spellings of a pair.
    """

    def __init__(self, answer: PairAnswer) -> None:
        super().__init__({b"": "", b"\r": ""})
        self._answer = answer

    def __missing__(self, line: bytes) -> str | None:
        if line.lstrip()[:1] in (b"", b"#"):
            return ""
        try:
            answer = self._answer(*_read(line)) + "\n"
        except CannotRead:
            return None
        if len(self) < _MOST_REMEMBERED:
            self[line] = answer
        return answer


def _read(line: bytes) -> tuple[Roll, Claim]:
    if len(line) > LONGEST_LINE:
        raise CannotRead("line_too_long", longest=LONGEST_LINE)
    # Bytes that are not UTF-8 are shown as escapes when the line is quoted.
    return parse_pair(line.decode(errors="backslashreplace").strip())


def answer_lines(answer: PairAnswer, refuse: Refusal, *, quiet: bool) -> int:
    """Answer every line of stdin on stdout and return the exit code: DONE, or USAGE for bad lines.

    ``refuse`` makes, from a line's number and its problem, what stdout gets in its place (which
    may be nothing) and the line for stderr. With ``quiet``, stdout gets nothing at all.

    Raises Unwritable("input_closed"), Unwritable("input_unreadable") and CannotRead("no_line_end").
    """
    answers = _Answers(answer)
    number = 0
    code = outcome.DONE
    for lines in _batches(_stdin()):
        found: list[str | None] = list(map(answers.__getitem__, lines))
        problems: list[str] = []
        if None in found:
            for index in [index for index, said in enumerate(found) if said is None]:
                found[index], problem = _refusal(lines[index], number + index + 1, refuse)
                problems.append(problem)
            code = outcome.USAGE
        if not quiet:
            outputs.write("".join(filter(None, found)))
            streams.flush()
        if problems:
            streams.say_error("\n".join(problems))
        number += len(lines)
    return code


def _refusal(line: bytes, number: int, refuse: Refusal) -> tuple[str, str]:
    try:
        _read(line)
    except CannotRead as problem:
        said, problem_line = refuse(number, problem)
        return (said + "\n" if said else ""), problem_line
    raise AssertionError("a line was refused and is a pair all the same")


def _stdin() -> BinaryIO:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise Unwritable("input_closed")
    found: BinaryIO = stream
    return found


def _batches(stream: BinaryIO) -> Iterator[list[bytes]]:
    """Whole lines without their ends, as many at a time as have arrived."""
    rest = b""
    first = True
    skipped = 0
    while chunk := _read_some(stream):
        lines = (rest + chunk).split(b"\n")
        # What does not end yet is cut where it is too long in any case.
        cut = len(lines[-1])
        rest = lines.pop()[: LONGEST_LINE + 1]
        skipped = cut - len(rest) + (0 if lines else skipped)
        if skipped > _MOST_SKIPPED:
            raise CannotRead("no_line_end", limit=_MOST_SKIPPED)
        if lines:
            if first:
                lines[0] = lines[0].removeprefix(_BOM)
                first = False
            yield lines
    if rest:
        yield [rest.removeprefix(_BOM) if first else rest]


def _read_some(stream: BinaryIO) -> bytes:
    try:
        return stream.read1(_CHUNK)  # type: ignore[attr-defined, no-any-return]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Unwritable("input_unreadable", reason=reason) from None
