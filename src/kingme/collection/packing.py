"""How positions, moves, dates and material become numbers and bytes that a file can be asked for.

A position is known by a key of 64 bits that it shares with its mirror image: the Zobrist key of the
board as the side to move sees it, as if that were Black. Whatever order of moves led there, and
with whatever colours, the key is the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from kingme.rules.hashing import name_number, numbers
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.squares import bits
from kingme.rules.variant import Side, Variant

__all__ = [
    "KING",
    "LOW",
    "MAN",
    "WORD",
    "board_of",
    "code_of",
    "date_number",
    "folded",
    "key_of",
    "mass_of",
    "packed",
    "paths",
    "piece_numbers",
    "sides_of",
    "signed",
]

WORD = 64
LOW = (1 << WORD) - 1
MAN, KING = 1 << 8, 1
"""What a piece is in the material of its side."""

LAST = 0x80
"""The bit of a byte that marks the last square of a move: boards have fewer squares than that."""

_DATES = (
    re.compile(r"(?P<y>\d{4})(?:[.\-/](?P<m>\d{1,2}|\?\?)(?:[.\-/](?P<d>\d{1,2}|\?\?))?)?"),
    re.compile(r"(?:(?:(?P<d>\d{1,2}|\?\?)[.\-/])?(?P<m>\d{1,2}|\?\?)[.\-/])?(?P<y>\d{4})"),
)


def key_of(position: Position) -> int:
    """Return the key of a position, the same for its mirror image; from -2**63 to 2**63 - 1."""
    board = board_of(position)
    return signed(board & LOW if position.turn is Side.BLACK else board >> WORD)


def board_of(position: Position) -> int:
    """Return two keys in one number, of a board as Black sees it and above, as White does.

    Each is the Zobrist key of that view (:mod:`kingme.rules.hashing`), in which one's own pieces
    are black. So whatever is joined to it by exclusive or changes both.
    """
    pieces = piece_numbers(position.variant)
    black, white, kings = position.black, position.white, position.kings
    found = name_number(position.variant.name)
    found |= found << WORD
    kinds = black & ~kings, white & ~kings, black & kings, white & kings
    for of, mask in zip(pieces, kinds, strict=True):
        for bit in bits(mask):
            found ^= of[bit]
    return found


@cache
def piece_numbers(variant: Variant) -> tuple[dict[int, int], ...]:
    """What each piece is in :func:`board_of`: by kind, as in `hashing.numbers`, and by its bit."""
    masks = variant.geometry.masks
    last = variant.geometry.squares + 1
    return tuple(
        {masks[n]: own[n] | numbers()[kind ^ 1][last - n] << WORD for n in range(1, last)}
        for kind, own in enumerate(numbers())
    )


def signed(word: int) -> int:
    """Return a word of 64 bits as SQLite has numbers."""
    return word - (1 << WORD) if word >> WORD - 1 else word


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
    black, white = sides_of(position)
    return max(black, white) << 16 | min(black, white)


def sides_of(position: Position) -> tuple[int, int]:
    """Return the material of Black and of White."""
    kings = position.kings
    black, white = (
        (side & ~kings).bit_count() * MAN + (side & kings).bit_count() * KING
        for side in (position.black, position.white)
    )
    return black, white


@lru_cache(4096)
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
