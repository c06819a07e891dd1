"""Which kernel plays, and the compiled one as a library. Loads neither NumPy nor any table.

The library is built where the package is (see ``.ci/build_kernel.py``), or not at all: then NumPy
plays. One that was built from another ``kernel.c`` than the one that lies beside it is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mia_cli.rules.errors import BadRuleSet, NotAllowed

if TYPE_CHECKING:
    from ctypes import CDLL

KernelName = Literal["c", "numpy"]
COMPILED: KernelName = "c"
NUMPY: KernelName = "numpy"
KERNELS = (COMPILED, NUMPY)
VARIABLE = "MIA_KERNEL"
SOURCE = Path(__file__).with_name("kernel.c")
LIBRARY = Path(__file__).with_name("_kernel.so")
"""The same name on every platform: nothing looks for it but this module."""


def named_kernel(environ: Mapping[str, str] = os.environ) -> KernelName | None:
    """The kernel that MIA_KERNEL names. Raises BadRuleSet("bad_choice")."""
    text = environ.get(VARIABLE)
    if not text:
        return None
    for name in KERNELS:
        if name == text.strip().lower():
            return name
    raise BadRuleSet("bad_choice", place=VARIABLE, value=text, allowed=KERNELS)


def chosen_kernel(name: KernelName | None = None) -> KernelName:
    """The kernel with this name; without one, the compiled one where it is, else NumPy.

    Raises NotAllowed("no_compiled_kernel").
    """
    if name == COMPILED and load() is None:
        raise NotAllowed("no_compiled_kernel", place=f"{VARIABLE}={COMPILED}", other=NUMPY)
    return name or (NUMPY if load() is None else COMPILED)


@cache
def load(path: Path = LIBRARY) -> CDLL | None:
    """A compiled kernel, if it is there, can be loaded here and is of this source."""
    import ctypes
    from hashlib import sha256

    try:
        found = ctypes.CDLL(str(path))
        source = ctypes.c_char_p.in_dll(found, "mia_source").value
        mark = sha256(SOURCE.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return None
    return found if source == mark.encode() else None
