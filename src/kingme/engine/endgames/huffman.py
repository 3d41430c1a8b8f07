"""Prefix codes of limited length, the same everywhere for the same counts.

The codes are canonical: their lengths say all. They are read from the lowest bit up.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["codes", "lengths"]


def lengths(counts: Sequence[int], limit: int) -> list[int]:
    """Return how many bits the code of each symbol has, 0 for one that never comes.

    No choice of at most ``limit`` bits is shorter (Larmore and Hirschberg 1990, package-merge).

    >>> lengths([5, 1, 1, 0], 11)
    [1, 2, 2, 0]
    >>> lengths([0, 7], 11)
    [0, 1]
    """
    coins: list[tuple[int, tuple[int, ...]]] = sorted(
        (count, (symbol,)) for symbol, count in enumerate(counts) if count
    )
    found = [0] * len(counts)
    if len(coins) == 1:
        found[coins[0][1][0]] = 1
    if len(coins) < 2:
        return found
    level = coins
    for _ in range(limit - 1):
        packages = [
            (one[0] + other[0], one[1] + other[1])
            for one, other in zip(level[::2], level[1::2], strict=False)
        ]
        level = sorted(coins + packages)
    for _, symbols in level[: 2 * len(coins) - 2]:
        for symbol in symbols:
            found[symbol] += 1
    return found


def codes(sizes: Sequence[int]) -> list[int]:
    """Return the code of each symbol, given the lengths; 0 for one that never comes.

    >>> codes([1, 2, 2, 0])
    [0, 1, 3, 0]
    """
    found = [0] * len(sizes)
    code = before = 0
    for size, symbol in sorted((size, symbol) for symbol, size in enumerate(sizes) if size):
        code <<= size - before
        before = size
        found[symbol] = int(f"{code:0{size}b}"[::-1], 2)
        code += 1
    return found
