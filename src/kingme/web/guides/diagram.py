"""A board in a text: a position, a line that can be played on it, and what is claimed of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import msgspec

from kingme.rules.drawing import in_words
from kingme.rules.moves import Move
from kingme.rules.notation import spell
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["Diagram", "LineMove", "place"]


@dataclass(frozen=True, slots=True)
class LineMove:
    """One move of a line: the number written before it, its text, and the move for the script.

    The number is ``"3."`` before a move of the side that begins, and empty before a reply.
    """

    number: str
    text: str
    told: str


@dataclass(frozen=True)
class Diagram:
    """A board in a text, by name.

    ``line`` holds moves from the position on. ``value`` is what the text claims of the position
    for the side to move: ``win``, ``draw``, ``loss``, or nothing; the tests prove it. ``marks``
    are squares that the text speaks of. ``foreign``: the rules of the page are not those of the
    board, which then shows its line alone. ``letters``: squares are named so where the variant
    has numbers.
    """

    name: str
    fen: str
    caption: str
    line: str = ""
    value: str = ""
    marks: tuple[int, ...] = ()
    variant: Variant = ENGLISH
    foreign: bool = False
    letters: bool = False

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The position that is shown, and those after each move of the line."""
        found = [Position.from_fen(self.fen, self.variant)]
        for text in self.line.split():
            found.append(found[-1].play(found[-1].parse(text)))
        return tuple(found)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the line; ``KingmeError`` where one is not legal."""
        texts = self.line.split()
        return tuple(now.parse(text) for now, text in zip(self.positions, texts, strict=False))

    @property
    def by_letter(self) -> bool:
        """Whether squares are named by letters on this board."""
        return self.letters or self.variant.letters_first

    @property
    def grid(self) -> str:
        """The name of the board that it is drawn on."""
        return f"{self.variant.name}{'-letters' if self.letters else ''}"

    @property
    def words(self) -> str:
        """The position in words, for whoever does not see the board."""
        return in_words(self.positions[0])

    @cached_property
    def pieces(self) -> tuple[tuple[str, int, int], ...]:
        """Each piece by the name of its drawing and the middle of its square, White below."""
        found = []
        for square, piece in self.positions[0].pieces.items():
            at = place(self.variant, square)
            names = ("man", "crown") if piece.king else ("man",)
            found += [(f"{name}-{piece.side.code}", *at) for name in names]
        return tuple(found)

    @cached_property
    def tints(self) -> tuple[tuple[int, int], ...]:
        """The corners of the marked squares."""
        places = (place(self.variant, square) for square in self.marks)
        return tuple((x - 5, y - 5) for x, y in places)

    @cached_property
    def steps(self) -> tuple[LineMove, ...]:
        """The moves as the page writes them."""
        return tuple(self._steps())

    def _steps(self) -> Iterator[LineMove]:
        late = self.positions[0].turn is not self.variant.first
        for i, move in enumerate(self.moves):
            number = "" if (i + late) % 2 else f"{(i + late) // 2 + 1}."
            if late and i == 0:
                number = "1. …"
            before, after = self.positions[i : i + 2]
            was, now = before.pieces[move.start], after.pieces[move.end]
            told = [move.path, move.captures, now.king and not was.king]
            text = spell(move, self.variant)
            if self.letters:
                text = move.letters(self.variant.geometry)
            yield LineMove(number, text, msgspec.json.encode(told).decode())


def place(variant: Variant, square: int) -> tuple[int, int]:
    """The middle of a square in tenths of its width, as White sees the board."""
    name = variant.geometry.letters(square)
    return 10 * (ord(name[0]) - ord("a")) + 5, 10 * (variant.rows - int(name[1:])) + 5
