"""A database as a program asks it: value, distance and best moves of a position."""

from __future__ import annotations

import contextlib
import enum
import functools
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kingme.engine.endgames import files
from kingme.engine.endgames.files import DamagedError, EndgameError
from kingme.engine.endgames.slices import Forces, layout
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

if TYPE_CHECKING:
    from kingme.engine.endgames.build import Block, Progress
    from kingme.engine.endgames.counting import Totals
    from kingme.engine.endgames.opened import Blocks, Directory, Pack

__all__ = ["Tables", "Value"]

_OPEN: weakref.WeakValueDictionary[Path, Tables] = weakref.WeakValueDictionary()


class Value(enum.StrEnum):
    """What a position is worth to the side to move, with the best play of both."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def against(self) -> Value:
        """What it is to the other side."""
        return {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN}.get(self, self)


class Tables:
    """All positions of English checkers with up to ``pieces`` pieces, solved.

    Make one with `build`, `load`, `ready` or `all`. With few pieces they are a block in memory that
    says all; with more, packed files that say who wins, and, up to ``distances`` pieces, how soon.
    Distances are in plies to the end of the game, with the winner in a hurry and the loser not,
    whatever rule would draw the game before. Positions where a jump is due are answered too.
    Questions may come from any thread.

    >>> tables = Tables.have()
    >>> position = Position.from_fen("W:WK19,K23:BK28")
    >>> str(tables.value(position)), tables.distance(position)
    ('win', 15)
    >>> [str(move) for move in tables.best_moves(position)]
    ['23-27']
    >>> "23-18" in map(str, tables.keeping_moves(position))
    True
    """

    def __init__(
        self, block: Block, pieces: int, packs: Iterable[Pack] = (), notes: Iterable[str] = ()
    ) -> None:
        from kingme.engine.kernels.bits import address_of
        from kingme.engine.kernels.board import scalars
        from kingme.engine.kernels.probe import code_of

        self.block = block
        self.block_pieces = pieces
        """How many pieces the block covers."""
        self.address = address_of(block)
        """Where the block lies, for `kernels.probe`; good while this object is kept."""
        self.notes = list(notes)
        """What was found and cannot be used, each with its reason."""
        self.pieces = self.distances = pieces
        self._scalars, self._code_of = scalars, code_of
        self._values: list[Pack] = []
        self._blocks: dict[int, Blocks] = {}
        for pack in sorted(packs, key=lambda pack: (pack.kind, pack.pieces)):
            self._add(pack)

    @classmethod
    def build(
        cls, pieces: int = files.PIECES, *, workers: int = 1, progress: Progress | None = None
    ) -> Tables:
        """Build a database in memory, all of it a block; 4 pieces take seconds.

        ``progress`` is called with the positions done, those in all, and the material at hand.
        Raises `EndgameError` for fewer than 2 pieces or more than 6, and ``ValueError`` for no
        ``workers``, which are threads.
        """
        from kingme.engine.endgames.build import build

        return cls(build(pieces, workers=workers, progress=progress), pieces)

    @classmethod
    def load(cls, pieces: int = files.PIECES) -> Tables:
        """Map the files of a database that was saved before; all who do so share one mapping.

        More than 4 pieces are packed files beside the block of 4; their distances need not be
        there. Raises `DamagedError`, which names the file, and `EndgameError` where there is none
        or can be none.
        """
        files.require(pieces)
        if pieces > files.PIECES:
            from kingme.engine.endgames import shelf

            block = cls._beside()
            packs, notes = shelf.reaching(pieces)
            return cls(block.block, block.pieces, packs, notes)
        return cls._mapped(pieces)

    @classmethod
    def all(cls) -> Tables:
        """Map all that there is: the block of 4 pieces, and every sound packed file.

        What cannot be used is told in ``notes``. Raises as `load` does where there is no block.
        """
        from kingme.engine.endgames import shelf

        block = cls._beside()
        packs, notes = shelf.every()
        return cls(block.block, block.pieces, packs, notes)

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

        Where it cannot be saved it is kept in memory alone. Up to 5 pieces are built so; of more,
        which take long, an `EndgameError` says how they are.
        """
        files.require(pieces)
        if pieces > files.PIECES:  # packed files stand beside that block
            cls.have(files.PIECES, workers=workers)
        found = cls.ready(pieces)
        if found is not None:
            return found
        if pieces > files.PIECES + 1:
            return cls.load(pieces)
        found = cls.build(pieces, workers=workers, progress=progress)
        with contextlib.suppress(EndgameError):
            if pieces > files.PIECES:
                found.pack(pieces)
                return cls.load(pieces)
            path = files.path_of(pieces)
            if path is not None:
                found.save(path)
        return found

    @classmethod
    def _beside(cls) -> Tables:
        """Map the block beside which packed files stand; what is wrong with it, can be mended."""
        try:
            return cls._mapped(files.PIECES)
        except EndgameError as error:
            builds = f"Tables.have({files.PIECES}) builds it in seconds, and all else stands on it"
            raise type(error)(f"{error}; {builds}") from error

    @classmethod
    def _mapped(cls, pieces: int) -> Tables:
        import numpy as np

        path = files.path_of(pieces)
        if path is None:
            raise EndgameError("no folder can be written to keep a database in")
        found = _OPEN.get(path)
        if found is None:
            try:
                mapped = files.checked(path, pieces)
            except FileNotFoundError:
                if path.is_symlink():
                    raise EndgameError(f"{path} is a link that leads to no file") from None
                raise EndgameError(f"there is no database of {pieces} pieces yet: {path}") from None
            except (OSError, ValueError) as error:
                raise EndgameError(f"{path} cannot be read: {error}") from error
            found = _OPEN[path] = cls(np.frombuffer(mapped, np.uint8), pieces)
        return found

    def save(self, path: Path) -> None:
        """Write the block to a file; raises `EndgameError` where that cannot be."""
        files.write(path, self.block.data)

    def pack(self, pieces: int) -> list[Path]:
        """Write the slices of exactly so many pieces, which the block has, to packed files.

        Returns the files, of values and of distances; raises `EndgameError`.
        """
        from kingme.engine.endgames.pack import Kind, assemble, order, pack_distances, pack_values

        if pieces > self.block_pieces:
            raise EndgameError(f"the block has up to {self.block_pieces} pieces, not {pieces}")
        made = []
        places = layout(self.block_pieces).places
        for kind, packer in ((Kind.VALUES, pack_values), (Kind.DISTANCES, pack_distances)):
            path = files.pack_path(pieces, kind.word)
            if path is None:
                raise EndgameError("no folder can be written to keep a database in")
            slices = (
                (m, packer(m, self.block[places[m] : places[m] + m.positions]))
                for m in order(pieces)
            )
            assemble(path, kind, pieces, slices)
            made.append(path)
        return made

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The packed files in use."""
        return (*self._values, *(blocks.pack for blocks in self._blocks.values()))

    @functools.cached_property
    def directory(self) -> Directory:
        """Where block and packed values lie, for `kernels.packed`; see its ``address``."""
        from kingme.engine.endgames.opened import Directory

        return Directory(self.block, self.block_pieces, self._values)

    def value(self, position: Position) -> Value:
        """Return what a position is worth to the side to move.

        Raises `EndgameError`, and ``TypeError`` for what is no `Position`.
        """
        if self._in_block(position):
            return _value(self._code(position))
        from kingme.engine.kernels.packed import value_of

        value = value_of(*self._scalars(position), self.directory.address)
        return (Value.DRAW, Value.LOSS, Value.WIN)[value]

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end of the game, None for a draw.

        Raises `EndgameError`, also where it is only known who wins, and ``TypeError`` as `value`.
        """
        value = self.value(position)
        if value is Value.DRAW:
            return None
        count = (position.black | position.white).bit_count()
        if count > self.distances:
            raise EndgameError(
                f"the database of {count} pieces has no distances; it tells who wins, not how soon"
            )
        return self._plies(position, value)

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that win soonest, that lose latest, or that draw.

        Each route of a capture stands for itself. Raises `EndgameError` as `distance` does.
        """
        keeping = self.keeping_moves(position)
        plies = self.distance(position)
        if plies is None:
            return keeping
        after = self.value(position).against
        return tuple(
            move for move in keeping if self._plies(position.after(move), after) == plies - 1
        )

    def keeping_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that keep the value of a position, soon or late."""
        wanted = self.value(position).against
        return tuple(
            move for move in position.legal_moves if self.value(position.after(move)) is wanted
        )

    def totals(self) -> dict[Forces, Totals]:
        """Count the values of every slice."""
        from kingme.engine.endgames.counting import Totals, counted

        found = {
            material: counted(self.block[place : place + material.positions])
            for material, place in layout(self.block_pieces).places.items()
        }
        for pack in self._values:
            for material, entry in pack.entries.items():
                head = entry.head
                ends = head.wins, head.losses, head.draws
                found[material] = Totals(head.positions, *ends, head.longest)
        return found

    def verify(self, progress: Progress | None = None, *, workers: int = 1) -> Position | None:
        """Return a position that its successors contradict; None where all is well.

        What values without distances do not prove, `proving` says. Raises `EndgameError` where
        a file is damaged or its totals are wrong.
        """
        from kingme.engine.endgames.proving import prove
        from kingme.engine.endgames.verify import verify

        before = sum(material.positions for material in layout(self.block_pieces).places)
        total = sum(material.positions for material in layout(self.pieces).places)

        def first(done: int, _: int, what: str) -> None:
            if progress is not None:
                progress(done, total, what)

        def then(done: int, _: int, what: str) -> None:
            first(before + done, total, what)

        wrong = verify(self.block, self.block_pieces, first)
        if wrong is not None or not self._values:
            return wrong
        distances = {count: blocks.pack for count, blocks in self._blocks.items()}
        return prove(self.directory, self._values, distances, workers=workers, progress=then)

    def _add(self, pack: Pack) -> None:
        """Take a packed file into use, where all with fewer pieces are there."""
        from kingme.engine.endgames.opened import Blocks
        from kingme.engine.endgames.pack import Kind

        if pack.kind is Kind.VALUES and pack.pieces == self.pieces + 1:
            self._values.append(pack)
            self.pieces += 1
        elif pack.kind is Kind.DISTANCES and pack.pieces == self.distances + 1 <= self.pieces:
            self._blocks[pack.pieces] = Blocks(pack)
            self.distances += 1
        else:
            self.notes.append(f"{pack.path} is not used: what it stands on is missing")

    def _in_block(self, position: Position) -> bool:
        """Tell whether the block has a position, or rules do; refuse one that nothing has."""
        if not isinstance(position, Position):
            raise TypeError(
                f"a Position is needed, not {type(position).__name__}: Position.from_fen reads a"
                " FEN, and Board.position and History.position give one"
            )
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
        return count <= self.block_pieces or not position.black or not position.white

    def _code(self, position: Position) -> int:
        """Return the code of a position: 0 a draw, ``n + 1`` decided in ``n`` plies."""
        if not position.black or not position.white:
            return 2 if position.legal_moves else 1
        return int(self._code_of(*self._scalars(position), self.address))

    def _plies(self, position: Position, value: Value) -> int:
        """Return the plies to the end of a position that is won or lost."""
        if self._in_block(position):
            return self._code(position) - 1
        if value is Value.LOSS and not position.must_jump:
            return self._stored(position)
        after = {position.after(move) for move in position.legal_moves}
        if value is Value.LOSS:
            return 1 + max(self._plies(later, Value.WIN) for later in after)
        return 1 + min(
            self._plies(later, Value.LOSS) for later in after if self.value(later) is Value.LOSS
        )

    def _stored(self, position: Position) -> int:
        """Read the plies of a lost position without a jump due; a damaged file is put aside."""
        from kingme.engine.kernels.packed import number_of

        own, opp, kings, black = self._scalars(position)
        counts = []
        for side in (int(own), int(opp)):
            rulers = (side & int(kings)).bit_count()
            counts += [side.bit_count() - rulers, rulers]
        material = Forces(*counts)
        try:
            blocks = self._blocks[material.pieces]
            return blocks.plies(material, int(number_of(own, opp, kings, black)))
        except DamagedError as error:
            self.notes.append(str(error))
            self.distances = min(self.distances, material.pieces - 1)
            raise EndgameError(f"{error}; it is not used") from error


def _value(code: int) -> Value:
    if code == 0:
        return Value.DRAW
    return Value.LOSS if code & 1 else Value.WIN
