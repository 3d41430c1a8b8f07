"""Boards as images: a position as PNG, a game as an animated GIF, drawn as the SVG is."""

from kingme.prints.images import gif, png

__all__ = ["gif", "png"]
