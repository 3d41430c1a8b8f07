"""The file of a database: its form, where it is kept, and how a damaged one is told.

A file is the block that the kernels read, byte for byte: a head of sixteen 32-bit words in the
machine's order of bytes (a mark, the version of the form, the number of pieces, the size in units
of 64 bytes, four words of 0, and a SHA-256 of what follows the head), the directory, and the
slices. So it can be mapped into memory as it is. Files of more pieces are packed (`pack`). This
module needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import secrets
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from kingme.engine.api import EngineError
from kingme.engine.endgames.slices import DIRECTORY, HEAD, UNIT, layout
from kingme.engine.kernels import cachedir

__all__ = [
    "PIECES",
    "VERSION",
    "DamagedError",
    "EndgameError",
    "checked",
    "folder",
    "head",
    "pack_path",
    "path_of",
    "require",
    "sound",
    "write",
    "writing",
]

PIECES = 4
"""Pieces that the engine's own database covers."""

FEWEST, MOST = 2, 7
"""Pieces that a database may cover; the kernels count no further."""

VERSION = 1
"""Changes with the form of the file and with the meaning of a code."""

PACKED = 1
"""Changes with the form of a packed file and with the meaning of what is in it."""

MARK = int.from_bytes(b"KMeg", "little")
"""The first word; on a machine with the other order of bytes it reads as another number."""

WORDS = struct.Struct("=8i32s")


class EndgameError(EngineError):
    """A question that the database cannot answer, or a database that cannot be had."""


class DamagedError(EndgameError):
    """A file that is no sound database; the message names it and says why."""


def require(pieces: int, most: int | None = None) -> None:
    """Refuse a number of pieces that no database covers; ``most`` is `MOST` if not given.

    Raises `EndgameError`, and ``TypeError`` for what is no whole number.
    """
    if not isinstance(pieces, int) or isinstance(pieces, bool):
        raise TypeError(f"pieces is a whole number, not {pieces!r}")
    most = MOST if most is None else most
    if not FEWEST <= pieces <= most:
        raise EndgameError(f"a database has from {FEWEST} to {most} pieces, not {pieces}")


def folder() -> Path | None:
    """Return the folder where databases are kept, made if need be; None where there is none."""
    code = cachedir.folder()
    if code is None:
        return shared()
    base = code.parent.parent if code.parent.name == "kernels" else code
    place = base / "endgames"
    try:
        place.mkdir(exist_ok=True)
    except OSError:
        return shared()
    return shared() or place


def shared() -> Path | None:
    """Return a folder that was named for the cache, takes no files, and has databases to be read.

    That is where the engine's own lies in it, whoever built it.
    """
    named = cachedir.passed_over()
    place = None if named is None else Path(named) / "endgames"
    return place if place is not None and (place / _name(PIECES)).exists() else None


def path_of(pieces: int = PIECES) -> Path | None:
    """Return where the database of so many pieces is kept, be it there or not."""
    place = folder()
    return None if place is None else place / _name(pieces)


def pack_path(pieces: int, kind: str) -> Path | None:
    """Return where the packed file of exactly so many pieces is kept, be it there or not.

    ``kind`` is ``values`` or ``distances`` (`pack.Kind`).
    """
    place = folder()
    return None if place is None else place / f"english-{pieces}.v{PACKED}.{kind}"


def head(pieces: int, body: memoryview) -> bytes:
    """Return the head of a file, given all that follows it."""
    units = (HEAD + body.nbytes) // UNIT
    return WORDS.pack(MARK, VERSION, pieces, units, 0, 0, 0, 0, hashlib.sha256(body).digest())


def checked(path: Path, pieces: int) -> mmap.mmap:
    """Map a file into memory and prove it sound: its head, its size and its checksum.

    Raises `DamagedError`, and `FileNotFoundError` where there is none.
    """
    size = path.stat().st_size
    expected = layout(pieces).size
    if size != expected:
        raise DamagedError(f"{path} is damaged: it has {size} bytes, not {expected}")
    with path.open("rb") as file:
        block = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    with memoryview(block) as view:
        stored = bytes(view[:HEAD])
        expected_head = head(pieces, view[HEAD:])
    if stored[:16] != expected_head[:16]:
        raise DamagedError(f"{path} is damaged: it does not begin as a database of {pieces} pieces")
    if stored != expected_head:
        raise DamagedError(f"{path} is damaged: its checksum is wrong")
    return block


def sound(pieces: int = PIECES) -> bool:
    """Tell whether the database of so many pieces is kept, and whole."""
    path = path_of(pieces)
    if path is None:
        return False
    try:
        checked(path, pieces).close()
    except (OSError, ValueError, DamagedError):
        return False
    return True


def write(path: Path, block: memoryview) -> None:
    """Write a file all at once; raises `EndgameError` where it cannot be written."""
    with writing(path) as file:
        file.write(block)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write that takes its place at the end: who opens it finds the old or the new.

    Raises `EndgameError` where it cannot be written.
    """
    try:
        part = path.with_name(f"{path.name}{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:  # others may read it, as far as this user's files allow
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise EndgameError(f"{path} cannot be written: {error.strerror or error}") from error


def _name(pieces: int) -> str:
    return f"english-{pieces}.v{VERSION}.bin"


assert WORDS.size == HEAD and HEAD % UNIT == DIRECTORY % UNIT == 0
