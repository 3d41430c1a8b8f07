"""The packed files in the user's folder, opened: what is there, and what of it can be used."""

from __future__ import annotations

import weakref
from pathlib import Path

from kingme.engine.endgames import files
from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.opened import Pack
from kingme.engine.endgames.pack import Kind

__all__ = ["every", "opened", "reaching"]

_OPEN: weakref.WeakValueDictionary[tuple[Path, int, int], Pack] = weakref.WeakValueDictionary()


def opened(pieces: int, kind: Kind) -> Pack:
    """Map the file of so many pieces; all who do so share one mapping.

    One of values is checked wholly, since a search reads it without looking twice; one of
    distances slice by slice as it is used. Raises `DamagedError`, which names the file, and
    `EndgameError` where there is none.
    """
    path = files.pack_path(pieces, kind.word)
    if path is None:
        raise EndgameError("no folder can be written to keep a database in")
    try:
        state = path.stat()
        key = path, state.st_mtime_ns, state.st_size
        found = _OPEN.get(key)
        if found is None:
            found = Pack.open(path, kind, pieces)
            if kind is Kind.VALUES:
                found.prove()
            _OPEN[key] = found
    except FileNotFoundError:
        raise EndgameError(
            f"there is no database of {pieces} pieces yet: {path}; build it with"
            f" kingme endgames build --pieces {pieces}"
        ) from None
    except (OSError, ValueError) as error:
        raise EndgameError(f"{path} cannot be read: {error}") from error
    return found


def reaching(pieces: int) -> tuple[list[Pack], list[str]]:
    """Open the packs of more pieces than the block has, up to so many; tell what is unsound.

    Raises `EndgameError` where values are missing or damaged. Distances may be missing.
    """
    counts = range(files.PIECES + 1, pieces + 1)
    values = [opened(count, Kind.VALUES) for count in counts]
    distances, notes = _sound([(count, Kind.DISTANCES) for count in counts])
    return values + distances, notes


def every() -> tuple[list[Pack], list[str]]:
    """Open all packs that are there and sound; tell what is not."""
    counts = range(files.PIECES + 1, files.MOST + 1)
    return _sound([(count, kind) for count in counts for kind in Kind])


def _sound(wanted: list[tuple[int, Kind]]) -> tuple[list[Pack], list[str]]:
    packs, notes = [], []
    for count, kind in wanted:
        path = files.pack_path(count, kind.word)
        if path is None or not path.exists():
            continue
        try:
            packs.append(opened(count, kind))
        except EndgameError as error:
            notes.append(str(error))
    return packs, notes
