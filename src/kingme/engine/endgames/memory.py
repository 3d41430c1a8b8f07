"""How much memory there is, how much this process has, and how much a pair of slices needs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.slices import Pair, span

__all__ = ["BASE", "MIB", "default", "needed", "require", "resident", "said"]

MIB = 1 << 20

BASE = 320 * MIB
"""Bytes of the interpreter, its libraries, compiled code, and some pages of the slices before."""

LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where a container is told how much of the machine's memory it may have."""

_STATM = Path("/proc/self/statm")


def needed(pair: Pair) -> int:
    """Return the bytes that a pair in work needs.

    Those are its codes, a count for each of its positions, and a packed form that is no larger.
    """
    return 3 * sum(map(span, pair))


def require(order: list[Pair], memory: int) -> None:
    """Refuse, before anything begins, a memory in which one of these pairs cannot be built."""
    if order:
        largest = max(order, key=needed)
        least = BASE + needed(largest)
        if memory < least:
            raise EndgameError(
                f"{said(memory)} of memory is too little: the slices of {largest[0]} need"
                f" {said(least)}"
            )


def default() -> int:
    """Return half of the memory that this machine, or the container, has."""
    sizes = []
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in LIMITS:
        try:
            sizes.append(int(path.read_text("ascii")))
        except (OSError, ValueError):
            continue
    return min(sizes, default=4096 * MIB) // 2


def resident() -> int | None:
    """Return the bytes of this process that are in memory now; None where nobody tells."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return int(_STATM.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def said(size: int) -> str:
    """Return a size in words, rounded up.

    >>> said(700 * MIB), said(5 * 1024 * MIB + 1)
    ('700 MiB', '5.1 GiB')
    """
    if size < 1024 * MIB:
        return f"{-(-size // MIB)} MiB"
    return f"{-(-size * 10 // (1024 * MIB)) / 10:g} GiB"
