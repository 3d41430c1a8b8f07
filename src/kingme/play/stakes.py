"""Chips by double entry: every booking sums to zero and has a reason."""

from __future__ import annotations

import msgspec

from kingme.play.clock import Speed

__all__ = ["Booking", "Entry", "Settlement"]


class Entry(msgspec.Struct, frozen=True):
    """An amount in chips onto an account: ``player:ID``, ``escrow:GAME`` or ``bank``."""

    account: str
    amount: int


class Booking(msgspec.Struct, frozen=True):
    """Entries that sum to zero; `key` is unique, so that nothing is booked twice."""

    key: str
    at: int
    reason: str
    entries: tuple[Entry, ...]
    game: str | None = None


class Settlement(msgspec.Struct, frozen=True):
    """All that the end of a game brings: bookings, points by user, and a result to rate.

    `score` is Black's, 1, 0.5 or 0; None where the game is not rated.
    """

    at: int
    black: int
    white: int
    bookings: tuple[Booking, ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    speed: Speed | None = None
    score: float | None = None
