"""How positions, moves, dates and material become numbers and bytes that a file can be asked for.

A position is known by a key of 64 bits that it shares with its mirror image: the board is looked
at from the side to move, as if that were Black. Whatever order of moves led there, and with
whatever colours, the key is the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b

from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import Side, Variant

__all__ = [
    "code_of",
    "date_number",
    "folded",
    "key_of",
    "mass_of",
    "packed",
    "paths",
]

LAST = 0x80
"""The bit of a byte that marks the last square of a move: boards have fewer squares than that."""

_DATES = (
    re.compile(r"(?P<y>\d{4})(?:[.\-/](?P<m>\d{1,2}|\?\?)(?:[.\-/](?P<d>\d{1,2}|\?\?))?)?"),
    re.compile(r"(?:(?:(?P<d>\d{1,2}|\?\?)[.\-/])?(?P<m>\d{1,2}|\?\?)[.\-/])?(?P<y>\d{4})"),
)


def key_of(position: Position) -> int:
    """Return the key of a position, the same for its mirror image; from -2**63 to 2**63 - 1."""
    width, name = _layout(position.variant)
    if position.turn is Side.BLACK:
        seen = f"{position.black:0{width}b}{position.white:0{width}b}{position.kings:0{width}b}"
    else:
        # Turned round, a board reads backward: so do three of them, the last first.
        seen = f"{position.kings:0{width}b}{position.black:0{width}b}{position.white:0{width}b}"
        seen = seen[::-1]
    digest = blake2b(seen.encode(), digest_size=8, person=name).digest()
    return int.from_bytes(digest, "big", signed=True)


@cache
def _layout(variant: Variant) -> tuple[int, bytes]:
    """How many bits a board has, and what tells variants apart.

    Of every layout, the bits of a square and of the one opposite are as far from either end.
    """
    masks = variant.geometry.masks
    width = masks[-1].bit_length()
    assert all(
        low.bit_length() + high.bit_length() == width + 1
        for low, high in zip(masks[1:], reversed(masks[1:]), strict=True)
    )
    return width, variant.name.encode()[:16]


def code_of(move: Move, legal: Iterable[Move]) -> int:
    """Return the number of a move among those of its position, from 1 to 2**17 - 1.

    It holds start and end, and which it is of the jumps that have these in common, by their paths.
    """
    rank = 0
    if move.captures:
        start, end = move.start, move.end
        alike = sorted(other for other in legal if other.start == start and other.end == end)
        rank = min(alike.index(move), 7)
    return (move.start << 7 | move.end) << 3 | rank


def packed(moves: Iterable[Move]) -> bytes:
    """Return moves as bytes: one a square, the last of each move marked.

    >>> packed([Move((11, 15)), Move((22, 18))]).hex()
    '0b8f1692'
    """
    found = bytearray()
    for move in moves:
        found += bytes(move.path)
        found[-1] |= LAST
    return bytes(found)


def paths(data: bytes) -> list[tuple[int, ...]]:
    """Return the paths of the moves that were packed.

    >>> paths(bytes.fromhex("0b8f1692"))
    [(11, 15), (22, 18)]
    """
    found: list[tuple[int, ...]] = []
    path: list[int] = []
    for byte in data:
        path.append(byte & ~LAST)
        if byte & LAST:
            found.append(tuple(path))
            path = []
    return found


def mass_of(position: Position) -> int:
    """Return the material as one number, own before enemy: men, kings, men, kings, a byte each.

    It is seen from the side with more in this order, so that colours do not matter.
    """
    kings = position.kings
    black = (position.black & ~kings).bit_count() << 8 | (position.black & kings).bit_count()
    white = (position.white & ~kings).bit_count() << 8 | (position.white & kings).bit_count()
    return max(black, white) << 16 | min(black, white)


def date_number(text: str) -> int | None:
    """Return a date as a number that can be compared, 0 for what is unknown; None for no date.

    >>> date_number("1841.??.??"), date_number("3.12.1904"), date_number("?")
    (18410000, 19041203, None)
    """
    for pattern in _DATES:
        found = pattern.fullmatch(text.strip())
        if found:
            year, month, day = (
                int(found[name]) if (found[name] or "?")[0] != "?" else 0 for name in "ymd"
            )
            if month <= 12 and day <= 31:
                return year * 10000 + month * 100 + day
    return None


def folded(text: str) -> str:
    """Return a name as it is looked for: in lower case, without accents and double spaces.

    >>> folded("Désiré  Ranjatoelina")
    'desire ranjatoelina'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())
