"""The weights of the evaluation: a file of 32-bit words with a head, and the array in memory.

The head has 24 bytes, little-endian: the mark ``KMWEIGHT``, the version of the layout, the number
of words, their CRC-32 and a zero. The words are those that `kernels.evaluate` reads. A record
beside the file that comes with the package says how it was made.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kingme.engine.api import EngineError
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.evaluate import WEIGHTS_SIZE

__all__ = ["DEFAULT", "Weights", "default"]

DEFAULT = Path(__file__).parent / "data" / "english.weights"
"""The file that comes with the package."""

HEAD = struct.Struct("<8sIIII")
MARK = b"KMWEIGHT"
LAYOUT = 1
"""Changes when the same words would mean something else to the evaluation."""


class Weights:
    """Owns the words; keep it alive as long as a kernel reads at its ``address``."""

    def __init__(self, words: npt.NDArray[np.int32]) -> None:
        if words.shape != (WEIGHTS_SIZE,):
            raise ValueError(f"{WEIGHTS_SIZE} weights are needed, not {words.shape}")
        self.words = np.ascontiguousarray(words, np.int32)
        self.words.flags.writeable = False
        self.address = address_of(self.words)

    @property
    def digest(self) -> str:
        """Name the weights in eight hex digits."""
        return f"{zlib.crc32(self._data):08x}"

    @property
    def _data(self) -> bytes:
        return self.words.astype("<i4").tobytes()

    @classmethod
    def load(cls, path: Path = DEFAULT) -> Weights:
        """Read a file; raise `EngineError`, which says what is wrong with it."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise EngineError(f"{path} cannot be read: {error.strerror}") from None
        if len(data) < HEAD.size or not data.startswith(MARK):
            raise EngineError(f"{path} is no file of weights")
        _, layout, count, check, _ = HEAD.unpack_from(data)
        if (layout, count) != (LAYOUT, WEIGHTS_SIZE):
            raise EngineError(
                f"{path} has {count} weights in layout {layout}; "
                f"this program knows {WEIGHTS_SIZE} in layout {LAYOUT}"
            )
        body = data[HEAD.size :]
        if len(body) != 4 * count or zlib.crc32(body) != check:
            raise EngineError(f"{path} is damaged: its checksum or its length is wrong")
        return cls(np.frombuffer(body, "<i4"))

    def save(self, path: Path) -> None:
        """Write the file; raise `EngineError` where that cannot be."""
        data = self._data
        head = HEAD.pack(MARK, LAYOUT, WEIGHTS_SIZE, zlib.crc32(data), 0)
        try:
            path.write_bytes(head + data)
        except OSError as error:
            raise EngineError(f"{path} cannot be written: {error.strerror}") from None


@cache
def default() -> Weights:
    """Return the weights that come with the package, read once."""
    return Weights.load()
