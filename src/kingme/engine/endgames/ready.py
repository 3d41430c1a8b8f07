"""All databases that this machine has, opened once in a process for all its engines."""

from __future__ import annotations

import logging
import os
import threading
import weakref

from kingme.engine.endgames import files
from kingme.engine.endgames.files import DamagedError, EndgameError
from kingme.engine.endgames.tables import Tables

__all__ = ["ready"]

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_told: set[str] = set()
_last: list[tuple[weakref.ref[Tables], Tables]] = []
"""What was given last, and the block in it, whose mapping lasts as long as this."""


def ready() -> Tables | None:
    """Return the databases that are kept and sound; None where there are none.

    Whoever asks while nothing has changed gets the same, with the same mapped files. A file that
    cannot be used is told once, by name, as a warning of this module.
    """
    with _lock:
        try:
            block = Tables.load()
            found = Tables.all() if _packed() else block
        except DamagedError as error:
            _tell(f"{error}; kingme warm builds it anew")
            return None
        except EndgameError:
            return None
        for note in found.notes:
            _tell(note)
        last = _last[0][0]() if _last else None
        if last is not None and last.block is found.block and last.packs == found.packs:
            return last
        _last[:] = [(weakref.ref(found), block)]
        return found


def _packed() -> bool:
    """Whether there are packed values at all; where not, nothing of them is loaded."""
    paths = (files.pack_path(count, "values") for count in range(files.PIECES + 1, files.MOST + 1))
    return any(path is not None and os.path.lexists(path) for path in paths)


def _tell(note: str) -> None:
    if note not in _told:
        _told.add(note)
        _log.warning("%s; the engine plays on without it", note)
