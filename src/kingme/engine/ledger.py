"""The file of a match: PDN, a game at a time, so that a match can be stopped and taken up again.

Every game is written whole, at once, and told to the disk before the next begins. What a crash
left half written is cut off when the match goes on.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from kingme.engine.api import EngineError

__all__ = ["Ledger"]

_RECORD = re.compile(rb"((?:\[[^\n]*\]\n)+)\n((?:[^\[\n][^\n]*\n)+)\n")
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


class Ledger:
    """The games of a match on disk, locked against a second match; a context manager.

    ``points`` are those of A, game by game. ``terms`` is what the match is played under: a file
    with other terms, or with anything but a match, is refused with `EngineError` and left alone.
    """

    def __init__(self, path: Path, terms: str) -> None:
        self.path = path
        self.terms = terms
        self.cut = 0
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise EngineError(f"{path} cannot be written: {error.strerror}") from None
        try:
            self._lock()
            self.points = list(self._read())
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)

    def append(self, text: str, points: float) -> None:
        """Write a game; raise `EngineError` where the disk takes no more."""
        data = text.encode()
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, data) != len(data):
                raise OSError(28, "No space left on device")
            os.fsync(self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, size)
            raise EngineError(f"{self.path} cannot be written: {error.strerror}") from None
        self.points.append(points)

    def _lock(self) -> None:
        if os.name != "posix":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise EngineError(f"{self.path} is in use by another match") from None

    def _read(self) -> Iterator[float]:
        """Yield the points of each whole game, and cut off what is not whole."""
        data = self.path.read_bytes()
        at = 0
        while found := _RECORD.match(data, at):
            yield self._points(found)
            at = found.end()
        rest = data[at:]
        if rest:
            if not rest.startswith(b"[") or (at == 0 and b'[Event "Engine match"]' not in rest):
                line = data[:at].count(b"\n") + 1
                raise EngineError(f"{self.path} holds something else than a match, at line {line}")
            os.ftruncate(self._file, at)
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
