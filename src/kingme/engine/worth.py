"""What a quiet position of any variant is worth, from its record alone."""

from __future__ import annotations

from kingme.rules.position import Position
from kingme.rules.variant import Direction, Goal, Side, Variant

__all__ = ["Worth"]

MAN = 100
SHORT_KING, SAFE_KING, FLYING_KING = 130, 160, 300
STEP, TOWARD_CROWN = 3, 12
"""What a row costs a man on its way, where kings are a means and where the first one wins."""


class Worth:
    """Values positions of one variant, in hundredths of a man for the side to move."""

    def __init__(self, variant: Variant) -> None:
        geometry = variant.geometry
        rows = range(variant.rows)
        self._king = _king(variant)
        step = TOWARD_CROWN if variant.goal is Goal.CROWN_FIRST else STEP
        # Men of a side by the rows that they have behind them.
        down = tuple((geometry.row(row), step * row) for row in rows)
        up = tuple((geometry.row(row), step * (variant.rows - 1 - row)) for row in rows)
        low = variant.low is Side.BLACK
        self._black_rows, self._white_rows = (down, up) if low else (up, down)
        self._sign = -1 if variant.goal is Goal.LOSE_ALL else 1
        self._total = 2 * variant.men
        width = geometry.width
        middle = range(variant.rows // 4, variant.rows - variant.rows // 4)
        numbers = (row * width + column + 1 for row in middle for column in _inner(width))
        self._centre = sum(geometry.masks[number] for number in numbers)

    def of(self, position: Position) -> int:
        """Value a position: material first, then the centre and how far men have come.

        Where the goal is to lose all, it is all turned round.
        """
        black, white, kings = position.black, position.white, position.kings
        blacks, whites = black.bit_count(), white.bit_count()
        value = MAN * (blacks - whites)
        value += (self._king - MAN) * ((black & kings).bit_count() - (white & kings).bit_count())
        value += 2 * max(0, self._total - blacks - whites) * (blacks - whites)
        value += 4 * ((black & self._centre).bit_count() - (white & self._centre).bit_count())
        men = black & ~kings
        for mask, worth in self._black_rows:
            value += worth * (men & mask).bit_count()
        men = white & ~kings
        for mask, worth in self._white_rows:
            value -= worth * (men & mask).bit_count()
        return self._sign * (value if position.turn is Side.BLACK else -value)


def _king(variant: Variant) -> int:
    """What a king is worth: what it can do beyond a man says it."""
    if variant.flying_kings:
        return FLYING_KING - (60 if variant.king_lands_next else 0)
    if Direction.BACKWARD_DIAGONAL in variant.man_jumps or variant.men_may_jump_kings:
        return SHORT_KING
    return SAFE_KING


def _inner(width: int) -> range:
    return range(width // 4, width - width // 4)
