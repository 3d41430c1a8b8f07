"""FEN: a position as text, ``B:W21,22,K30:B1,2``.

The side to move, then each side's squares; ``K`` marks a king. Reading forgives what
files and people really write: a trailing dot, spaces, leading zeros, lower case, quotes,
a ``[FEN "..."]`` tag or ``/FEN "..."/`` around it, words around the turn, either colour
first, ranges such as ``1-12`` or ``K1-4``, letters for numbers, an empty or absent side, a
turn said twice, and the ``:H0:F1`` and ``:+1+0`` tails of lidraughts. It never guesses what
is meant: anything else is refused with the reason. Writing is strict: there is one text for a
position (PDN 3.0, section FEN).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kingme.errors import FenError
from kingme.rules.variant import Side, Variant

__all__ = ["Setup", "read", "write"]

_LONGEST = 2_000
_QUOTE = "[\"'“”]?"
_WRAPPED = re.compile(
    rf"\s*[\[/]?\s*(?:FEN\s*)?{_QUOTE}(?P<body>[^\"'“”\]/]*){_QUOTE}\s*[\]/]?\s*", re.IGNORECASE
)
# Files say "White to play:" or "Problem 7 W:" before the pieces.
_TURN = re.compile(r"(?:(W|B)(?:hite|lack)?\b.*|.*\b(W|B)(?:hite|lack)?)", re.IGNORECASE | re.ASCII)
_TAIL = re.compile(r"[HF]\d+|\+\d+\+\d+", re.I)
_SQUARE = re.compile(r"(?P<king>K?) *(?P<name>\d+|[A-Z]\d+)", re.I)
_EXAMPLE = "a position looks like B:W21,22,K30:B1,2"


@dataclass(frozen=True, slots=True)
class Setup:
    """What a FEN says: the side to move, the squares of each side, and which hold kings."""

    turn: Side
    squares: Mapping[Side, tuple[int, ...]]
    kings: frozenset[int]


def read(text: str, variant: Variant, *, strict: bool = True) -> Setup:
    """Read a FEN of ``variant``; :class:`~kingme.errors.FenError` says what is wrong and where.

    Without ``strict``, too many pieces and men on their crown row are let pass.
    """
    if not isinstance(text, str):
        raise TypeError(f"a FEN is a str, not {type(text).__name__}: {_EXAMPLE}")
    if len(text) > _LONGEST:
        raise FenError(f"this is {len(text)} characters long: a FEN has {_LONGEST} at most")
    wrapped = _WRAPPED.fullmatch(text)
    if not wrapped:
        raise FenError(f"stray quotes or brackets: {_EXAMPLE}", token=text.strip()[:20])
    body = wrapped["body"]
    column = wrapped.start("body") + 1
    head, *sections = _split(body.rstrip(" \t\r\n."), ":", column)
    return _Reader(variant, strict, *head).run(sections)


def write(turn: Side, squares: Mapping[Side, Iterable[int]], kings: frozenset[int]) -> str:
    """Return the canonical FEN: White's squares first, ascending, without spaces or dot."""
    sections = [
        side.code + ",".join(f"K{n}" if n in kings else str(n) for n in sorted(squares[side]))
        for side in (Side.WHITE, Side.BLACK)
    ]
    return ":".join([turn.code, *sections])


def _split(text: str, mark: str, column: int) -> list[tuple[str, int]]:
    """Split at ``mark``; each part is stripped and knows its 1-based column."""
    parts = []
    for part in text.split(mark):
        parts.append((part.strip(), column + len(part) - len(part.lstrip())))
        column += len(part) + 1
    return parts


class _Reader:
    """One reading: gathers the pieces, and refuses with the token at fault."""

    def __init__(self, variant: Variant, strict: bool, turn: str, column: int) -> None:
        self.variant = variant
        self.strict = strict
        named = _TURN.fullmatch(turn)
        if not named:
            said = f"{turn[:20]!r} says no side" if turn else "nothing says the side"
            raise FenError(
                f"{said} to move: it begins with B: or W: ({_EXAMPLE})",
                token=turn,
                column=column,
            )
        self.turn = Side((named[1] or named[2]).upper())
        self.pieces: dict[int, tuple[Side, bool]] = {}
        self.seen: set[Side] = set()

    def run(self, sections: list[tuple[str, int]]) -> Setup:
        if not any(section for section, _ in sections):
            raise FenError(f"this FEN names no pieces: {_EXAMPLE}", column=1)
        for section, column in sections:
            self._section(section, column)
        if not self.pieces:
            raise FenError("there is no piece on the board: a position has at least one")
        squares = {
            side: tuple(sorted(n for n, (owner, _) in self.pieces.items() if owner is side))
            for side in Side
        }
        for side, own in squares.items():
            if self.strict and len(own) > self.variant.men:
                raise FenError(
                    f"{side.title} has {len(own)} pieces: at most {self.variant.men} are possible"
                )
        kings = frozenset(n for n, (_, king) in self.pieces.items() if king)
        return Setup(self.turn, squares, kings)

    def _section(self, section: str, column: int) -> None:
        if not section or _TAIL.fullmatch(section):
            return
        try:
            side = Side(section[0].upper())
        except ValueError:
            raise FenError(
                f"{section[:20]!r} names no side: a list of squares begins with B or W",
                token=section,
                column=column,
            ) from None
        listed = section[1:].strip()
        if not listed:
            return
        if side in self.seen:
            raise FenError(f"{side.title}'s pieces are listed twice", token=section, column=column)
        self.seen.add(side)
        for token, at in _split(section[1:], ",", column + 1):
            if token:
                self._token(side, token, at)

    def _token(self, side: Side, token: str, column: int) -> None:
        first, dash, last = token.partition("-")
        king, low = self._square(first.strip(), token, column)
        high = low
        if dash:
            also_king, high = self._square(last.strip(), token, column)
            king = king or also_king
            if high < low:
                raise FenError(f"the range {token} runs backward", token=token, column=column)
        crown = self.variant.crown_row(side) if self.strict else 0
        for number in range(low, high + 1):
            if number in self.pieces:
                raise FenError(
                    f"square {number} is named twice: it holds one piece at most",
                    token=token,
                    column=column,
                )
            if not king and self.variant.geometry.masks[number] & crown:
                raise FenError(
                    f"{side.title} has a man on {number}, its crown row: "
                    f"it would be a king there, K{number}",
                    token=token,
                    column=column,
                )
            self.pieces[number] = side, king

    def _square(self, text: str, token: str, column: int) -> tuple[bool, int]:
        geometry = self.variant.geometry
        match = _SQUARE.fullmatch(text)
        if match and text.isascii():
            name = match["name"]
            try:
                number = int(name) if name.isdigit() else geometry.number(name)
            except ValueError:
                number = 0
            if 1 <= number <= geometry.squares:
                return bool(match["king"]), number
        raise FenError(
            f"{token[:20]!r} is no square: they run from 1 to {geometry.squares}, "
            "with K before a king's",
            token=token,
            column=column,
        )
