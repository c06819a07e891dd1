"""JSON made to keep a reader busy is answered at once."""

import time

import pytest

from mia_cli.files.reading import LARGEST
from mia_cli.files.strict_json import decode_json
from mia_cli.rules.errors import BadRecord
from tests.cli.in_process import full
from tests.played_matches import played
from tests.records.many.test_stream import line

MANY = 250_000
HOSTILE = {
    "one key twice at the end": (
        "{" + ",".join(f'"k{number}":1' for number in range(MANY)) + f',"k{MANY - 1}":1}}',
        "duplicate_key",
    ),
    "one key again and again": ("{" + '"k":1,' * MANY + '"k":1}', "duplicate_key"),
    "open brackets": ("[" * LARGEST, "too_deep"),
    "open braces": ('{"a":' * (LARGEST // 5), "too_deep"),
    "a long whole number": ("9" * LARGEST, "bad_number"),
    "a long real number": ("9" * (LARGEST - 2) + ".5", "bad_number"),
    "a long exponent": ("1e" + "9" * (LARGEST - 2), "bad_number"),
    "blanks": (" " * LARGEST, "empty_file"),
}


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_json_is_answered_at_once(text, code):
    started = time.process_time()
    with pytest.raises(BadRecord, match=code):
        decode_json(text.encode())
    assert time.process_time() - started < 1.0


def test_what_a_file_says_is_not_said_whole(tmp_path):
    path = tmp_path / "record"
    path.write_bytes(line(played(1)).replace(b'"You"', b'"' + b"x" * 100_000 + b'"', 1))
    ended = full("review", str(path))
    assert ended.code == 4 and len(ended.err) < 1000
