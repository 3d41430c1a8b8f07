"""The file of self-play: quiet positions, sixteen bytes each, in blocks of whole games.

The first line is a JSON object that says on what terms the games were played. Each block after it
has a head of 24 bytes (mark, first game, games, positions, CRC-32, 0) and its positions. What a
crash left half written is cut off when the run goes on.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kingme.engine.api import EngineError
from kingme.engine.growing import Growing

__all__ = ["ROW", "Rows", "Store", "padded", "read", "rows_of"]

ROW = np.dtype(
    [
        ("black", "<u4"),
        ("white", "<u4"),
        ("kings", "<u4"),
        ("score", "<i2"),
        ("ply", "u1"),
        ("turn_result", "u1"),
    ]
)
"""A position: squares 1 to 32 from the lowest bit; the search's score for the side to move in
hundredths of a man; plies since the opening; bit 0 where Black is to move, and above it the
result for Black, 0 to 2 half points."""

Rows = npt.NDArray[np.void]

HEAD = struct.Struct("<4sIIIII")
MARK = b"GAME"
FORMAT = "kingme self-play 1"


def compact(words: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Take the borders out of padded boards: squares 1 to 32 from the lowest bit."""
    pairs = [(words >> 9 * i & 0xFF) << 8 * i for i in range(4)]
    return pairs[0] | pairs[1] | pairs[2] | pairs[3]


def padded(squares: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """Put the borders of the kernels' boards in again."""
    wide = squares.astype(np.uint64)
    words = np.zeros_like(wide)
    for i in range(4):
        words |= (wide >> np.uint64(8 * i) & np.uint64(0xFF)) << np.uint64(9 * i)
    return words


def rows_of(kept: npt.NDArray[np.int64], result: int) -> Rows:
    """Pack the positions of a game: black, white, kings, score, 2 * ply + black to move."""
    rows = np.zeros(len(kept), ROW)
    for index, name in enumerate(("black", "white", "kings")):
        rows[name] = compact(kept[:, index])
    rows["score"] = kept[:, 3]
    rows["ply"] = kept[:, 4] >> 1
    rows["turn_result"] = (kept[:, 4] & 1) | (result + 1) << 1
    return rows


class Store(Growing):
    """A file of self-play that grows; a context manager. ``games`` are in it so far.

    Raises `EngineError` for a file that holds anything else, or games on other terms.
    """

    def __init__(self, path: Path, terms: dict[str, Any]) -> None:
        self.games = 0
        self.positions = 0
        self._terms = terms
        super().__init__(path, "run of self-play")

    def append(self, first: int, games: int, rows: Rows) -> None:
        """Write a block of games, which must be the next ones."""
        if first != self.games:
            raise ValueError(f"game {self.games} is next, not {first}")
        data = rows.tobytes()
        head = HEAD.pack(MARK, first, games, len(rows), zlib.crc32(data), 0)
        self._grow(head + data)
        self.games += games
        self.positions += len(rows)

    def _load(self, file: BinaryIO) -> None:
        line = json.dumps({"format": FORMAT, **self._terms}, sort_keys=True).encode() + b"\n"
        self._head(file, line, "games")
        while True:
            at = file.tell()
            block = _block(file.read(HEAD.size), file.read, self.games)
            if block is None:
                break
            self.games += block[0]
            self.positions += len(block[1])
        self._cut(at)


def _block(head: bytes, more: Any, expected: int) -> tuple[int, Rows] | None:
    """Return games and positions of a block; None where it is not whole."""
    if len(head) < HEAD.size:
        return None
    mark, first, games, count, check, _ = HEAD.unpack(head)
    if mark != MARK or first != expected:
        return None
    data = more(count * ROW.itemsize)
    if len(data) < count * ROW.itemsize or zlib.crc32(data) != check:
        return None
    return games, np.frombuffer(data, ROW)


def read(paths: Iterable[Path]) -> tuple[Rows, npt.NDArray[np.int64], list[dict[str, Any]]]:
    """Return positions, the game of each, and for each file its terms with games and positions."""
    parts, numbers, heads = [], [], []
    before = 0
    for path in paths:
        try:
            with path.open("rb") as file:
                head = _terms(path, file.readline())
                games = positions = 0
                while (block := _block(file.read(HEAD.size), file.read, games)) is not None:
                    rows = block[1]
                    starts = np.r_[True, np.diff(rows["ply"].astype(int)) <= 0][: len(rows)]
                    numbers.append(before + np.cumsum(starts))
                    before += int(starts.sum())
                    parts.append(rows)
                    games += block[0]
                    positions += len(rows)
        except OSError as error:
            raise EngineError(f"{path} cannot be read: {error.strerror}") from None
        heads.append({**head, "games": games, "positions": positions})
    if not parts:
        raise EngineError("there are no positions to learn from")
    return np.concatenate(parts), np.concatenate(numbers), heads


def _terms(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
        if head["format"] == FORMAT:
            return {key: value for key, value in head.items() if key != "format"}
    except (ValueError, KeyError, TypeError):
        pass
    raise EngineError(f"{path} is no file of self-play")
