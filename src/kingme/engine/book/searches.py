"""The file of the searches that a book is made of, so that building can be broken off.

The first line is a JSON object that says on what terms was searched. Each line after it is one
search: its kind, the key of the position, score, depth and nodes. What a crash left half written
is cut off when the work goes on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kingme.engine.api import EngineError
from kingme.engine.growing import Growing

__all__ = ["Found", "Searches"]

FORMAT = "kingme book searches 1"


class Found(NamedTuple):
    """What a search found: the score for the side to move, its depth, and the nodes it took."""

    score: int
    depth: int
    nodes: int


class Searches(Growing):
    """Searches on disk, by kind and key; a context manager.

    Raises `EngineError` for a file that holds anything else, or searches on other terms.
    """

    def __init__(self, path: Path, terms: dict[str, Any]) -> None:
        self._terms = terms
        self._found: dict[tuple[str, int], Found] = {}
        super().__init__(path, "building of a book")

    def __len__(self) -> int:
        return len(self._found)

    def get(self, kind: str, key: int) -> Found | None:
        """Return what a search found that was made before."""
        return self._found.get((kind, key))

    def put(self, kind: str, key: int, found: Found) -> None:
        """Keep what a search found."""
        text = f"{kind} {key:016x} {found.score} {found.depth} {found.nodes}\n"
        self._grow(text.encode())
        self._found[kind, key] = found

    def _load(self, file: BinaryIO) -> None:
        head = json.dumps({"format": FORMAT, **self._terms}, sort_keys=True).encode() + b"\n"
        self._head(file, head, "searches")
        while True:
            at = file.tell()
            line = file.readline()
            if not line.endswith(b"\n"):
                break
            try:
                kind, key, *numbers = line.decode().split()
                self._found[kind, int(key, 16)] = Found(*map(int, numbers))
            except (ValueError, TypeError):
                raise EngineError(f"{self.path} is damaged: {line!r:.80} is no search") from None
        self._cut(at)
