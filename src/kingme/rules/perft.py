"""Perft: the number of move sequences of a given length, the test of every move generator."""

from __future__ import annotations

import operator

from kingme.rules.moves import Generator, Move
from kingme.rules.position import Position

__all__ = ["divide", "perft"]


def perft(position: Position, depth: int, *, unique: bool = False) -> int:
    """Return how many sequences of ``depth`` plies there are from ``position``.

    Every route is a move, so two orders of the same captures count as two; with ``unique``
    routes of one piece that end on the same square and capture the same pieces count once.
    Raises ``ValueError`` for a negative depth.

    >>> [perft(Position.start(), depth) for depth in range(5)]
    [1, 7, 49, 302, 1469]
    """
    depth = operator.index(depth)
    if depth < 0:
        raise ValueError(f"a depth of {depth} plies makes no sense: it is 0 or more")
    if depth == 0:
        return 1
    own, enemy, kings, down = position.masks
    generator = position.variant.generator
    count = _count if type(generator) is Generator and not unique else _Count(unique)
    return count(generator, own, enemy, kings, down, depth)


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Return the perft of ``depth - 1`` plies behind each legal move, in their order.

    >>> {str(move): count for move, count in divide(Position.from_fen("B:W25,26:B22"), 2).items()}
    {'22x29': 2, '22x31': 2}
    """
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


class _Count:
    """Counting for any generator, each result of a capture once where that is asked for."""

    def __init__(self, unique: bool) -> None:
        self._unique = unique

    def __call__(
        self, generator: Generator, own: int, enemy: int, kings: int, down: bool, depth: int
    ) -> int:
        routes = generator.routes(own, enemy, kings, down)
        if self._unique:
            routes = list(
                {(path[0], path[-1], taken): (path, taken) for path, taken in routes}.values()
            )
        if depth == 1:
            return len(routes)
        total = 0
        for path, captured in routes:
            start, end = path[0], path[-1]
            king = kings & start or generator.crowns(path, down)
            total += self(
                generator,
                enemy & ~captured,
                own & ~start | end,
                kings & ~start & ~captured | (end if king else 0),
                not down,
                depth - 1,
            )
        return total
