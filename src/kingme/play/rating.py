"""Glicko-2 ratings by time class (Glickman, "Example of the Glicko-2 system")."""

from __future__ import annotations

import msgspec

__all__ = ["Rating"]


class Rating(msgspec.Struct, frozen=True):
    """A rating with its deviation and volatility, as it stood at `at` (ms; 0: never rated)."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    at: int = 0
    games: int = 0
