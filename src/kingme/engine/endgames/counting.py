"""Counting how the positions of a slice end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Totals", "counted"]

STEP = 1 << 18
"""Codes that are counted at once: an interrupt is heard in between."""


@dataclass(frozen=True, slots=True)
class Totals:
    """How many positions there are, how they end for the side to move, the longest win in plies.

    ``longest`` is 0 where there is no win, and None where no plies are known.
    """

    positions: int
    wins: int
    losses: int
    draws: int
    longest: int | None

    def __add__(self, other: Totals) -> Totals:
        """Return both together."""
        return Totals(
            self.positions + other.positions,
            self.wins + other.wins,
            self.losses + other.losses,
            self.draws + other.draws,
            None
            if self.longest is None or other.longest is None
            else max(self.longest, other.longest),
        )


def counted(codes: npt.NDArray[np.uint8]) -> Totals:
    """Count codes (`kernels.probe`), or values, of which ``longest`` says nothing.

    >>> counted(np.array([0, 1, 2, 8, 3], np.uint8))
    Totals(positions=5, wins=2, losses=2, draws=1, longest=7)
    """
    uses = np.zeros(256, np.int64)
    for low in range(0, len(codes), STEP):
        uses += np.bincount(codes[low : low + STEP], minlength=256)
    wins = uses[2::2]
    longest = 2 * int(np.flatnonzero(wins)[-1]) + 1 if wins.any() else 0
    return Totals(len(codes), int(wins.sum()), int(uses[1::2].sum()), int(uses[0]), longest)
