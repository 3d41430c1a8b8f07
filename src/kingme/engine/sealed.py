"""Files with a head that vouches for them: mark, layout, how many, CRC-32 of the rest, and a word.

The head has 24 bytes: a mark of eight letters and four little-endian words. How many of what there
are, what a layout means, and the last word, which is 0 where there is none, each kind of file says
for itself.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from kingme.engine.api import EngineError
from kingme.errors import KingmeError

__all__ = ["HEAD", "Seal", "digest"]

HEAD = struct.Struct("<8sIIII")


@dataclass(frozen=True, slots=True)
class Seal:
    """A kind of file: its mark, the layout that this program knows, and the words for one.

    ``error`` is what says that a file cannot be read or written, and why.
    """

    mark: bytes
    layout: int
    words: str
    error: type[KingmeError] = EngineError

    def read(self, path: Path) -> tuple[int, int, bytes]:
        """Return how many there are, the kind's own word, and the body."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise self.error(f"{path} cannot be read: {error.strerror}") from None
        if len(data) < HEAD.size or not data.startswith(self.mark):
            raise self.error(f"{path} is no {self.words}")
        _, layout, count, check, word = HEAD.unpack_from(data)
        if layout != self.layout:
            raise self.error(
                f"{path} is in layout {layout}; this program knows layout {self.layout}"
            )
        body = data[HEAD.size :]
        if zlib.crc32(body) != check:
            raise self.error(f"{path} is damaged: its checksum or its length is wrong")
        return count, word, body

    def write(self, path: Path, count: int, body: bytes, word: int = 0) -> None:
        """Write a file, whole or not at all."""
        head = HEAD.pack(self.mark, self.layout, count, zlib.crc32(body), word)
        part = path.with_name(f"{path.name}.part")
        try:
            part.write_bytes(head + body)
            part.replace(path)
        except OSError as error:
            raise self.error(f"{path} cannot be written: {error.strerror}") from None


def digest(body: bytes) -> str:
    """Name what is in a file in eight hex digits."""
    return f"{zlib.crc32(body):08x}"
