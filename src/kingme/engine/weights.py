"""The weights of the evaluation: a file of 32-bit words with a head, and the array in memory.

The head is that of `kingme.engine.sealed`. The words are those that `kernels.evaluate` reads. A
record beside the file that comes with the package says how it was made.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kingme.engine import sealed
from kingme.engine.api import EngineError
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.evaluate import WEIGHTS_SIZE

__all__ = ["DEFAULT", "Weights", "default"]

DEFAULT = Path(__file__).parent / "data" / "english.weights"
"""The file that comes with the package."""

FILE = sealed.Seal(b"KMWEIGHT", 1, "file of weights")
"""The layout changes when the same words would mean something else to the evaluation."""


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
        return sealed.digest(self._data)

    @property
    def _data(self) -> bytes:
        return self.words.astype("<i4").tobytes()

    @classmethod
    def load(cls, path: Path = DEFAULT) -> Weights:
        """Read a file; raise `EngineError`, which says what is wrong with it."""
        count, _, body = FILE.read(path)
        if count != WEIGHTS_SIZE or len(body) != 4 * count:
            raise EngineError(f"{path} has {count} weights; this program knows {WEIGHTS_SIZE}")
        return cls(np.frombuffer(body, "<i4"))

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raise `EngineError` where that cannot be."""
        FILE.write(path, WEIGHTS_SIZE, self._data)


@cache
def default() -> Weights:
    """Return the weights that come with the package, read once."""
    return Weights.load()
