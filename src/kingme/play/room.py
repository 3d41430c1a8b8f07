"""Rooms as configuration: who may sit down, for what stakes, and what each result brings."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Membership", "Terms"]

Membership = Literal["none", "vip", "premium"]


class Terms(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What a game is played for, as it was shown before it began.

    `stake` is in chips. `chips` is what each way to end brings its player, in percent of the
    stake: -100 loses it whole. `points` are never negative.
    """

    room: str = "passport"
    stake: int = 0
    chips: dict[str, int] = {}
    points: dict[str, int] = {}
