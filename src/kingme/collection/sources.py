"""Where games are read from: files, the files in an archive, and standard input."""

from __future__ import annotations

import atexit
import shutil
import stat
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, BinaryIO, cast

from kingme.collection.file import CollectionError

__all__ = ["Metered", "Source", "sources"]

CHUNK = 1 << 20
#: how an archive begins: with a file in it, or with none
ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06")
KEPT = 1 << 25
"""How much of standard input is kept in memory; what is longer goes to a temporary file."""


@dataclass(frozen=True, slots=True)
class Source:
    """One text of games: its name, its size in bytes, and how it is opened for reading.

    What is not ``sized`` is read as it comes, once: nobody knows how long it is.
    """

    name: str
    size: int
    open: Callable[[], BinaryIO]
    sized: bool = True

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

    Standard input, and whatever else is no file on a disk, can be opened once, unless it is to be
    read ``twice``, and its size is not known.

    Raises :class:`~kingme.collection.CollectionError` for what cannot be read.
    """
    for name in names:
        if name == "-":
            yield from _passing("standard input", sys.stdin.buffer, twice)
            continue
        if not name:
            raise CollectionError("there is no file without a name: '' is given")
        path = Path(name)
        try:
            facts = path.stat()
            if stat.S_ISDIR(facts.st_mode):
                raise CollectionError(f"{name} is a folder: name the files in it")
            stream = path.open("rb")
        except OSError as error:
            raise CollectionError(f"{name} cannot be read: {error.strerror}") from None
        if not stat.S_ISREG(facts.st_mode):
            atexit.register(stream.close)
            yield from _passing(name, stream, twice)
            continue
        with stream:
            archive = _head(name, stream) in ARCHIVES
        if archive:
            yield from _members(name, path)
        else:
            yield Source(name, facts.st_size, _opener(path))


def _opener(path: Path) -> Callable[[], BinaryIO]:
    return lambda: path.open("rb")


def _head(name: str, stream: BinaryIO) -> bytes:
    """The first bytes, by which an archive is known."""
    try:
        return stream.read(4)
    except OSError as error:
        raise CollectionError(f"{name} cannot be read: {error.strerror}") from None


def _members(name: str, file: Path | IO[bytes]) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(file) as archive:
            found = [item for item in archive.infolist() if not item.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise CollectionError(f"{name} is no archive that can be read: {error}") from None
    if not found:
        raise CollectionError(f"{name} is an archive of no files")
    texts = [item for item in found if item.filename.lower().endswith((".pdn", ".txt"))]
    for item in texts or found:
        member = item.filename
        yield Source(f"{name}:{member}", item.file_size, _unpacker(name, file, member))


def _unpacker(name: str, file: Path | IO[bytes], member: str) -> Callable[[], BinaryIO]:
    def unpack() -> BinaryIO:
        try:
            return cast(BinaryIO, zipfile.ZipFile(file).open(member))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise CollectionError(f"{member} in {name} cannot be read: {error}") from None

    return unpack


def _passing(name: str, stream: BinaryIO, twice: bool) -> Iterator[Source]:
    """What passes by once; what is to be read twice or is an archive is kept to the end."""
    head = _head(name, stream)
    archive = head in ARCHIVES
    if not twice and not archive:
        yield Source(name, 0, lambda: cast(BinaryIO, _Begun(head, stream)), sized=False)
        return
    kept = tempfile.SpooledTemporaryFile(KEPT)  # noqa: SIM115 (it lasts as long as the source)
    atexit.register(kept.close)
    kept.write(head)
    shutil.copyfileobj(stream, kept, CHUNK)
    if archive:
        yield from _members(name, kept)
        return
    size = kept.tell()

    def reopen() -> BinaryIO:
        kept.seek(0)
        return cast(BinaryIO, _Open(cast(BinaryIO, kept)))

    yield Source(name, size, reopen)


class _Begun:
    """A stream of which the first bytes were read; it is not closed by whoever reads the rest."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        if not self._head:
            return self._stream.read(size)
        head, self._head = self._head, b""
        return head + self._stream.read(size if size < 0 else max(0, size - len(head)))

    def __enter__(self) -> _Begun:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it open."""


class _Open:
    """A stream that is not closed by whoever has read it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.read = stream.read
        self.seek = stream.seek

    def __enter__(self) -> _Open:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it open."""
