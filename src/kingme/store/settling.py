"""What the end of a game brings, within the transaction that records the end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, update

from kingme.errors import Refusal
from kingme.play.clock import Speed
from kingme.play.events import Share
from kingme.play.rating import Rating, rate
from kingme.play.stakes import Settlement
from kingme.store.ledger import post
from kingme.store.schema import games, ratings, users

__all__ = ["ratings_of", "settle"]

_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_SETTLED = (
    update(games)
    .where(games.c.id == bindparam("of"), games.c.settled.is_(False))
    .values(settled=True)
)
_LOCK = (
    select(users.c.id)
    .where(users.c.id.in_(_IDS))
    .order_by(users.c.id)
    .with_for_update(key_share=True)
)
_RATINGS = select(ratings).where(ratings.c.user_id.in_(_IDS))
_FORGET = delete(ratings).where(ratings.c.user_id.in_(_IDS), ratings.c.speed == bindparam("speed"))
_RATE = insert(ratings)
_REWARD = (
    update(users)
    .where(users.c.id == bindparam("of"))
    .values(points=users.c.points + bindparam("more"))
)


def settle(connection: Connection, game: str, end: Settlement) -> tuple[Share, Share]:
    """Book, rate and reward, once; the shares of Black and White. ``Refusal`` the second time.

    The row of the game is locked. Both players' rows are locked here, in the order of their ids,
    so that of two games of one player the second reckons with what the first brought.
    """
    if not connection.execute(_SETTLED, {"of": game}).rowcount:
        raise Refusal("settled", "This game is settled already.")
    pair = (end.black, end.white)
    connection.execute(_LOCK, {"ids": pair})
    changed = _rate(connection, end)
    _reward(connection, end)
    if not all(post(connection, end.bookings)):
        raise Refusal("settled", "The stakes of this game are booked already.")
    chips, points = dict(end.chips), dict(end.points)
    black, white = (
        Share(chips.get(user, 0), points.get(user, 0), *changed.get(user, (0, 0))) for user in pair
    )
    return black, white


def ratings_of(
    connection: Connection, ids: Collection[int], speed: Speed | None = None
) -> dict[int, dict[Speed, Rating]]:
    """The ratings of these users, those they have."""
    found: dict[int, dict[Speed, Rating]] = {user: {} for user in ids}
    for row in connection.execute(_RATINGS, {"ids": list(ids)}):
        if speed is None or row.speed == speed:
            found[row.user_id][row.speed] = Rating(
                row.value, row.deviation, row.volatility, row.at, row.games
            )
    return found


def _rate(connection: Connection, end: Settlement) -> dict[int, tuple[int, int]]:
    """Rate both players; what was and what is, in whole points, by user."""
    if end.speed is None or end.score is None:
        return {}
    known = ratings_of(connection, (end.black, end.white), end.speed)
    black, white = (known[user].get(end.speed, Rating()) for user in (end.black, end.white))
    after = {
        end.black: rate(black, white, end.score, end.at),
        end.white: rate(white, black, 1 - end.score, end.at),
    }
    connection.execute(_FORGET, {"ids": list(after), "speed": end.speed})
    connection.execute(
        _RATE, [_row(user, end.speed, rating) for user, rating in sorted(after.items())]
    )
    return {
        user: (round(before.value), round(after[user].value))
        for user, before in ((end.black, black), (end.white, white))
    }


def _row(user: int, speed: Speed, rating: Rating) -> dict[str, Any]:
    return {
        "user_id": user,
        "speed": speed,
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "at": rating.at,
        "games": rating.games,
    }


def _reward(connection: Connection, end: Settlement) -> None:
    won = [{"of": user, "more": points} for user, points in sorted(end.points) if points]
    if any(row["more"] < 0 for row in won):
        raise ValueError("points never fall")
    if won:
        connection.execute(_REWARD, won)
