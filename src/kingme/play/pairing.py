"""Quick pairing: which open seek suits another, and who plays which side."""

from __future__ import annotations

from collections.abc import Iterable

from kingme.play.ports import Seek
from kingme.rules.variant import Side

__all__ = ["choose", "compatible", "reach", "seats"]

_FIRST, _PER_SECOND, _MOST = 100.0, 20.0, 500.0


def reach(seek: Seek, now: int) -> float:
    """How far away in rating an opponent may be by now: wider, the longer one has waited.

    A hundred points at first, twenty more for each second, five hundred at most.
    """
    waited = max(0, now - seek.created) / 1000
    return min(_MOST, _FIRST + _PER_SECOND * waited)


def compatible(one: Seek, other: Seek, now: int) -> bool:
    """Whether the server may pair two seeks: the same game, two people, near enough in rating.

    At least one of them asked to be paired, neither is private or over, and they do not both want
    the same side. The one who has waited longer decides how far away is near enough.
    """
    return (
        _game(one) == _game(other)
        and one.owner != other.owner
        and (one.quick or other.quick)
        and not (one.code or other.code)
        and min(one.expires, other.expires) > now
        and (one.side is None or one.side is not other.side)
        and _distance(one, other) <= max(reach(one, now), reach(other, now))
    )


def choose(seek: Seek, others: Iterable[Seek], now: int) -> Seek | None:
    """The seek among `others` to pair with: the nearest in rating, then the one first made."""
    suitable = [other for other in others if compatible(seek, other, now)]
    return min(suitable, key=lambda other: (_distance(seek, other), _age(other)), default=None)


def seats(owner: int, joiner: int, side: Side | None, heads: bool) -> tuple[int, int]:
    """Who plays Black and who White; `side` is the owner's wish, and without one a coin decides.

    >>> seats(1, 2, Side.WHITE, heads=True), seats(1, 2, None, heads=True)
    ((2, 1), (1, 2))
    """
    owner_is_black = heads if side is None else side is Side.BLACK
    return (owner, joiner) if owner_is_black else (joiner, owner)


def _game(seek: Seek) -> tuple[object, ...]:
    return seek.control, seek.preset, seek.rated, seek.terms


def _distance(one: Seek, other: Seek) -> float:
    return abs(one.rating - other.rating)


def _age(seek: Seek) -> tuple[int, str]:
    return seek.created, seek.id
