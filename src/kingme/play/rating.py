"""Glicko-2 ratings by time class (Glickman, "Example of the Glicko-2 system", 2022).

A rating period is not waited for: each game is rated as it ends, and certainty fades continuously
between games, by 0.21436 rating periods a day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

__all__ = [
    "LEAST_RATING",
    "PERIODS_PER_DAY",
    "PROVISIONAL",
    "TAU",
    "Rating",
    "current",
    "expected",
    "rate",
    "update",
]

PROVISIONAL = 110.0
"""From this deviation on a rating is shown as provisional, and is on no leaderboard."""

TAU = 0.75
"""How much the volatility may change."""

PERIODS_PER_DAY = 0.21436
LEAST_RATING = 600.0
LEAST_DEVIATION, MOST_DEVIATION = 50.0, 350.0

_SCALE = 173.7178  # rating points to one unit of Glicko-2's own scale
_DAY = 86_400_000
_PRECISION = 1e-6


class Rating(msgspec.Struct, frozen=True):
    """A rating with its deviation and volatility, as it stood at `at` (ms; 0: never rated)."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    at: int = 0
    games: int = 0

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to be compared."""
        return self.deviation >= PROVISIONAL


def current(rating: Rating, now: int) -> Rating:
    """The rating as it is at `now`: less certain, the longer ago the last game was."""
    days = max(0, now - rating.at) / _DAY if rating.at else 0.0
    deviation = _faded(rating.deviation / _SCALE, rating.volatility, days * PERIODS_PER_DAY)
    return msgspec.structs.replace(
        rating,
        deviation=min(MOST_DEVIATION, deviation * _SCALE),
        at=max(rating.at, now) if rating.at else 0,
    )


def expected(rating: Rating, opponent: Rating) -> float:
    """The score to be expected against an opponent, from 0 to 1."""
    return _expected(rating.value, opponent)


def rate(rating: Rating, opponent: Rating, score: float, now: int) -> Rating:
    """The rating after one game at `now`; `score` is the player's own: 1, 0.5 or 0.

    `opponent` is as before the game. Within 50 to 350 of deviation, and 600 at least.
    """
    days = max(0, now - rating.at) / _DAY if rating.at else 0.0
    results = [(current(opponent, now), score)]
    after = update(rating, results, TAU, days * PERIODS_PER_DAY)
    return Rating(
        value=max(LEAST_RATING, after.value),
        deviation=min(MOST_DEVIATION, max(LEAST_DEVIATION, after.deviation)),
        volatility=after.volatility,
        at=max(now, rating.at),
        games=rating.games + 1,
    )


def update(
    rating: Rating,
    results: Sequence[tuple[Rating, float]],
    tau: float = TAU,
    periods: float = 1.0,
) -> Rating:
    """Glicko-2 itself, steps 2 to 8 of the paper: a rating after results against opponents.

    `periods` is how many rating periods of uncertainty are added (1 in the paper). No limits apply.
    """
    phi, sigma = rating.deviation / _SCALE, rating.volatility
    if not results:
        deviation = _faded(phi, sigma, periods) * _SCALE
        return msgspec.structs.replace(rating, deviation=deviation)
    precision = surprise = 0.0
    for opponent, score in results:
        g, e = _weight(opponent), _expected(rating.value, opponent)
        precision += g * g * e * (1 - e)
        surprise += g * (score - e)
    variance = 1 / precision
    sigma = _volatility(phi, sigma, variance, variance * surprise, tau)
    phi = 1 / math.sqrt(1 / _faded(phi, sigma, periods) ** 2 + precision)
    return msgspec.structs.replace(
        rating,
        value=rating.value + phi * phi * surprise * _SCALE,
        deviation=phi * _SCALE,
        volatility=sigma,
    )


def _faded(phi: float, sigma: float, periods: float) -> float:
    return math.sqrt(phi * phi + sigma * sigma * periods)


def _weight(opponent: Rating) -> float:
    """The paper's g: how much a game against an opponent of this certainty says."""
    phi = opponent.deviation / _SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _expected(value: float, opponent: Rating) -> float:
    return 1 / (1 + math.exp(-_weight(opponent) * (value - opponent.value) / _SCALE))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        grown = phi * phi + variance + math.exp(x)
        return math.exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - start) / tau**2

    a = start
    if delta * delta > phi * phi + variance:
        b = math.log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        b = start - steps * tau
    at_a, at_b = f(a), f(b)
    while abs(b - a) > _PRECISION:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return math.exp(a / 2)
