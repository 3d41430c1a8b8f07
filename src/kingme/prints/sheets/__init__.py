"""The sheets that are printed, each as one PDF."""

from kingme.prints.sheets.asked import Asked
from kingme.prints.sheets.board import board
from kingme.prints.sheets.pieces import pieces

__all__ = ["Asked", "board", "pieces"]
