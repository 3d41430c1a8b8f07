"""The sheets that are printed, each as one PDF."""

from kingme.prints.sheets.asked import Asked
from kingme.prints.sheets.boards import board
from kingme.prints.sheets.cutouts import pieces
from kingme.prints.sheets.diagrams import game, positions
from kingme.prints.sheets.rulesheet import rules
from kingme.prints.sheets.scoresheet import score

__all__ = ["Asked", "board", "game", "pieces", "positions", "rules", "score"]
