"""Build the engine of the page: the kernels as WebAssembly, and the places in their memory.

    python scripts/wasm.py [--check]

Writes `kernels.wasm` and `layout.js`, which search, `endgames.wasm` and `slices.js`, which build
the endgame database, and `packed.js`, the form of larger ones, where the page finds them. They are
part of the source, since a build needs LLVM's linker for WebAssembly (Debian's package lld), which
nobody needs to play.
Run it after every change of a kernel; a test says when that was forgotten, by ``--check``, which
writes nothing and compares.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["GENERIC", "PLACE", "made"]

PLACE = Path(__file__).parent.parent / "src" / "kingme" / "web" / "static" / "engine"
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""What Numba is told, so that the module does not hang on the machine that builds it."""


NO_LINKER = 3
"""The exit code where nothing can be built."""


def made() -> dict[str, bytes]:
    """Return the files by name. Numba must have been told `GENERIC` before it was imported."""
    from kingme.engine.wasm.build import BUILDING, PLAYING, build, layout, packs, pairs

    playing, building = build(PLAYING), build(BUILDING)
    return {
        "kernels.wasm": playing,
        "layout.js": layout(playing).encode(),
        "endgames.wasm": building,
        "slices.js": pairs(building).encode(),
        "packed.js": packs().encode(),
    }


def main() -> int:
    """Build in a process whose Numba knows no processor in particular."""
    if any(os.environ.get(name) != value for name, value in GENERIC.items()):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, **GENERIC, "KINGME_CACHE_DIR": cache}
            command = [sys.executable, *sys.argv]
            return subprocess.run(command, env=environment, check=False).returncode
    try:
        files = made()
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return NO_LINKER
    if "--check" in sys.argv[1:]:
        return check(files)
    for name, data in files.items():
        (PLACE / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")
    return 0


def check(files: dict[str, bytes]) -> int:
    """Compare with what is there; 1 where it is another, with a word about it."""
    other = [name for name, data in files.items() if (PLACE / name).read_bytes() != data]
    for name in other:
        print(f"{name} is not what the kernels make: run python scripts/wasm.py")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
