"""Clocks as values: time is passed in, in whole milliseconds, and never read here."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Speed", "TimeControl"]

Speed = Literal["bullet", "blitz", "rapid", "classical", "days"]
"""The time classes that ratings are kept in."""


class TimeControl(msgspec.Struct, frozen=True):
    """How time is given: `kind` says what the two durations mean, in milliseconds.

    ``increment``: `initial` for the game and `increment` for each move made. ``per_move``:
    `initial` for every single move. ``days``: the same, in correspondence play. ``unlimited``:
    no time at all, and both are 0.
    """

    kind: Literal["increment", "per_move", "days", "unlimited"] = "unlimited"
    initial: int = 0
    increment: int = 0
