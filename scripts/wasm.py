"""Build the engine of the page: the kernels as WebAssembly, and the places in its memory.

    python scripts/wasm.py

Writes `kernels.wasm` and `layout.js` where the page finds them. They are part of the source, since
a build needs LLVM's linker for WebAssembly (Debian's package lld), which nobody needs to play.
Run it after every change of a kernel; a test says when that was forgotten.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

__all__ = ["GENERIC", "PLACE", "made"]

PLACE = Path(__file__).parent.parent / "src" / "kingme" / "web" / "static" / "engine"
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""What Numba is told, so that the module does not hang on the machine that builds it."""


def made() -> dict[str, bytes]:
    """Return the files by name. Numba must have been told `GENERIC` before it was imported."""
    from kingme.engine.wasm.build import build, layout

    return {"kernels.wasm": build(), "layout.js": layout().encode()}


def main() -> None:
    """Build in a process whose Numba knows no processor in particular."""
    if any(os.environ.get(name) != value for name, value in GENERIC.items()):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, **GENERIC, "KINGME_CACHE_DIR": cache}
            os.spawnve(os.P_WAIT, sys.executable, [sys.executable, *sys.argv], environment)
        return
    for name, data in made().items():
        (PLACE / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
