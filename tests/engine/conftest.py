"""What tests of the engine share: random positions, and one engine for all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from kingme import Piece, Position, Side


def any_position(chance: random.Random) -> Position:
    """A random position that can occur, kings and crowded boards included."""
    squares = chance.sample(range(1, 33), 32)
    dark, light = chance.randint(1, 12), chance.randint(1, 12)
    share = chance.random()
    pieces = {}
    for index, square in enumerate(squares[: dark + light]):
        side = Side.BLACK if index < dark else Side.WHITE
        crowned = square > 28 if side is Side.BLACK else square < 5
        pieces[square] = Piece(side, crowned or chance.random() < share)
    return Position.of(pieces, chance.choice(list(Side)))


@pytest.fixture
def random_positions() -> Callable[[int], Iterator[Position]]:
    """So many random positions, the same ones each time."""

    def make(count: int) -> Iterator[Position]:
        chance = random.Random(count)
        for _ in range(count):
            yield any_position(chance)

    return make
