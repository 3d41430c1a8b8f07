"""Files that long work grows by whole records, so that it can be broken off and gone on with.

Every record is written at once and told to the disk before the next; what a crash left half
written is cut off when the file is opened again. One process at a time has such a file.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from kingme.engine.api import EngineError

__all__ = ["Growing"]


class Growing(ABC):
    """A file that grows, locked against a second writer; a context manager.

    ``work`` names what grows it, for messages. Raises `EngineError` where the file cannot be
    written or another process has it. A subclass reads what is there in `_load`; where that
    refuses the file, it is closed, and left as it was.
    """

    def __init__(self, path: Path, work: str) -> None:
        self.path = path
        self._work = work
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            self._lock()
            with path.open("rb") as file:
                self._load(file)
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

    @abstractmethod
    def _load(self, file: BinaryIO) -> None:
        """Read what the file holds, and cut off what is not whole."""

    def _head(self, file: BinaryIO, line: bytes, records: str) -> None:
        """Read the first line, which tells the terms; write it where the file has none yet."""
        found = file.readline()
        if found == line:
            return
        if found.endswith(b"\n") or not line.startswith(found):
            raise EngineError(f"{self.path} holds {_difference(found, line, records)}")
        self._cut(0)
        self._grow(line)
        file.seek(len(line))

    def _grow(self, data: bytes) -> None:
        """Write a record; where the disk takes no more, `EngineError`, and no part of it stays."""
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, size)
            raise self._unwritable(error) from None

    def _cut(self, size: int) -> None:
        """Leave no more than the first ``size`` bytes."""
        os.ftruncate(self._file, size)

    def _unwritable(self, error: OSError) -> EngineError:
        return EngineError(f"{self.path} cannot be written: {error.strerror}")

    def _lock(self) -> None:
        if os.name != "posix":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise EngineError(f"{self.path} is in use by another {self._work}") from None


def _difference(found: bytes, wanted: bytes, records: str) -> str:
    """Say what the first line of a file tells of other terms than those that are wanted."""
    terms = json.loads(wanted)
    try:
        others = json.loads(found)
    except ValueError:
        others = None
    if not isinstance(others, dict) or others.get("format") != terms["format"]:
        return f"something else than {records}: name another file"
    parts = [
        f"{name} {_said(others.get(name))}, not {_said(value)}"
        for name, value in terms.items()
        if others.get(name) != value
    ]
    return f"{records} on other terms: {'; '.join(parts) or 'more of them'}. Name another file"


def _said(value: object) -> object:
    return "none" if value is None else value
