"""Moves, and which of them are legal.

A move is a whole route: a step, or a jump with every landing up to the last. A jump is
compulsory; among several any may be chosen; once begun it goes on until the piece can
jump no more. No piece is jumped twice, jumped pieces leave only when the route is
complete, the square that the jumping piece left counts as empty, and a man that lands
on its crown row is crowned and its turn ends (WCDF 1.15 to 1.20).

The generator works on masks (see :mod:`kingme.rules.squares`): ``own`` and ``enemy``
pieces, the ``kings`` among them, and whether ``own`` moves down, toward higher numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from kingme.rules.squares import EIGHT, Geometry, bits

__all__ = ["Generator", "Move", "Route", "to_move"]

#: A route in masks: where the piece stands from start to end, and all that it captures.
Route = tuple[tuple[int, ...], int]


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A whole route: ``path`` holds its squares from start to end, ``captures`` the jumped ones.

    Both are square numbers, in the order in which they are met.

    >>> move = Move((7, 16, 23), (11, 19))
    >>> str(move), move.is_jump, move.letters()
    ('7x16x23', True, 'e7:g5:e3')
    """

    path: tuple[int, ...]
    captures: tuple[int, ...] = ()

    @property
    def start(self) -> int:
        """The square that the piece leaves."""
        return self.path[0]

    @property
    def end(self) -> int:
        """The square where the piece stays."""
        return self.path[-1]

    @property
    def is_jump(self) -> bool:
        """Whether the move captures."""
        return bool(self.captures)

    def __str__(self) -> str:
        """Return the full path, ``"11-15"`` or ``"7x16x23x32"``."""
        return ("x" if self.captures else "-").join(map(str, self.path))

    def letters(self, geometry: Geometry = EIGHT) -> str:
        """Return the full path in letters, ``"c3-d4"`` or ``"e7:g5:e3"``."""
        mark = ":" if self.captures else "-"
        return mark.join(geometry.letters(square) for square in self.path)

    def mirrored(self, geometry: Geometry = EIGHT) -> Move:
        """Return the move as it is with the board turned round.

        >>> str(Move((11, 18), (15,)).mirrored())
        '22x15'
        """
        last = geometry.squares + 1
        return Move(
            tuple(last - square for square in self.path),
            tuple(last - square for square in self.captures),
        )


class Generator:
    """The legal routes of variants whose men and kings step and jump one square."""

    __slots__ = ("board", "crown", "shifts")

    def __init__(self, geometry: Geometry) -> None:
        """Keep what the loops need: the board, its shifts, and the crown rows."""
        self.board = geometry.board
        self.shifts = geometry.shifts
        #: crown row of the side that moves up, and of the side that moves down
        self.crown = (geometry.row(0), geometry.row(geometry.rows - 1))

    def jumpers(self, own: int, enemy: int, kings: int, down: bool) -> int:
        """Return the pieces of ``own`` that can jump."""
        empty = self.board & ~(own | enemy)
        near, far = self.shifts
        found = 0
        back = own & kings
        # Most of the time nobody has a king: then only one way is looked at.
        if down or back:
            goes = own if down else back
            found = goes & ((enemy & empty >> near) >> near | (enemy & empty >> far) >> far)
        if back or not down:
            goes = back if down else own
            found |= goes & ((enemy & empty << near) << near | (enemy & empty << far) << far)
        return found

    def crowns(self, path: tuple[int, ...], down: bool) -> bool:
        """Whether a man that goes along ``path`` is a king at its end."""
        return bool(path[-1] & self.crown[down])

    def routes(self, own: int, enemy: int, kings: int, down: bool) -> list[Route]:
        """Return every legal route, jumps alone where there is one."""
        jumpers = self.jumpers(own, enemy, kings, down)
        if jumpers:
            routes: list[Route] = []
            empty = self.board & ~(own | enemy)
            for piece in bits(jumpers):
                king = bool(piece & kings)
                self._extend(
                    routes,
                    (piece,),
                    0,
                    enemy,
                    empty | piece,
                    (king or not down, king or down),
                )
            return routes
        return self._steps(own, enemy, kings, down)

    def count(self, own: int, enemy: int, kings: int, down: bool) -> int:
        """Return how many legal routes there are, without building the quiet ones."""
        if self.jumpers(own, enemy, kings, down):
            return len(self.routes(own, enemy, kings, down))
        empty = self.board & ~(own | enemy)
        goes_down = own if down else own & kings
        goes_up = own & kings if down else own
        near, far = self.shifts
        return (
            (goes_down & (empty >> near)).bit_count()
            + (goes_down & (empty >> far)).bit_count()
            + (goes_up & (empty << near)).bit_count()
            + (goes_up & (empty << far)).bit_count()
        )

    def _steps(self, own: int, enemy: int, kings: int, down: bool) -> list[Route]:
        empty = self.board & ~(own | enemy)
        goes_down = own if down else own & kings
        goes_up = own & kings if down else own
        routes: list[Route] = []
        for shift in self.shifts:
            movers = goes_down & (empty >> shift)
            while movers:
                piece = movers & -movers
                movers ^= piece
                routes.append(((piece, piece << shift), 0))
            movers = goes_up & (empty << shift)
            while movers:
                piece = movers & -movers
                movers ^= piece
                routes.append(((piece, piece >> shift), 0))
        return routes

    def _extend(
        self,
        routes: list[Route],
        path: tuple[int, ...],
        captured: int,
        enemy: int,
        empty: int,
        goes: tuple[bool, bool],
    ) -> None:
        """Add every way to go on from the end of ``path``; ``enemy`` are those not yet jumped.

        ``goes`` says whether the piece may go up and down; a man goes one way only, and
        that is how the crown row that ends its turn is known.
        """
        at = path[-1]
        up, down = goes
        # A king never stops for a crown row; a man stops on the one it heads for.
        crown = 0 if up and down else self.crown[down]
        ended = True
        for shift in self.shifts:
            for over, land in (
                (at << shift, at << 2 * shift) if down else (0, 0),
                (at >> shift, at >> 2 * shift) if up else (0, 0),
            ):
                if over & enemy and land & empty:
                    ended = False
                    if land & crown:
                        routes.append(((*path, land), captured | over))
                    else:
                        self._extend(
                            routes,
                            (*path, land),
                            captured | over,
                            enemy ^ over,
                            empty,
                            goes,
                        )
        if ended:
            routes.append((path, captured))


def to_move(route: Route, geometry: Geometry) -> Move:
    """Return the move of a route of masks; the jumped squares are found from its path."""
    path, captured = route
    numbers = geometry.numbers
    squares = tuple(numbers[square] for square in path)
    if not captured:
        return Move(squares)
    near, far = geometry.shifts
    jumped = []
    for start, end in pairwise(path):
        low, high = min(start, end), max(start, end)
        # Two equal steps: the middle lies one near step or one far step from the lower end.
        if low << 2 * near == high:
            jumped.append(numbers[low << near])
        elif low << 2 * far == high:
            jumped.append(numbers[low << far])
        else:
            jumped = [numbers[over] for over in geometry.jumped(path, captured)]
            break
    return Move(squares, tuple(jumped))
