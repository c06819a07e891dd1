"""Compiles the kernel of ``mia simulate``, where there is a C compiler; nothing depends on it.

The build of a wheel calls this as a hook of hatch. With the kernel, the wheel is for this platform;
without it, for any. An editable install has it put into the checkout, and so has, by hand:

    python .ci/build_kernel.py

CC names the compiler and CFLAGS has flags for it, such as -march=native for this machine alone.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # by hand, and in tests
    BuildHookInterface = object

FOLDER = Path("mia_cli", "simulate", "lockstep")
SOURCE, LIBRARY = FOLDER / "kernel.c", FOLDER / "_kernel.so"
FLAGS = ("-O3", "-std=c11", "-shared", "-fPIC")
LOADS = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
"""Fails for a library of another platform, and where there is none."""
SECONDS = 300


class CannotCompile(Exception):
    """There is no compiler, or it failed, or this Python cannot load what it made."""


def compile_kernel(
    source: Path, target: Path, flags: Sequence[str] = (), *, check: bool = True
) -> None:
    """Compile ``source`` and put the library at ``target`` in one step. Raises CannotCompile.

    With ``check``, what this Python cannot load is not put there.
    """
    compiler = shlex.split(os.environ.get("CC", "")) or ["cc"]
    found = shutil.which(compiler[0])
    if found is None:
        raise CannotCompile(f"no {compiler[0]}")
    mark = sha256(source.read_bytes()).hexdigest()
    more = [*flags, *shlex.split(os.environ.get("CFLAGS", "")), f'-DMIA_SOURCE="{mark}"']
    try:
        # In the same folder: what runs keeps the library that it has loaded.
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".kernel-") as folder:
            made = Path(folder, target.name)
            _run([found, *compiler[1:], *FLAGS, *more, "-o", str(made), str(source)])
            if check:
                _run([sys.executable, "-c", LOADS, str(made)])
            made.replace(target)
    except OSError as error:
        raise CannotCompile(str(error)) from error


def _run(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()
        raise CannotCompile(f"{shlex.join(command)}\n{said}") from error
    except subprocess.SubprocessError as error:
        raise CannotCompile(str(error)) from error


class KernelHook(BuildHookInterface):
    """Puts the kernel into a wheel, or into the checkout that an editable install uses."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is written; without a kernel it is a pure one."""
        is_editable = version == "editable"
        folder = Path(self.root, FOLDER) if is_editable else Path(tempfile.mkdtemp())
        self._made = None if is_editable else folder
        target = folder / LIBRARY.name
        try:
            compile_kernel(Path(self.root, SOURCE), target)
        except CannotCompile as error:
            self.app.display_warning(
                f"Without the compiled kernel (NumPy takes its place): {error}"
            )
            return
        if not is_editable:
            build_data["force_include"][str(target)] = LIBRARY.as_posix()
            build_data["pure_python"] = False
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            # Of Python, the library knows nothing: ctypes loads it.
            build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for a wheel: it is in it."""
        del version, build_data, artifact_path
        if self._made:
            shutil.rmtree(self._made, ignore_errors=True)


def main() -> int:
    """Compile into this checkout."""
    root = Path(__file__).resolve().parent.parent
    try:
        compile_kernel(root / SOURCE, root / LIBRARY)
    except CannotCompile as error:
        print(error, file=sys.stderr)
        return 1
    print(root / LIBRARY)
    return 0


if __name__ == "__main__":
    sys.exit(main())
