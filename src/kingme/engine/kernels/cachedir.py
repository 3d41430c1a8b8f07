"""Where compiled kernels are kept between runs.

Numba's own cache notices a change in the file of a function, but not in the files of what that
function calls. So the folder is named by a digest of every kernel file, of the place where they
lie (Numba keeps code apart by that) and of the versions that compile them: a change anywhere means
a new folder. This module needs neither numba nor numpy. The files themselves are the
matter of `sealing`.
"""

import contextlib
import functools
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from pathlib import Path

from kingme.engine.kernels import sealing

VARIABLE = "KINGME_CACHE_DIR"
"""Environment variable that names another base folder for the cache."""

KEPT = 4
"""Folders of other versions that `prune` leaves in place, whatever their age."""

UNUSED_SECONDS = 30 * 24 * 3600
"""Age from which on the others go: other installations may use theirs still."""

COMPLETE = "complete"
"""The file that tells of a folder that every kernel is in it, and lists its files."""

NAME = re.compile(r"[0-9a-f]{16}")


@functools.cache
def digest() -> str:
    """Name the present kernels and their compiler in sixteen hex digits."""
    import importlib.metadata

    mark = hashlib.sha256()
    for package in ("numba", "llvmlite", "numpy"):
        mark.update(f"{package} {importlib.metadata.version(package)}\n".encode())
    mark.update(f"{sys.implementation.cache_tag} {sys.platform}\n".encode())
    here = Path(__file__).absolute().parent
    mark.update(f"{here}\n".encode(errors="surrogateescape"))
    for path in sorted(here.glob("*.py")):
        mark.update(path.name.encode() + b"\n" + path.read_bytes())
    return mark.hexdigest()[:16]


@functools.cache
def folder() -> Path | None:
    """Return the folder for compiled code, made if need be; None where no folder is writable."""
    bases = [os.environ[VARIABLE]] if os.environ.get(VARIABLE) else []
    bases.extend(_user_caches())
    for base in bases:
        found = _writable(Path(base) / "kernels" / digest())
        if found is not None:
            return found
    return _temporary()


def passed_over() -> str | None:
    """Return what `KINGME_CACHE_DIR` names where that cannot be used; None where all is well."""
    wanted = os.environ.get(VARIABLE)
    if not wanted or folder() == Path(wanted) / "kernels" / digest():
        return None
    return wanted


def unkept() -> str | None:
    """Say that compiled code cannot be kept, or not where it was asked for; None where all is well.

    What is said of the folder holds for all that lies in it, databases too.
    """
    wanted, place = passed_over(), folder()
    if place is None:
        return "no folder takes files, so compiled code is not kept and made anew each time"
    if wanted is not None:
        return f"{VARIABLE} cannot be used: {wanted} takes no files; {place} does"
    return None


def compiled() -> frozenset[tuple[str, int]]:
    """Return the files of compiled code with their times, to tell later whether more came."""
    return frozenset((str(path), path.stat().st_mtime_ns) for path in _files())


def damaged() -> int:
    """Count the files of compiled code that are not as they were written."""
    return sum(not sealing.sound(path) for path in _files())


def stamped() -> bool:
    """Tell whether the folder is complete for these sources and this processor, and whole.

    `stamp` has listed what belongs there; each of it must be there still, and sound.
    """
    place = folder()
    try:
        if place is None:
            return False
        fingerprint, _, names = (place / COMPLETE).read_text().partition("\n\n")
        if fingerprint != _fingerprint() or not names:
            return False
        if not all(sealing.sound(place / name) for name in names.split("\n")):
            return False
    except (OSError, ValueError):
        return False
    with contextlib.suppress(OSError):
        os.utime(place)  # its last use, for `prune`
    return True


def stamp() -> None:
    """Mark the folder as complete: every kernel is compiled in it.

    What is damaged still belongs to no kernel of the engine's, or it would have been replaced,
    and is removed.
    """
    place = folder()
    if place is not None:
        for path in _files():
            if not sealing.sound(path):
                path.unlink(missing_ok=True)
        names = sorted(str(path.relative_to(place)) for path in _files())
        sealing.write(place / COMPLETE, "\n".join([_fingerprint(), "", *names]).encode())


def prune() -> None:
    """Remove the folders of older versions that nobody has used for long, but for a few."""
    place = folder()
    if place is None or place.parent.name != "kernels":
        return
    others = [path for path in place.parent.iterdir() if NAME.fullmatch(path.name)]
    used = {path: path.stat().st_mtime for path in others if path != place}
    newest_first = sorted(used, key=used.__getitem__, reverse=True)
    for path in newest_first[KEPT:]:
        if time.time() - used[path] > UNUSED_SECONDS:
            shutil.rmtree(path, ignore_errors=True)


def _files() -> list[Path]:
    place = folder()
    return [] if place is None else list(place.rglob(f"*{sealing.SUFFIX}"))


def _user_caches() -> list[str]:
    import platformdirs

    try:
        return [platformdirs.user_cache_dir("kingme", appauthor=False)]
    except (OSError, RuntimeError):  # no home folder can be made out
        return []


def _writable(path: Path) -> Path | None:
    """Make a folder and prove that it takes files."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError:
        return None


def _temporary() -> Path | None:
    """Return a private folder for temporary files.

    What lies in it is loaded and run, so a folder that another user made is refused.
    """
    user = os.getuid() if hasattr(os, "getuid") else 0
    path = Path(tempfile.gettempdir()) / f"kingme-{user}-{digest()}"
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        state = path.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(state.st_mode):
        return None
    if hasattr(os, "getuid") and (state.st_uid != user or state.st_mode & 0o022):
        return None
    return _writable(path)


def _fingerprint() -> str:
    """Say what compiled code depends on besides the digest: file times and the processor."""
    import llvmlite.binding as llvm

    times = [
        f"{path.name} {path.stat().st_mtime_ns}"
        for path in sorted(Path(__file__).parent.glob("*.py"))
    ]
    features = llvm.get_host_cpu_features().flatten()
    return "\n".join([llvm.get_host_cpu_name(), features, *times])
