"""What the machine can give a search: processors, and memory for its table."""

from __future__ import annotations

import contextlib
import mmap
import os
from pathlib import Path

from kingme.engine.api import EngineError

__all__ = ["MOST_MIB", "MOST_THREADS", "largest_table", "processors", "require_table"]

MOST_MIB = 65_536
"""MiB of a table that may be asked for where there is as much memory."""

MOST_THREADS = 256
"""Threads that may be asked for; those that search are no more than `processors`."""

SHARE = 0.75
"""Part of the memory that a table may have."""

CGROUP = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how much memory a container may use."""


def processors() -> int:
    """Return how many processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def largest_table() -> int:
    """Return the MiB of the largest table that this machine has memory for, whoever uses it now.

    That is three quarters of its memory, or of what a container may use, and `MOST_MIB` where
    that is not known.
    """
    sizes = []
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with contextlib.suppress(OSError, ValueError):
        sizes.append(int(CGROUP.read_text()))  # "max" where there is no limit
    found = [size for size in sizes if size > 0]
    return max(1, min(MOST_MIB, int(SHARE * min(found)) >> 20)) if found else MOST_MIB


def require_table(mib: int) -> None:
    """Raise `EngineError` where a table of so many MiB cannot be had."""
    most = largest_table()
    if not 1 <= mib <= most:
        raise EngineError(f"a table has 1 to {most} MiB on this machine, not {mib}")
    try:
        mmap.mmap(-1, mib << 20).close()
    except (OSError, ValueError, OverflowError):
        raise EngineError(
            f"there is no memory now for a table of {mib} MiB: ask for less"
        ) from None
