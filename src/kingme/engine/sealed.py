"""Files with a head that vouches for them: mark, layout, how many, CRC-32 of the rest, and a zero.

The head has 24 bytes: a mark of eight letters and four little-endian words. How many of what there
are, and what a layout means, each kind of file says for itself.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from kingme.engine.api import EngineError

__all__ = ["HEAD", "Seal", "digest"]

HEAD = struct.Struct("<8sIIII")


@dataclass(frozen=True, slots=True)
class Seal:
    """A kind of file: its mark, the layout that this program knows, and the words for one."""

    mark: bytes
    layout: int
    words: str

    def read(self, path: Path) -> tuple[int, bytes]:
        """Return how many there are, and the body; `EngineError` says what is wrong with a file."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise EngineError(f"{path} cannot be read: {error.strerror}") from None
        if len(data) < HEAD.size or not data.startswith(self.mark):
            raise EngineError(f"{path} is no {self.words}")
        _, layout, count, check, _ = HEAD.unpack_from(data)
        if layout != self.layout:
            raise EngineError(
                f"{path} is in layout {layout}; this program knows layout {self.layout}"
            )
        body = data[HEAD.size :]
        if zlib.crc32(body) != check:
            raise EngineError(f"{path} is damaged: its checksum or its length is wrong")
        return count, body

    def write(self, path: Path, count: int, body: bytes) -> None:
        """Write a file, whole or not at all; `EngineError` where that cannot be."""
        head = HEAD.pack(self.mark, self.layout, count, zlib.crc32(body), 0)
        part = path.with_name(f"{path.name}.part")
        try:
            part.write_bytes(head + body)
            part.replace(path)
        except OSError as error:
            raise EngineError(f"{path} cannot be written: {error.strerror}") from None


def digest(body: bytes) -> str:
    """Name what is in a file in eight hex digits."""
    return f"{zlib.crc32(body):08x}"
