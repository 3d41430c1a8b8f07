"""Squares: their numbers, their letters, and the bits that stand for them.

Draughts number the dark squares row by row from Black's side: 1 to 4 are the row that
Black sits at, 29 to 32 the row of White. Seen from White's side the same squares have
letters: 1 is b8, 4 is h8, 29 is a1, 32 is g1.

Inside, a set of squares is one int in a padded layout. A row holds ``columns / 2`` dark
squares; two rows and one border bit make a group, and the border bit is never set. Thus
every diagonal step is one shift, the same from every square, and a step over the edge
falls on a border bit or off the board, where no piece can stand: no edge test is needed.

Boards of other variants differ in size, in which corner is dark, in where square 1 lies, and
some are played on all squares. Where the first row does not begin one square in from the
edge, or all squares are played on, steps are no shifts (``shifts`` is ``(0, 0)``), and bits
are numbered like squares; whoever walks there asks for a :meth:`Geometry.ray`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["EIGHT", "Geometry", "bits"]


def bits(mask: int) -> Iterator[int]:
    """Yield each single-bit mask of ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of ``rows`` x ``columns`` played on its dark squares, or on all of them.

    ``mirrored`` boards have their dark corner at the near right instead of the near left.
    Numbers begin at Black's side and run from left to right as White sees them, or else
    ``from_white`` and ``leftward``.

    >>> board = Geometry(8, 8)
    >>> board.letters(22), board.number("c3"), board.squares
    ('c3', 22, 32)
    >>> Geometry(8, 8, all_squares=True).letters(64)
    'h1'
    """

    rows: int
    columns: int
    mirrored: bool = False
    all_squares: bool = False
    #: square 1 lies at White's side instead of Black's
    from_white: bool = False
    #: a row's numbers run from right to left as White sees them
    leftward: bool = False
    #: number of playable squares
    squares: int = field(init=False)
    #: number of playable squares in a row
    width: int = field(init=False)
    #: the two shifts of a diagonal step toward higher numbers, or ``(0, 0)``
    shifts: tuple[int, int] = field(init=False)
    #: all playable squares as a mask
    board: int = field(init=False, repr=False)
    #: single-bit mask of each square number; index 0 is unused
    masks: tuple[int, ...] = field(init=False, repr=False)
    #: square number of each single-bit mask
    numbers: dict[int, int] = field(init=False, repr=False, compare=False)
    _letters: tuple[str, ...] = field(init=False, repr=False, compare=False)
    #: row (0 is that of square 1) and file (0 is a) of each square number
    _places: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    _at: dict[tuple[int, int], int] = field(init=False, repr=False, compare=False)
    #: what was found by `jumped`, for the next time
    _lines: dict[tuple[int, int], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay out the bits and the names of the squares."""
        odd = not self.all_squares and (self.rows % 2 or self.columns % 2)
        if odd or self.rows < 4 or not 4 <= self.columns <= 26:
            raise ValueError(f"a board of {self.rows} x {self.columns} has no such layout")
        width = self.columns if self.all_squares else self.columns // 2
        places = [(-1, -1)]
        for row in range(self.rows):
            files = [file for file in range(self.columns) if self._played(row, file)]
            places += [(row, file) for file in (files[::-1] if self.leftward else files)]
        last = self.columns - 1
        padded = not self.all_squares and places[1][1] == (last - 1 if self.leftward else 1)
        masks = [0]
        for number in range(1, self.rows * width + 1):
            row, column = divmod(number - 1, width)
            bit = (2 * width + 1) * (row // 2) + width * (row % 2) + column
            masks.append(1 << (bit if padded else number - 1))
        names = (f"{chr(ord('a') + file)}{self._rank(row)}" for row, file in places[1:])
        put = object.__setattr__
        put(self, "squares", self.rows * width)
        put(self, "width", width)
        put(self, "shifts", (width, width + 1) if padded else (0, 0))
        put(self, "board", sum(masks))
        put(self, "masks", tuple(masks))
        put(
            self,
            "numbers",
            {mask: number for number, mask in enumerate(masks) if number},
        )
        put(self, "_letters", ("", *names))
        put(self, "_places", tuple(places))
        put(self, "_at", {place: number for number, place in enumerate(places)})
        put(self, "_lines", {})

    def letters(self, square: int) -> str:
        """Return the letter name of a square number, ``"c3"`` for 22."""
        if not 1 <= square <= self.squares:
            raise ValueError(f"there is no square {square}: they run from 1 to {self.squares}")
        return self._letters[square]

    def number(self, letters: str) -> int:
        """Return the square number of a letter name, 22 for ``"c3"``."""
        name = letters.strip().lower()
        if name in self._letters[1:]:
            return self._letters.index(name)
        raise ValueError(f"{letters!r} is not a playable square")

    def row(self, index: int) -> int:
        """Return the mask of a row, 0 being the row of square 1."""
        return sum(self.masks[index * self.width + 1 : (index + 1) * self.width + 1])

    @property
    def long_diagonal(self) -> int:
        """The mask of the diagonal that joins two corners of the board, dark on its dark squares.

        >>> board = Geometry(8, 8)
        >>> [number for number in range(1, 33) if board.masks[number] & board.long_diagonal]
        [4, 8, 11, 15, 18, 22, 25, 29]
        """
        across = self.columns - 1 if self.mirrored else 0
        return sum(
            mask
            for number, mask in enumerate(self.masks)
            if number and abs(self.place(number)[1] - across) == self.place(number)[0]
        )

    def place(self, square: int) -> tuple[int, int]:
        """Return the rank (0 is White's first) and the file (0 is a) of a square number."""
        row, file = self._places[square]
        return self._rank(row) - 1, file

    def ray(self, square: int, rows: int, files: int) -> tuple[int, ...]:
        """Return the masks of the squares of play from a square on, step by step to the edge.

        A step leads ``rows`` on (toward higher numbers) and ``files`` to White's right, or
        twice as far where there is no square of play so near.

        >>> board = Geometry(8, 8)
        >>> [board.numbers[mask] for mask in board.ray(22, 1, 1)]
        [26, 31]
        >>> [board.numbers[mask] for mask in board.ray(22, -1, 0)]
        [14, 6]
        """
        if not self.all_squares and not (rows and files):
            rows, files = 2 * rows, 2 * files
        row, file = self._places[square]
        found = []
        while number := self._at.get((row + rows, file + files), 0):
            row, file = row + rows, file + files
            found.append(self.masks[number])
        return tuple(found)

    def between(self, first: int, last: int) -> tuple[int, ...]:
        """Return the numbers of the squares between two square numbers on a line, in order.

        >>> Geometry(8, 8).between(29, 11)
        (25, 22, 18, 15)
        """
        ray = self.ray(first, *self.direction(first, last))
        return tuple(self.numbers[mask] for mask in ray[: ray.index(self.masks[last])])

    def direction(self, first: int, last: int) -> tuple[int, int]:
        """Return which way a square number lies from another: rows and files, each -1, 0 or 1."""
        (row, file), (last_row, last_file) = self._places[first], self._places[last]
        return (last_row > row) - (last_row < row), (last_file > file) - (last_file < file)

    def jumped(self, path: tuple[int, ...], captured: int) -> tuple[int, ...]:
        """Return the masks of the pieces that a route captures, in the order in which it does.

        ``path`` holds the masks where the piece stands, ``captured`` all that it captures;
        between two of its stands lies one that was not captured before.
        """
        found = []
        for start, end in pairwise(path):
            over = self._lines.get((start, end)) or self._between(start, end)
            over &= captured
            # A loop may cross the square of a piece that has left the board already.
            low = over & -over
            captured ^= low
            found.append(low)
        return tuple(found)

    def _between(self, first: int, last: int) -> int:
        """Return the mask of the squares between two masks on a line."""
        line = self.between(self.numbers[first], self.numbers[last])
        found = sum(self.masks[square] for square in line)
        self._lines[first, last] = found
        return found

    def _rank(self, row: int) -> int:
        return row + 1 if self.from_white else self.rows - row

    def _played(self, row: int, file: int) -> bool:
        return self.all_squares or (self._rank(row) - 1 + file) % 2 == self.mirrored


#: The usual board.
EIGHT = Geometry(8, 8)
