"""The file that mining grows, game by game, so that it can be broken off and gone on with.

The first line is a JSON object that says on what terms was searched. Each line after it is one
game: its number, how many plies and candidates it had, and its puzzles. What a crash left half
written is cut off when the work goes on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

from kingme.analysis.puzzles.mining import Vein
from kingme.analysis.puzzles.written import puzzle_from, record_of
from kingme.engine.api import EngineError
from kingme.engine.growing import Growing
from kingme.errors import KingmeError

__all__ = ["Log"]

FORMAT = "kingme puzzles 1"


class Log(Growing):
    """What mining found, by the number of the game; a context manager.

    Without ``terms`` a file is taken on the terms that it tells. Raises `EngineError` for a file
    that holds anything else, or was mined on other terms.
    """

    def __init__(self, path: Path, terms: dict[str, Any] | None = None) -> None:
        self.terms = terms or {}
        self._known = terms is not None
        self.veins: dict[int, Vein] = {}
        super().__init__(path, "mining of puzzles")

    def put(self, game: int, vein: Vein) -> None:
        """Keep what a game brought."""
        self._grow(json.dumps(_line(game, vein), separators=(",", ":")).encode() + b"\n")
        self.veins[game] = vein

    def _load(self, file: BinaryIO) -> None:
        if self._known:
            head = json.dumps({"format": FORMAT, **self.terms}, sort_keys=True).encode() + b"\n"
            self._head(file, head, "games mined")
        else:
            self.terms = self._told(file.readline())
        while True:
            at = file.tell()
            line = file.readline()
            if not line.endswith(b"\n"):
                break
            try:
                found = json.loads(line)
                puzzles = [puzzle_from(one) for one in found["puzzles"]]
                self.veins[found["game"]] = Vein(found["plies"], found["candidates"], puzzles)
            except (ValueError, KeyError, TypeError, KingmeError):
                raise EngineError(f"{self.path} is damaged: {line!r:.80} is no game") from None
        self._cut(at)

    def _told(self, line: bytes) -> dict[str, Any]:
        try:
            terms = json.loads(line)
            if terms.pop("format") == FORMAT:
                return dict(terms)
        except (ValueError, KeyError, AttributeError, TypeError):
            pass
        raise EngineError(f"{self.path} is no file of puzzles that were mined")


def _line(game: int, vein: Vein) -> dict[str, Any]:
    return {
        "game": game,
        "plies": vein.plies,
        "candidates": vein.candidates,
        "puzzles": [record_of(puzzle) for puzzle in vein.puzzles],
    }
