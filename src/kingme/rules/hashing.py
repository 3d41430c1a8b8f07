"""Zobrist keys: a position as one number of 64 bits, the same today, tomorrow and elsewhere.

Every kind of piece has a number for every square, White's turn has one, and so has every
variant's name; a key is all of them that apply, joined by exclusive or. Hence a move changes
the key by the few numbers of the squares that it touches (:func:`step`). Equal positions have
equal keys; two different ones share a key once in 2**64, and positions of different variants
count as different. Unlike ``hash()``, a key may be stored.

Source: A. L. Zobrist, A New Hashing Method with Application for Game Playing, 1970; the
numbers are those of SplitMix64 (Steele, Lea and Flood, 2014).
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

from kingme.rules.squares import Geometry, bits
from kingme.rules.variant import Side, Variant

__all__ = ["Hashable", "key", "name_number", "numbers", "step"]

_WORD = (1 << 64) - 1
_ROOM = 256  # squares of the largest board that there may be


class Hashable(Protocol):
    """A position, as far as its key goes."""

    @property
    def black(self) -> int:
        """Black's pieces as a mask."""

    @property
    def white(self) -> int:
        """White's pieces as a mask."""

    @property
    def kings(self) -> int:
        """The kings of both sides as a mask."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    @property
    def variant(self) -> Variant:
        """The rules in force."""


def key(position: Hashable) -> int:
    """Return the key of a position, from 0 to 2**64 - 1.

    >>> from kingme import Position
    >>> f"{key(Position.start()):016x}"
    '60d39715070cb1df'
    """
    found = name_number(position.variant.name) ^ _turn(position.turn)
    for kind, mask in enumerate(_kinds(position)):
        found ^= _pieces(position.variant.geometry, kind, mask)
    return found


def step(before: int, old: Hashable, new: Hashable) -> int:
    """Return the key of ``new`` from ``before``, the key of ``old``, by what differs alone.

    >>> from kingme import Position
    >>> old = Position.start()
    >>> new = old.play("11-15")
    >>> step(key(old), old, new) == key(new)
    True
    """
    found = before ^ _turn(old.turn) ^ _turn(new.turn)
    if old.variant is not new.variant:
        found ^= name_number(old.variant.name) ^ name_number(new.variant.name)
    for kind, (was, now) in enumerate(zip(_kinds(old), _kinds(new), strict=True)):
        found ^= _pieces(old.variant.geometry, kind, was ^ now)
    return found


def _kinds(position: Hashable) -> tuple[int, int, int, int]:
    """Black's and White's men and kings, as masks."""
    black, white, kings = position.black, position.white, position.kings
    return black & ~kings, white & ~kings, black & kings, white & kings


def _pieces(geometry: Geometry, kind: int, mask: int) -> int:
    squares, of = geometry.numbers, numbers()[kind]
    found = 0
    for bit in bits(mask):
        found ^= of[squares[bit]]
    return found


def _turn(side: Side) -> int:
    return numbers()[0][0] if side is Side.WHITE else 0


@cache
def numbers() -> tuple[tuple[int, ...], ...]:
    """Return the numbers by kind of piece and by square.

    The kinds are Black's men, White's, Black's kings and White's. No piece stands on square 0, so
    White's turn is there.

    >>> len(numbers()), numbers()[0][11] ^ numbers()[0][15] != 0
    (4, True)
    """
    return tuple(tuple(_mix(_ROOM * kind + n) for n in range(_ROOM)) for kind in range(4))


@cache
def name_number(name: str) -> int:
    """Return the number of a variant's name.

    >>> name_number("english") == name_number("russian")
    False
    """
    found = 0
    for code in name.encode():
        found = _mix(found ^ code)
    return found


def _mix(number: int) -> int:
    """SplitMix64: the number that follows ``number`` in its sequence of all 64-bit numbers."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & _WORD
    return number ^ (number >> 31)
