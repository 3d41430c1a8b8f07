"""Exact play with few pieces: databases of every position, built here, checked, and looked up.

`slices` says which positions there are and where each lies in the block, `build` fills it by
retrograde analysis, `verify` proves it, `files` keeps it between runs, and `tables` is how a
program asks it. The kernels are ``index``, ``retrograde`` and ``probe``.

Importing this package loads neither numba nor numpy; the first `Tables` does.
"""

from __future__ import annotations

from kingme.engine.endgames.files import DamagedError, EndgameError
from kingme.engine.endgames.tables import Tables, Value

__all__ = ["DamagedError", "EndgameError", "Tables", "Value"]
