"""What can be learnt: pairs of weights as numbers, and which of them are one and the same.

On the board turned round with the colours changed every count changes its sign. So a pattern
and its reflection share one number, with opposite signs, and one that is its own reflection is
worth nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kingme.engine.kernels import evaluate as terms
from kingme.engine.kernels.patterns import COLUMNS, PATTERNS, REGIONS, STATES

__all__ = ["Pairs", "pack", "region_bits", "spread", "tied", "unpack"]

Pairs: TypeAlias = npt.NDArray[np.float64]
"""Weights in hundredths of a man: a row each, opening and ending."""

LARGEST = 2000
"""The largest weight of a pattern in units; sixteen of them still fit their half of a word."""

LARGEST_OTHER = 32_000


def region_bits(region: int) -> tuple[int, ...]:
    """Return the bits of a region, the one that counts most first."""
    if region < 12:
        first, lane = divmod(region, 4)
        rows = range(2 * first, 2 * first + 4)
        return tuple(_bit(row, column) for row in rows for column in COLUMNS[lane])
    rows = range(2 * (region - 12), 2 * (region - 12) + 2)
    halves = (COLUMNS[0], COLUMNS[2])
    return tuple(_bit(row, column) for half in halves for row in rows for column in half)


def _bit(row: int, column: int) -> int:
    return 9 * (row // 2) + 4 * (row % 2) + column


def reflections() -> npt.NDArray[np.int64]:
    """Return for each pattern the one on the board turned round with the colours changed."""
    states = np.arange(STATES)
    digits = np.stack([states // 3 ** (7 - i) % 3 for i in range(8)])
    swapped = np.array([0, 2, 1])[digits]
    found = np.zeros(PATTERNS, np.int64)
    places = {frozenset(region_bits(region)): region for region in range(REGIONS)}
    for region in range(REGIONS):
        turned = [34 - bit for bit in region_bits(region)]
        other = places[frozenset(turned)]
        order = [turned.index(bit) for bit in region_bits(other)]
        values = sum(swapped[place] * 3 ** (7 - i) for i, place in enumerate(order))
        found[region * STATES : (region + 1) * STATES] = other * STATES + values
    return found


@cache
def tied() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return for each weight the one it is learnt as, and with what sign; 0 where it is none."""
    partner = np.arange(terms.WEIGHTS_SIZE)
    partner[:PATTERNS] = reflections()
    for index in range(16):
        partner[terms.KINGS + index] = terms.KINGS + 4 * (index % 4) + index // 4
    here = np.arange(terms.WEIGHTS_SIZE)
    sign = np.where(here <= partner, 1.0, -1.0)
    alone = partner == here
    alone[PATTERNS : terms.KINGS] = False
    alone[terms.SQUARES :] = False
    sign[alone] = 0.0
    # Nothing stands on these: every empty region, and a king on a border bit.
    sign[np.arange(REGIONS) * STATES] = 0.0
    sign[terms.SQUARES + np.array([8, 17, 26, 35])] = 0.0
    return np.minimum(here, partner), sign


def spread(pairs: Pairs) -> Pairs:
    """Give each weight the number that it shares, with its sign."""
    index, sign = tied()
    return pairs[index] * sign[:, None]


def pack(pairs: Pairs) -> npt.NDArray[np.int32]:
    """Return the words that the kernels read."""
    units = np.rint(spread(pairs) * terms.UNIT)
    units[:PATTERNS] = units[:PATTERNS].clip(-LARGEST, LARGEST)
    units[PATTERNS:] = units[PATTERNS:].clip(-LARGEST_OTHER, LARGEST_OTHER)
    opening, ending = units.astype(np.int64).T
    words: npt.NDArray[np.int32] = ((ending << 16) + opening).astype(np.int32)
    return words


def unpack(words: npt.NDArray[np.int32]) -> Pairs:
    """Return the numbers that words hold."""
    opening = (words.astype(np.int64) + 0x8000 & 0xFFFF) - 0x8000
    ending = words.astype(np.int64) - opening >> 16
    return np.stack([opening, ending], axis=1) / terms.UNIT
