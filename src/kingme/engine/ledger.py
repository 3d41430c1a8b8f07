"""The file of a match: PDN, a game at a time, so that a match can be stopped and taken up again.

Every game is written whole, at once, and told to the disk before the next begins. What a crash
left half written is cut off when the match goes on.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from kingme.engine.api import EngineError
from kingme.engine.growing import Growing

__all__ = ["Ledger"]

_RECORD = re.compile(rb"((?:\[[^\n]*\]\n)+)\n((?:[^\[\n][^\n]*\n)+)\n")
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


class Ledger(Growing):
    """The games of a match on disk, locked against a second match; a context manager.

    ``points`` are those of A, game by game. ``terms`` is what the match is played under: a file
    with other terms, or with anything but a match, is refused with `EngineError` and left alone.
    """

    def __init__(self, path: Path, terms: str) -> None:
        self.terms = terms
        self.cut = 0
        self.points: list[float] = []
        super().__init__(path, "match")

    def append(self, text: str, points: float) -> None:
        """Write a game; raise `EngineError` where the disk takes no more."""
        self._grow(text.encode())
        self.points.append(points)

    def _load(self, file: BinaryIO) -> None:
        data = file.read()
        at = 0
        while found := _RECORD.match(data, at):
            self.points.append(self._points(found))
            at = found.end()
        rest = data[at:]
        if rest:
            if not rest.startswith(b"[") or (at == 0 and b'[Event "Engine match"]' not in rest):
                line = data[:at].count(b"\n") + 1
                raise EngineError(f"{self.path} holds something else than a match, at line {line}")
            self._cut(at)
            self.cut = len(rest)

    def _points(self, found: re.Match[bytes]) -> float:
        tags = dict(_TAG.findall(found[1].decode(errors="replace")))
        line = found.string[: found.start()].count(b"\n") + 1
        terms = tags.get("Terms")
        if terms is None:
            raise EngineError(f"{self.path} holds something else than a match, at line {line}")
        if terms != self.terms:
            raise EngineError(
                f"{self.path} holds another match ({terms}), and this one is {self.terms}: "
                "name another file"
            )
        pair, _, game = tags.get("Round", "").partition(".")
        result = tags.get("Result", "")
        if result not in ("1-0", "0-1", "1/2-1/2") or game not in ("1", "2") or not pair.isdigit():
            raise EngineError(f"{self.path}: the game at line {line} is none of a match")
        if result == "1/2-1/2":
            return 0.5
        return float((result == "1-0") is (game == "1"))
