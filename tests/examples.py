"""How many examples the fuzzers try: few in the suite, as many as wanted by hand.

TRIES=50 pytest tests/test_leaks.py tests/fuzz --timeout 0
"""

import os

TIMES = int(os.environ.get("TRIES", "1"))
"""By how much the number of examples is multiplied, and whether they differ from run to run."""


def examples(few: int) -> int:
    """The number of examples where the suite tries a ``few``."""
    return few * TIMES
