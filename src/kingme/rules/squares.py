"""Squares: their numbers, their letters, and the bits that stand for them.

Draughts number the dark squares row by row from Black's side: 1 to 4 are the row that
Black sits at, 29 to 32 the row of White. Seen from White's side the same squares have
letters: 1 is b8, 4 is h8, 29 is a1, 32 is g1.

Inside, a set of squares is one int in a padded layout. A row holds ``columns / 2`` dark
squares; two rows and one border bit make a group, and the border bit is never set. Thus
every diagonal step is one shift, the same from every square, and a step over the edge
falls on a border bit or off the board, where no piece can stand: no edge test is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["EIGHT", "Geometry", "bits"]


def bits(mask: int) -> Iterator[int]:
    """Yield each single-bit mask of ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of ``rows`` x ``columns`` played on its dark squares.

    ``mirrored`` boards have their dark corner at the near right instead of the near left.

    >>> board = Geometry(8, 8)
    >>> board.letters(22), board.number("c3"), board.squares
    ('c3', 22, 32)
    """

    rows: int
    columns: int
    mirrored: bool = False
    #: number of playable squares
    squares: int = field(init=False)
    #: the two shifts of a diagonal step toward higher numbers
    shifts: tuple[int, int] = field(init=False)
    #: all playable squares as a mask
    board: int = field(init=False, repr=False)
    #: single-bit mask of each square number; index 0 is unused
    masks: tuple[int, ...] = field(init=False, repr=False)
    #: square number of each single-bit mask
    numbers: dict[int, int] = field(init=False, repr=False, compare=False)
    _letters: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay out the bits and the names of the squares."""
        if self.rows % 2 or self.columns % 2 or self.rows < 4 or not 4 <= self.columns <= 26:
            raise ValueError(f"a board of {self.rows} x {self.columns} has no such layout")
        width = self.columns // 2
        masks, letters = [0], [""]
        for row in range(self.rows):
            for column in range(width):
                masks.append(1 << ((2 * width + 1) * (row // 2) + width * (row % 2) + column))
                file = 2 * column + (row + 1) % 2
                if self.mirrored:
                    file = self.columns - 1 - file
                letters.append(f"{chr(ord('a') + file)}{self.rows - row}")
        put = object.__setattr__
        put(self, "squares", self.rows * width)
        put(self, "shifts", (width, width + 1))
        put(self, "board", sum(masks))
        put(self, "masks", tuple(masks))
        put(
            self,
            "numbers",
            {mask: number for number, mask in enumerate(masks) if number},
        )
        put(self, "_letters", tuple(letters))

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
        width = self.columns // 2
        return sum(self.masks[index * width + 1 : (index + 1) * width + 1])


#: The usual board.
EIGHT = Geometry(8, 8)
