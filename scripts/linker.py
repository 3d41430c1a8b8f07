"""Make sure that the page's engine can be built again: LLVM's linker for WebAssembly.

Finds it, or installs Debian's lld where that is allowed. Without it the test that builds the
engine and compares is skipped, and this says so and why. With `--require` that is a failure, for a
machine that is there to run every test.
"""

from __future__ import annotations

import shutil
import sys

import debian

NAMES = ("wasm-ld", *(f"wasm-ld-{version}" for version in range(22, 13, -1)))
PACKAGES = ("lld",)
BY_HAND = debian.by_hand(PACKAGES)
SAYING = "Installing Debian's lld for the test that builds the page's engine, once."


def find_linker() -> str | None:
    """The linker on PATH, under its own name or that of a version."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def main() -> int:
    """Find or install; exit 1 only if that test is required and cannot run."""
    if find_linker():
        return 0
    reason = debian.install(PACKAGES, SAYING)
    if find_linker():
        return 0
    print(f"The page's engine cannot be built: no wasm-ld{reason and f'; {reason}'}.")
    print(f"Its test will be skipped. To run it: {BY_HAND}", flush=True)
    return 1 if "--require" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
