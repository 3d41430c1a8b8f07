"""The sheets that are printed, each as one PDF."""

from kingme.prints.sheets.asked import Asked
from kingme.prints.sheets.board import board
from kingme.prints.sheets.diagrams import game, positions
from kingme.prints.sheets.pieces import pieces
from kingme.prints.sheets.rules import rules
from kingme.prints.sheets.score import score

__all__ = ["Asked", "board", "game", "pieces", "positions", "rules", "score"]
