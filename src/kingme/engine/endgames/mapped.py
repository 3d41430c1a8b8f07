"""A block that is a file: written slice by slice, and read as if it were in memory.

The file has the layout of a block from the beginning, and where nothing is written yet it has
holes. It is written by calls, so that a full disk is an error and no crash, and read by a mapping,
so that kernels find each slice at its address. The pages that a mapping brings into memory are the
system's to take back; `Mapped.relieve` gives them back where this process has too many.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import threading
import time
from pathlib import Path

import numpy as np

from kingme.engine.endgames import memory
from kingme.engine.endgames.build import Block, directory
from kingme.engine.endgames.files import EndgameError, head
from kingme.engine.endgames.slices import HEAD, Forces, Layout, span
from kingme.engine.kernels.bits import address_of

__all__ = ["Mapped", "unwritable"]

PAUSE = 0.005
"""Seconds between two looks at the memory."""


class Mapped:
    """A block in a file, made if need be; ``block`` cannot be written to, `write` can.

    ``bound`` is how many bytes of memory this process may have, before `relieve` gives pages of
    the mapping back. Raises `EndgameError` where the file cannot be had.
    """

    def __init__(self, path: Path, plan: Layout, bound: int | None = None) -> None:
        self.path = path
        self.plan = plan
        self.bound = bound
        self._writing = threading.Lock()
        self._looked = 0.0
        try:
            self._file = os.fdopen(
                os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666),
                "r+b",
                buffering=0,
            )
            if self._file.seek(0, os.SEEK_END) < plan.size:
                self._file.truncate(plan.size)
            self.write_at(HEAD, directory(plan))
            self._map = mmap.mmap(self._file.fileno(), plan.size, access=mmap.ACCESS_READ)
        except OSError as error:
            raise unwritable(path, error) from error
        self.block: Block = np.frombuffer(self._map, np.uint8)
        self.address = address_of(self.block)

    def codes(self, material: Forces) -> Block:
        """Return the codes of a slice."""
        place = self.plan.places[material]
        return self.block[place : place + span(material)]

    def write_at(self, place: int, data: bytes | memoryview) -> None:
        """Write some bytes; an ``OSError`` where the disk takes no more."""
        with self._writing, memoryview(data).cast("B") as rest:
            self._file.seek(place)
            done = 0
            while done < rest.nbytes:
                done += self._file.write(rest[done:])

    def sync(self) -> None:
        """Return when all that was written is on the disk."""
        os.fsync(self._file.fileno())

    def finish(self) -> None:
        """Write the head: then the file is a database as it is kept and mapped."""
        self.write_at(0, head(self.plan.pieces, self.block[HEAD:].data))
        self.sync()

    def relieve(self) -> None:
        """Give pages of the mapping back if this process has more memory than it may."""
        now = time.monotonic()
        if self.bound is None or now - self._looked < PAUSE:
            return
        self._looked = now
        size = memory.resident()
        if size is None or size > self.bound:
            self.forget()

    def forget(self) -> None:
        """Give all pages of the mapping back; they are read again where they are needed."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Close the file; the mapping lasts as long as someone has an array of it."""
        self._file.close()
        del self.block
        with contextlib.suppress(BufferError):
            self._map.close()


def unwritable(path: Path, error: OSError) -> EndgameError:
    """Return the error that says why a file cannot be written."""
    return EndgameError(f"{path} cannot be written: {error.strerror or error}")
