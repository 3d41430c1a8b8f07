"""Ids and codes: short texts without letters that look alike."""

from __future__ import annotations

import hashlib
import secrets

__all__ = ["ALPHABET", "CODE_LENGTH", "ID_LENGTH", "derived", "fresh"]

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz"
"""No 0 and O, no 1, I, i, L and l, no o."""

ID_LENGTH = 10
CODE_LENGTH = 16


def fresh(length: int = ID_LENGTH) -> str:
    """A text that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def derived(*parts: object, length: int = ID_LENGTH) -> str:
    """The id that belongs to these parts: the same whoever asks, and however often.

    >>> derived("seek", 7, "a1b2") == derived("seek", 7, "a1b2") != derived("seek", 7, "a1b3")
    True
    """
    digest = hashlib.sha256("\n".join(map(str, parts)).encode()).digest()
    number = int.from_bytes(digest, "big")
    letters = []
    for _ in range(length):
        number, index = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[index])
    return "".join(letters)
