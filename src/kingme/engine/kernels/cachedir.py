"""Where compiled kernels are kept between runs.

Numba's own cache notices a change in the file of a function, but not in the files of what that
function calls. So the folder is named by a digest of every kernel file, of the place where they
lie (Numba keeps code apart by that) and of the versions that compile them: a change anywhere means
a new folder. This module needs neither numba nor numpy.
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

VARIABLE = "KINGME_CACHE_DIR"
"""Environment variable that names another base folder for the cache."""

KEPT = 4
"""Folders of other versions that `prune` leaves in place, whatever their age."""

UNUSED_SECONDS = 30 * 24 * 3600
"""Age from which on the others go: other installations may use theirs still."""

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


def compiled() -> frozenset[tuple[str, int]]:
    """Return the files of compiled code with their times, to tell later whether more came."""
    place = folder()
    found = place.rglob("*.nbc") if place is not None else ()
    return frozenset((str(path), path.stat().st_mtime_ns) for path in found)


def stamped() -> bool:
    """Tell whether `stamp` has marked the folder as complete for these files and processor."""
    place = folder()
    try:
        if place is None or (place / "complete").read_text() != _fingerprint():
            return False
    except OSError:
        return False
    with contextlib.suppress(OSError):
        os.utime(place)  # its last use, for `prune`
    return True


def stamp() -> None:
    """Mark the folder as complete: every kernel is compiled in it."""
    place = folder()
    if place is not None:
        (place / "complete").write_text(_fingerprint())


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
