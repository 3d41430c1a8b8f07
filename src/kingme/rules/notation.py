"""Move text, in every spelling that people use.

``11-15``, ``11 15``, ``15x22``, the full path ``15x22x31``, the short ``15x31`` where it
names one result, and the same in letters: ``c3-d4``, ``c3:e5``, ``c3d4``. The mark between
squares is not held against anyone: files write quiet moves with ``x`` and jumps with
``-``. A move number in front and ``!``, ``(?)``, ``$7`` or ``*`` behind are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from kingme.errors import AmbiguousMoveError, IllegalMoveError, MoveTextError
from kingme.rules.moves import Move
from kingme.rules.piece import Piece
from kingme.rules.record import Variant
from kingme.rules.squares import Geometry
from kingme.rules.terms import Side

__all__ = ["Playable", "objection", "parse", "spell"]

_LONGEST = 200
_NUMBER = re.compile(r"\s*(?:[0-9]+\s*)?(?:\.\s*)+")
_STRENGTH = re.compile(r"(?:[\s!?.*]|\([!?]+\)|\$[0-9]+)*$")
_SQUARE = re.compile(r"[a-z]\d{1,2}|\d+", re.I | re.A)
_MARK = re.compile(r"\s*[-‐‑–—−x×:*]\s*|\s+|(?<=\d)(?=[a-z])", re.I)


class Playable(Protocol):
    """What move texts are read against: a position, as far as it matters to them."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    @property
    def variant(self) -> Variant:
        """The rules in force, with the names of the squares."""

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move."""

    @property
    def must_jump(self) -> tuple[int, ...]:
        """The squares of the pieces that are bound to jump."""

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square."""


def parse(position: Playable, text: str) -> Move:
    """Return the legal move of ``position`` that ``text`` names.

    A text that fits several moves is taken where all of them capture the same pieces and
    end on the same square, for they are one result; otherwise it is refused. A flying king
    that jumps on in a straight line may be said to rest on any square that it passes there; a
    route that is written whole so is never taken for a longer one with landings left out.
    """
    if not isinstance(text, str):
        raise TypeError(f"a move's text is a str such as '11-15', not {type(text).__name__}")
    path = tuple(_squares(position, text))
    legal = position.legal_moves
    ending = [move for move in legal if move.end == path[-1]]
    passing = [move for move in ending if _passes(move, path, position.variant.geometry)]
    found = (
        [move for move in ending if move.path == path]
        or [move for move in passing if len(move.path) == len(path)]
        or [move for move in ending if _begins(move, path)]
        or passing
    )
    said = " ".join(text.split())
    texts = tuple(str(move) for move in legal)
    if not found:
        raise IllegalMoveError(
            objection(position, path, said), legal=texts, must_jump=position.must_jump
        )
    if len({(move.end, frozenset(move.captures)) for move in found}) > 1:
        names = tuple(str(move) for move in found)
        raise AmbiguousMoveError(
            f"{said} can mean {' or '.join(names)}: write the whole route",
            candidates=names,
            legal=texts,
        )
    return found[0]


def spell(move: Move, variant: Variant, *, short: bool = False) -> str:
    """Return a move as players of a variant write it: its letters or numbers, its mark.

    With ``short``, only start and end are written, which may fit other moves too.

    >>> from kingme.rules.variant import VARIANTS
    >>> spell(Move((22, 15, 8), (18, 11)), VARIANTS["russian"])
    'c3:e5:g7'
    >>> spell(Move((22, 15, 8), (18, 11)), VARIANTS["pool"], short=True)
    '22x8'
    """
    squares = (move.start, move.end) if short else move.path
    mark = variant.jump_mark if move.captures else "-"
    if variant.letters_first:
        return mark.join(variant.geometry.letters(square) for square in squares)
    return mark.join(map(str, squares))


def objection(position: Playable, path: tuple[int, ...], said: str) -> str:
    """Say why a path is no legal move here: what is wrong, what is bound to jump, what is legal."""
    legal = position.legal_moves
    if not legal:
        return f"{said} cannot be played: {position.turn.title} has no move, the game is over"
    names = ", ".join(str(move) for move in legal[:40])
    return f"{_reason(position, path, said)}. Legal: {names}"


def _reason(position: Playable, path: tuple[int, ...], said: str) -> str:
    if len(path) < 2:
        return f"{said} is not legal: a move names at least two squares"
    start, end = path[0], path[-1]
    piece = position.piece_at(start)
    if piece is None:
        return f"{said} is not legal: there is no piece on {start}"
    if piece.side is not position.turn:
        return f"{said} is not legal: {start} is not {position.turn.title}'s piece"
    moves = [move for move in position.legal_moves if _begins(move, path)]
    if moves:
        whole = any(move.path == path for move in moves)
        # A text has no captures of its own, so a wrong list of them comes from a program.
        fault = "captures other pieces" if whole else "is not the whole jump: it goes on"
        return f"{said} {fault}"
    if len(path) > 3 and any(move.path == path[:2] for move in position.legal_moves):
        return f"{said} is more than one move: {path[0]}-{path[1]} is the first, and comes alone"
    jumpers = position.must_jump
    if start in jumpers:
        return f"{said} is not legal: the piece on {start} must jump, but not so"
    if jumpers:
        pieces = " or ".join(map(str, jumpers))
        return f"{said} is not legal: a jump is compulsory, with the piece on {pieces}"
    if position.piece_at(end):
        return f"{said} is not legal: {end} is occupied"
    return f"{said} is not legal: the piece on {start} cannot go there"


def _begins(move: Move, path: tuple[int, ...]) -> bool:
    """Whether ``path`` is the beginning of ``move``, perhaps with some landings left out."""
    landings = iter(move.path[1:])
    return path[0] == move.start and all(square in landings for square in path[1:])


def _passes(move: Move, path: tuple[int, ...], geometry: Geometry) -> bool:
    """Whether a jump may be said to rest on the squares of ``path``, some left out."""
    rests = iter(_rests(move, geometry))
    return path[0] == move.start and all(
        any(square in rest for rest in rests) for square in path[1:-1]
    )


def _rests(move: Move, geometry: Geometry) -> Iterator[tuple[int, ...]]:
    """Yield, for each landing before the last, the squares where the piece may be said to rest.

    A flying king that goes straight on may rest on any square up to the next piece.
    """
    for (start, land, end), over in zip(_triples(move.path), move.captures[1:], strict=False):
        line = geometry.between(land, end)
        straight = geometry.direction(start, land) == geometry.direction(land, end)
        yield (land, *line[: line.index(over)]) if straight else (land,)


def _triples(path: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    return zip(path, path[1:], path[2:], strict=False)


def _squares(position: Playable, text: str) -> list[int]:
    """Read the squares of a move text; refuse what is no square, with its column."""
    geometry = position.variant.geometry
    legal = tuple(str(move) for move in position.legal_moves)

    def refuse(message: str, token: str, at: int) -> MoveTextError:
        hint = f". Legal: {', '.join(legal[:40])}" if legal else ""
        return MoveTextError(message + hint, token=token, column=at + 1, legal=legal)

    if len(text) > _LONGEST:
        raise refuse(f"this is {len(text)} characters long: a move has {_LONGEST} at most", "", 0)
    numbered = _NUMBER.match(text)
    at = numbered.end() if numbered else len(text) - len(text.lstrip())
    end = len(_STRENGTH.sub("", text))
    squares: list[int] = []
    while at < end:
        found = _SQUARE.match(text, at, end)
        if not found:
            raise refuse(
                *_unread(text[at:end], at, "is no square: a move looks like 11-15 or c3-d4")
            )
        name = found[0]
        try:
            number = int(name) if name.isdigit() else geometry.number(name)
            geometry.letters(number)
        except ValueError:
            message = f"{name[:20]!r} is no square of play: they run from 1 to {geometry.squares}"
            raise refuse(message, name, at) from None
        squares.append(number)
        at = found.end()
        mark = _MARK.match(text, at, end)
        if at < end:
            if not mark:
                raise refuse(*_unread(text[at:end], at, "does not belong in a move"))
            at = mark.end()
            if at == end and mark[0].strip():
                raise refuse(
                    f"nothing follows {mark[0].strip()!r}",
                    mark[0].strip(),
                    mark.start(),
                )
    if len(squares) < 2:
        raise refuse("a move names at least two squares, as in 11-15 or c3-d4", text.strip(), 0)
    return squares


def _unread(rest: str, at: int, why: str) -> tuple[str, str, int]:
    """Say what is wrong where no square or mark can be read: the message, the token, its place."""
    word = rest.split(maxsplit=1)[0]
    for place, char in enumerate(word[:2], at):
        if char.isdecimal() and not char.isascii():
            message = f"{char!r} is no square's digit: squares are written with 0 to 9"
            return message, char, place
    return f"{word[:20]!r} {why}", word, at
