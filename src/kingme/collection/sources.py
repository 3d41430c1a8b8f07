"""Where games are read from: files, the files in an archive, and standard input."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, cast

from kingme.collection.file import CollectionError

__all__ = ["Metered", "Source", "sources"]

CHUNK = 1 << 20
KEPT = 1 << 25
"""How much of standard input is kept in memory; what is longer goes to a temporary file."""


@dataclass(frozen=True, slots=True)
class Source:
    """One text of games: its name, its size in bytes, and how it is opened for reading."""

    name: str
    size: int
    open: Callable[[], BinaryIO]

    def digest(self) -> bytes:
        """Return what tells this text from any other."""
        found = blake2b(digest_size=16)
        with self.open() as stream:
            while data := stream.read(CHUNK):
                found.update(data)
        return found.digest()


class Metered:
    """A stream that tells how many bytes of it were read."""

    def __init__(self, stream: BinaryIO, told: Callable[[int], object]) -> None:
        self._stream = stream
        self._told = told

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        data = self._stream.read(size)
        self._told(len(data))
        return data


def sources(names: Iterable[str], *, twice: bool = False) -> Iterator[Source]:
    """Yield what the names stand for: ``-`` is standard input, of an archive every file in it.

    Standard input can be opened once, unless it is to be read ``twice``, and its size is not known.

    Raises :class:`~kingme.collection.CollectionError` for what cannot be read.
    """
    for name in names:
        if name == "-":
            yield _standard_input(twice)
            continue
        path = Path(name)
        try:
            if path.is_dir():
                raise CollectionError(f"{name} is a folder: name the files in it")
            size = path.stat().st_size
            with path.open("rb") as stream:
                archive = stream.read(4) == b"PK\x03\x04"
        except OSError as error:
            raise CollectionError(f"{name} cannot be read: {error.strerror}") from None
        if archive:
            yield from _members(path)
        else:
            yield Source(name, size, _opener(path))


def _opener(path: Path) -> Callable[[], BinaryIO]:
    return lambda: path.open("rb")


def _members(path: Path) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(path) as archive:
            found = [item for item in archive.infolist() if not item.is_dir()]
            texts = [item for item in found if item.filename.lower().endswith((".pdn", ".txt"))]
            for item in texts or found:
                yield Source(
                    f"{path}:{item.filename}", item.file_size, _unpacker(path, item.filename)
                )
    except (zipfile.BadZipFile, OSError) as error:
        raise CollectionError(f"{path} is no archive that can be read: {error}") from None


def _unpacker(path: Path, member: str) -> Callable[[], BinaryIO]:
    def unpack() -> BinaryIO:
        try:
            return cast(BinaryIO, zipfile.ZipFile(path).open(member))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise CollectionError(f"{member} in {path} cannot be read: {error}") from None

    return unpack


def _standard_input(twice: bool) -> Source:
    """Standard input; what is to be read twice is kept until the program ends."""
    if not twice:
        return Source("standard input", 0, lambda: cast(BinaryIO, _Open(sys.stdin.buffer)))
    kept = tempfile.SpooledTemporaryFile(KEPT)  # noqa: SIM115 (it lasts as long as the source)
    atexit.register(kept.close)
    shutil.copyfileobj(sys.stdin.buffer, kept, CHUNK)
    size = kept.tell()

    def reopen() -> BinaryIO:
        kept.seek(0)
        return cast(BinaryIO, _Open(cast(BinaryIO, kept)))

    return Source("standard input", size, reopen)


class _Open:
    """A stream that is not closed by whoever has read it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.read = stream.read
        self.seek = stream.seek

    def __enter__(self) -> _Open:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it open."""
