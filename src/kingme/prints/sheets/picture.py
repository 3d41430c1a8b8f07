"""A board as a diagram within a sheet."""

from __future__ import annotations

from kingme.prints.pdf import INK, Canvas
from kingme.rules.drawing import FRAME, SQUARE, Drawable, Look, scene

__all__ = ["picture"]


def picture(
    canvas: Canvas, position: Drawable, look: Look, at: tuple[float, float], width: float
) -> float:
    """Draw a position ``width`` mm wide, with a thin line for its frame; return its height."""
    seen = scene(position, look)
    geometry = position.variant.geometry
    scale = width / (SQUARE * geometry.columns)
    height = SQUARE * geometry.rows * scale
    corner = (at[0] - FRAME * scale, at[1] - FRAME * scale)
    canvas.draw(seen.shapes[1:], seen.theme, corner, scale)
    canvas.box(at, (width, height), stroke=INK, width=0.35)
    return height
