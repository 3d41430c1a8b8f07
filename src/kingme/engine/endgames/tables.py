"""A database as a program asks it: value, distance and best moves of a position."""

from __future__ import annotations

import contextlib
import enum
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from kingme.engine.endgames import files
from kingme.engine.endgames.files import EndgameError
from kingme.engine.endgames.slices import Forces, layout
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

if TYPE_CHECKING:
    from kingme.engine.endgames.build import Block, Progress
    from kingme.engine.endgames.verify import Totals

__all__ = ["Tables", "Value"]

_OPEN: weakref.WeakValueDictionary[Path, Tables] = weakref.WeakValueDictionary()


class Value(enum.StrEnum):
    """What a position is worth to the side to move, with the best play of both."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Tables:
    """All positions of English checkers with up to ``pieces`` pieces, solved.

    Make one with `build`, `load` or `ready`. Distances are in plies to the end of the game, with
    the winner in a hurry and the loser not, whatever rule would draw the game before. Positions
    where a jump is due are answered too. Questions may come from any thread.
    """

    def __init__(self, block: Block, pieces: int) -> None:
        from kingme.engine.kernels.bits import address_of
        from kingme.engine.kernels.board import scalars
        from kingme.engine.kernels.probe import code_of

        self.pieces = pieces
        self.block = block
        self.address = address_of(block)
        """Where the block lies, for `kernels.probe`; good while this object is kept."""
        self._scalars, self._code_of = scalars, code_of

    @classmethod
    def build(
        cls, pieces: int = files.PIECES, *, workers: int = 1, progress: Progress | None = None
    ) -> Tables:
        """Build a database in memory; 4 pieces take seconds.

        ``progress`` is called with the positions done, those in all, and the material at hand.
        Raises `EndgameError` for fewer than 2 pieces or more than 6, and ``ValueError`` for no
        ``workers``, which are threads.
        """
        from kingme.engine.endgames.build import build

        return cls(build(pieces, workers=workers, progress=progress), pieces)

    @classmethod
    def load(cls, pieces: int = files.PIECES) -> Tables:
        """Map the file of a database that was saved before; all who do so share one mapping.

        Raises `DamagedError`, which names the file, and `EndgameError` where there is none.
        """
        import numpy as np

        path = files.path_of(pieces)
        if path is None:
            raise EndgameError("no folder can be written to keep a database in")
        found = _OPEN.get(path)
        if found is None:
            try:
                mapped = files.checked(path, pieces)
            except FileNotFoundError:
                raise EndgameError(f"there is no database of {pieces} pieces yet: {path}") from None
            except (OSError, ValueError) as error:
                raise EndgameError(f"{path} cannot be read: {error}") from error
            found = _OPEN[path] = cls(np.frombuffer(mapped, np.uint8), pieces)
        return found

    @classmethod
    def ready(cls, pieces: int = files.PIECES) -> Tables | None:
        """Return what `load` does, or None where that is refused."""
        try:
            return cls.load(pieces)
        except EndgameError:
            return None

    @classmethod
    def have(
        cls, pieces: int = files.PIECES, *, workers: int = 1, progress: Progress | None = None
    ) -> Tables:
        """Load a database, or else build it and save it; a damaged file is replaced.

        Where it cannot be saved it is kept in memory alone.
        """
        found = cls.ready(pieces)
        if found is None:
            found = cls.build(pieces, workers=workers, progress=progress)
            path = files.path_of(pieces)
            if path is not None:
                with contextlib.suppress(EndgameError):
                    found.save(path)
        return found

    def save(self, path: Path) -> None:
        """Write the file; raises `EndgameError` where that cannot be."""
        files.write(path, self.block.data)

    def value(self, position: Position) -> Value:
        """Return what a position is worth to the side to move; raises `EndgameError`."""
        return _value(self._code(position))

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end of the game, None for a draw; raises `EndgameError`."""
        code = self._code(position)
        return code - 1 if code else None

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that win soonest, that lose latest, or that draw.

        Each route of a capture stands for itself. Raises `EndgameError`.
        """
        code = self._code(position)
        wanted = code - 1 if code else 0
        return tuple(
            move for move in position.legal_moves if self._code(position.after(move)) == wanted
        )

    def keeping_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that keep the value of a position, soon or late."""
        against = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.DRAW: Value.DRAW}
        wanted = against[self.value(position)]
        return tuple(
            move for move in position.legal_moves if self.value(position.after(move)) is wanted
        )

    def totals(self) -> dict[Forces, Totals]:
        """Count the values of every slice."""
        from kingme.engine.endgames.verify import totals

        places = layout(self.pieces).places
        return {material: totals(self.block, material, place) for material, place in places.items()}

    def verify(self, progress: Progress | None = None) -> Position | None:
        """Return a position whose code its successors contradict; None where all is well."""
        from kingme.engine.endgames.verify import verify

        return verify(self.block, self.pieces, progress)

    def _code(self, position: Position) -> int:
        """Return the code of a position: 0 a draw, ``n + 1`` decided in ``n`` plies."""
        if position.variant != ENGLISH:
            raise EndgameError(
                f"the database is of {ENGLISH.title}, not of {position.variant.title}"
            )
        count = (position.black | position.white).bit_count()
        if count > self.pieces:
            raise EndgameError(
                f"the database has up to {self.pieces} pieces, and this position has {count}"
            )
        if position.fault:
            raise EndgameError(f"the database has no such position: {position.fault}")
        if not position.black or not position.white:
            return 2 if position.legal_moves else 1
        return int(self._code_of(*self._scalars(position), self.address))


def _value(code: int) -> Value:
    if code == 0:
        return Value.DRAW
    return Value.LOSS if code & 1 else Value.WIN
