"""The decorator that turns a function into a kernel."""

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
import numba.core.config
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.typeinfer import register_dispatcher

from kingme.engine.kernels import cachedir
from kingme.engine.kernels.sealing import Entries

P = ParamSpec("P")
R = TypeVar("R")

COMPILED = not numba.core.config.DISABLE_JIT
"""False where ``NUMBA_DISABLE_JIT=1`` asks for plain Python."""


class SealedCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, with files of its own that are proved before they are run."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = Entries(
            Path(self.cache_path), self._impl.filename_base, locator.get_source_stamp()
        )


def kernel(signature: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function for one signature, in numba's words, as machine code without the GIL.

    The result comes from the cache where it can.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        if not COMPILED:
            return np.errstate(over="ignore")(function)  # words wrap round, and are meant to
        compiled = numba.njit(nogil=True, error_model="numpy")(function)
        place = cachedir.folder()
        if place is not None:
            compiled._cache = _cache(function, place)  # noqa: SLF001 (numba has no other door)
        with register_dispatcher(compiled):
            compiled.compile(signature)
            compiled.disable_compile()
        known: Callable[P, R] = compiled
        return known

    return decorate


def _cache(function: Callable[..., object], place: Path) -> SealedCache:
    """Make the cache of a function in our folder.

    Numba reads the folder from a global setting, which other users of numba in this process
    share, so the setting is changed for that moment only.
    """
    before = numba.core.config.CACHE_DIR
    numba.core.config.CACHE_DIR = str(place)
    try:
        return SealedCache(function)
    finally:
        numba.core.config.CACHE_DIR = before
