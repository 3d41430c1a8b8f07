"""The decorator that turns a function into a kernel."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba
import numba.core.config
import numpy as np

from kingme.engine.kernels import cachedir

P = ParamSpec("P")
R = TypeVar("R")

COMPILED = not numba.core.config.DISABLE_JIT
"""False where ``NUMBA_DISABLE_JIT=1`` asks for plain Python."""


def kernel(signature: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function for one signature, in numba's words, as machine code without the GIL.

    The result comes from the cache where it can. Numba reads its cache folder when a function
    is decorated and from a global setting, which other users of numba in this process share, so
    the setting is changed for that moment only.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        if not COMPILED:
            return np.errstate(over="ignore")(function)  # words wrap round, and are meant to
        place = cachedir.folder()
        before = numba.core.config.CACHE_DIR
        if place is not None:
            numba.core.config.CACHE_DIR = str(place)
        try:
            compiled: Callable[P, R] = numba.njit(
                signature, cache=place is not None, nogil=True, error_model="numpy"
            )(function)
        finally:
            numba.core.config.CACHE_DIR = before
        return compiled

    return decorate
