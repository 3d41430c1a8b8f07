"""What a file is asked of a game: its positions and their material, as numbers, move by move.

No position is set up for that. A move changes a key by the few squares that it touches, so the
keys of a board are carried along; only a jump that might be written in two ways is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, permutations
from typing import NamedTuple

from kingme.collection.packing import (
    KING,
    LOW,
    MAN,
    WORD,
    board_of,
    code_of,
    key_of,
    packed,
    piece_numbers,
    sides_of,
)
from kingme.rules.ballots import THREE_MOVE
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.squares import bits
from kingme.rules.variant import ENGLISH, Crowning, Side, Variant

__all__ = ["Index", "Indexed", "Learnt", "Line"]

REMEMBERED = 1 << 16
"""Moves of a variant that are kept in numbers; there are more only where kings fly."""

TOP = 1 << WORD - 1


class Learnt(NamedTuple):
    """A move in numbers, whatever stands on the board.

    ``crowns`` says whether it crowns a man of Black and of White, ``changes`` how it changes the
    keys of a board by the kind of piece. ``others`` are the jumps with the same start and end
    that a man may have there, as what is taken and where it lands: those that come before it;
    None where only the rules can say.
    """

    begin: int
    end: int
    taken: int
    crowns: tuple[bool, bool]
    changes: tuple[int, ...]
    code: int
    others: tuple[tuple[int, int], ...] | None
    packed: bytes
    text: str
    move: Move


@dataclass(frozen=True, slots=True)
class Line:
    """What was played: a start, and legal moves from there."""

    start: Position
    steps: list[Learnt]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves."""
        return tuple(step.move for step in self.steps)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position, made anew each time that it is asked for."""
        return tuple(accumulate(self.moves, Position.after, initial=self.start))


@dataclass(frozen=True, slots=True)
class Indexed:
    """What is kept of a game: rows of ``place`` and ``mass``, its ballot, its moves packed."""

    places: list[tuple[int, int, int, int]]
    masses: list[tuple[int, int]]
    opening: int | None
    moves: bytes


class Index:
    """Indexes games of one variant."""

    def __init__(self, variant: Variant) -> None:
        self.start = Position.start(variant)
        self._variant = variant
        self._board = board_of(self.start)
        self._steps: dict[Move, Learnt] = {}
        self._pieces = piece_numbers(variant)
        found = THREE_MOVE.values() if variant == ENGLISH else ()
        self._ballots = {key_of(ballot.position): ballot.number for ballot in found}

    def line(self, start: Position, moves: Iterable[Move]) -> Line:
        """Return what was played in numbers."""
        known = self._steps
        return Line(start, [known.get(move) or self._learned(move) for move in moves])

    def rows(self, number: int, line: Line, result: int) -> Indexed:
        """Return what a file keeps of the game of a number."""
        start, pieces = line.start, self._pieces
        board = self._board if start == self.start else board_of(start)
        white = int(start.turn is Side.WHITE)
        sides, kings = [start.black, start.white], start.kings
        mass = list(sides_of(start))
        masses = {max(mass) << 16 | min(mass)}
        places: list[tuple[int, int, int, int]] = []
        seen: tuple[set[int], set[int]] = set(), set()
        opening = None
        for ply, step in enumerate((*line.steps, None)):
            key = board >> WORD if white else board & LOW
            key = key - (TOP << 1) if key & TOP else key
            if ply <= 3 and white:
                opening = self._ballots.get(key, opening)
            if step is None:
                if key not in seen[white]:
                    places.append((key, number, white, ply << 19 | result))
                break
            begin, end, taken, crowns, changes, code, *_ = step
            king = kings & begin
            if key not in seen[white]:
                seen[white].add(key)
                if taken:
                    code += self._rank(step, sides, kings, white)
                places.append((key, number, white, (ply << 17 | code) << 2 | result))
            sides[white] ^= begin ^ end
            crowned = not king and crowns[white]
            board ^= changes[white + 2 if king else white]
            if king:
                kings = kings & ~begin | end
            elif crowned:
                board ^= pieces[white][end] ^ pieces[white + 2][end]
                kings |= end
                mass[white] += KING - MAN
            white = 1 - white
            if taken:
                sides[white] ^= taken
                for piece in bits(taken):
                    of_king = bool(kings & piece)
                    board ^= pieces[white + 2 * of_king][piece]
                    mass[white] -= KING if of_king else MAN
                kings &= ~taken
            if taken or crowned:
                masses.add(max(mass) << 16 | min(mass))
        moves = b"".join(step.packed for step in line.steps)
        return Indexed(places, [(mass, number) for mass in masses], opening, moves)

    def _learned(self, move: Move) -> Learnt:
        variant, masks = self._variant, self._variant.geometry.masks
        begin, end = masks[move.start], masks[move.end]
        landings = move.path[1:] if variant.crowning is Crowning.BECOME else move.path[-1:]
        black, white = (
            any(masks[square] & variant.crown_row(side) for square in landings)
            for side in (Side.BLACK, Side.WHITE)
        )
        step = Learnt(
            begin,
            end,
            sum(masks[square] for square in move.captures),
            (black, white),
            tuple(of[begin] ^ of[end] for of in self._pieces),
            code_of(move, [move]),
            self._others(move) if variant.short_moves else None,
            packed([move]),
            str(move),
            move,
        )
        if len(self._steps) >= REMEMBERED:
            self._steps.clear()
        self._steps[move] = step
        return step

    def _others(self, move: Move) -> tuple[tuple[int, int], ...]:
        """The jumps before this one that a man has from the same start to the same end, perhaps.

        It goes forward only: they take the same turns in another order.
        """
        geometry = self._variant.geometry
        masks, numbers = geometry.masks, geometry.numbers
        lengths = [masks[b].bit_length() - masks[a].bit_length() for a, b in pairwise(move.path)]
        if not move.captures or len({length > 0 for length in lengths}) > 1:
            return ()
        found = set()
        for order in permutations(lengths):
            stands = [masks[move.start], *(0 for _ in order)]
            over = 0
            for at, length in enumerate(order):
                stand = stands[at]
                over |= stand << length // 2 if length > 0 else stand >> -length // 2
                stands[at + 1] = stand << length if length > 0 else stand >> -length
            path = tuple(numbers.get(stand, 0) for stand in stands)
            if all(path) and path < move.path:
                found.add((over, sum(stands[1:])))
        return tuple(found)

    def _rank(self, step: Learnt, sides: Sequence[int], kings: int, white: int) -> int:
        """Which of the jumps with its start and end this is, as :func:`code_of` counts them."""
        if not kings & step.begin and step.others is not None:
            enemy, empty = sides[1 - white], ~(sides[0] | sides[1])
            alike = [over & enemy == over and land & empty == land for over, land in step.others]
            return min(sum(alike), 7)
        turn = Side.WHITE if white else Side.BLACK
        position = Position(sides[0], sides[1], kings, turn, self._variant)
        return code_of(step.move, position.legal_moves) - step.code
