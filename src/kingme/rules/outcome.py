"""How a game ends: the outcome as a value; the draw rules of each place are in `presets`."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from kingme.rules.draws import DrawPreset, Ending, Progress
from kingme.rules.presets import PRESETS, STANDARD, VARIANT_PRESETS, preset_of
from kingme.rules.record import Variant
from kingme.rules.terms import Side

__all__ = [
    "PRESETS",
    "STANDARD",
    "VARIANT_PRESETS",
    "DrawPreset",
    "Ending",
    "Outcome",
    "Progress",
    "Termination",
    "preset_of",
]


class Termination(enum.Enum):
    """Why a game ended; the value is its name on the wire and in stores.

    >>> Termination("no_moves") is Termination.NO_MOVES
    True
    """

    NO_PIECES = "no_pieces"
    NO_MOVES = "no_moves"
    CROWNED = "crowned"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    REPETITION = "repetition"
    NO_PROGRESS = "no_progress"
    PLY_CAP = "ply_cap"
    TIMEOUT = "timeout"
    DESERTION = "desertion"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: who won (``None`` for a draw) and why it ended.

    >>> str(Outcome(Side.WHITE, Termination.NO_MOVES))
    'White wins: Black has no move'
    >>> Outcome(None, Termination.AGREEMENT).result
    '1/2-1/2'
    """

    winner: Side | None
    termination: Termination
    #: the winner is the one without a piece or a move, as in games of losing all
    reverse: bool = False

    @property
    def result(self) -> str:
        """The result as PDN writes it in English draughts: ``1-0`` means that Black won.

        Source: PDN 3.0, where the first number belongs to the side that moves first.
        """
        return self._score(Side.BLACK)

    def result_in(self, variant: Variant) -> str:
        """The result as PDN writes it in a variant: ``1-0`` means that who began has won.

        >>> from kingme.rules.variant import VARIANTS
        >>> Outcome(Side.WHITE, Termination.NO_MOVES).result_in(VARIANTS["russian"])
        '1-0'
        """
        return self._score(variant.first)

    def _score(self, first: Side) -> str:
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is first else "0-1"

    def __str__(self) -> str:
        """Return the outcome in a short sentence."""
        if self.winner is None:
            why = {
                Termination.AGREEMENT: "both players agreed",
                Termination.REPETITION: "the same position came again and again",
                Termination.NO_PROGRESS: "no progress was made for too long",
                Termination.PLY_CAP: "the game reached its last move",
                Termination.DESERTION: "a player left the game",
            }
            return f"Draw: {why[self.termination]}"
        loser = (self.winner if self.reverse else self.winner.other).title
        how = {
            Termination.CROWNED: f"{self.winner.title} made the first king",
            Termination.NO_PIECES: f"{loser} has no piece left",
            Termination.NO_MOVES: f"{loser} has no move",
            Termination.RESIGNATION: f"{loser} resigned",
            Termination.TIMEOUT: f"{loser}'s time ran out",
            Termination.DESERTION: f"{loser} left the game",
        }
        return f"{self.winner.title} wins: {how[self.termination]}"
