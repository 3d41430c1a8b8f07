"""Puzzles from real games, each proved by the engine, and the collection that is shipped.

`mining` finds them, `proving` proves them, `trying` rates them; `log` keeps what was found, and
`shelf` is the collection that comes of it. Importing this package loads neither numba nor numpy.
"""

from kingme.analysis.puzzles.puzzle import Fate, Origin, Puzzle, PuzzleKind, PuzzleStep, name_of
from kingme.analysis.puzzles.shelf import Shelf

__all__ = ["Fate", "Origin", "Puzzle", "PuzzleKind", "PuzzleStep", "Shelf", "name_of"]
