"""The packed files in the user's folder, opened: what is there, and what of it can be used."""

from __future__ import annotations

import os
import weakref
from pathlib import Path

from kingme.engine.endgames import files
from kingme.engine.endgames.files import DamagedError, EndgameError
from kingme.engine.endgames.opened import Pack
from kingme.engine.endgames.pack import Kind

__all__ = ["every", "opened", "proved", "reaching", "remedy", "there"]

_OPEN: weakref.WeakValueDictionary[tuple[Path, int, int], Pack] = weakref.WeakValueDictionary()


def there(path: Path | None) -> bool:
    """Tell whether a file lies there, be it only a link that leads nowhere."""
    return path is not None and os.path.lexists(path)


def remedy(pieces: int, kind: str = "values") -> str:
    """Return the command that builds a file.

    >>> remedy(5, "distances")
    'kingme endgames build --pieces 5 --distance'
    """
    return f"kingme endgames build --pieces {pieces}{' --distance' * (kind == 'distances')}"


def proved(pieces: int, kind: str) -> Path:
    """Read a packed file that is there and check all of it; return where it lies.

    Raises `DamagedError` and ``OSError``.
    """
    path = files.pack_path(pieces, kind)
    if path is None:
        raise EndgameError("no folder can be written to keep a database in")
    Pack.open(path, Kind[kind.upper()], pieces).prove()
    return path


def opened(pieces: int, kind: Kind, wanted: int | None = None) -> Pack:
    """Map the file of so many pieces; all who do so share one mapping.

    It may be needed for one of more pieces, which is ``wanted``.

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
        if there(path):
            raise EndgameError(f"{path} is a link that leads to no file") from None
        larger = wanted is not None and wanted > pieces
        stands = f", on which one of {wanted} stands" if larger else ""
        it = "both" if larger else "it"
        raise EndgameError(
            f"there is no database of {pieces} pieces yet{stands}: {path}; build {it} with"
            f" {remedy(wanted or pieces)}"
        ) from None
    except DamagedError as error:
        raise DamagedError(f"{error}; {remedy(pieces, kind.word)} builds it anew") from None
    except (OSError, ValueError) as error:
        raise EndgameError(f"{path} cannot be read: {error}") from error
    return found


def reaching(pieces: int) -> tuple[list[Pack], list[str]]:
    """Open the packs of more pieces than the block has, up to so many; tell what is unsound.

    Raises `EndgameError` where values are missing or damaged. Distances may be missing.
    """
    counts = range(files.PIECES + 1, pieces + 1)
    values = [opened(count, Kind.VALUES, pieces) for count in counts]
    distances, notes = _sound([(count, Kind.DISTANCES) for count in counts])
    return values + distances, notes


def every() -> tuple[list[Pack], list[str]]:
    """Open all packs that are there and sound; tell what is not."""
    counts = range(files.PIECES + 1, files.MOST + 1)
    return _sound([(count, kind) for count in counts for kind in Kind])


def _sound(wanted: list[tuple[int, Kind]]) -> tuple[list[Pack], list[str]]:
    packs, notes = [], []
    for count, kind in wanted:
        if not there(files.pack_path(count, kind.word)):
            continue
        try:
            packs.append(opened(count, kind))
        except EndgameError as error:
            notes.append(str(error))
    return packs, notes
