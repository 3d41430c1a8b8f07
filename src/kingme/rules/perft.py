"""Perft: the number of move sequences of a given length, the test of every move generator."""

from __future__ import annotations

import operator

from kingme.rules.moves import Generator, Move
from kingme.rules.position import Position

__all__ = ["divide", "perft"]


def perft(position: Position, depth: int) -> int:
    """Return how many sequences of ``depth`` plies there are from ``position``.

    Every route is a move, so two orders of the same captures count as two. Raises
    ``ValueError`` for a negative depth.

    >>> [perft(Position.start(), depth) for depth in range(5)]
    [1, 7, 49, 302, 1469]
    """
    depth = operator.index(depth)
    if depth < 0:
        raise ValueError(f"a depth of {depth} plies makes no sense: it is 0 or more")
    if depth == 0:
        return 1
    own, enemy, kings, down = position.masks
    return _count(position.variant.generator, own, enemy, kings, down, depth)


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Return the perft of ``depth - 1`` plies behind each legal move, in their order."""
    if depth < 1:
        raise ValueError(f"a depth of {depth} plies has no first move: it is 1 or more")
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves}


def _count(generator: Generator, own: int, enemy: int, kings: int, down: bool, depth: int) -> int:
    if depth == 1:
        return generator.count(own, enemy, kings, down)
    total = 0
    crown = generator.crown[down]
    for path, captured in generator.routes(own, enemy, kings, down):
        start, end = path[0], path[-1]
        king = kings & start or end & crown
        # Taken apart from its start, the king's mark follows the piece; captured kings go.
        total += _count(
            generator,
            enemy & ~captured,
            own & ~start | end,
            kings & ~start & ~captured | (end if king else 0),
            not down,
            depth - 1,
        )
    return total
