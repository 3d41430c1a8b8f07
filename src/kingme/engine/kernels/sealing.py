"""Compiled code in sealed files: what a full disk or a power loss has damaged is never run.

A file holds a BLAKE2b digest of all that follows it, and the pickled entry: the source's stamp,
Numba's key, and what Numba wants to keep. A wrong digest, an empty file or a cut one counts as no
entry at all, so the function is compiled anew and the file replaced. Files are written beside
their place and moved there: two processes that compile the same leave one sound file.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["SUFFIX", "Entries", "sound", "unkept", "write"]

SUFFIX = ".kernel"
"""Ends the name of every file of compiled code."""

SEAL = 32
"""Bytes of the digest."""

log = logging.getLogger(__name__)
told: set[Path] = set()
"""Folders of which this process has said that something in them is damaged."""
unkept: list[str] = []
"""What could not be written, and why: the code runs all the same, but in this process alone."""


def _seal(body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=SEAL).digest()


def sound(path: Path) -> bool:
    """Tell whether a file is there, and whole."""
    try:
        _read(path)
    except (OSError, ValueError):
        return False
    return True


def _read(path: Path) -> memoryview:
    """Return what the seal vouches for; raises ``ValueError`` where it does not."""
    data = memoryview(path.read_bytes())
    if data[:SEAL] != _seal(data[SEAL:]):
        raise ValueError(f"{path} is damaged")
    return data[SEAL:]


def write(path: Path, data: bytes) -> None:
    """Write a file all at once: whoever opens it finds the old one or the new one."""
    number, part = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        Path(part).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(part).unlink()
        raise


class Entries:
    """The entries of one function, in the place of Numba's files, which are run unproved.

    It has the three methods that Numba's cache calls.
    """

    def __init__(self, folder: Path, name: str, stamp: object) -> None:
        self._folder = folder
        self._name = name
        self._stamp = stamp

    def load(self, key: object) -> object | None:
        """Return what was saved under a key; None where nothing is, or nothing sound."""
        path = self._path(key)
        try:
            stamp, known, entry = pickle.loads(_read(path))  # noqa: S301 (our own, and sealed)
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            if self._folder not in told:
                told.add(self._folder)
                log.warning("%s is damaged; what is damaged there is compiled anew", path)
            return None
        return entry if (stamp, known) == (self._stamp, key) else None

    def save(self, key: object, entry: Any) -> None:
        """Keep an entry under a key; where that cannot be, note it in `unkept`."""
        from numba.core.serialize import dumps

        body = dumps((self._stamp, key, entry))
        path = self._path(key)
        try:
            write(path, _seal(body) + body)
        except OSError as error:
            unkept.append(f"{path} cannot be written: {error.strerror or error}")

    def flush(self) -> None:
        """Forget the entries of this function."""
        for path in self._folder.glob(f"{self._name}.*{SUFFIX}"):
            path.unlink(missing_ok=True)

    def _path(self, key: object) -> Path:
        mark = hashlib.blake2b(repr(key).encode(), digest_size=8).hexdigest()
        return self._folder / f"{self._name}.{mark}{SUFFIX}"
