"""The file of the searches that a book is made of, so that building can be broken off.

The first line is a JSON object that says on what terms was searched. Each line after it is one
search: its kind, the key of the position, score, depth and nodes. What a crash left half written
is cut off when the work goes on.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from kingme.engine.api import EngineError

__all__ = ["Found", "Searches"]

FORMAT = "kingme book searches 1"


class Found(NamedTuple):
    """What a search found: the score for the side to move, its depth, and the nodes it took."""

    score: int
    depth: int
    nodes: int


class Searches:
    """Searches on disk, by kind and key; a context manager.

    Raises `EngineError` for a file that holds anything else, or searches on other terms.
    """

    def __init__(self, path: Path, terms: dict[str, Any]) -> None:
        self.path = path
        self._found: dict[tuple[str, int], Found] = {}
        line = json.dumps({"format": FORMAT, **terms}, sort_keys=True).encode() + b"\n"
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise EngineError(f"{path} cannot be written: {error.strerror}") from None
        try:
            self._file.seek(0)
            head = self._file.readline()
            if not head.endswith(b"\n") and line.startswith(head):
                self._file.truncate(0)
                self._file.write(line)
                self._file.flush()
            elif head != line:
                raise EngineError(
                    f"{path} holds something else, or searches on other terms: {head!r:.200}"
                )
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._found)

    def get(self, kind: str, key: int) -> Found | None:
        """Return what a search found that was made before."""
        return self._found.get((kind, key))

    def put(self, kind: str, key: int, found: Found) -> None:
        """Keep what a search found."""
        self._found[kind, key] = found
        text = f"{kind} {key:016x} {found.score} {found.depth} {found.nodes}\n"
        try:
            self._file.write(text.encode())
            self._file.flush()
        except OSError as error:
            raise EngineError(f"{self.path} cannot be written: {error.strerror}") from None

    def _read(self) -> None:
        """Take in whole lines, and cut off what is not whole."""
        while True:
            at = self._file.tell()
            line = self._file.readline()
            if not line.endswith(b"\n"):
                break
            try:
                kind, key, *numbers = line.decode().split()
                self._found[kind, int(key, 16)] = Found(*map(int, numbers))
            except (ValueError, TypeError):
                raise EngineError(f"{self.path} is damaged: {line!r:.80} is no search") from None
        self._file.truncate(at)
        self._file.seek(at)
