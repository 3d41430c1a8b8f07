"""Everything that kingme refuses, as one tree; each message is fit to be shown to a user.

    KingmeError
    ├── VariantError            a variant record that contradicts itself or cannot be played yet
    ├── CaptureLimitError       a position with more captures than anybody could list
    ├── PositionError           a position that cannot occur (two pieces on a square, 13 men, ...)
    │   └── FenError            a FEN text that says no position, or an impossible one
    ├── MoveError               a move that cannot be played here
    │   ├── MoveTextError       a text that is no move at all
    │   ├── IllegalMoveError    a well-formed move that the rules forbid here
    │   └── AmbiguousMoveError  a short text that fits several different moves
    ├── ClaimError              a draw claim that the rules in force do not allow
    ├── Refusal                 a command that a game, a room or the lobby turns down
    │   ├── NotEnoughChips      a stake that a player cannot put up
    │   └── NameTaken           a name that somebody has
    ├── SettingsError           settings that contradict themselves, with the field at fault
    └── Unavailable             a store that cannot be reached; what was asked may have happened

Text errors carry the ``token`` that offended and its 1-based ``column``; move errors
carry the ``legal`` moves as texts.
"""

from __future__ import annotations

import copyreg
from typing import Any

__all__ = [
    "AmbiguousMoveError",
    "CaptureLimitError",
    "ClaimError",
    "FenError",
    "IllegalMoveError",
    "KingmeError",
    "MoveError",
    "MoveTextError",
    "NameTaken",
    "NotEnoughChips",
    "PositionError",
    "Refusal",
    "SettingsError",
    "Unavailable",
    "VariantError",
]


class KingmeError(Exception):
    """The root: catch this to catch everything that kingme raises on purpose.

    >>> from kingme import Position
    >>> for text in ["W:W1:B32", "W:W40:B1"]:
    ...     try:
    ...         position = Position.from_fen(text)
    ...     except KingmeError as error:
    ...         print(error)
    White has a man on 1, its crown row: it would be a king there, K1
    '40' is no square: they run from 1 to 32, with K before a king's
    """


class VariantError(KingmeError):
    """A variant record that contradicts itself or that this version cannot play.

    >>> from kingme import Variant
    >>> Variant("odd", "Odd draughts", None, men=13)
    Traceback (most recent call last):
    kingme.errors.VariantError: odd: 13 men do not fill whole rows of the board
    """


class CaptureLimitError(KingmeError):
    """A position with so many captures that listing them is given up.

    Orders of the same captures grow without bounds where flying kings have many to choose
    from; positions of games stay far below the limit.

    >>> from kingme import VARIANTS, Position
    >>> many = "W:WK18:BK4,K6,K7,K11,K13,K14,K16,K17,K24,K29,K32,K35,K38,K39,K43,K49"
    >>> Position.from_fen(many, VARIANTS["frisian"]).legal_moves
    Traceback (most recent call last):
    kingme.errors.CaptureLimitError: too many captures to list: the work ends at 30000 landings
    """


class PositionError(KingmeError, ValueError):
    """A position that cannot occur, with the reason.

    >>> from kingme import Piece, Position, Side
    >>> Position.of({40: Piece(Side.BLACK)}, Side.BLACK)
    Traceback (most recent call last):
    kingme.errors.PositionError: there is no square 40: they run from 1 to 32
    """


class FenError(PositionError):
    """A FEN text that cannot be read; ``token`` and 1-based ``column`` say where.

    >>> from kingme import Position
    >>> try:
    ...     Position.from_fen("W:W31,X:B1")
    ... except FenError as error:
    ...     print(error.token, error.column)
    X 7
    """

    def __init__(self, message: str, *, token: str = "", column: int = 1) -> None:
        super().__init__(message)
        self.token = token
        self.column = column


class MoveError(KingmeError, ValueError):
    """A move that cannot be played here; ``legal`` lists the texts of those that can.

    >>> from kingme import Position
    >>> try:
    ...     Position.from_fen("B:W25,26:B22").play("22-18")
    ... except MoveError as error:
    ...     print(error.legal)
    ('22x29', '22x31')
    """

    def __init__(self, message: str, *, legal: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.legal = legal


class MoveTextError(MoveError):
    """A text that is no move; ``token`` and 1-based ``column`` say where it fails.

    >>> from kingme import Position
    >>> try:
    ...     Position.start().parse("11-what")
    ... except MoveTextError as error:
    ...     print(error.token, error.column)
    what 4
    """

    def __init__(
        self,
        message: str,
        *,
        token: str = "",
        column: int = 1,
        legal: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, legal=legal)
        self.token = token
        self.column = column


class IllegalMoveError(MoveError):
    """A move that the rules forbid; ``must_jump`` names the squares that are bound to jump.

    >>> from kingme import Position
    >>> try:
    ...     Position.from_fen("B:W26:B1,22").play("1-5")
    ... except IllegalMoveError as error:
    ...     print(error, error.must_jump, sep="; ")
    1-5 is not legal: a jump is compulsory, with the piece on 22. Legal: 22x31; (22,)
    """

    def __init__(
        self,
        message: str,
        *,
        legal: tuple[str, ...] = (),
        must_jump: tuple[int, ...] = (),
    ) -> None:
        super().__init__(message, legal=legal)
        self.must_jump = must_jump


class AmbiguousMoveError(MoveError):
    """A text that fits several moves with different results; ``candidates`` names them.

    >>> from kingme import Position
    >>> try:
    ...     Position.from_fen("W:W27,32:B15,16,23,24").parse("27x11")
    ... except AmbiguousMoveError as error:
    ...     print(error.candidates)
    ('27x18x11', '27x20x11')
    """

    def __init__(
        self, message: str, *, candidates: tuple[str, ...] = (), legal: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, legal=legal)
        self.candidates = candidates


class ClaimError(KingmeError):
    """A draw claim that the rules in force, or the position, do not allow.

    >>> from kingme import History, Side
    >>> History.start().claim("tournament", Side.BLACK)
    Traceback (most recent call last):
    kingme.errors.ClaimError: 0 plies in a row made no progress: 80 are needed
    """


class Refusal(KingmeError):
    """A command that is turned down; ``code`` is for programs, the message for the player.

    ``version`` is that of the game which turned it down, where one did.
    """

    version: int | None = None

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by what it carries: each kind below is made from something else."""
        return copyreg.__newobj__, (type(self), str(self)), vars(self)  # type: ignore[attr-defined]


class NotEnoughChips(Refusal):
    """A stake that a player cannot put up; ``user`` is the player's id."""

    def __init__(
        self, user: int, message: str = "There are not enough chips for this stake."
    ) -> None:
        super().__init__("not_enough_chips", message)
        self.user = user


class NameTaken(Refusal):
    """A name that somebody has already."""

    def __init__(self, name: str) -> None:
        super().__init__("name_taken", f"The name {name} is taken.")


class SettingsError(KingmeError, ValueError):
    """Settings that the operator must change: the message names the field and what is allowed."""


class Unavailable(KingmeError):
    """A store that cannot be reached: whether what was asked happened is unknown."""
