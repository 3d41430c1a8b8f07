"""Which positions a database covers: slices by material, their order, and their places.

The side to move is Black; where White is, the board is turned round. So a slice is what the side
to move has and what the other has, and the same material with sides exchanged is another slice
unless both have the same. The two depend on each other and are built as a pair.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb
from types import MappingProxyType
from typing import TypeAlias

__all__ = [
    "DIRECTORY",
    "HEAD",
    "UNIT",
    "Forces",
    "Layout",
    "Pair",
    "layout",
    "materials",
    "needs",
    "pairs",
    "span",
    "starts",
]

UNIT = 64
"""Bytes: slices begin at multiples of this, so that 32 bits tell where."""

HEAD = 64
"""Bytes before the directory."""

DIRECTORY = 4 * 8**4
"""Bytes of the directory."""


@dataclass(frozen=True, slots=True)
class Forces:
    """Men and kings of the side to move, and of the other."""

    men: int
    kings: int
    other_men: int
    other_kings: int

    @property
    def pieces(self) -> int:
        """How many pieces there are in all."""
        return self.men + self.kings + self.other_men + self.other_kings

    @property
    def exchanged(self) -> Forces:
        """The same pieces, the other side to move."""
        return Forces(self.other_men, self.other_kings, self.men, self.kings)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The four numbers as kernels take them."""
        return self.men, self.kings, self.other_men, self.other_kings

    @property
    def entry(self) -> int:
        """Which word of the directory is this slice's."""
        return self.men + self.kings * 8 + self.other_men * 64 + self.other_kings * 512

    @property
    def positions(self) -> int:
        """How many positions there are: men never on the row where they would be crowned.

        >>> Forces(1, 0, 1, 0).positions
        760
        """
        men, kings, others, rulers = self.counts
        free = 32 - men - others
        placed = sum(
            comb(4, back) * comb(24, men - back) * comb(28 - men + back, others)
            for back in range(min(men, 4) + 1)
        )
        return placed * comb(free, kings) * comb(free - kings, rulers)

    def __str__(self) -> str:
        """The material in short: ``2m1k v 1k`` is two men and a king against a king.

        >>> str(Forces(2, 1, 0, 1))
        '2m1k v 1k'
        """
        sides = ((self.men, self.kings), (self.other_men, self.other_kings))
        texts = ("".join(f"{n}{kind}" for n, kind in zip(s, "mk", strict=True) if n) for s in sides)
        return " v ".join(texts)


Pair: TypeAlias = tuple[Forces, ...]
"""A slice and the one with sides exchanged, or a slice that is its own exchange."""


def materials(pieces: int) -> Iterator[Forces]:
    """Yield every material of so many pieces in which both sides have one."""
    for men, kings, others in itertools.product(range(pieces + 1), repeat=3):
        rulers = pieces - men - kings - others
        if rulers >= 0 and men + kings > 0 and others + rulers > 0:
            yield Forces(men, kings, others, rulers)


def pairs(pieces: int) -> list[Pair]:
    """List pairs of slices of up to so many pieces, each after all that it leads to.

    A capture leaves fewer pieces and a crowning fewer men. A slice that is its own exchange
    stands alone.
    """
    order: list[Pair] = []
    for total in range(2, pieces + 1):
        found = sorted(materials(total), key=lambda m: (m.men + m.other_men, m.counts))
        for material in found:
            if material.counts > material.exchanged.counts:
                order.append((material, material.exchanged))
            elif material == material.exchanged:
                order.append((material,))
    return order


def needs(pair: Pair) -> frozenset[Forces]:
    """Return the slices that one move from a pair may lead to, but for the pair itself.

    A move crowns a man, captures pieces of the other side, or does both.

    >>> sorted(map(str, needs((Forces(1, 0, 0, 1), Forces(0, 1, 1, 0)))))
    ['1k v 1k']
    """
    found = set()
    for material in pair:
        men, kings, others, rulers = material.counts
        for crowned, gone, lost in itertools.product(
            range(min(men, 1) + 1), range(others + 1), range(rulers + 1)
        ):
            if gone + lost < others + rulers and crowned + gone + lost:
                after = Forces(men - crowned, kings + crowned, others - gone, rulers - lost)
                found |= {after.exchanged}
    return frozenset(found)


def span(material: Forces) -> int:
    """Return the bytes that a slice takes in a block."""
    return -(-material.positions // UNIT) * UNIT


def starts(pair: Pair) -> dict[Forces, int]:
    """Return where the slices of a pair begin, counted from the first."""
    return dict(zip(pair, itertools.accumulate(map(span, pair), initial=0), strict=False))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each slice begins in the block, in bytes, and the size of the whole."""

    pieces: int
    places: Mapping[Forces, int]
    size: int

    @property
    def working(self) -> int:
        """Bytes that building needs besides the block: a count for each position of a pair."""
        return max(sum(map(span, pair)) for pair in pairs(self.pieces))


def layout(pieces: int) -> Layout:
    """Lay out a block for up to so many pieces: head, directory, slices in the order of `pairs`."""
    places = {}
    at = HEAD + DIRECTORY
    for material in itertools.chain.from_iterable(pairs(pieces)):
        places[material] = at
        at += span(material)
    return Layout(pieces, MappingProxyType(places), at)
